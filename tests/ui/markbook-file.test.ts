import { writeFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import { markbookFile } from '../../staff-ui/markbook/excel/markbook-file.ts';

/** The parts of a file, found by its directory, and checked against it. */
const partsOf = (file: Uint8Array): ReadonlyMap<string, string> => {
  const bytes = Buffer.from(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const parts = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, plain, length] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28)];
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const text = inflateRawSync(bytes.subarray(begin, begin + packed));
    expect([name, text.length]).toEqual([name, plain]);
    parts.set(name, text.toString());
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return parts;
};

/** What each cell of a sheet holds, by its place: a number, a text, or nothing, and its format. */
const cellsOf = (sheet: string): ReadonlyMap<string, readonly [value: string | number | null, format: number]> =>
  new Map(
    [
      ...sheet.matchAll(
        /<c r="([A-Z]+\d+)" s="(\d+)"(?: t="inlineStr"><is><t xml:space="preserve">([^<]*)<\/t><\/is>|><v>([^<]*)<\/v>|\/>)/g,
      ),
    ].map(([, place = '', format, text, number]) => [
      place,
      [text === undefined ? (number === undefined ? null : Number(number)) : unescaped(text), Number(format)],
    ]),
  );
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const total = (value: number | null, attendance: 'sat' | 'absent' = 'sat') =>
  ({ total: value, source: value === null ? null : 'total', attendance, contested: false, aboveMaximum: false }) as const;

const book: Markbook = {
  yearGroupId: 'y',
  year: 11,
  subject: { subjectId: 's', name: 'Mathematics' },
  sets: [{ setId: 'one', name: '11X1', mayWrite: true }],
  priorExam: { terminalExamId: 'e', name: 'KS2' },
  scores: { mean: 50, sd: 10 },
  ranked: {
    taskId: 't',
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

test('the Excel file holds the year group with its bands, names that look like formulas as text, and what the figures are', async () => {
  const file = await markbookFile(book, '22/11/2026, 10:00');
  const parts = partsOf(file);
  expect([...(parts.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Year 11',
    'About',
  ]);
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const cells = cellsOf(sheet);
  const row = (number: number) => [...'ABCDEFGHI'].map((column) => cells.get(`${column}${number}`)?.[0]);
  expect(row(1)).toEqual(['StudentID', 'Name', 'Set', 'Prior', 'Ranking', 'Score', 'Residual', 'Grade', 'Mock <1> & "2" (of 40)']);
  expect(row(2)).toEqual(['00123', '=HYPERLINK("http://evil.example")', '11X1', 104, 1, 81.89, 1, 7, 30]);
  expect(row(3)).toEqual(['-2', '@Ann', '11X1', 'a*', 2, 50, 0, undefined, 20]);
  expect(row(4).slice(0, 3)).toEqual(['+3', 'Łukasik, Zoë', '11X1']);
  expect([cells.get('I4')?.[0], cells.get('I5')?.[0], cells.get('B5')?.[0]]).toEqual([2, 'A', 'Forgotten student']);
  expect(sheet).not.toContain('<f>');

  const formats = [...(parts.get('xl/styles.xml')?.split('<cellXfs')[1] ?? '').matchAll(/<xf [^>]*\/>/g)].map(([format]) => format);
  const formatOf = (place: string): string => formats[cells.get(place)?.[1] ?? -1] ?? '';
  const fills = [...(parts.get('xl/styles.xml') ?? '').matchAll(/<fill>(.*?)<\/fill>/g)].map(([, fill]) => fill);
  const colour = (place: string): string | undefined =>
    /rgb="FF(\w+)"/.exec(fills[Number(/fillId="(\d+)"/.exec(formatOf(place))?.[1])] ?? '')?.[1];
  expect(['F2', 'F3', 'I2', 'I3', 'I4', 'E2'].map(colour)).toEqual(['CFE8B4', 'FFE2A8', 'CFE8B4', 'FFE2A8', 'F9C9C1', undefined]);
  expect(['A3', 'A4', 'B2', 'B3', 'B4'].map((place) => formatOf(place).includes('quotePrefix'))).toEqual([true, true, true, true, false]);

  const about = [...cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? '').values()].map(([value]) => value);
  expect(about).toEqual(expect.arrayContaining(['22/11/2026, 10:00', 'R3', 'KS2', 36.4444, 0.9882, 'Mathematics']));
  if (process.env['KEEP_XLSX']) writeFileSync(process.env['KEEP_XLSX'], file);
});

test('300 students with 12 tests are written within a second', async () => {
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
  const begun = performance.now();
  const file = await markbookFile({ ...book, tests, students }, 'now');
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(cellsOf(partsOf(file).get('xl/worksheets/sheet1.xml') ?? '').size).toBe(20 + 300 * (3 + 2 + 12));
});
