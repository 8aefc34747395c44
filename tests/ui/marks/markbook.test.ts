import { expect, test } from 'vitest';
import { figuresOf } from '../../../api/marks/spread.formula.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import { bandOf } from '../../../api/marks/markbook-view.formula.ts';
import { besideOf, besideText } from '../../../staff-ui/marks/markbook/beside.ts';
import { actOf } from '../../../staff-ui/marks/markbook/useRoving.ts';
import { setsSitting } from '../../../staff-ui/home/class-figures.ts';
import { readableYears } from '../../../staff-ui/marks/markbook/DownloadExcel.tsx';
import { sheetsOf, widths } from '../../../staff-ui/marks/markbook/PaperBook.tsx';
import type { View } from '../../../staff-ui/marks/markbook/view.ts';
import { columnsOf, figureText, isSort, studentsOf } from '../../../staff-ui/marks/markbook/view.ts';

const mock = { testId: 'mock', name: 'Mock', max: 40, mean: 20, sd: 5, count: 5 };

test.each([
  [26, 'green'],
  [25, 'amber'],
  [16, 'amber'],
  [15, 'red'],
  [1, 'red'],
  [0, undefined],
  [null, undefined],
] as const)('%s of mean 20 and SD 5 is %s', (total, band) => {
  expect(bandOf(total, mock)).toBe(band);
});

test('where everybody has the same total, nobody stands out', () => {
  // Added up and divided, ten times 0.1 is not 0.1.
  expect(figuresOf(Array.from({ length: 10 }, () => 0.1))).toEqual({ mean: 0.1, sd: 0 });
  expect([figuresOf([0.1]), figuresOf([])]).toEqual([
    { mean: 0.1, sd: null },
    { mean: null, sd: null },
  ]);
  expect(bandOf(20, { mean: 20, sd: 0 })).toBe('red');
  expect(bandOf(20, { mean: null, sd: null })).toBeUndefined();
});

test('a teacher is offered, and downloads, the year groups of their own classes', () => {
  const year = (of: number, ...writable: readonly boolean[]) => ({
    yearGroupId: `y${of}`,
    year: of,
    sets: writable.map((mayWrite, at) => ({ mayWrite, setId: `${of} ${at}` })),
  });
  const all = [year(9, false, false), year(10, false, true), year(11)] as never;
  expect(readableYears(all, 'teacher').map((one) => one.year)).toEqual([10]);
  expect(readableYears(all, 'auditor')).toEqual(all);
});

const student = (name: string, setId: string, total: number | null, contested = false): Markbook['students'][number] => ({
  studentId: name,
  admissionNo: `M-${name}`,
  name,
  setId,
  totals: [{ total, source: total === null ? null : 'total', attendance: 'sat', ...(contested && { flags: ['contested'] }) }],
});

const book: Markbook = {
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: [
    { setId: 'two', name: '11X2', mayWrite: true },
    { setId: 'ten', name: '11X10', mayWrite: true },
  ],
  tests: [mock],
  students: [
    student('Łukasik, Poppy', 'ten', 30),
    student('Adeyemi, Anh', 'two', null),
    student('Fernández, Zoë', 'ten', 10, true),
    student('Eves, Ed', 'two', 20),
  ],
};
const everybody: View = { sort: 'name', direction: 'asc', setId: undefined, search: '', only: undefined };
const names = (view: Partial<View>) => studentsOf(book, { ...everybody, ...view }).map(({ name }) => name?.split(',')[0]);

test('names stand in the order of the alphabet, letters with accents beside their own', () => {
  expect(names({})).toEqual(['Adeyemi', 'Eves', 'Fernández', 'Łukasik']);
  expect(names({ direction: 'desc' })).toEqual(['Łukasik', 'Fernández', 'Eves', 'Adeyemi']);
});

test('sets stand as people count them, names in order within', () => {
  expect(names({ sort: 'set' })).toEqual(['Adeyemi', 'Eves', 'Fernández', 'Łukasik']);
  expect(names({ sort: 'set', direction: 'desc' })).toEqual(['Fernández', 'Łukasik', 'Adeyemi', 'Eves']);
});

test('who has no total stands last, whichever way the totals are sorted', () => {
  expect(names({ sort: 'mock', direction: 'desc' })).toEqual(['Łukasik', 'Eves', 'Fernández', 'Adeyemi']);
  expect(names({ sort: 'mock' })).toEqual(['Fernández', 'Eves', 'Łukasik', 'Adeyemi']);
});

test('a student is found without accents, by any part, or by ID', () => {
  expect(names({ search: 'fernandez zoe' })).toEqual(['Fernández']);
  expect(names({ search: 'm-eves' })).toEqual(['Eves']);
});

test('the table is limited to a set, a band, or what several people entered differently', () => {
  expect(names({ setId: 'ten' })).toEqual(['Fernández', 'Łukasik']);
  expect(names({ only: { testId: 'mock', what: 'green' } })).toEqual(['Łukasik']);
  expect(names({ only: { testId: 'mock', what: 'contested' } })).toEqual(['Fernández']);
});

test('keys move within the page and stop at its edge', () => {
  const size = { rows: 15, columns: 3 };
  const press = (key: string, ctrlKey = false) => actOf({ key, ctrlKey }, { row: 14, column: 1 }, size);
  expect(press('ArrowDown')).toEqual({ kind: 'go', to: { row: 14, column: 1 } });
  expect(press('ArrowRight')).toEqual({ kind: 'go', to: { row: 14, column: 2 } });
  expect(press('Home', true)).toEqual({ kind: 'go', to: { row: 0, column: 0 } });
  expect(press('PageDown')).toEqual({ kind: 'page', by: 1 });
  expect(press('Enter')).toEqual({ kind: 'open' });
  expect(press('a')).toBeUndefined();
});

test('an assessment is that of the classes that sit it: it is chosen for them, or somebody there has a total', () => {
  const students = [student('Ann', 'one', null), student('Ben', 'two', 12), student('Cy', 'three', null)];
  const sets = [
    { setId: 'one', testIds: ['mock'] },
    { setId: 'two', testIds: [] },
    { setId: 'three', testIds: ['other'] },
  ];
  expect(setsSitting({ tests: [mock], students }, 0, sets).map(({ setId }) => setId)).toEqual(['one', 'two']);
});

test('results sort as numbers, priors by what they count, and who has none stands last; the score alone shows two decimals, the residual its sign', () => {
  const [first, second, third, fourth] = book.students;
  if (!first || !second || !third || !fourth) expect.fail('four students');
  const ranked: Markbook = {
    ...book,
    students: [
      { ...first, prior: 'b', ranking: 2, score: 9.5, residual: -1, grade: '7' },
      { ...second, prior: 'A*', ranking: 1, score: 10, residual: 1, grade: '9' },
      { ...third, prior: 'E' },
      { ...fourth, ranking: 10, score: 1.25, residual: 0, grade: '1' },
    ],
  };
  const sorted = (sort: string, direction: View['direction']) =>
    studentsOf(ranked, { ...everybody, sort, direction }).map(({ name }) => name?.split(',')[0]);
  expect(sorted('prior', 'desc')).toEqual(['Adeyemi', 'Łukasik', 'Fernández', 'Eves']);
  expect(sorted('ranking', 'asc')).toEqual(['Adeyemi', 'Łukasik', 'Eves', 'Fernández']);
  expect(sorted('score', 'desc')).toEqual(['Adeyemi', 'Łukasik', 'Eves', 'Fernández']);
  expect(sorted('residual', 'asc')).toEqual(['Łukasik', 'Eves', 'Adeyemi', 'Fernández']);
  expect(sorted('grade', 'desc')).toEqual(['Adeyemi', 'Łukasik', 'Eves', 'Fernández']);
  expect(ranked.students.map((one) => [figureText(one, undefined, 'score'), figureText(one, undefined, 'residual')])).toEqual([
    ['9.50', '−1'],
    ['10.00', '+1'],
    ['', ''],
    ['1.25', '0'],
  ]);
});

test('beside the residual: one decimal with its sign, the class of the ranking with its interval, blank where there is none; off, nothing sorts by it', () => {
  const figures = besideOf(
    {
      yearGroupId: 'y',
      subjectId: 's',
      taskId: 't',
      line: { n: 10, a: 1, b: 1, sd: 2 },
      sets: [{ setId: 'two', n: 5, mean: 3.14, from: 1.39, to: 4.89, clear: true }],
      students: [
        { studentId: 'Eves, Ed', setId: 'two', residual: -0.42, standardised: 88, percentile: 20 },
        { studentId: 'Łukasik, Poppy', setId: 'gone', residual: null, standardised: 126, percentile: 95 },
      ],
    },
    book,
  );
  const texts = (studentId: string) =>
    (['regression', 'class', 'standardised', 'percentile'] as const).map((of) => besideText(figures.get(studentId), of));
  expect(texts('Eves, Ed')).toEqual(['−0.4', '+3.1 (+1.4 to +4.9)', '88', '20.0']);
  expect(texts('Łukasik, Poppy')).toEqual(['', '', '126', '95.0']);
  expect(texts('Adeyemi, Anh')).toEqual(['', '', '', '']);
  const sorted = studentsOf(book, { ...everybody, sort: 'standardised', direction: 'desc' }, figures).map(({ name }) => name);
  expect(sorted.slice(0, 2)).toEqual(['Łukasik, Poppy', 'Eves, Ed']);
  expect([false, true].map((hasBeside) => isSort('percentile', [], columnsOf(hasBeside)))).toEqual([false, true]);
});

test('on paper each test stands on one sheet, in order, and none is wider than a page on its side', () => {
  const tests = Array.from({ length: 30 }, (_, at) => ({ ...mock, testId: `mock ${at}` }));
  for (const hasBeside of [false, true]) {
    const sheets = sheetsOf(columnsOf(hasBeside), tests);
    expect(sheets.flatMap((sheet) => sheet.tests.map(({ test: { testId }, at }) => [testId, at]))).toEqual(
      tests.map(({ testId }, at) => [testId, at]),
    );
    expect(sheets.map(({ columns }) => columns.length > 0)).toEqual(sheets.map((_, index) => index === 0));
    for (const { columns, tests: beside } of sheets)
      expect(
        columns.reduce((sum, column) => sum + widths.of(column), widths.name + widths.set + beside.length * widths.test),
      ).toBeLessThanOrEqual(970);
  }
});
