import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChosenFile, CsvRefusal } from '../../api/contract/csv/file.ts';
import { refusedUnread } from '../../api/contract/csv/file.ts';
import { parseQuestions } from '../../api/assessments/questions-file.contract.ts';
import { parseResults, resultsColumns } from '../../api/marks/upload/results-file.contract.ts';
import { parseScheme } from '../../api/school/scheme-file.contract.ts';
import { parseStudents } from '../../api/students/students-file.contract.ts';
import { template, templateName } from '../../api/templates.ts';
import { decodeText } from '../../api/contract/csv/text.ts';
import { parseTotals } from '../../api/marks/upload/totals-file.contract.ts';

const wrongTemplate = 'The upload file is invalid. Please check you have uploaded using the correct template.';
const nonNumeric = 'The upload file contains non numeric data. Please check before uploading again.';
const duplicateIds = 'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.';
const wrongFormat = 'The upload file does not meet the required format.';

const header = 'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6';

describe('the files of a real school', () => {
  test('totals: 729 students with the mean and SD that R computed', () => {
    const rows = accepted(parseTotals(real('totals_upload.csv'))).rows;
    const totals = rows.map((row) => row.totals[0] ?? 0);
    const mean = totals.reduce((sum, total) => sum + total, 0) / rows.length;
    const sd = Math.sqrt(totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / (rows.length - 1));
    expect(rows).toHaveLength(729);
    expect(mean).toBeCloseTo(16.93416, 5);
    expect(sd).toBeCloseTo(4.284338, 6);
    expect(rows[0]).toEqual({ line: 2, admissionNo: 'M0001', name: 'Edwards, Sophie', totals: [20, null, null, null, null, null] });
    expect(accepted(parseTotals(real('totals_upload.csv'))).tests).toBe(1);
  });

  test('results: 13 questions, whose marks add up to the totals', () => {
    const { rows, questions } = accepted(parseResults(real('results_upload.csv')));
    const totals = new Map(accepted(parseTotals(real('totals_upload.csv'))).rows.map((row) => [row.admissionNo, row.totals[0]]));
    expect(questions).toBe(13);
    expect(rows).toHaveLength(729);
    for (const { admissionNo, marks } of rows) {
      expect(marks).toHaveLength(13);
      expect(marks.reduce<number>((sum, mark) => sum + (mark ?? 0), 0)).toBe(totals.get(admissionNo));
    }
  });

  test('students, questions and topics', () => {
    const students = accepted(parseStudents(real('student_upload.csv'))).rows;
    expect(students[0]).toEqual({ line: 2, admissionNo: 'M0001', name: 'Edwards, Sophie', set: '11X1', dateOfBirth: '2010-08-02' });
    expect(new Set(students.map(({ set }) => set)).size).toBe(26);
    const questions = accepted(parseQuestions(real('assessment_upload.csv'))).rows;
    expect(questions).toHaveLength(13);
    expect(questions[12]).toEqual({ line: 14, number: 13, topic: 'Lagrange optimisation', max: 2 });
    expect(accepted(parseScheme(real('sow_upload.csv'))).rows).toHaveLength(13);
  });

  test('names keep their letters', () => {
    const names = accepted(parseStudents(real('student_upload.csv')))
      .rows.map(({ name }) => name)
      .join();
    expect(names).toMatch(/[^\0-\xff]/);
    expect(names).not.toContain('\ufffd');
  });
});

describe('what is a CSV file', () => {
  const bytes = utf8(`${header}\n1,A,2,,,,,\n`);
  test.each([
    ['totals.csv', 'text/csv'],
    ['totals', 'text/csv; charset=utf-8'],
    ['totals.csv', 'application/vnd.ms-excel'],
    ['TOTALS.CSV', ''],
  ])('%s, called "%s", is', (name, type) => expect(parseTotals({ name, type, bytes }).ok).toBe(true));

  test.each([
    ['totals.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['totals.xls', 'application/vnd.ms-excel'],
    ['photo.png', 'image/png'],
    ['totals.pdf', ''],
  ])('%s, called "%s", is not', (name, type) => {
    expect(parseTotals({ name, type, bytes })).toMatchObject({
      ok: false,
      message: wrongTemplate,
      detail: expect.stringMatching('Please choose a CSV file'),
    });
  });

  test('a workbook that was only renamed is not', () => {
    const workbook = Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]);
    expect(parseTotals(csv(workbook))).toMatchObject({ message: wrongTemplate });
  });
});

describe('encodings', () => {
  const text = `${header}\nÉ1,"Łukasz–O’Neil, Zoë",7,,,,,\n`;

  test('UTF-8, with a byte order mark or without', () => {
    for (const bytes of [utf8(text), utf8(`\ufeff${text}`)]) {
      expect(accepted(parseTotals(csv(bytes))).rows[0]).toMatchObject({ admissionNo: 'É1', name: 'Łukasz–O’Neil, Zoë' });
    }
  });

  test('Windows-1252, as Excel writes it', () => {
    const bytes = Uint8Array.from([...utf8(`${header}\n1,"O`), 0x92, ...utf8('Neil, Zo'), 0xeb, ...utf8(' '), 0x80, ...utf8('",7,,,,,\n')]);
    expect(accepted(parseTotals(csv(bytes))).rows[0]).toMatchObject({ name: 'O’Neil, Zoë €' });
    expect(decodeText(bytes)).toMatchObject({ ok: true, encoding: 'windows-1252' });
  });

  test.each([
    ['windows-1250', 'Wójcik, Łukasz', [0x57, 0xf3, 0x6a, 0x63, 0x69, 0x6b, 0x2c, 0x20, 0xa3, 0x75, 0x6b, 0x61, 0x73, 0x7a]],
    ['windows-1256', 'فاطمة حسن', [0xdd, 0xc7, 0xd8, 0xe3, 0xc9, 0x20, 0xcd, 0xd3, 0xe4]],
    ['windows-1251', 'Иванова', [0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2, 0xe0]],
    ['macintosh', 'Hervé, Zoë', [0x48, 0x65, 0x72, 0x76, 0x8e, 0x2c, 0x20, 0x5a, 0x6f, 0x91]],
  ] as const)('%s by its names, unless another is chosen', (encoding, text, bytes) => {
    const file = Uint8Array.from(bytes);
    expect(decodeText(file)).toEqual({ ok: true, text, encoding });
    expect(decodeText(file, 'koi8-u')).toMatchObject({ encoding: 'koi8-u' });
  });

  test('UTF-16 with tabs, as Excel writes Unicode Text', () => {
    const little = Buffer.from(`\ufeff${header.replaceAll(',', '\t')}\r\nÉ1\t"Łukasz, Zoë"\t7\r\n`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      expect(accepted(parseTotals(csv(Uint8Array.from(bytes)))).rows[0]).toMatchObject({ admissionNo: 'É1', name: 'Łukasz, Zoë', line: 2 });
    }
  });

  test('bytes that none of them has are refused', () => {
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x41]))).toEqual({ ok: false });
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x41, 0x00, 0x00, 0x00]))).toEqual({ ok: false });
    expect(decodeText(Uint8Array.from([0x41, 0x81, 0x42]), 'windows-1252')).toEqual({ ok: false });
    expect(decodeText(Uint8Array.from([0x41, 0x0a, 0x00]))).toEqual({ ok: false, nul: 2 });
  });
});

describe('the header', () => {
  test.each([
    ['re-ordered', 'LastFirst,StudentID,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6'],
    ['with other names', 'ID,Name,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6'],
    ['in another case', header.toLowerCase()],
    ['with 7 tests', `${header},Test 7`],
    ['with 5 tests', 'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5'],
    ['of another template', template('results').trim()],
    ['missing', 'M0001,"Edwards, Sophie",20,,,,,'],
  ])('%s is refused', (_how, line) => {
    expect(parseTotals(csv(`${line}\nM0001,"Edwards, Sophie",20,,,,,\n`))).toEqual({ ok: false, message: wrongTemplate, problems: [] });
  });

  test('of the results needs all of Q1 to Q50', () => {
    expect(resultsColumns).toHaveLength(52);
    expect(parseResults(csv(`${resultsColumns.slice(0, 51).join()}\n1,A\n`))).toMatchObject({ message: wrongTemplate });
  });

  test('with empty columns after it, as Excel leaves them, is taken; with values below them it is not', () => {
    expect(accepted(parseTotals(csv(`${header},,\n1,A,2,,,,,,,\n`))).rows).toHaveLength(1);
    expect(parseTotals(csv(`${header},,\n1,A,2,,,,,,,9\n`))).toMatchObject({
      message: wrongTemplate,
      detail: expect.stringContaining('Line 2'),
    });
  });

  test('with semicolons, as Excel writes in many countries, is taken', () => {
    const rows = accepted(parseTotals(csv(`${header.replaceAll(',', ';')}\r\n1;Edwards, Sophie;20;;;;;\r\n`))).rows;
    expect(rows).toEqual([{ line: 2, admissionNo: '1', name: 'Edwards, Sophie', totals: [20, null, null, null, null, null] }]);
  });

  test('below a line that says what separates the values is taken, and lines are counted as in the file', () => {
    const file = `sep=;\r\n${header.replaceAll(',', ';')}\r\n1;Edwards, Sophie;20,0;;;;;\r\n`;
    expect(accepted(parseTotals(csv(file))).rows).toMatchObject([
      { line: 3, admissionNo: '1', totals: [20, null, null, null, null, null] },
    ]);
    expect(parseTotals(csv(file.replace('20,0', '1,000')))).toMatchObject({ problems: [{ line: 3, column: 'Test 1', value: '1,000' }] });
  });
});

describe('rows', () => {
  test('StudentIDs and names are text', () => {
    const rows = accepted(parseTotals(csv(`${header}\n00123,007,2,,,,,\n1e5,true,3,,,,,\n`))).rows;
    expect(rows.map(({ admissionNo, name }) => [admissionNo, name])).toEqual([
      ['00123', '007'],
      ['1e5', 'true'],
    ]);
  });

  test('line breaks of every kind, blank lines and blank rows', () => {
    const file = csv(`\r\n${header}\r\n1,A,2,,,,,\n\n,,,,,,,\r2,B,3,,,,,\r\n   \n`);
    expect(accepted(parseTotals(file)).rows.map(({ line, admissionNo }) => [line, admissionNo])).toEqual([
      [3, '1'],
      [6, '2'],
    ]);
  });

  test('lines are counted as in the file, also after quoted line breaks and quotes', () => {
    const file = csv(`${header}\r\n1,"Edwards,\r\nSophie",2,,,,,\r\n2,"The ""Rock""",3,,,,,\r\n3,C,x,,,,,\r\n`);
    expect(parseTotals(file)).toMatchObject({ message: nonNumeric, problems: [{ line: 5, column: 'Test 1', value: 'x' }] });
    const names = accepted(parseTotals(csv(`${header}\n1,"Edwards,\nSophie",2,,,,,\n2,"The ""Rock""",3,,,,,\n`))).rows.map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Edwards, Sophie', 'The "Rock"']);
  });

  test('without any mark are kept, and may end early', () => {
    expect(accepted(parseTotals(csv(`${header}\n1,A\n2,B,5\n`))).rows.map(({ totals }) => totals)).toEqual([
      [null, null, null, null, null, null],
      [5, null, null, null, null, null],
    ]);
  });

  test('a zero is a mark, and 20.0 is 20', () => {
    expect(accepted(parseTotals(csv(`${header}\n1,A,0,20.0, 7 ,,,\n`))).rows[0]?.totals).toEqual([0, 20, 7, null, null, null]);
  });

  test.each(['abs', '-1', '12.5', '1e1', '+5', '5%', '0x10', '1.000', '٣', '99999999999999999999', 'NaN'])('%s is no mark', (value) => {
    expect(parseTotals(csv(`${header}\n1,A,3,,${value},,,\n`))).toMatchObject({
      ok: false,
      message: nonNumeric,
      problems: [{ line: 2, column: 'Test 3', value }],
    });
  });

  test('every cell without a mark is listed', () => {
    const result = parseResults(csv(`${resultsColumns.join()}\n1,A,x,-1,12.5\n2,B,1,2,3\n3,C,,,,?\n`));
    expect(result).toMatchObject({
      message: nonNumeric,
      detail: 'See line 2, Q1: "x"; line 2, Q2: "-1"; line 2, Q3: "12.5"; line 4, Q4: "?".',
      problems: [
        { line: 2, column: 'Q1', value: 'x' },
        { line: 2, column: 'Q2', value: '-1' },
        { line: 2, column: 'Q3', value: '12.5' },
        { line: 4, column: 'Q4', value: '?' },
      ],
    });
  });

  test('the same student twice is refused by name and line, whatever the case of the letters', () => {
    expect(parseTotals(csv(`${header}\nm1,"Edwards, Sophie",1,,,,,\n2,B,2,,,,,\nM1,"Edwards, Sophie",3,,,,,\n`))).toEqual({
      ok: false,
      message: duplicateIds,
      detail: 'Edwards, Sophie (m1), Edwards, Sophie (M1): lines 2, 4.',
      problems: [
        { line: 2, column: 'StudentID', value: 'm1' },
        { line: 4, column: 'StudentID', value: 'M1' },
      ],
    });
  });

  test('00123 and 123 are two students', () => {
    expect(accepted(parseTotals(csv(`${header}\n00123,A,1,,,,,\n123,B,2,,,,,\n`))).rows).toHaveLength(2);
  });

  test('a row without a StudentID is refused', () => {
    expect(parseTotals(csv(`${header}\n1,A,1,,,,,\n,B,2,,,,,\n`))).toMatchObject({
      message: 'Blank rows were found in the following columns: StudentID',
      problems: [{ line: 3, column: 'StudentID', value: '' }],
    });
  });

  test('a name with a comma outside quotation marks is noticed', () => {
    expect(parseTotals(csv(`${header}\n1,Edwards, Sophie,20,,,,,\n`))).toMatchObject({ ok: false });
  });

  test('what is too long for its column says so', () => {
    expect(parseTotals(csv(`${header}\n${'1'.repeat(201)},A,2,,,,,\n2,B,3,,,,,\n`))).toMatchObject({
      message: wrongTemplate,
      detail: `StudentID has at most 200 characters. See line 2, StudentID: "${'1'.repeat(39)}…".`,
    });
  });

  test('a StudentID longer than any in a school is a row as any other: the server knows that it is of nobody', () => {
    const long = 'M-2024-0000000000000000000000001';
    for (const parsed of [
      accepted(parseTotals(csv(`${header}\n${long},A,2,,,,,\n`))),
      accepted(parseResults(csv(`${resultsColumns.join()}\n${long},A,2\n`))),
    ])
      expect(parsed.rows.map(({ admissionNo }) => admissionNo)).toEqual([long]);
  });

  test('quotation marks that do not close are refused with their line', () => {
    const file = csv(`${header}\n1,A,2,,,,,\n2,"Edwards, Sophie,20,,,,,\n3,C,4,,,,,\n`);
    expect(parseTotals(file)).toMatchObject({ message: wrongTemplate, detail: expect.stringContaining('line 3') });
  });

  test('results are cut to the questions that were used', () => {
    const { questions, rows } = accepted(parseResults(csv(`${resultsColumns.join()}\n1,A,1,,0\n2,B\n`)));
    expect(questions).toBe(3);
    expect(rows.map(({ marks }) => marks)).toEqual([
      [1, null, 0],
      [null, null, null],
    ]);
  });
});

describe('too little and too much', () => {
  test('an empty file', () => {
    for (const text of ['', '\ufeff', '\r\n\r\n  ']) {
      expect(parseTotals(csv(text))).toMatchObject({ message: wrongTemplate, detail: 'The file is empty.' });
    }
  });

  test('only a header', () => {
    expect(parseTotals(csv(template('totals')))).toMatchObject({ ok: false, message: expect.stringContaining('no rows') });
    expect(parseResults(csv(template('results')))).toMatchObject({ ok: false, message: expect.stringContaining('no rows') });
  });

  test('more than 5 MB is refused before it is read', () => {
    expect(refusedUnread({ name: 'a.csv', type: 'text/csv', size: 5 * 1024 * 1024 })).toBeUndefined();
    expect(refusedUnread({ name: 'a.csv', type: 'text/csv', size: 5 * 1024 * 1024 + 1 })).toMatchObject({
      message: wrongTemplate,
      detail: 'The file is larger than 5 MB.',
    });
  });

  test('5,000 rows are taken, 5,001 are not', () => {
    const rows = (count: number) => csv(`${header}\n${Array.from({ length: count }, (_, index) => `${index},A,1,,,,,`).join('\n')}\n`);
    expect(accepted(parseTotals(rows(5000))).rows).toHaveLength(5000);
    expect(parseTotals(rows(5001))).toMatchObject({ ok: false, message: expect.stringContaining('more than 5,000 rows') });
  });

  test.each([
    [
      'random bytes',
      (size: number) => Buffer.alloc(size, Buffer.from(Array.from({ length: 9973 }, (_, index) => (index * 7919 + (index >> 3)) % 256))),
    ],
    ['commas', (size: number) => new Uint8Array(size).fill(0x2c)],
    ['quotation marks', (size: number) => new Uint8Array(size).fill(0x22)],
    ['one long word', (size: number) => new Uint8Array(size).fill(0x61)],
    ['line breaks', (size: number) => new Uint8Array(size).fill(0x0a)],
    ['a header and then commas', (size: number) => Buffer.concat([utf8(`${header}\n`), new Uint8Array(size - 100).fill(0x2c)])],
    ['a header and then an open quotation', (size: number) => Buffer.concat([utf8(`${header}\n"`), new Uint8Array(size - 100).fill(0x61)])],
    ['a header and then short rows', (size: number) => utf8(`${header}\n${'x,y,z\n'.repeat(Math.floor((size - 100) / 6))}`)],
  ])('rubbish of 10 MB and of 5 MB is refused: %s', (_what, make) => {
    for (const size of [10 * 1024 * 1024, 5 * 1024 * 1024]) {
      const file = csv(make(size));
      // A quadratic algorithm would need hours: the test would never end.
      expect(parseTotals(file).ok).toBe(false);
    }
  });
});

describe('a student file', () => {
  const students = (rows: string) => parseStudents(csv(`StudentID,Name,Set,DoB\n${rows}\n`));

  test('a date of birth may be unknown, and loses its zeros in Excel', () => {
    expect(accepted(students('1,A,11X1,\n2,B,11X1,2/8/2010')).rows.map(({ dateOfBirth }) => dateOfBirth)).toEqual([null, '2010-08-02']);
  });

  test.each(['31/02/2010', '2010-08-02', '08/13/2010', '01/01/0999', '01/01/3001', '1 May 2010'])('%s is no date of birth', (date) => {
    expect(students(`1,A,11X1,${date}`)).toMatchObject({
      message: 'Check date input column. Should be of the form DD/MM/YYYY',
      problems: [{ line: 2, column: 'DoB', value: date }],
    });
  });

  test('blanks are named by column', () => {
    expect(students('1,,11X1,\n2,B,,')).toMatchObject({
      message: 'Blank rows were found in the following columns: Name, Set',
      problems: [
        { line: 2, column: 'Name' },
        { line: 3, column: 'Set' },
      ],
    });
  });

  test('the same StudentID twice', () => {
    expect(students('1,A,11X1,\n1,B,11X1,')).toMatchObject({ message: duplicateIds, detail: 'A (1), B (1): lines 2, 3.' });
  });
});

describe('a question file', () => {
  const questions = (rows: string) => parseQuestions(csv(`Question No,Topic,Max Mark\n${rows}\n`));
  const sequence = 'Questions are not numbered sequentially. Please check your upload file.';
  const maximum = 'Max mark needs to be an integer greater than 0. Please check your upload file.';

  test.each([
    ['1,A,2\n3,B,2', sequence],
    ['2,A,2', sequence],
    ['one,A,2', sequence],
    ['1,A,2\n1,B,2', sequence],
    ['1,A,0', maximum],
    ['1,A,1.5', maximum],
    ['1,A,', maximum],
    ['1,,2', wrongFormat],
    ['1,Sine, cosine,2', wrongFormat],
    ['1,A,1001', 'Max mark must not be greater than 1000. Please check your upload file.'],
    [`1,${'x'.repeat(501)},2`, wrongFormat],
    [Array.from({ length: 51 }, (_, index) => `${index + 1},A,2`).join('\n'), 'An assessment has 50 questions at most.'],
  ])('%j: %s', (rows, message) => expect(questions(rows)).toMatchObject({ ok: false, message }));

  test('needs its three columns, in any order', () => {
    expect(parseQuestions(csv('Question No,Topic\n1,A\n'))).toMatchObject({ message: wrongFormat });
    expect(accepted(parseQuestions(csv('Topic,Note,Max Mark,Question No\nA,x,2,1\n'))).rows).toEqual([
      { line: 2, number: 1, topic: 'A', max: 2 },
    ]);
  });
});

describe('a scheme-of-work file', () => {
  test('is refused before it is looked at where it has too much', () => {
    expect(parseScheme(csv(`SoW_Topic\n${'x'.repeat(201)}\n`))).toMatchObject({ message: wrongFormat });
    expect(parseScheme(csv(`SoW_Topic\n${'A\n'.repeat(1_001)}`))).toMatchObject({ message: 'A scheme of work has 1000 topics at most.' });
  });

  test('needs a column SoW_Topic', () => {
    expect(parseScheme(csv('Topic\nA\n'))).toMatchObject({ message: wrongFormat });
    expect(accepted(parseScheme(csv('No,SoW_Topic\n1,A\n2,"B, C"\n'))).rows.map(({ topic }) => topic)).toEqual(['A', 'B, C']);
    expect(parseScheme(csv('No,SoW_Topic\n1,A\n2,\n'))).toMatchObject({
      message: wrongFormat,
      problems: [{ line: 3, column: 'SoW_Topic', value: '' }],
    });
  });
});

describe('templates', () => {
  test('are the header line of their file', () => {
    expect(template('totals')).toBe(`${header}\r\n`);
    expect(templateName('totals')).toBe('totals_upload.csv');
    for (const kind of ['results', 'students', 'questions', 'scheme'] as const) {
      const [first] = readFileSync(`tests/data/mathexam/${templateName(kind)}`, 'utf8').split(/\r?\n/);
      expect(template(kind).trim()).toBe(first);
    }
  });

  test('filled in beforehand come back as they were, and no cell is a formula', () => {
    const class11 = [
      ['00123', '=HYPERLINK("http://example.org")', 5],
      ['-7', '@Zoë, "the" Łynx', null],
      ['\uff1d7', "'=her own apostrophe", 3],
      ["'t Hooft", "''", null],
      ['\ufe627', '\ufe66HYPERLINK("http://example.org")', 1],
      ['\ufe637', '\u200b=1+1', 2],
      ['\u22127', '\u2060\u200d\uff1d1+1', 3],
      ['\ufe6b7', '\u3000\ufe66SUM(A1)', 4],
      ['\u202e+7', "'\u200b=her own apostrophe", 5],
    ];
    const text = template('totals', class11);
    expect(text).not.toMatch(/(^|,|\n)"?[=+\-@\uff1d\ufe62\ufe63\ufe66\ufe6b\u2212]/);
    for (const unseen of ['\u200b=', '\u2060', '\u3000', '\u202e']) expect(text).not.toMatch(new RegExp(`(^|,|\n)"?${unseen}`, 'u'));
    expect(text.startsWith('\ufeff')).toBe(true);
    expect(accepted(parseTotals(csv(text))).rows.map(({ admissionNo, name, totals }) => [admissionNo, name, totals[0]])).toEqual(class11);
  });
});

function csv(content: string | Uint8Array): ChosenFile {
  return { name: 'upload.csv', type: 'text/csv', bytes: typeof content === 'string' ? utf8(content) : content };
}
function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
function real(name: string): ChosenFile {
  return { name, type: 'text/csv', bytes: readFileSync(`tests/data/mathexam/${name}`) };
}
function accepted<T extends { ok: true }>(result: T | CsvRefusal): T {
  if (!result.ok) throw new Error(`${result.message} ${result.detail ?? ''}`);
  return result;
}
