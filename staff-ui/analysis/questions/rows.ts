import { LEAST_STUDENTS } from '#api/analysis/averages.formula';
import type { Judged } from '#api/analysis/chance.formula';
import { judgedTogether, yearOf } from '#api/analysis/chance.formula';
import type { GroupFigures, QuestionAnalysis } from '#api/analysis/tests.contract';
import { counted, difference, oneDecimal } from '../../format.ts';

/** Whose figures are shown: a class of the year group, the year group, or everybody who sat the test. */
export type Group = {
  /** 'year', 'all' or the id of a class. */
  readonly id: string;
  readonly name: string;
  readonly figures: GroupFigures;
};

type Question = QuestionAnalysis['questions'][number];
type Figures = NonNullable<GroupFigures['questions'][number]>;
export type Row = Question & {
  /** null: nobody of the group has a mark for it. */
  readonly of: Figures | null;
  /** In percentage points, of facility, from the year group; null: the group is not compared, or one of the two has none. */
  readonly against: number | null;
  /** Whether chance explains that; undefined: it is not compared. */
  readonly stands: Judged['stands'] | undefined;
  readonly open: GroupFigures['open'][number];
};

export const groupsOf = (analysis: QuestionAnalysis): readonly Group[] => [
  { id: 'year', name: `Year ${analysis.year}`, figures: analysis.ofYear },
  ...analysis.sets.map(({ setId, name, ...figures }) => ({ id: setId, name, figures })),
  { id: 'all', name: 'All students', figures: analysis.all },
];

/** '15 of 30 students': who has marks, of all of them. */
export const studentsText = ({ n, leftOut }: Pick<GroupFigures, 'n' | 'leftOut'>): string =>
  `${n} of ${counted(n + leftOut.absent + leftOut.exempt + leftOut.noMarks, 'student')}`;

/** Why a class is not compared with the year group; undefined: it is, or it is no class. */
export const notCompared = ({ ofYear }: Pick<QuestionAnalysis, 'ofYear'>, { id, name, figures: { n } }: Group): string | undefined => {
  if (id === 'year' || id === 'all') return undefined;
  if (n === ofYear.n) return `Everybody of the year with marks is in ${name}: there is nothing to compare with.`;
  return n < LEAST_STUDENTS ? `Fewer than ${LEAST_STUDENTS} students of ${name} have marks: nothing is compared with the year.` : undefined;
};

/** By class and place of the question: whether it differs from the year by more than chance, all that are shown judged together. */
export type Standings = ReadonlyMap<string, readonly Row['stands'][]>;
export const standingsOf = (analysis: QuestionAnalysis): Standings => {
  const { sets, ofYear, questions } = analysis;
  const years = ofYear.questions.map((of) => of && yearOf(of.distribution.flatMap(([mark, many]) => new Array<number>(many).fill(mark))));
  const compared = sets.flatMap((set) =>
    notCompared(analysis, { id: set.setId, name: set.name, figures: set }) !== undefined
      ? []
      : questions.flatMap(({ max }, place) => {
          const [of, year] = [set.questions[place], years[place]];
          return of && year ? [{ setId: set.setId, place, year, group: { count: set.n, mean: of.facility * max } }] : [];
        }),
  );
  const judged = new Map(judgedTogether(compared).map(({ stands }, at) => [`${compared[at]?.setId} ${compared[at]?.place}`, stands]));
  return new Map(sets.map(({ setId }) => [setId, questions.map((_, place) => judged.get(`${setId} ${place}`))]));
};

export const rowsOf = (analysis: QuestionAnalysis, group: Group, standings: Standings): readonly Row[] => {
  const { questions, ofYear } = analysis;
  const { id, figures } = group;
  const isCompared = id !== 'year' && id !== 'all' && notCompared(analysis, group) === undefined;
  return questions.map((question, place) => {
    const of = figures.questions[place] ?? null;
    const year = ofYear.questions[place] ?? null;
    return {
      ...question,
      of,
      against: !isCompared || !of || !year ? null : 100 * (of.facility - year.facility),
      stands: standings.get(id)?.[place],
      open: figures.open[place] ?? null,
    };
  });
};

export type QuestionColumn = 'number' | 'facility' | 'against' | 'discrimination' | 'zero' | 'full' | 'alphaIfDeleted' | 'reliability';

export const valueOf = (row: Row, column: QuestionColumn): number | null => {
  if (column === 'number' || column === 'reliability' || column === 'against') return row[column];
  return row.of?.[column] ?? null;
};

/** By a column, those without a value last; of equal ones the order of the paper. */
export const sorted = (rows: readonly Row[], column: QuestionColumn, isDown: boolean): readonly Row[] =>
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
const GOOD = 0.4;

/** What one would ask first: where a class has lost most, or which questions were hardest. */
export const findingOf = (rows: readonly Row[], { id, name }: Group): string => {
  if (id !== 'year' && id !== 'all') {
    const lost = sorted(
      rows.filter(({ stands }) => stands === 'lower'),
      'against',
      false,
    ).slice(0, 3);
    return lost.length === 0
      ? `In no question is ${name} below the year by more than chance.`
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
