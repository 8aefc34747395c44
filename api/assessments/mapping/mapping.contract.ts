/** Requests and responses about the topic tree of a subject and its mappings. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { nothing } from '../../contract/answer.ts';
import { id, label, linksOf } from '../../contract/fields.ts';
import { MAX_LEVELS, MAX_TREE_TOPICS } from '../../contract/limits.ts';

export const replaceTopicTree = z.strictObject({
  subjectId: id,
  title: label,
  /** Each topic by its path from the top: ['Number', 'Fractions', 'Adding fractions']. Missing topics in between are added. */
  paths: z.array(z.array(label).min(1).max(MAX_LEVELS)).min(1).max(MAX_TREE_TOPICS),
});

const ids = z.array(id).max(500);
/** What the author saw; if left out, there is no check for concurrent changes. */
const was = ids.optional();
const changes = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(500);

/** The complete list of topics for each of these scheme topics; empty: none. */
export const mapSchemeTopics = z.strictObject({
  subjectId: id,
  changes: changes(z.strictObject({ schemeTopicId: id, topicIds: ids, was })),
});
export const mapQuestions = z.strictObject({
  subjectId: id,
  changes: changes(z.strictObject({ questionId: id, topicIds: ids, was })),
});
export const allocatePrerequisites = z.strictObject({
  subjectId: id,
  changes: changes(z.strictObject({ schemeTopicId: id, questionIds: ids, was })),
});

/** Single bindings; `linked`: whether they shall be. */
export const linkSchemeTopic = z.strictObject({ subjectId: id, links: linksOf({ schemeTopicId: id, topicId: id }), linked: z.boolean() });
export const linkQuestionTopic = z.strictObject({ subjectId: id, links: linksOf({ questionId: id, topicId: id }), linked: z.boolean() });
export const linkPrerequisite = z.strictObject({
  subjectId: id,
  links: linksOf({ schemeTopicId: id, questionId: id }),
  linked: z.boolean(),
});

const mappings = z.object({
  tree: z
    .object({
      title: z.string(),
      topics: z.array(z.object({ topicId: id, name: z.string(), parentId: id.nullable() })),
    })
    .nullable()
    .describe('Topics in the order of the file, parents before their children; null: the subject has no topic tree yet.'),
  schemes: z.array(
    z.object({
      schemeId: id,
      name: z.string(),
      topics: z.array(
        z.object({
          schemeTopicId: id,
          name: z.string(),
          topicIds: z.array(id).describe('its pre-requisite topics in the tree'),
          questionIds: z.array(id).describe('questions assigned to it by hand'),
        }),
      ),
    }),
  ),
  tests: z.array(
    z.object({
      testId: id,
      name: z.string(),
      questions: z.array(z.object({ questionId: id, number: z.int(), topic: z.string(), topicIds: z.array(id) })),
    }),
  ),
});
export type Mappings = Answer<typeof mappings>;

const mapped = z
  .object({ schemeTopicIds: z.array(id), questionIds: z.array(id) })
  .describe('Topics and questions that have mappings, which would be lost if they were removed.');
export type Mapped = Answer<typeof mapped>;

export const mappingCommands = {
  ReplaceTopicTree: { input: replaceTopicTree, result: z.object({ changed: z.boolean() }) },
  MapSchemeTopics: { input: mapSchemeTopics, result: nothing },
  MapQuestions: { input: mapQuestions, result: nothing },
  AllocatePrerequisites: { input: allocatePrerequisites, result: nothing },
  LinkSchemeTopic: { input: linkSchemeTopic, result: nothing },
  LinkQuestionTopic: { input: linkQuestionTopic, result: nothing },
  LinkPrerequisite: { input: linkPrerequisite, result: nothing },
};

export const mappingQueries = {
  mappings: { input: z.object({ subjectId: id }), answer: mappings },
  mapped: { input: z.object({ subjectId: id }), answer: mapped },
};
