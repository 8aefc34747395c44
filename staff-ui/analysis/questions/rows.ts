import type { GroupFigures, QuestionAnalysis } from '#api/analysis/tests.contract';
import { difference, oneDecimal } from '../../format.ts';

/** Whose figures are shown: a class of the year group, the year group, or everybody who sat the test. */
export type Group = {
  /** 'year', 'all' or the id of a class. */
  readonly id: string;
  readonly name: string;
  readonly figures: GroupFigures;
};

export type Question = QuestionAnalysis['questions'][number];
type Figures = NonNullable<GroupFigures['questions'][number]>;
export type Row = Question & {
  /** null: nobody of the group has a mark for it. */
  readonly of: Figures | null;
  /** In percentage points, of facility, from the year group; null: the group is no class, or one of the two has none. */
  readonly against: number | null;
  readonly open: GroupFigures['open'][number];
};

export const groupsOf = (analysis: QuestionAnalysis): readonly Group[] => [
  { id: 'year', name: `Year ${analysis.year}`, figures: analysis.ofYear },
  ...analysis.sets.map(({ setId, name, ...figures }) => ({ id: setId, name, figures })),
  { id: 'all', name: 'All students', figures: analysis.all },
];

export const rowsOf = ({ questions, ofYear }: QuestionAnalysis, { id, figures }: Group): readonly Row[] =>
  questions.map((question, place) => {
    const of = figures.questions[place] ?? null;
    const year = ofYear.questions[place] ?? null;
    return {
      ...question,
      of,
      against: id === 'year' || id === 'all' || !of || !year ? null : 100 * (of.facility - year.facility),
      open: figures.open[place] ?? null,
    };
  });

export const COLUMNS = ['number', 'facility', 'against', 'discrimination', 'zero', 'full', 'alphaIfDeleted', 'reliability'] as const;
export type Column = (typeof COLUMNS)[number];

export const valueOf = (row: Row, column: Column): number | null => {
  if (column === 'number' || column === 'reliability' || column === 'against') return row[column];
  return row.of?.[column] ?? null;
};

/** By a column, those without a value last; of equal ones the order of the paper. */
export const sorted = (rows: readonly Row[], column: Column, isDown: boolean): readonly Row[] =>
  rows.toSorted((a, b) => {
    const [x, y] = [valueOf(a, column), valueOf(b, column)];
    if (x === null || y === null || x === y) return Number(x === null) - Number(y === null) || a.number - b.number;
    return isDown ? y - x : x - y;
  });

/** What the discrimination of a question tells. */
export const readingOf = (discrimination: number): string =>
  discrimination < 0
    ? 'negative: is the key wrong, or a column shifted?'
    : discrimination < WEAK
      ? 'weak: it hardly tells strong from weak students'
      : discrimination > GOOD
        ? 'good'
        : 'fair';
export const WEAK = 0.2;
export const GOOD = 0.4;
/** Below it a claim is no more than a hint. */
export const ENOUGH = 0.5;

/** What one would ask first: where a class has lost most, or which questions were hardest. */
export const findingOf = (rows: readonly Row[], { id, name }: Group): string => {
  if (id !== 'year' && id !== 'all') {
    const lost = sorted(
      rows.filter(({ against }) => against !== null && against < 0),
      'against',
      false,
    ).slice(0, 3);
    return lost.length === 0
      ? `${name} is at or above the year in every question.`
      : `${name} lost most against the year on ${lost.map((row) => `${named(row)} (${difference(row.against ?? 0)})`).join(', ')}.`;
  }
  const hardest = sorted(
    rows.filter(({ of }) => of !== null),
    'facility',
    false,
  ).slice(0, 3);
  return hardest.length === 0 ? '' : `Hardest: ${hardest.map((row) => `${named(row)} (${percent(row.of?.facility ?? 0)})`).join(', ')}.`;
};

const named = ({ number, topic }: Question): string => `Q${number} ${topic}`;
/** 64.2 % */
export const percent = (share: number): string => `${oneDecimal(100 * share)} %`;
