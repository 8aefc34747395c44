/**
 * Item analysis of a test: how hard each question was, and how well it tells strong students from weak ones. Rows are students who sat it;
 * a question that a student left out counts 0, and one without any mark in the group has no figure and is no part of the test.
 * All variances are those of a sample (n - 1). Sums are of whole marks and so exact: no order of students or questions changes a figure.
 */

import type { GroupFigures } from './tests.contract.ts';

/** A student's marks that count, parallel to the questions; null: none. */
export type MarksRow = readonly (number | null)[];

/** From how many students discrimination and alpha may be shown, and from how many without a warning. */
export const FEWEST_SHOWN = 10;
export const FEWEST_SURE = 20;
/** What so few students say: nothing, little, or what it says. */
export type Evidence = 'none' | 'weak' | 'fair';
const evidenceOf = (n: number): Evidence => (n < FEWEST_SHOWN ? 'none' : n < FEWEST_SURE ? 'weak' : 'fair');

export type QuestionFigures = NonNullable<GroupFigures['questions'][number]>;
export type TestFigures = Omit<GroupFigures, 'leftOut' | 'open'>;

/** The figures of a group of students. `maxima`: marks available, by question. */
export const testFigures = (rows: readonly MarksRow[], maxima: readonly number[]): TestFigures => {
  const n = rows.length;
  const evidence = evidenceOf(n);
  const marked = maxima.flatMap((_, place) => (rows.some((row) => (row[place] ?? null) !== null) ? [place] : []));
  const columns = new Map(marked.map((place) => [place, rows.map((row) => row[place] ?? 0)]));
  const totals = rows.map((row) => marked.reduce((sum, place) => sum + (row[place] ?? 0), 0));
  const ofTotals = sumsOf(totals);
  const variances = new Map([...columns].map(([place, marks]) => [place, varianceOf(sumsOf(marks))]));
  const all = [...variances.values()].reduce((sum, one) => sum + one, 0);
  const k = marked.length;
  const varianceOfTotals = varianceOf(ofTotals);
  const alpha = evidence === 'none' ? null : alphaOf(k, all, varianceOfTotals);
  return {
    n,
    evidence,
    k,
    mean: n > 0 ? ofTotals.sum / n : null,
    sd: n > 1 ? Math.sqrt(varianceOfTotals) : null,
    alpha,
    sem: semOf(varianceOfTotals, alpha),
    questions: maxima.map((max, place) => {
      const marks = columns.get(place);
      if (!marks) return null;
      const rest = totals.map((total, row) => total - (marks[row] ?? 0));
      return {
        ...ratesOf(marks, max),
        discrimination: evidence === 'none' ? null : correlationOf(marks, rest),
        alphaIfDeleted: evidence === 'none' ? null : alphaOf(k - 1, all - (variances.get(place) ?? 0), varianceOf(sumsOf(rest))),
      };
    }),
  };
};

/** `zero`: the share of students with no mark at all, or with 0; `full`: with the maximum or more. */
const ratesOf = (marks: readonly number[], max: number): Pick<QuestionFigures, 'facility' | 'zero' | 'full' | 'distribution'> => {
  const n = marks.length;
  const counts = new Map<number, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return {
    facility: sumsOf(marks).sum / n / max,
    zero: (counts.get(0) ?? 0) / n,
    full: marks.filter((mark) => mark >= max).length / n,
    distribution: [...counts].toSorted(([a], [b]) => a - b),
  };
};

/** Of n values: their sum and the sum of their squares, which are whole numbers. */
export type Sums = { readonly n: number; readonly sum: number; readonly squares: number };
const sumsOf = (values: readonly number[]): Sums => {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return { n: values.length, sum, squares };
};

/** Of a sample; 0 of fewer than two values. */
const varianceOf = ({ n, sum, squares }: Sums): number => (n < 2 ? 0 : (n * squares - sum * sum) / (n * (n - 1)));

/** Cronbach's alpha of k questions, from the sum of their variances and the variance of the totals. */
const alphaOf = (k: number, questions: number, totals: number): number | null =>
  k < 2 || totals <= 0 ? null : (k / (k - 1)) * (1 - questions / totals);

/** The same of questions that are each of all students, from their sums; null of too few students too. */
export const alphaOfSums = (totals: Sums, questions: readonly Omit<Sums, 'n'>[]): number | null =>
  evidenceOf(totals.n) === 'none'
    ? null
    : alphaOf(
        questions.length,
        questions.reduce((all, { sum, squares }) => all + varianceOf({ n: totals.n, sum, squares }), 0),
        varianceOf(totals),
      );

/** Standard error of measurement, in marks; `variance`: of the totals. */
const semOf = (variance: number, alpha: number | null): number | null =>
  alpha === null ? null : Math.sqrt(variance * Math.max(0, 1 - alpha));

/** Pearson's; null: one of the two does not vary. */
const correlationOf = (x: readonly number[], y: readonly number[]): number | null => {
  const n = x.length;
  const [a, b] = [sumsOf(x), sumsOf(y)];
  const xy = x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  const [varies, along] = [n * a.squares - a.sum ** 2, n * b.squares - b.sum ** 2];
  return varies <= 0 || along <= 0 ? null : (n * xy - a.sum * b.sum) / (Math.sqrt(varies) * Math.sqrt(along));
};

/** Below it a claim about so few questions is not enough evidence. */
export const ENOUGH_RELIABILITY = 0.5;

/**
 * How reliable a claim about m of the k questions of a test is (Spearman-Brown): the reliability of one question, stepped down from alpha,
 * stepped up to m. Null: unknown; never below 0.
 */
export const reliabilityOf = (alpha: number | null, k: number, m: number): number | null => {
  if (alpha === null || m < 1) return null;
  const whole = Math.max(0, alpha);
  const one = whole / (k - (k - 1) * whole);
  return (m * one) / (1 + (m - 1) * one);
};

/** By question: how reliable a claim about all questions of its topic together is. `questions`: those of the test that have a mark. */
export const topicReliability = (
  alpha: number | null,
  questions: readonly { readonly questionId: string; readonly topic: string }[],
): ReadonlyMap<string, number | null> => {
  const sizes = Map.groupBy(questions, ({ topic }) => topic.toLowerCase());
  return new Map(
    questions.map(({ questionId, topic }) => [
      questionId,
      reliabilityOf(alpha, questions.length, sizes.get(topic.toLowerCase())?.length ?? 1),
    ]),
  );
};
