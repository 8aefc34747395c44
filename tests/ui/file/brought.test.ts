import { describe, expect, test } from 'vitest';
import { studentsKind } from '../../../admin-ui/students/import/kind.ts';
import { resultsKind, totalsKind } from '../../../staff-ui/marks/upload/kinds.ts';
import type { Answers } from '../../../ui/file/brought/answers.ts';
import { unanswered } from '../../../ui/file/brought/answers.ts';
import type { Kind } from '../../../ui/file/brought/brought.ts';
import { broughtOf } from '../../../ui/file/brought/brought.ts';
import { openBytes } from '../../../ui/file/brought/open-bytes.ts';

const read = async <Parsed extends object>(text: string | Uint8Array, kind: Kind<Parsed>, answers: Partial<Answers> = {}) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const opened = await openBytes({ name: 'brought.csv', type: 'text/csv', bytes }, kind.template.columns, {});
  if (!opened.ok) throw new Error(opened.message);
  return broughtOf(opened.rows, kind, { ...unanswered, ...answers });
};
const wrongTemplate = 'The upload file is invalid. Please check you have uploaded using the correct template.';
const nonNumeric = 'The upload file contains non numeric data. Please check before uploading again.';
const algebra = {
  testId: 't',
  name: 'Algebra test',
  questions: [4, 4, 6, 6].map((marksAvailable, at) => ({ questionId: `q${at}`, number: at + 1, topic: `Topic ${at}`, marksAvailable })),
} as unknown as Parameters<typeof totalsKind>[0][number] & Parameters<typeof resultsKind>[0];
const totals = totalsKind([algebra]);
const results = resultsKind(algebra);
const header = 'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6\n';

describe('a file of another system is refused, and read when its author has said which column is which', () => {
  test('a list of students with titles, names in two columns, a date with its month in letters and a footer', async () => {
    const sims =
      'Student List\nRun date: 27/11/2026\n\nAdno,Legal Surname,Legal Forename,Preferred Forename,Reg Group,Year,Gender,DOB,UPN\n' +
      "000101,Adler,Stéphane,Stef,7A,Year  7,M,01-Sep-2009,A1\n'000102,Brandt,Agnès,,7A,Year  7,F,Tue 12 Oct 2009,B1\n\nCreated on 27/11/2026 by Office\n";
    expect(await read(sims, studentsKind)).toMatchObject({ refusal: { message: wrongTemplate }, lacks: [], layout: { header: 2 } });
    const { refusal, parsed } = await read(sims, studentsKind, { isMapped: true });
    expect(refusal).toBeUndefined();
    expect(parsed?.rows).toEqual([
      { line: 5, admissionNo: '000101', name: 'Adler, Stéphane', set: '7A', dateOfBirth: '2009-09-01' },
      { line: 6, admissionNo: '000102', name: 'Brandt, Agnès', set: '7A', dateOfBirth: '2009-10-12' },
    ]);
  });

  test('what it lacks is named', async () => {
    const { lacks } = await read('Pupil,Born\nAda Byron,2009-09-01\n', studentsKind, { isMapped: true });
    expect(lacks).toEqual(['StudentID', 'the set']);
    expect((await read('Room\n12\n', totals)).lacks).toEqual(['StudentID or the name', 'a column of marks']);
  });

  test('grades of a learning platform: 18.00 is 18, a half mark is left out only by a tick', async () => {
    const moodle =
      'First name,Last name,ID number,Quiz: Algebra test (Real),Assignment: Report (Real),Course total (Real)\n' +
      'Stéphane,Adler,00101,18.00,-,18.00\nAgnès,Brandt,00102,12.50,7.00,19.50\n';
    const asked = await read(moodle, totals, { isMapped: true });
    expect(asked).toMatchObject({
      refusal: { message: nonNumeric },
      rows: [{ line: 3, who: 'Brandt, Agnès (00102)', why: 'Test 1: “12.50”' }],
    });
    expect(asked.parsed).toBeUndefined();
    const { parsed } = await read(moodle, totals, { isMapped: true, leavesOut: true });
    expect(parsed?.rows).toMatchObject([{ admissionNo: '00101', name: 'Adler, Stéphane', totals: [18, null, null, null, null, null] }]);
  });

  test('a sheet with maxima, totals, per cents and averages, and names alone', async () => {
    const sheet =
      '7A Algebra test,,,,,,,\nName,Q1,Q2,Q3,Q4,Total,%,Grade\nOut of,4,4,6,6,20,,\nStéphane Adler,3,2,5,1,11,55%,B\n' +
      '"Aoife O\'Connor",absent,,,,0,0%,U\nJean-Luc D\'Arcy,-,2,3,1,6,30%,D\nClass average,2.6,2.0,3.2,2.0,9,45%,\n';
    const asked = await read(sheet, results, { isMapped: true });
    expect(asked.words).toEqual([
      { text: 'absent', alone: true, count: 1 },
      { text: '-', alone: false, count: 1 },
    ]);
    const { parsed } = await read(sheet, results, { isMapped: true, words: { 'alone absent': 'absent', 'beside -': '0' } });
    expect(parsed?.rows.map(({ admissionNo, name, marks, away }) => [admissionNo, name, away ?? marks])).toEqual([
      ['line 4', 'Stéphane Adler', [3, 2, 5, 1]],
      ['line 5', "Aoife O'Connor", 'absent'],
      ['line 6', "Jean-Luc D'Arcy", [0, 2, 3, 1]],
    ]);
  });
});

test('words in place of totals: the refusal stands, and each is asked about once a file', async () => {
  const file = `${header}00101,"Adler, Stéphane",A,,,,,\n00102,"Brandt, Agnès",-,,,,,\n00103,X,a,7,,,,\n00105,"Lin, Ethan",12,,,,,\n`;
  const asked = await read(file, totals);
  expect(asked).toMatchObject({
    refusal: { message: nonNumeric },
    rows: [],
    words: [
      { text: 'A', count: 2 },
      { text: '-', count: 1 },
    ],
  });
  expect((await read(file, totals, { words: { 'alone a': 'exempt' } })).parsed).toBeUndefined();
  const { parsed, refusal } = await read(file, totals, { words: { 'alone a': 'absent', 'alone -': 'blank' } });
  expect(refusal).toBeUndefined();
  expect(parsed?.rows.map(({ totals: said, away }) => [said[0], said[1], away?.get(0)])).toEqual([
    [null, null, 'absent'],
    [null, null, undefined],
    [null, 7, 'absent'],
    [12, null, undefined],
  ]);
});

test('rows of the template that are refused, for whatever reasons, are left out by one tick; the same student twice never is', async () => {
  const file = `${header}1,A,55%,,,,,\n2,${'x'.repeat(201)},3,,,,,\n,C,4,,,,,\n4,D,5,,,,,\n`;
  expect((await read(file, totals)).rows.map(({ line, why }) => [line, why.slice(0, 12)])).toEqual([
    [2, 'Test 1: “55%'],
    [4, 'StudentID: b'],
    [3, 'LastFirst: “'],
  ]);
  expect((await read(file, totals, { leavesOut: true })).parsed?.rows.map(({ admissionNo }) => admissionNo)).toEqual(['4']);
  const twice = await read(`${header}1,A,1,,,,,\n1,A,2,,,,,\n`, totals, { leavesOut: true });
  expect([twice.rows, twice.parsed]).toEqual([[], undefined]);
});

test('the template is read as ever', async () => {
  expect(await read(`${header}="00101",A,1,,,,,\n`, totals)).toMatchObject({ parsed: { rows: [{ admissionNo: '00101' }], tests: 1 } });
  expect((await read(`${header}1,A,1,,,,,,9\n`, totals)).refusal?.detail).toContain('more values than the header');
});

test('whole exports: the lines of a system’s own are nobody, and names that stand first name first are turned', async () => {
  const canvas =
    'Student,ID,SIS User ID,SIS Login ID,Section,Algebra test (4711),Final Score\n,,,,,Manual Posting,\n    Points Possible,,,,,20,(read only)\n' +
    '"Adler, Stéphane",91,00101,sadler,7A,18,90.00\n"Student, Test",92,,x,7A,,\n';
  expect(
    (await read(canvas, totals, { isMapped: true, leavesOut: true })).parsed?.rows.map(({ admissionNo, totals: [total] }) => [
      admissionNo,
      total,
    ]),
  ).toEqual([['00101', 18]]);
  const classroom =
    'Last Name,First Name,Email Address,Algebra test\nDate,,,2026-11-20\nPoints,,,20\nAdler,Stéphane,s@pupils.example,18\nAverage,,,18\n';
  expect((await read(classroom, totals, { isMapped: true })).parsed?.rows).toMatchObject([
    { admissionNo: 'line 4', name: 'Adler, Stéphane', totals: [18, null, null, null, null, null] },
  ]);
  const list = 'studentid|name|class|dob\n00101|Stéphane Adler|7A|2009-09-01\n00102|Agnès Marie Brandt|7A|1 September 2009\n';
  expect((await read(list, studentsKind, { isMapped: true })).parsed?.rows.map(({ name, dateOfBirth }) => [name, dateOfBirth])).toEqual([
    ['Adler, Stéphane', '2009-09-01'],
    ['Brandt, Agnès Marie', '2009-09-01'],
  ]);
});
