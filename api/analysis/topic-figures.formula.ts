/** What a class or a student got in the topics of a scheme of work. */
import type { Paper } from './analysis.contract.ts';
import type { Open } from '../contract/flags.ts';
import type { GroupMarks, Sitting } from './group.formula.ts';
import { hasMarks, openOf } from './group.formula.ts';
import type { Bearing } from './topics.formula.ts';

/** A question that a class was asked, and its `place` on the paper of the `test`. */
export type AskedQuestion = Paper['questions'][number] & { readonly testId: string; readonly test: string; readonly place: number };
/** A question that bears on a topic, with what was got there. */
export type BearingMarks = AskedQuestion & Bearing & Open & { readonly marks: number; readonly available: number };
export type TopicFigures<Question = BearingMarks> = Open & {
  readonly marks: number;
  readonly available: number;
  /** No question is of the topic itself: what is known comes from its pre-requisites. */
  readonly predicted: boolean;
  readonly questions: readonly Question[];
};

/** The questions of these papers that a class was asked, in their order. */
export const askedOf = (papers: readonly Paper[], isAsked: (question: AskedQuestion) => boolean): ReadonlyMap<string, AskedQuestion> => {
  const questions = papers.flatMap((paper) =>
    paper.questions.map((question, place) => ({ ...question, testId: paper.testId, test: paper.name, place })),
  );
  return new Map(questions.filter(isAsked).map((question) => [question.questionId, question]));
};

/** Of a class: the marks of all its students, and what all of them could have got. */
export const ofClass = (
  bearing: readonly Bearing[],
  askedQuestions: ReadonlyMap<string, AskedQuestion>,
  groups: ReadonlyMap<string, GroupMarks>,
): TopicFigures =>
  together(
    bearing.flatMap((one) => {
      const question = askedQuestions.get(one.questionId);
      const group = question && groups.get(question.testId);
      const got = question && group?.questions[question.place];
      if (!got) return [];
      const { sum, contested, aboveMaximum } = got;
      return [{ ...question, ...one, marks: sum, available: question.max * group.n, contested, aboveMaximum }];
    }),
  );

/**
 * Of one student: the questions that the class was asked in the tests that the student sat. `sittings`: the student's, by test. `mark` null:
 * left out, which counts 0.
 */
export const ofStudent = (
  bearing: readonly Bearing[],
  askedQuestions: ReadonlyMap<string, AskedQuestion>,
  sittings: ReadonlyMap<string, Sitting>,
): TopicFigures<BearingMarks & { readonly mark: number | null }> =>
  together(
    bearing.flatMap((one) => {
      const question = askedQuestions.get(one.questionId);
      const sitting = question && sittings.get(question.testId);
      if (!sitting || !hasMarks(sitting)) return [];
      const mark = sitting.marks[question.place] ?? null;
      const contested = Number(sitting.flags.includes('contested-attendance') || sitting.contested.includes(question.place));
      const aboveMaximum = Number((mark ?? 0) > question.max);
      return [{ ...question, ...one, mark, marks: mark ?? 0, available: question.max, contested, aboveMaximum }];
    }),
  );

const together = <Question extends BearingMarks>(questions: readonly Question[]): TopicFigures<Question> => ({
  marks: questions.reduce((sum, { marks }) => sum + marks, 0),
  available: questions.reduce((sum, { available }) => sum + available, 0),
  predicted: questions.length > 0 && questions.every(({ isOfTopic }) => !isOfTopic),
  questions,
  ...openOf(questions),
});
