import { AWAY_WORDS } from '#api/contract/attendance';
import type { ResidualsAnswer } from '#api/analysis/tests.contract';
import { FLAGS } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { ENOUGH_PRIOR } from '#api/prior/prior-score.contract';
import type { Cell, Sheet } from '../../../ui/file/excel-file.ts';
import { excelFile, markOf } from '../../../ui/file/excel-file.ts';
import { dateTime } from '../../format.ts';
import { bandOf } from '#api/marks/markbook-view.formula';
import type { BesideFigures } from './beside.ts';
import { besideOf, besideValue } from './beside.ts';
import { flagTexts } from './TotalCell.tsx';
import type { Column, MarkbookStudent } from './view.ts';
import { changedSince, columnsOf, FORGOTTEN, isBeside, isText, overriddenOf } from './view.ts';

/**
 * Markbooks of a subject as an Excel file: a sheet for each year group or class, everybody in it by name, and one about the figures. `moment`:
 * as of when, an ISO instant. `beside`: what stands beside the residual in those that are ranked; undefined: without those columns.
 */
export const markbookFile = (markbooks: readonly Markbook[], moment: string, beside?: readonly ResidualsAnswer[]): Promise<Blob> =>
  excelFile(`Markbook: ${markbooks[0]?.subject.name ?? ''}`, [
    ...markbooks.map((markbook) =>
      yearSheet(markbook, beside && { answer: beside.find(({ taskId }) => taskId !== null && taskId === markbook.ranked?.taskId) }),
    ),
    aboutSheet(markbooks, moment, beside !== undefined),
  ]);

/** The class that a markbook is of; undefined: it is of the year group. */
export const classOf = ({ setId, sets }: Pick<Markbook, 'setId' | 'sets'>): string | undefined =>
  sets.find((set) => set.setId === setId)?.name;

/** As Excel lets a sheet be called: a file with a sheet of another name, or with two of one, counts as damaged. */
const sheetName = (name: string): string => {
  const plain = name
    .replaceAll(/[\\/?*[\]:]/gu, ' ')
    .slice(0, 31)
    .replaceAll(/^['\s]+|['\s\ud800-\udbff]+$/g, '');
  return ['', ABOUT.toLowerCase(), 'history'].includes(plain.toLowerCase()) ? `${OF_A_CLASS}${plain}`.trim() : plain;
};
const OF_A_CLASS = 'Class ';
const ABOUT = 'About';

/** The mean of the class has an interval beside it. */
const headsOf = ({ of, label }: Column): readonly string[] => (of === 'class' ? [label, 'from (95 %)', 'to (95 %)'] : [label]);
const cellsOf = (
  column: Column,
  student: MarkbookStudent,
  figures: BesideFigures | undefined,
  scores: Markbook['scores'],
): readonly Cell[] => {
  const { of } = column;
  const cell = (value: number | null | undefined): Cell => ({ value: value ?? null, look: 'hundredths' });
  if (of === 'score') return [banded(student.score ?? null, scores, 'hundredths')];
  if (of === 'standardised') return [besideValue(figures, of)];
  if (isBeside(of))
    return [cell(besideValue(figures, of)), ...(of === 'class' ? [cell(figures?.class?.from), cell(figures?.class?.to)] : [])];
  const value = student[of] ?? null;
  return [isText(column) && value !== null ? asNumber(String(value)) : value];
};

const yearSheet = (markbook: Markbook, more?: { readonly answer: ResidualsAnswer | undefined }): Sheet => {
  const { year, sets, tests, students, scores } = markbook;
  const changed = changedSince(markbook);
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const beside = more?.answer && besideOf(more.answer, markbook);
  const columns = columnsOf(more !== undefined);
  const columnHeads = columns.flatMap(headsOf);
  return {
    name: sheetName(classOf(markbook) ?? `Year ${year}`),
    filters: true,
    widths: [12, 30, 10, ...columnHeads.map(() => 10), ...tests.map(() => 18), 40],
    frozen: { rows: 1, columns: 2 },
    rows: [
      heads(
        'StudentID',
        'Name',
        'Set',
        ...columnHeads,
        ...tests.map(({ name, max }) => (max === null ? name : `${name} (of ${max})`)),
        'Look at',
      ),
      ...students.map((student): readonly Cell[] => [
        student.admissionNo,
        student.name ?? FORGOTTEN,
        setNames.get(student.setId) ?? null,
        ...columns.flatMap((column) => cellsOf(column, student, beside?.get(student.studentId), scores)),
        ...tests.map((test, column): Cell => {
          const total = student.totals[column];
          if (total && total.attendance !== 'sat') return { value: AWAY_WORDS[total.attendance].sign, ...markOf(total.flags) };
          return { ...banded(total?.total ?? null, test), ...markOf(total?.flags) };
        }),
        flagsOf(tests, student, changed.has(student.studentId)),
      ]),
    ],
  };
};

/** 'Score: overridden by Grace Bell, computed 87.75; T1: several values'; null: there is nothing to look at. */
const flagsOf = (tests: Markbook['tests'], student: Markbook['students'][number], isChanged: boolean): string | null => {
  const overridden = columnsOf(false).flatMap(({ of, label }) => {
    const text = overriddenOf(student, of);
    return text === undefined ? [] : [`${label}: ${text}`];
  });
  const open = tests.flatMap(({ name, max }, column) => {
    const total = student.totals[column];
    const texts = total ? flagTexts(total, max) : [];
    return texts.length === 0 ? [] : [`${name}: ${texts.join(', ')}`];
  });
  const flags = [...overridden, ...(isChanged ? [`Score: ${FLAGS.changed.short}`] : []), ...open];
  return flags.length === 0 ? null : flags.join('; ');
};

const banded = (value: number | null, norm: Parameters<typeof bandOf>[1] | undefined, look?: 'hundredths') => {
  const fill = norm && bandOf(value, norm);
  return { value, ...(look && { look }), ...(fill && { fill }) };
};

/** '104' is a number there; 'A*' is not. */
const asNumber = (text: string): string | number => (/^-?\d{1,6}(?:\.\d{1,4})?$/u.test(text) ? Number(text) : text);

const aboutSheet = (markbooks: readonly Markbook[], moment: string, hasBeside: boolean): Sheet => ({
  name: ABOUT,
  widths: [34, 16, 12, 12, 12, 12, 12],
  rows: [
    heads('Markbook'),
    ['Subject', markbooks[0]?.subject.name ?? null],
    ['As of', dateTime(moment)],
    ['A, E', 'absent, exempt'],
    [
      'Look at',
      'totals and attendance with several values, where nobody has decided which counts, totals above the maximum, what the leader has overridden, and scores whose totals have changed since the ranking',
    ],
    [{ value: 'Blue frame', mark: 'contested' }, 'a total or attendance with several values'],
    [{ value: 'Red frame', mark: 'wrong' }, 'a total above the maximum'],
    [],
    heads('Colours, of each test and of the score'),
    ['Green', 'above the mean plus one SD'],
    ['Amber', 'above the mean minus one SD'],
    ['Red', 'above 0'],
    ['Mean and SD', 'of the year group; the SD of a sample'],
    [],
    heads('Formula R3'),
    ['Percentage', 'x = 100 * total / maximum'],
    ['z', '(x - mean) / SD, within -3 and 3; the SD of the population'],
    ['Multiplier', '1 + d / 3; d = (mean prior of who sat it - mean prior) / SD of the priors, within -2 and 2'],
    ['Score', '100/6 * mean of multiplier * (z + 3) over the tests sat, at least 0.01'],
    ['Residual', 'rank by prior - rank by score, as computed, also where a rank is overridden'],
    ...(hasBeside
      ? [
          ['Regression residual', 'score - (a + b * prior), least squares over everybody with both; none below 10 students'],
          ['Class mean of it', 'of the class at the ranking, +/- 1.96 * SD of the residuals / root of the students of the class'],
          ['Standardised score', '100 + 15 * z, within 60 and 140: this cohort, not national'],
          ['Percentile rank', '100 * (below + half of equal) / students: this cohort, not national'],
        ]
      : []),
    ...markbooks.flatMap(aboutYear),
  ],
});

const aboutYear = (markbook: Markbook): readonly (readonly Cell[])[] => {
  const { year, tests, priorExam, ranked } = markbook;
  const names = new Map(tests.map(({ testId, name }) => [testId, name]));
  const begin = [[], heads(`Year ${year}`), ['Prior', priorExam?.name ?? `No terminal exam covers ${ENOUGH_PRIOR} % of the year group`]];
  if (!ranked) return [...begin, ['Ranking', 'Nobody in this year group is ranked.']];
  const { name, formula, at, students, sets, norms } = ranked;
  return [
    ...begin,
    ['Feedback task', name ?? 'A task without a name'],
    ['Ranked', dateTime(at)],
    ['Students', students],
    ['Classes', sets.join(', ')],
    ['Formula', formula === 'client' ? 'made in another program and sent: not computed here' : formula],
    ...(formula === 'client' ? [] : aboutNorms(norms, names)),
  ];
};

type Norms = NonNullable<Markbook['ranked']>['norms'];
const aboutNorms = (norms: Norms, names: ReadonlyMap<string, string>): readonly (readonly Cell[])[] => [
  [],
  heads('Prior', 'students', 'mean', 'SD'),
  [null, norms.prior.n, norms.prior.mean, norms.prior.sd],
  [],
  heads('Test', 'maximum', 'students', 'mean %', 'SD', 'mean prior', 'multiplier'),
  ...norms.tests.map(({ testId, max, n, mean, sd, priorMean, multiplier }) => [
    names.get(testId) ?? null,
    max,
    n,
    mean,
    sd,
    priorMean,
    multiplier,
  ]),
];

const heads = (...values: readonly string[]): readonly Cell[] => values.map((value) => ({ value, look: 'head' }));
