/** Grades by rank: labels, the best first, with whole percentages that add up to 100. */

export const MAX_GRADES = 30;

export type GradeShare = { readonly label: string; readonly percent: number };

/**
 * By label, the last rank that gets it. It is the ceiling of the cumulative percentage, in integers: in floating point 7 % of 100 students
 * would be 8.
 */
export const lastRanks = (shares: readonly Pick<GradeShare, 'percent'>[], students: number): readonly number[] => {
  let cumulative = 0;
  return shares.map(({ percent }) => {
    cumulative += percent;
    return Math.floor((students * cumulative + 99) / 100);
  });
};

/**
 * The first label whose last rank is not below the ranking, so that ties share the better grade. Where students were left out, or ranks were
 * given by hand, a rank may lie beyond all: it gets the last grade. undefined: there are no grades.
 */
export const gradeOf = (shares: readonly GradeShare[], students: number, ranking: number): string | undefined =>
  shares[placeOf(lastRanks(shares, students), ranking)]?.label;

const placeOf = (last: readonly number[], ranking: number): number => {
  const place = last.findIndex((rank) => ranking <= rank);
  return place === -1 ? last.length - 1 : place;
};

export type GradeBoundary = GradeShare & {
  /** how many get it */
  readonly students: number;
  /** the lowest score among them; null: nobody */
  readonly boundary: number | null;
};

/** How many get each grade, and from which score. `ranked`: everybody with a rank; their score, if they have one. */
export const boundariesOf = (
  shares: readonly GradeShare[],
  ranked: readonly { readonly ranking: number; readonly score: number | null }[],
): readonly GradeBoundary[] => {
  const last = lastRanks(shares, ranked.length);
  return boundaries(
    shares,
    Map.groupBy(ranked, ({ ranking }) => shares[placeOf(last, ranking)]?.label),
  );
};

/** The same for grades that were given: overridden ones count where they are now. */
export const givenOf = (
  shares: readonly GradeShare[],
  students: readonly { readonly grade: string | null; readonly score: number | null }[],
): readonly GradeBoundary[] =>
  boundaries(
    shares,
    Map.groupBy(students, ({ grade }) => grade ?? undefined),
  );

const boundaries = (
  shares: readonly GradeShare[],
  byLabel: ReadonlyMap<string | undefined, readonly { readonly score: number | null }[]>,
): readonly GradeBoundary[] =>
  shares.map((share) => {
    const students = byLabel.get(share.label) ?? [];
    const scores = students.flatMap(({ score }) => score ?? []);
    return { ...share, students: students.length, boundary: scores.length === 0 ? null : Math.min(...scores) };
  });

export const isSameShares = (a: readonly GradeShare[], b: readonly GradeShare[]): boolean =>
  a.length === b.length && a.every(({ label, percent }, place) => b[place]?.label === label && b[place].percent === percent);

export const percentSum = (shares: readonly Pick<GradeShare, 'percent'>[]): number => shares.reduce((all, { percent }) => all + percent, 0);

export const gradeMessages = {
  notHundred: (sum: number) => `The percentages must add up to 100 %: they add up to ${sum} %.`,
  twice: (label: string) => `The grade ${label} is in the list twice.`,
} as const;

/** What is wrong with a list of grades whose rows are each right. */
export const wrongGrades = (shares: readonly GradeShare[]): string | undefined => {
  const labels = shares.map(({ label }) => label.trim().toLowerCase());
  const twice = shares.find(({ label }, index) => labels.indexOf(label.trim().toLowerCase()) < index);
  if (twice) return gradeMessages.twice(twice.label);
  const sum = percentSum(shares);
  return sum === 100 ? undefined : gradeMessages.notHundred(sum);
};
