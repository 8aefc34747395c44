/** What a class or a student got in the topics of a scheme of work. */
import type { Open } from '../contract/flags.ts';
import type { GroupMarks, Sitting } from './group.formula.ts';
import { hasMarks, openOf } from './group.formula.ts';
import type { Bearing } from './topics.formula.ts';

/** A question that a class was asked: somebody of it has a mark for it. `place`: on the paper. */
export type Asked = { readonly testId: string; readonly questionId: string; readonly max: number; readonly place: number };
/** A question that bears on a topic, with what was got there. */
export type BearingMarks = Bearing & Open & { readonly testId: string; readonly marks: number; readonly available: number };
export type TopicFigures = Open & {
  readonly marks: number;
  readonly available: number;
  /** No question is of the topic itself: what is known comes from its pre-requisites. */
  readonly predicted: boolean;
  readonly questions: readonly BearingMarks[];
};

type Papers = ReadonlyMap<string, { readonly questions: readonly { readonly questionId: string; readonly max: number }[] }>;

/** The questions that a class was asked, in the order of the papers. `groups`: by test. */
export const askedOf = (papers: Papers, groups: ReadonlyMap<string, GroupMarks>): readonly Asked[] =>
  [...papers].flatMap(([testId, { questions }]) =>
    questions.flatMap(({ questionId, max }, place) => (groups.get(testId)?.questions[place] ? [{ testId, questionId, max, place }] : [])),
  );

/** Of a class: the marks of all its students, and what all of them could have got. */
export const ofClass = (
  bearing: readonly Bearing[],
  asked: ReadonlyMap<string, Asked>,
  groups: ReadonlyMap<string, GroupMarks>,
): TopicFigures =>
  together(
    bearing.flatMap((one) => {
      const question = asked.get(one.questionId);
      const group = question && groups.get(question.testId);
      const got = question && group?.questions[question.place];
      if (!got) return [];
      const { sum, contested, aboveMaximum } = got;
      return [{ ...one, testId: question.testId, marks: sum, available: question.max * group.n, contested, aboveMaximum }];
    }),
  );

/**
 * Of one student: the questions that the class was asked in the tests that the student sat. `sittings`: the student's, by test. `mark` null:
 * left out, which counts 0.
 */
export const ofStudent = (
  bearing: readonly Bearing[],
  asked: ReadonlyMap<string, Asked>,
  sittings: ReadonlyMap<string, Sitting>,
): TopicFigures & { readonly marksOf: ReadonlyMap<string, number | null> } => {
  const marksOf = new Map<string, number | null>();
  const questions = bearing.flatMap((one) => {
    const question = asked.get(one.questionId);
    const sitting = question && sittings.get(question.testId);
    if (!sitting || !hasMarks(sitting)) return [];
    const mark = sitting.marks[question.place] ?? null;
    marksOf.set(one.questionId, mark);
    const contested = Number(sitting.flags.includes('contested-attendance') || sitting.contested.includes(question.place));
    const aboveMaximum = Number((mark ?? 0) > question.max);
    return [{ ...one, testId: question.testId, marks: mark ?? 0, available: question.max, contested, aboveMaximum }];
  });
  return { ...together(questions), marksOf };
};

const together = (questions: readonly BearingMarks[]): TopicFigures => ({
  marks: questions.reduce((sum, { marks }) => sum + marks, 0),
  available: questions.reduce((sum, { available }) => sum + available, 0),
  predicted: questions.length > 0 && questions.every(({ isOfTopic }) => !isOfTopic),
  questions,
  ...openOf(questions),
});
