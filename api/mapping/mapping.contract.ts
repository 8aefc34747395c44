/** Requests and responses about the topic tree of a subject and its mappings. */
import { z } from 'zod';
import { id, label } from '../contract/fields.ts';
import { MAX_LEVELS, MAX_TREE_TOPICS } from '../contract/limits.ts';

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

/** GET /api/queries/mappings?subjectId= */
export type Mappings = {
  /** Topics in the order of the file, parents before their children; null: the subject has no topic tree yet. */
  readonly tree: {
    readonly title: string;
    readonly topics: readonly { readonly topicId: string; readonly name: string; readonly parentId: string | null }[];
  } | null;
  readonly schemes: readonly {
    readonly schemeId: string;
    readonly name: string;
    readonly topics: readonly {
      readonly schemeTopicId: string;
      readonly name: string;
      /** its pre-requisite topics in the tree */
      readonly topicIds: readonly string[];
      /** questions assigned to it by hand */
      readonly questionIds: readonly string[];
    }[];
  }[];
  readonly tests: readonly {
    readonly testId: string;
    readonly name: string;
    readonly questions: readonly {
      readonly questionId: string;
      readonly number: number;
      readonly topic: string;
      readonly topicIds: readonly string[];
    }[];
  }[];
};

/** GET /api/queries/mapped?subjectId=: topics and questions that have mappings, which would be lost if they were removed. */
export type Mapped = { readonly schemeTopicIds: readonly string[]; readonly questionIds: readonly string[] };
