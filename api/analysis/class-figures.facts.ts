import type { RunSql } from '../common/facts.ts';
import type { ClassOf } from './class.facts.ts';
import type { GroupMarks } from './group.formula.ts';
import { groupMarks } from './group.formula.ts';
import type { Sat } from './sittings.facts.ts';
import { sittingsOfStudents } from './sittings.facts.ts';
import type { Asked } from './topic-figures.formula.ts';
import { askedOf } from './topic-figures.formula.ts';
import type { Bearing } from './topics.formula.ts';
import { bearingOn } from './topics.formula.ts';
import type { Topics } from './topics.facts.ts';
import { topicsOf } from './topics.facts.ts';

/**
 * What the figures of a class rest on: what each of its students did in each test, what they got together, the questions that they were asked,
 * and which of these bear on each topic of a scheme of work.
 */
export type ClassMarks = Sat & {
  readonly groups: ReadonlyMap<string, GroupMarks>;
  /** By question. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** Undefined: the scheme of work is deleted, or none of the subject. */
  readonly topics: Topics | undefined;
  /** By topic of the scheme. */
  readonly bearing: ReadonlyMap<string, readonly Bearing[]>;
};

/** `schemeId`: another one of the subject than the class's. */
export const marksOfClass = async (
  query: RunSql,
  { subjectId, students, schemeId }: Pick<ClassOf, 'subjectId' | 'students' | 'schemeId'>,
): Promise<ClassMarks> => {
  const { papers, sittings } = await sittingsOfStudents(
    query,
    subjectId,
    students.map(({ studentId }) => studentId),
  );
  const groups = new Map(
    [...papers].map(([testId, { questions }]) => [
      testId,
      groupMarks(
        sittings.get(testId) ?? [],
        questions.map(({ max }) => max),
      ),
    ]),
  );
  const asked = askedOf(papers, groups);
  const topics = await topicsOf(query, subjectId, schemeId);
  const topicsOfQuestion = new Map(topics?.mapped.map(({ questionId, topicIds }) => [questionId, topicIds]));
  const questions = asked.map(({ questionId }) => ({ questionId, topicIds: topicsOfQuestion.get(questionId) ?? [] }));
  return {
    papers,
    sittings,
    groups,
    asked: new Map(asked.map((one) => [one.questionId, one])),
    topics,
    bearing: topics ? bearingOn(topics.topics, topics.tree, questions) : new Map(),
  };
};
