/** Topics of a scheme of work: which questions bear on them, and what students got there. */
import { sameName } from '../contract/names.ts';

/** A topic of the subject's tree; `parentId` null: at the top. */
export type TreeTopic = { readonly topicId: string; readonly parentId: string | null; readonly name?: string };
/** A question with its topics of the tree. */
export type MappedQuestion = { readonly questionId: string; readonly topicIds: readonly string[] };
/** `topicIds`: its pre-requisites in the tree. `questionIds`: the questions mapped to it by hand. */
export type SchemeTopic = {
  readonly schemeTopicId: string;
  readonly topicIds: readonly string[];
  readonly questionIds: readonly string[];
  readonly name?: string;
};
/**
 * `through`: the pre-requisites by which the question bears on the topic; empty: by hand only. `isOfTopic`: by hand, or through the topic
 * itself, which stands in the tree under the same name.
 */
export type Bearing = {
  readonly questionId: string;
  readonly byHand: boolean;
  readonly through: readonly string[];
  readonly isOfTopic: boolean;
};

/**
 * The questions that bear on each topic, each once, in the order of `questions`: those mapped to it by hand, and those of which a topic equals
 * one of its pre-requisites or lies below it in the tree.
 */
export const bearingOn = (
  topics: readonly SchemeTopic[],
  tree: readonly TreeTopic[],
  questions: readonly MappedQuestion[],
): ReadonlyMap<string, readonly Bearing[]> => {
  const parents = new Map(tree.map(({ topicId, parentId }) => [topicId, parentId]));
  const names = new Map(tree.map(({ topicId, name }) => [topicId, name]));
  const above = questions.map(({ questionId, topicIds }) => ({
    questionId,
    reached: new Set(topicIds.flatMap((topicId) => (parents.has(topicId) ? upFrom(topicId, parents) : []))),
  }));
  return new Map(
    topics.map(({ schemeTopicId, topicIds, questionIds, name }) => {
      const hand = new Set(questionIds);
      const inTree = topicIds.filter((topicId) => parents.has(topicId));
      const bearing = above.flatMap(({ questionId, reached }): Bearing[] => {
        const through = inTree.filter((topicId) => reached.has(topicId));
        const byHand = hand.has(questionId);
        const isOfTopic = byHand || (name !== undefined && through.some((topicId) => sameName(names.get(topicId) ?? '', name)));
        return byHand || through.length > 0 ? [{ questionId, byHand, through, isOfTopic }] : [];
      });
      return [schemeTopicId, bearing];
    }),
  );
};

/** The topic and all above it. */
const upFrom = (topicId: string, parents: ReadonlyMap<string, string | null>): readonly string[] => {
  const path: string[] = [];
  for (let at: string | null = topicId; at !== null && !path.includes(at); at = parents.get(at) ?? null) path.push(at);
  return path;
};

/** Marks and what was available for them, over the questions that bear on a topic. */
export type TopicMarks = { readonly marks: number; readonly available: number };

/** 0 to 100, truncated to an integer (above 100 only where marks are above their maximum); null: nothing was asked yet. */
export const topicValue = ({ marks, available }: TopicMarks): number | null =>
  available > 0 ? Math.floor((100 * marks) / available) : null;

/** Percentages from which a set shows the colours. */
export type Thresholds = { readonly red: number; readonly amber: number; readonly green: number };
export const DEFAULT_THRESHOLDS: Thresholds = { red: 0, amber: 40, green: 70 };
export type Rag = 'red' | 'amber' | 'green';

/** Above Green green, above Amber amber, else red: also at or below Red. Nothing asked: no colour. */
export const ragOf = (value: number | null, { amber, green }: Thresholds): Rag | null =>
  value === null ? null : value > green ? 'green' : value > amber ? 'amber' : 'red';

/** The value of a topic, or of a question, with its colour. */
export const ratedBy = (thresholds: Thresholds, marks: TopicMarks): { readonly value: number | null; readonly rag: Rag | null } => {
  const value = topicValue(marks);
  return { value, rag: ragOf(value, thresholds) };
};
