import { changesOf, words } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { count, things } from '../sentence.ts';
import type { mappingEvents } from './mapping.ts';

export const mappingSentences: Descriptions<typeof mappingEvents> = {
  TopicTreeReplaced: {
    says: ({ id, data }) => ['replaced the topic tree of ', things('subject', id), ` with ${treeOf(data)}`],
    changes: ({ id, data }) => changesOf('subject', id, { 'Topic tree': words(treeOf(data)) }),
  },
  SchemeTopicsMapped: {
    says: ({ id, data }) => [`allocated pre-requisite topics to ${schemeTopics(data.changes)} of `, things('subject', id)],
    changes: ({ data }) =>
      data.changes.flatMap(({ schemeTopicId, topicIds }) => changesOf('topic', schemeTopicId, { 'Pre-requisite topics': topicIds.length })),
  },
  QuestionsMapped: {
    says: ({ id, data }) => [`allocated topics to ${count(data.changes.length, 'question')} of `, things('subject', id)],
    changes: ({ data }) =>
      data.changes.flatMap(({ questionId, topicIds }) => changesOf('question', questionId, { 'Allocated topics': topicIds.length })),
  },
  PrerequisitesAllocated: {
    says: ({ id, data }) => [`allocated questions to ${schemeTopics(data.changes)} of `, things('subject', id)],
    changes: ({ data }) =>
      data.changes.flatMap(({ schemeTopicId, questionIds }) =>
        changesOf('topic', schemeTopicId, { 'Allocated questions': questionIds.length }),
      ),
  },
};

const treeOf = ({ title, topics }: { readonly title: string; readonly topics: readonly unknown[] }): string =>
  `${title} (${count(topics.length, 'topic')})`;

const schemeTopics = ({ length }: readonly unknown[]): string => `${count(length, 'topic')} of the schemes of work`;
