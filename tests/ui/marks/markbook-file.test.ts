import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import { markbookFile } from '../../../staff-ui/marks/markbook/markbook-file.ts';
import { dateTime } from '../../../staff-ui/format.ts';
import { excelFilters, readExcel } from '../../support/excel.ts';

const written = async (markbooks: readonly Markbook[], moment = MOMENT) =>
  readExcel(new Uint8Array(await (await markbookFile(markbooks, moment)).arrayBuffer()));
const MOMENT = '2026-11-22T10:00:00.000Z';

const total = (value: number | null, attendance: 'sat' | 'absent' = 'sat') =>
  ({ total: value, source: value === null ? null : 'total', attendance }) as const;

const book: Markbook = {
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: [{ setId: 'one', name: '11X1', mayWrite: true }],
  priorExam: { terminalExamId: 'e', name: 'KS2' },
  scores: { mean: 50, sd: 10 },
  ranked: {
    taskId: 't',
    name: 'Winter ranking',
    students: 9,
    sets: ['11X1'],
    at: '2026-11-01T10:00:00.000Z',
    formula: 'R3',
    norms: {
      prior: { n: 9, mean: 36.4444, sd: 12.5708 },
      tests: [
        {
          testId: 'mock',
          max: 40,
          n: 9,
          mean: 63.8889,
          sd: 17.7604,
          priorMean: 36,
          difference: -0.0354,
          clipped: false,
          multiplier: 0.9882,
          counted: { events: 1, last: null },
        },
      ],
    },
  },
  tests: [{ testId: 'mock', name: 'Mock <1> & "2"', max: 40, mean: 20, sd: 5, count: 3 }],
  students: [
    {
      studentId: '1',
      admissionNo: '00123',
      name: '=HYPERLINK("http://evil.example")',
      setId: 'one',
      prior: '104',
      ranking: 1,
      score: 81.89,
      residual: 1,
      grade: '7',
      totals: [total(30)],
    },
    { studentId: '2', admissionNo: '-2', name: '@Ann', setId: 'one', prior: 'a*', ranking: 2, score: 50, residual: 0, totals: [total(20)] },
    { studentId: '3', admissionNo: '+3', name: 'Łukasik, Zoë', setId: 'one', totals: [total(2)] },
    { studentId: '4', admissionNo: null, name: null, setId: 'one', totals: [total(null, 'absent')] },
  ],
};

/** Of whose norms nothing is said. */
const { ranked: _ranked, ...unranked } = book;

test('the Excel file holds the year group with its bands, names that look like formulas as text, and what the figures are', async () => {
  const sheets = await written([book]);
  expect([...sheets.keys()]).toEqual(['Year 11', 'About']);
  const cells = sheets.get('Year 11');
  const row = (number: number) => [...'ABCDEFGHI'].map((column) => cells?.get(`${column}${number}`)?.value);
  expect(row(1)).toEqual(['StudentID', 'Name', 'Set', 'Prior', 'Ranking', 'Score', 'Residual', 'Grade', 'Mock <1> & "2" (of 40)']);
  expect(row(2)).toEqual(['00123', '=HYPERLINK("http://evil.example")', '11X1', 104, 1, 81.89, 1, 7, 30]);
  expect(row(3)).toEqual(['-2', '@Ann', '11X1', 'a*', 2, 50, 0, undefined, 20]);
  expect(row(4).slice(0, 3)).toEqual(['+3', 'Łukasik, Zoë', '11X1']);
  expect(['I4', 'I5', 'B5'].map((place) => cells?.get(place)?.value)).toEqual([2, 'A', 'Forgotten student']);
  expect([...(cells?.values() ?? [])].some(({ formula }) => formula)).toBe(false);

  const fills = ['F2', 'F3', 'I2', 'I3', 'I4', 'E2'].map((place) => cells?.get(place)?.fill);
  expect(fills).toEqual(['CFE8B4', 'FFE2A8', 'CFE8B4', 'FFE2A8', 'F9C9C1', undefined]);
  const formats = ['A3', 'A4', 'B2', 'B3', 'B4', 'F2'].map((place) => cells?.get(place)?.format);
  expect(formats).toEqual(['@', '@', '@', '@', undefined, '0.00']);

  const about = [...(sheets.get('About')?.values() ?? [])].map(({ value }) => value);
  expect(about).toEqual(expect.arrayContaining([dateTime(MOMENT), 'R3', 'KS2', 36.4444, 0.9882, 'Mathematics', 'Winter ranking', '11X1']));
});

test('a total with several values, or above the maximum, is named at the end of its row', async () => {
  const totals = [{ ...total(44), flags: ['contested', 'above-maximum'] as const }];
  const sheets = await written([
    { ...unranked, students: book.students.map((student, place) => (place === 1 ? { ...student, totals } : student)) },
  ]);
  const [head, first, second] = [1, 2, 3].map((row) => sheets.get('Year 11')?.get(`J${row}`)?.value);
  expect([head, first, second]).toEqual(['Look at', undefined, 'Mock <1> & "2": several values, above the maximum of 40']);
});

test('what a leader has overridden is named there too, with its author and what was computed', async () => {
  const overridden = { by: 'Grace Bell', ranking: 4, score: 87.75, grade: null };
  const sheets = await written([{ ...unranked, students: book.students.map((student) => ({ ...student, overridden })).slice(0, 1) }]);
  expect(sheets.get('Year 11')?.get('J2')?.value).toBe(
    'Ranking: overridden by Grace Bell, computed 4; Score: overridden by Grace Bell, computed 87.75; ' +
      'Residual: of the computed rank 4; Grade: overridden by Grace Bell, none was computed',
  );
});

test('a contested total has a blue frame and one above the maximum a red one, whatever its colour, and heads filter', async () => {
  const totals = [
    { ...total(30), flags: ['contested'] as const },
    { ...total(44), flags: ['above-maximum'] as const },
    { ...total(null, 'absent'), flags: ['contested-attendance'] as const },
  ];
  const file = await markbookFile(
    [{ ...book, students: book.students.map((student, place) => ({ ...student, totals: [totals[place] ?? total(2)] })) }],
    MOMENT,
  );
  const bytes = new Uint8Array(await file.arrayBuffer());
  const cells = readExcel(bytes).get('Year 11');
  expect(['I2', 'I3', 'I4', 'I5'].map((place) => cells?.get(place)?.frame)).toEqual(['0B57D0', 'B3261E', '0B57D0', undefined]);
  expect(['I2', 'I3', 'I4'].map((place) => cells?.get(place)?.value)).toEqual([30, 44, 'A']);
  expect(['I2', 'I3'].map((place) => cells?.get(place)?.fill)).toEqual(['CFE8B4', 'CFE8B4']);
  expect(excelFilters(bytes)).toEqual(['A1:J5', undefined]);
});

test.each([
  ['11X/1: *', '11X 1'],
  // Excel opens no file with sheets of these names.
  ["'11X'", '11X'],
  ['?*', 'Class'],
  ['about', 'Class about'],
  ['History', 'Class History'],
  [`${'x'.repeat(30)}\u{1f600}`, 'x'.repeat(30)],
])('a class that is chosen, %s, is a sheet of its name: %s', async (name, sheet) => {
  const sheets = await written([{ ...book, setId: 'one', sets: [{ setId: 'one', name, mayWrite: true }] }]);
  expect([...sheets.keys()]).toEqual([sheet, 'About']);
});

test('every year group has a sheet of its own, and what its figures are', async () => {
  const { scores: _, ...unscored } = unranked;
  const sheets = await written([book, { ...unscored, yearGroupId: 'z', year: 10, students: book.students.slice(3) }]);
  expect([...sheets.keys()]).toEqual(['Year 11', 'Year 10', 'About']);
  expect(['B2', 'B3'].map((place) => sheets.get('Year 10')?.get(place)?.value)).toEqual(['Forgotten student', undefined]);
  const about = [...(sheets.get('About')?.values() ?? [])].map(({ value }) => value);
  expect(about.slice(about.indexOf('Year 10'))).toEqual(['Year 10', 'Prior', 'KS2', 'Ranking', 'Nobody in this year group is ranked.']);
});

test('a class or a student may be called like a part of JavaScript', async () => {
  const sheets = await written([
    {
      ...book,
      sets: [{ setId: 'one', name: 'constructor', mayWrite: true }],
      students: book.students.map((student) => ({ ...student, name: '__proto__' })),
    },
  ]);
  expect(['B2', 'C2', 'C3'].map((place) => String(sheets.get('Year 11')?.get(place)?.value).trim())).toEqual([
    '__proto__',
    'constructor',
    'constructor',
  ]);
});

test('300 students with 12 tests are written', async () => {
  const tests = Array.from({ length: 12 }, (_, index) => ({
    testId: `t${index}`,
    name: `Test ${index}`,
    max: 40,
    mean: 20,
    sd: 5,
    count: 300,
  }));
  const students = Array.from({ length: 300 }, (_, at) => ({
    studentId: `${at}`,
    admissionNo: `M${at}`,
    name: `Student ${at}`,
    setId: 'one',
    ranking: at + 1,
    score: 100 - at / 4,
    totals: tests.map((_test, column) => total((at + column) % 41)),
  }));
  const file = await markbookFile([{ ...book, tests, students }], MOMENT);
  expect(readExcel(new Uint8Array(await file.arrayBuffer())).get('Year 11')?.size).toBe(21 + 300 * (3 + 2 + 12));
});

test('what stands beside the residual is in the file if the table shows it', async () => {
  const [student] = book.students;
  const ranked = { ...(book.ranked ?? expect.fail('a ranked book')) };
  const beside = {
    yearGroupId: 'y',
    subjectId: 's',
    taskId: ranked.taskId,
    line: { n: 10, a: 1, b: 1, sd: 2 },
    sets: [{ setId: 'one', n: 10, mean: 3.14, from: 1.39, to: 4.89, clear: true }],
    students: [{ studentId: student?.studentId ?? '', setId: 'one', residual: -0.421, standardised: 126, percentile: 95 }],
  };
  const sheets = readExcel(new Uint8Array(await (await markbookFile([book], MOMENT, [beside])).arrayBuffer()));
  const row = (number: number) => [...'GHIJKLMNO'].map((column) => sheets.get('Year 11')?.get(`${column}${number}`)?.value);
  expect(row(1).slice(0, 8)).toEqual([
    'Residual',
    'Regression residual',
    'Class mean of it',
    'from (95 %)',
    'to (95 %)',
    'Standardised score',
    'Percentile rank',
    'Grade',
  ]);
  expect(row(2)).toEqual([1, -0.421, 3.14, 1.39, 4.89, 126, 95, 7, 30]);
  expect(row(3).slice(1, 7)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
  const about = [...(sheets.get('About')?.values() ?? [])].map(({ value }) => value);
  expect(about).toContain('100 + 15 * z, within 60 and 140: this cohort, not national');
});
