/** Strengths and weaknesses: questions in order of how the class, or a student, did in them. */

import type { ClassHome } from './analysis.contract.ts';

/** So many marks together, in so many answers. */
export type Marks = { readonly sum: number; readonly n: number };
export type ComparedQuestion = {
  readonly questionId: string;
  readonly number: number;
  readonly max: number;
  readonly own: Marks;
  readonly all: Marks;
};
/** Ordered by the class's percentage, or by how far that is from all students'. */
export type TargetOrder = 'percentage' | 'comparison';
export type Targets = ClassHome['completed'][number]['targets'][TargetOrder];

const MOST = 4;

/**
 * The strengths of a class are its first four questions (all but one of three or fewer) without those at 0 %, which nothing replaces; the
 * weaknesses are the last four of the others, worst first. Compared as exact fractions, equal ones by number. Questions that nobody of the
 * class, or of all students, sat are left out.
 */
export const targetsOf = (questions: readonly ComparedQuestion[], order: TargetOrder): Targets => {
  const inOrder = questions
    .filter(({ own, all, max }) => own.n > 0 && all.n > 0 && max > 0)
    .map((question) => ({ question, key: order === 'percentage' ? ratioOf(question) : differenceOf(question) }))
    .toSorted((a, b) => descending(a.key, b.key) || a.question.number - b.question.number)
    .map(({ question }) => question);
  const cut = inOrder.length <= 3 ? inOrder.length - 1 : MOST;
  const strengths = inOrder.slice(0, Math.max(0, cut)).filter(({ own }) => own.sum > 0);
  const chosen = new Set(strengths);
  const weaknesses = inOrder
    .filter((one) => !chosen.has(one))
    .slice(-MOST)
    .reverse();
  return { strengths: strengths.map(targetOf), weaknesses: weaknesses.map(targetOf) };
};

const targetOf = (question: ComparedQuestion): Targets['strengths'][number] => ({
  questionId: question.questionId,
  ratio: numberOf(ratioOf(question)),
  difference: numberOf(differenceOf(question)),
});

/** Numerator and denominator, which is positive. */
type Fraction = readonly [above: bigint, below: bigint];
const ratioOf = ({ own, max }: ComparedQuestion): Fraction => [BigInt(own.sum), BigInt(own.n * max)];
const differenceOf = ({ own, all, max }: ComparedQuestion): Fraction => [
  BigInt(own.sum) * BigInt(all.n) - BigInt(all.sum) * BigInt(own.n),
  BigInt(own.n) * BigInt(all.n) * BigInt(max),
];
const numberOf = ([above, below]: Fraction): number => Number(above) / Number(below);
const descending = (a: Fraction, b: Fraction): number => {
  const [left, right] = [a[0] * b[1], b[0] * a[1]];
  return left > right ? -1 : left < right ? 1 : 0;
};

/** A question of one student. */
export type OwnQuestion = Omit<ComparedQuestion, 'own'> & { readonly mark: number };
export type OwnTarget = { readonly questionId: string; readonly difference: number };

const MOST_OWN = 5;

/** A difference in whole points of 100, as it is shown. */
export const wholePoints = (difference: number): number => Math.sign(difference) * Math.round(Math.abs(100 * difference));

/**
 * A student's strengths and targets: (mark - mean of all students) / marks available; at most five above 0, and five below, furthest first.
 * Less than half a point above, which would be shown as 0, is no strength; below, it is a target all the same.
 */
export const ownTargetsOf = (
  questions: readonly OwnQuestion[],
): { readonly strengths: readonly OwnTarget[]; readonly targets: readonly OwnTarget[] } => {
  const inOrder = questions
    .filter(({ all, max }) => all.n > 0 && max > 0)
    .map((question) => ({ ...question, key: differenceOf({ ...question, own: { sum: question.mark, n: 1 } }) }))
    .toSorted((a, b) => descending(a.key, b.key) || a.number - b.number)
    .map(({ questionId, key }) => ({ questionId, difference: numberOf(key) }));
  return {
    strengths: inOrder.filter(({ difference }) => wholePoints(difference) > 0).slice(0, MOST_OWN),
    targets: inOrder
      .filter(({ difference }) => difference < 0)
      .slice(-MOST_OWN)
      .reverse(),
  };
};
