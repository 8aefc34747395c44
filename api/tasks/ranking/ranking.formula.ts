/**
 * Ranking by formula R3: marks of several tests as one score per student, and who stands where. Pure, and the same in every browser and on
 * every server to the last digit: each sum goes by id, whatever the order of its parts.
 *
 *     x = 100 * total / maximum                     the percentage of a student who sat the test
 *     z = clip((x - mean) / SD, -3, 3)              mean and population SD of all who sat it; 0 where the SD is 0
 *     d = clip((A - P) / s, -2, 2)                  A: mean prior of those who sat it; P, s: mean and population SD of the cohort's priors
 *     m = 1 + d / 3                                 the multiplier of the test
 *     score = max(0.01, 100/6 * mean of m * (z + 3) over the tests sat), to two decimals
 *     ranking = 1 + number of students with a higher score
 *     residual = rank by prior - rank by score, among those who have both
 */
export const FORMULA = 'R3';

export type RankedTest = {
  readonly testId: string;
  readonly max: number;
  /** by student; nobody else sat it */ readonly totals: ReadonlyMap<string, number>;
};
/** `prior`: in points; null: has none, which is not 0. */
export type RankedStudent = { readonly studentId: string; readonly prior: number | null };

/** What a test contributes to scores. Stored with a ranking: later corrections are scored by the same. */
export type TestNorms = {
  readonly testId: string;
  /** the maximum mark that percentages are of */
  readonly max: number;
  /** how many sat it */
  readonly n: number;
  /** of the percentages; null: nobody sat it */
  readonly mean: number | null;
  readonly sd: number | null;
  /** mean prior of those who sat it and have one; null: there are none */
  readonly priorMean: number | null;
  /** how far they are from the cohort, in its SDs, within -2 and 2 */
  readonly difference: number;
  /** The difference was beyond. */
  readonly clipped: boolean;
  readonly multiplier: number;
};
/** The norms of the cohort's prior scores; null: nobody has one. */
export type PriorNorms = { readonly n: number; readonly mean: number | null; readonly sd: number | null };
export type Norms = { readonly prior: PriorNorms; readonly tests: readonly TestNorms[] };

export type RankedRow = {
  readonly studentId: string;
  readonly prior: number | null;
  /** number of the tests that the student sat */
  readonly sat: number;
  /** null: sat none */
  readonly score: number | null;
  readonly ranking: number | null;
  /** null: without a prior or a score */
  readonly residual: number | null;
};
export type Ranked = { readonly formula: typeof FORMULA; readonly norms: Norms; readonly rows: readonly RankedRow[] };

/** Ranks a cohort. Totals of students who are not in it count for nothing; rows and norms come sorted by id. */
export const rank = (students: readonly RankedStudent[], tests: readonly RankedTest[]): Ranked => {
  const cohort = students.toSorted((a, b) => byId(a.studentId, b.studentId));
  const norms = normsOf(cohort, tests);
  const scored = cohort.map(({ studentId, prior }) => {
    const totals = new Map(
      tests.flatMap(({ testId, totals: all }) => (all.has(studentId) ? [[testId, all.get(studentId) ?? 0] as const] : [])),
    );
    return { studentId, prior, sat: totals.size, score: scoreBy(norms, totals) };
  });
  const rankings = ranksOf(scored);
  const residuals = residualsOf(scored);
  const rows = scored.map((row) => ({
    ...row,
    ranking: rankings.get(row.studentId) ?? null,
    residual: residuals.get(row.studentId) ?? null,
  }));
  return { formula: FORMULA, norms, rows };
};

export const normsOf = (students: readonly RankedStudent[], tests: readonly RankedTest[]): Norms => {
  const cohort = students.toSorted((a, b) => byId(a.studentId, b.studentId));
  const priors = priorsOf(cohort);
  const { mean: all, sd } = spread(priors);
  return {
    prior: { n: priors.length, mean: all, sd },
    tests: tests
      .toSorted((a, b) => byId(a.testId, b.testId))
      .map(({ testId, max, totals }) => {
        const sitters = cohort.filter(({ studentId }) => totals.has(studentId));
        const marks = spread(sitters.map(({ studentId }) => percentOf(totals.get(studentId) ?? 0, max)));
        const { mean: priorMean } = spread(priorsOf(sitters));
        const apart = priorMean === null || all === null || !sd ? 0 : (priorMean - all) / sd;
        const difference = clip(apart, 2);
        return {
          testId,
          max,
          n: sitters.length,
          ...marks,
          priorMean,
          difference,
          clipped: difference !== apart,
          multiplier: 1 + difference / 3,
        };
      }),
  };
};

/** The score of a student with these totals by test, as the norms have it; null: sat none of the tests. */
export const scoreBy = ({ tests }: Norms, totals: ReadonlyMap<string, number>): number | null => {
  const parts = tests.flatMap((norms) => {
    const total = totals.get(norms.testId);
    return total === undefined ? [] : [norms.multiplier * (zOf(norms, total) + 3)];
  });
  return parts.length === 0 ? null : Math.max(0.01, toHundredths((100 / 6) * (sum(parts) / parts.length)));
};

/** How far a total is from the mean of its test, in SDs, within -3 and 3. */
export const zOf = ({ mean, sd, max }: TestNorms, total: number): number =>
  mean === null || !sd ? 0 : clip((percentOf(total, max) - mean) / sd, 3);

type Scored = { readonly studentId: string; readonly score: number | null; readonly prior: number | null };

/** 1 + the number of students with a higher score: 1, 2, 2, 4. Nobody without a score. */
export const ranksOf = (scored: readonly Pick<Scored, 'studentId' | 'score'>[]): ReadonlyMap<string, number> =>
  standings(scored.flatMap(({ studentId, score }) => (score === null ? [] : [[studentId, score] as const])));

/** Positive: stands higher by score than by prior. Both ranks are among the students who have both. */
export const residualsOf = (scored: readonly Scored[]): ReadonlyMap<string, number> => {
  const both = scored.flatMap(({ studentId, score, prior }) => (score === null || prior === null ? [] : [{ studentId, score, prior }]));
  const byPrior = standings(both.map(({ studentId, prior }) => [studentId, prior]));
  const byScore = standings(both.map(({ studentId, score }) => [studentId, score]));
  return new Map(both.map(({ studentId }) => [studentId, (byPrior.get(studentId) ?? 0) - (byScore.get(studentId) ?? 0)]));
};

const standings = (values: readonly (readonly [studentId: string, value: number])[]): ReadonlyMap<string, number> => {
  const sorted = values.map(([, value]) => value).sort((a, b) => b - a);
  const first = new Map<number, number>();
  for (const [above, value] of sorted.entries()) if (!first.has(value)) first.set(value, above + 1);
  return new Map(values.map(([studentId, value]) => [studentId, first.get(value) ?? 0]));
};

type InClass = { readonly setId: string; readonly totals: readonly (number | null)[] };

/**
 * How many of these tests are given to each class: those that the task gives it (`maps`), and those in which somebody of it has a total.
 * @param testIds the tests of a ranking
 * @param rows its students; their totals are parallel to `testIds`
 * @returns by class, of those that have a student or a map
 */
export const testsGiven = (
  testIds: readonly string[],
  maps: readonly { readonly setId: string; readonly testId: string }[],
  rows: readonly InClass[],
): ReadonlyMap<string, number> => {
  const given = new Map<string, Set<string>>([...maps, ...rows].map(({ setId }) => [setId, new Set()]));
  for (const { setId, testId } of maps) if (testIds.includes(testId)) given.get(setId)?.add(testId);
  for (const { setId, totals } of rows)
    for (const [place, testId] of testIds.entries()) if (typeof totals[place] === 'number') given.get(setId)?.add(testId);
  return new Map([...given].map(([setId, tests]) => [setId, tests.size]));
};

export type RankingWarning =
  | { readonly about: 'few-sat' | 'far-apart'; readonly testId: string }
  | { readonly about: 'small-cohort'; readonly students: number }
  | { readonly about: 'sat-few'; readonly studentId: string; readonly sat: number; readonly of: number };

type Sat = { readonly studentId: string; readonly sat: number; /** tests given to the class */ readonly given: number };

/**
 * What makes a ranking less certain: fewer than 10 sat a test, its students differ too much, fewer than 20 students, or who sat fewer than
 * half of the tests given to their class.
 */
export const warningsOf = ({ norms, rows }: Pick<Ranked, 'norms'> & { readonly rows: readonly Sat[] }): readonly RankingWarning[] => [
  ...norms.tests.flatMap(({ testId, n, clipped }): RankingWarning[] => [
    ...(n < 10 ? [{ about: 'few-sat', testId } as const] : []),
    ...(clipped ? [{ about: 'far-apart', testId } as const] : []),
  ]),
  ...(rows.length < 20 ? [{ about: 'small-cohort', students: rows.length } as const] : []),
  ...rows.flatMap(({ studentId, sat, given }): RankingWarning[] =>
    sat * 2 < given ? [{ about: 'sat-few', studentId, sat, of: given }] : [],
  ),
];

export const percentOf = (total: number, max: number): number => (100 * total) / max;

const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const clip = (value: number, most: number): number => Math.min(most, Math.max(-most, value));

const priorsOf = (students: readonly RankedStudent[]): readonly number[] => students.flatMap(({ prior }) => prior ?? []);

/** Mean and population SD. Equal values have exactly none: their mean as it is computed may lie beside them. */
const spread = (values: readonly number[]): { readonly mean: number | null; readonly sd: number | null } => {
  const [first] = values;
  if (first === undefined) return { mean: null, sd: null };
  if (values.every((value) => value === first)) return { mean: first, sd: 0 };
  const mean = sum(values) / values.length;
  return { mean, sd: Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length) };
};

/** The first rounding takes away what the arithmetic adds and loses, so that a half always goes the same way. */
const toHundredths = (value: number): number => Math.round(Math.round(value * 1e8) / 1e6) / 100;
