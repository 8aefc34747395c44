/** Marks of students, and what a group of them got together in a test. */
import type { MarksRow } from './items.contract.ts';

/** A student and a test. */
export type Sitting = {
  readonly testId: string;
  readonly studentId: string;
  readonly attendance: 'sat' | 'absent' | 'exempt';
  /** The staff total; null: none. */
  readonly total: number | null;
  /** What is open about the total: it is contested; it, or a mark of it, is above its maximum of now. */
  readonly totalContested: boolean;
  readonly totalAbove: boolean;
  /** Whether the student sat it is contested, whatever counts. */
  readonly attendanceContested: boolean;
  /** Parallel to the questions of the paper: the marks that count. Of whoever is absent or exempt none does. */
  readonly marks: MarksRow;
  /** Where in `marks` nobody has decided between several values. */
  readonly contested: readonly number[];
};

/** Question figures are of those who are not absent or exempt and have a mark that counts. */
export const hasMarks = ({ attendance, marks }: Sitting): boolean => attendance === 'sat' && marks.some((mark) => mark !== null);

/** How many of the marks or totals that a figure rests on are contested, or above their maximum of now. */
export type Open = { readonly contested: number; readonly aboveMaximum: number };
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

/** `sittings`: of one test; `maxima`: of its questions. A contested attendance is open about every question. */
export const groupMarks = (sittings: readonly Sitting[], maxima: readonly number[]): GroupMarks => {
  const counted = sittings.filter(hasMarks);
  const doubtful = sittings.filter(({ attendanceContested }) => attendanceContested).length;
  const sums = maxima.map(() => ({ sum: 0, contested: doubtful, aboveMaximum: 0, marked: 0 }));
  for (const { marks, contested } of counted) {
    for (const [place, mark] of marks.entries()) {
      const sum = sums[place];
      if (mark === null || !sum) continue;
      sum.sum += mark;
      sum.marked += 1;
      if (mark > (maxima[place] ?? mark)) sum.aboveMaximum += 1;
    }
    for (const place of contested) {
      const sum = sums[place];
      if (sum) sum.contested += 1;
    }
  }
  return { n: counted.length, questions: sums.map(({ marked, ...question }) => (marked > 0 ? question : null)) };
};

/** What is open about the totals of a group. */
export const openTotals = (sittings: readonly Sitting[]): Open => ({
  contested: sittings.filter(({ totalContested, attendanceContested }) => totalContested || attendanceContested).length,
  aboveMaximum: sittings.filter(({ totalAbove }) => totalAbove).length,
});
