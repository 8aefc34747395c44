/** Marks of students, and what a group of them got together in a test. */
import type { Attendance } from '../contract/attendance.ts';
import type { Open } from '../contract/flags.ts';
import type { TotalFlag } from '../contract/total-flag.ts';
import type { MarksRow } from './items.formula.ts';

/** A student and a test. */
export type Sitting = {
  readonly testId: string;
  readonly studentId: string;
  readonly attendance: Attendance;
  /** The staff total; null: none. */
  readonly total: number | null;
  /** Of the total, and whether they sat it. */
  readonly flags: readonly TotalFlag[];
  /** Parallel to the questions of the paper: the marks that count. Of whoever is absent or exempt none does. */
  readonly marks: MarksRow;
  /** Where in `marks` nobody has decided between several values. */
  readonly contested: readonly number[];
};

/** Whether all that was entered is undone. */
export const isEmpty = ({ attendance, total, marks, flags, contested }: Sitting): boolean =>
  attendance === 'sat' && total === null && flags.length + contested.length === 0 && marks.every((mark) => mark === null);

/** By student, of whom each has one at most. */
export const byStudent = <One extends { readonly studentId: string }>(ones: readonly One[]): ReadonlyMap<string, One> =>
  new Map(ones.map((one) => [one.studentId, one]));

/** Question figures are of those who are not absent or exempt and have a mark that counts. */
export const hasMarks = ({ attendance, marks }: Sitting): boolean => attendance === 'sat' && marks.some((mark) => mark !== null);

/** As an answer has it: left out where nothing is open. */
export const ifOpen = ({ contested, aboveMaximum }: Open): { readonly open?: Open } =>
  contested + aboveMaximum > 0 ? { open: { contested, aboveMaximum } } : {};
export const openOf = (all: readonly Open[]): Open => ({
  contested: all.reduce((sum, one) => sum + one.contested, 0),
  aboveMaximum: all.reduce((sum, one) => sum + one.aboveMaximum, 0),
});

/** What a group got in a question: whoever left it out counts 0. */
export type QuestionMarks = Open & { readonly sum: number };
/** `questions`: parallel to the paper's; null: nobody of the group has a mark for it, so that it has no figure. */
export type GroupMarks = { readonly n: number; readonly questions: readonly (QuestionMarks | null)[] };

/** `sittings`: of one test; `questions`: of its paper. A contested attendance is open about every question. */
export const groupMarks = (sittings: readonly Sitting[], questions: readonly { readonly max: number }[]): GroupMarks => {
  const counted = sittings.filter(hasMarks);
  const doubtful = sittings.filter(({ flags }) => flags.includes('contested-attendance')).length;
  const sums = questions.map(() => ({ sum: 0, contested: doubtful, aboveMaximum: 0, marked: 0 }));
  for (const { marks, contested } of counted) {
    for (const [place, mark] of marks.entries()) {
      const sum = sums[place];
      if (mark === null || !sum) continue;
      sum.sum += mark;
      sum.marked += 1;
      if (mark > (questions[place]?.max ?? mark)) sum.aboveMaximum += 1;
    }
    for (const place of contested) {
      const sum = sums[place];
      if (sum) sum.contested += 1;
    }
  }
  return { n: counted.length, questions: sums.map(({ marked, ...question }) => (marked > 0 ? question : null)) };
};

/** What is open about the totals of a group; whether they sat it also of whoever has none. */
export const openTotals = (sittings: readonly Pick<Sitting, 'flags' | 'total'>[]): Open => ({
  contested: sittings.filter(({ flags }) => flags.some((flag) => flag !== 'above-maximum')).length,
  aboveMaximum: sittings.filter(({ flags, total }) => total !== null && flags.includes('above-maximum')).length,
});
