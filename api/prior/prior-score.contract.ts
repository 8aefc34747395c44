/** What a prior score may be, what it counts, and how many are enough. Without schemas, so that pages which only show them stay small. */

export const priorMessages = {
  wrongScore: 'Value must be numeric or a grade from A*-G or U',
  wrongFile: 'The upload file is invalid. The grades submitted should be numeric or A* to G or U.',
  noYear: 'Choose the year in which the exam was completed.',
  wrongYear: 'The year completed must be one of the last 15 years.',
} as const;

const LETTER = /^(?:A\*|[A-GU])$/i;
/** Including how spreadsheets and people write it: .5 and 0.12345. It is kept as it was typed. */
const NUMBER = /^-?(?:\d{1,6}(?:\.\d{1,12})?|\.\d{1,12})$/;

/** A number, or a grade from A* to G or U in either case. */
export const wrongPriorScore = (score: string): string | undefined =>
  LETTER.test(score) || NUMBER.test(score) ? undefined : priorMessages.wrongScore;

/** How a number with a decimal comma is to be written; nothing of any other text, such as 1,000, which may be a thousand. */
export const pointed = (score: string): readonly string[] =>
  /^-?\d{1,6},\d{1,2}$/.test(score) ? [`Write it with a point: ${score.replace(',', '.')}`] : [];

export type ScoreType = 'letter' | 'number';
export const scoreType = (score: string): ScoreType => (LETTER.test(score) ? 'letter' : 'number');

/** A grade is the same in either case. */
export const isSameScore = (a: string | undefined, b: string | undefined): boolean => a?.toUpperCase() === b?.toUpperCase();

/** What a score counts: a number as it stands, a letter as in the table below, G and U as 0. */
export const priorPoints = (score: string): number =>
  scoreType(score) === 'number' ? Number(score) : (POINTS.get(score.toUpperCase()) ?? 0);
const POINTS: ReadonlyMap<string, number> = new Map([
  ['A*', 56],
  ['A', 48],
  ['B', 40],
  ['C', 32],
  ['D', 24],
  ['E', 16],
  ['F', 8],
]);

/** Of an exam that would hold both, where there is a file: '3 numbers …'. */
export const mixedText = ({ letters, numbers }: Readonly<Record<'letters' | 'numbers', number>>): string =>
  `This exam would hold ${letters === 1 ? '1 letter' : `${letters} letters`} and ${numbers === 1 ? '1 number' : `${numbers} numbers`}. Students with letters and students with numbers cannot be ranked together.`;

/** The years in which an exam may have been completed, the newest first. */
export const yearsCompleted = (thisYear: number): readonly number[] => Array.from({ length: 15 }, (_, before) => thisYear - before);

/** Somewhere on Earth it is next year already, or still last year. */
export const wrongYearCompleted = (year: number, now: Date = new Date()): string | undefined => {
  const [first, last] = [now.getTime() - 12 * HOUR, now.getTime() + 14 * HOUR].map((time) => new Date(time).getUTCFullYear());
  return Number.isInteger(year) && year > (first ?? 0) - 15 && year <= (last ?? 0) ? undefined : priorMessages.wrongYear;
};
const HOUR = 3_600_000;

/** Of those on roll in a year group so many per cent need a score of an exam, before its students are ranked by it. */
export const ENOUGH_PRIOR = 90;

/** Whether enough of a year group have a score: counted and not rounded, so that 656 of 729 (89.99 %) are too few. In SQL: `enoughPrior`. */
export const isEnoughPrior = (scores: number, students: number): boolean => students > 0 && scores * 100 >= students * ENOUGH_PRIOR;

export const priorShort = (scores: number, students: number): string =>
  `Prior data: ${percentCut(scores, students)}. At least ${ENOUGH_PRIOR} % of the year group is needed.`;

/** '89.9 %': cut, never rounded up. */
export const percentCut = (scores: number, students: number): string =>
  `${students === 0 ? '0.0' : (Math.floor((scores * 1_000) / students) / 10).toFixed(1)} %`;
