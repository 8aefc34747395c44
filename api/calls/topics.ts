import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { id } from '../contract/fields.ts';
import { call } from './call.ts';
import { read } from './read.ts';

/** `data`: the subject. */
const ofSubject = z.strictObject({ data: id });
const topicRow = z.object({ TopicID: id, TopicName: z.string(), Parent: id.nullable().describe('null: at the top.') });

type Topic = { readonly topicId: string; readonly name: string; readonly parentId: string | null };

const named = { TopicID: id, TopicName: z.string() };
/** A tree has three levels at most. */
const tree = z.array(
  z.object({
    ...named,
    children: z.array(z.object({ ...named, children: z.array(z.object({ ...named, children: z.array(z.never()) })) })),
  }),
);

const treeOf = (topics: readonly Topic[]): Answer<typeof tree> => {
  const under = (parentId: string | null) =>
    topics.filter((topic) => topic.parentId === parentId).map(({ topicId, name }) => ({ TopicID: topicId, TopicName: name }));
  return under(null).map((top) => ({
    ...top,
    children: under(top.TopicID).map((middle) => ({
      ...middle,
      children: under(middle.TopicID).map((leaf) => ({ ...leaf, children: [] })),
    })),
  }));
};

/** The topic trees of subjects, to which schemes of work and questions are mapped. */
export const topicsCalls = {
  'GET /topics/1': read('mappings', {
    purpose: 'The topic tree of a subject, from the top.',
    asks: ofSubject,
    answers: tree,
    make: (mappings) => treeOf(mappings.tree?.topics ?? []),
  }),
  'GET /topics/2': read('mappings', {
    purpose: 'The names of the topics of a subject, in the order of the tree.',
    asks: ofSubject,
    answers: z.array(z.object({ TopicID: id, TopicName: z.string() })),
    make: (mappings) => (mappings.tree?.topics ?? []).map(({ topicId, name }) => ({ TopicID: topicId, TopicName: name })),
  }),
  'GET /topics/3': call({
    purpose: 'Subjects, with the title of the topic tree of each.',
    asks: z.strictObject({ data: id.optional() }),
    answers: z.array(z.object({ subjectid: id, subject_name: z.string(), Title: z.string().nullable().describe('null: no tree yet.') })),
    behind: ['me', 'mappings'],
    async adapt(caller, { asks: { data } }) {
      const rows = [];
      for (const { subjectId, name } of (await caller.query('me', {})).subjects) {
        if (data !== undefined && data !== subjectId) continue;
        const { tree } = await caller.query('mappings', { subjectId });
        rows.push({ subjectid: subjectId, subject_name: name, Title: tree?.title ?? null });
      }
      return rows;
    },
  }),
  'GET /topics/4': read('mappings', {
    purpose: 'The topics of a subject with their parents, parents before their children.',
    asks: ofSubject,
    answers: z.array(topicRow),
    make: (mappings) =>
      (mappings.tree?.topics ?? []).map(({ topicId, name, parentId }) => ({ TopicID: topicId, TopicName: name, Parent: parentId })),
  }),
};
