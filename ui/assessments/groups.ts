import type { Mappings } from '#api/assessments/mapping/mapping.contract';
import type { Group } from './Allocation.tsx';
import type { TreeNode } from './tree.ts';

/** Step 1: topics of schemes, with the pre-requisite topics of the tree. */
export const schemesByTopics = ({ schemes }: Mappings): readonly Group[] =>
  schemes.map(({ schemeId, name, topics }) => ({
    id: schemeId,
    name,
    items: topics.map((topic) => ({ id: topic.schemeTopicId, name: topic.name, bound: topic.topicIds })),
  }));

/** Step 2: questions, with their topics. */
export const assessments = ({ tests }: Mappings): readonly Group[] =>
  tests.map(({ testId, name, questions }) => ({
    id: testId,
    name,
    items: questions.map(({ questionId, number, topic, topicIds }) => ({
      id: questionId,
      name: topic,
      note: `Question ${number}`,
      bound: topicIds,
    })),
  }));

/** Step 3: topics of schemes, with the questions allocated as prerequisites by hand. */
export const schemesByQuestions = ({ schemes }: Mappings): readonly Group[] =>
  schemes.map(({ schemeId, name, topics }) => ({
    id: schemeId,
    name,
    items: topics.map((topic) => ({ id: topic.schemeTopicId, name: topic.name, bound: topic.questionIds })),
  }));

export const topicTree = ({ tree }: Mappings): readonly TreeNode[] =>
  (tree?.topics ?? []).map(({ topicId, name, parentId }) => ({ id: topicId, name, parentId }));

/** Questions grouped by assessment. */
export const questionTree = ({ tests }: Mappings): readonly TreeNode[] =>
  tests
    .filter(({ questions }) => questions.length > 0)
    .flatMap(({ testId, name, questions }) => [
      { id: testId, name, parentId: null, heading: true },
      ...questions.map(({ questionId, number, topic }) => ({ id: questionId, name: `${number}. ${topic}`, topic, parentId: testId })),
    ]);
