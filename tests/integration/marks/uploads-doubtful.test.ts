import { describe, expect, test } from 'vitest';
import type { Uploaded, UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Client } from '../../support/client.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/** What a preview says of a file that looks wrong. Each of these files can be stored all the same. */
const { school, admin, leader, teacherA } = await schoolOfFile('admin', 'leader', 'teacherA');

const { newTest, totalsFile, marksFile, upload } = marksIn(() => school);
const shorts = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];
const row = (admissionNo: string, name: string, ...totals: (number | null)[]) => ({ admissionNo, name, totals });
const addStudent = (admissionNo: string, name: string, setId = school.ids.setA) =>
  admin.done('AddStudent', { subjectId: school.ids.maths, setId, admissionNo, name, dateOfBirth: null });
const doubtsOf = async (by: Client, file: object) => (await by.ask<UploadPreview>('preview-totals', file)).doubts;

describe('names', () => {
  test('of a column that was sorted alone are counted and shown beside ours, and the file is stored all the same', async () => {
    const testId = await newTest();
    const file = totalsFile([testId], Object.fromEntries(shorts.map((short) => [short, [4]])));
    const names = file.rows.map(({ name }) => name);
    const shifted = { ...file, rows: file.rows.map((one, at) => ({ ...one, name: names[(at + 1) % names.length] ?? '' })) };
    const { names: differing, ...others } = (await doubtsOf(leader, shifted)) ?? {};
    expect([differing?.count, differing?.first.length, others]).toEqual([6, 6, {}]);
    expect(differing?.first[0]).toEqual({ admissionNo: '00A1', inFile: 'A2, Student', ours: 'A1, Student' });
    expect(await leader.done<Uploaded>('UploadTotals', { ...shifted, fileName })).toMatchObject({ stored: 6 });

    const marks = { ...marksFile(await newTest(), { A1: [4] }), rows: [{ admissionNo: '00A1', name: 'A2, Student', marks: [4] }] };
    expect((await leader.ask<UploadPreview>('preview-marks', marks)).doubts?.names).toMatchObject({ count: 1 });
    expect(await leader.done<Uploaded>('UploadMarks', { ...marks, fileName })).toMatchObject({ stored: 1 });
  });

  test('count only in rows that would be stored, and not for order, case, accents or punctuation', async () => {
    const testId = await newTest();
    await addStudent('e1', 'Lópezé-Łoś, Ana');
    const rows = [
      row('00A1', 'STUDENT a1', 4),
      row('e1', 'Ana Lopeze Los', 4),
      row('00A2', '', 4),
      row('00A3', 'Somebody, Else', null),
      row('99', 'Nobody, Ned', 4),
    ];
    const file = { ...totalsFile([testId], {}), rows };
    expect(await leader.ask<UploadPreview>('preview-totals', file)).not.toHaveProperty('doubts');
    await leader.done('UploadTotals', { ...file, fileName });
    const other = { ...file, rows: [row('00A1', 'Somebody, Else', 4)] };
    expect((await doubtsOf(leader, other))?.names).toMatchObject({ count: 1 });
    await leader.done('UploadTotals', { ...other, fileName });
    // Sent again it would store nothing.
    expect(await doubtsOf(leader, other)).toBeUndefined();
  });

  test('that a wrong encoding has garbled are counted, and are no other names for that', async () => {
    await addStudent('e2', 'Pérez, José');
    const garbled = { ...totalsFile([await newTest()], {}), rows: [row('e2', 'PÃ©rez, Jos\ufffd', 4), row('00A1', 'A1, Student', 4)] };
    expect(await doubtsOf(leader, garbled)).toEqual({ garbled: { count: 1, first: [{ admissionNo: 'e2', inFile: 'PÃ©rez, Jos\ufffd' }] } });
    expect(await leader.done<Uploaded>('UploadTotals', { ...garbled, fileName })).toMatchObject({ stored: 2 });
  });
});

describe('StudentIDs', () => {
  test('that a spreadsheet has damaged are said to be nobody’s, and whom they mean', async () => {
    await addStudent('1234567890123', 'Long, Lucy');
    await addStudent('0000777', 'Zero, Zoe');
    const testId = await newTest();
    const rows = [row('1.23457E+12', 'Lucy Long', 4), row('777', 'Zero, Zoe', 5), row('00\u200cA1', 'A1, Student', 6), row('X9', 'X9', 7)];
    const file = { ...totalsFile([testId], {}), rows };
    const { unmatched, doubts } = await leader.ask<UploadPreview>('preview-totals', file);
    expect(unmatched).toHaveLength(4);
    expect(doubts).toEqual({
      ids: {
        count: 3,
        first: [
          {
            inFile: '1.23457E+12',
            name: 'Lucy Long',
            damage: 'exponent',
            means: { admissionNo: '1234567890123', name: 'Long, Lucy' },
          },
          { inFile: '777', name: 'Zero, Zoe', damage: 'zeros', means: { admissionNo: '0000777', name: 'Zero, Zoe' } },
          { inFile: '00[U+200C]A1', name: 'A1, Student', damage: 'invisible', means: { admissionNo: '00A1', name: 'A1, Student' } },
        ],
      },
    });
    expect(await leader.done<Uploaded>('UploadTotals', { ...file, fileName })).toMatchObject({ stored: 0, unmatched });
  });

  test('mean nobody of another row, and nobody whose marks the reader may not enter', async () => {
    await addStudent('0000888', 'Other, Olga', school.ids.setB);
    await addStudent('0000889', 'Own, Otto');
    const testId = await newTest();
    const file = (...rows: ReturnType<typeof row>[]) => ({ ...totalsFile([testId], {}), rows });
    const means = async (by: Client, asked: object) => (await doubtsOf(by, asked))?.ids?.first.map((one) => one.means?.name);
    const both = file(row('888', '', 4), row('889', '', 4));
    expect(await means(leader, both)).toEqual(['Other, Olga', 'Own, Otto']);
    expect(await means(teacherA, both)).toEqual(['Own, Otto']);
    expect(await means(leader, file(row('889', '', 4), row('0000889', 'Own, Otto', null)))).toBeUndefined();
  });
});

test('a StudentID of another group is not damaged, whatever StudentIDs the group has', async () => {
  await addStudent('444', 'Other, Olive', school.ids.setB);
  await addStudent('0444', 'Own, Oscar');
  const marks = { ...marksFile(await newTest(), {}), rows: [{ admissionNo: '444', name: 'Other, Olive', marks: [4] }] };
  const preview = await leader.ask<UploadPreview>('preview-marks', marks);
  expect(preview.unmatched).toHaveLength(1);
  expect(preview).not.toHaveProperty('doubts');
});

describe('totals that are not the sum of the question marks', () => {
  test('are shown beside the marks that stand, and beside the marks of the file', async () => {
    const testId = await newTest();
    await leader.done('UploadMarks', { ...marksFile(testId, { A1: [5, 6, 2], A2: [5, 6, 2], A3: [5, null, 2] }), fileName });
    const file = totalsFile([testId], { A1: [13], A2: [14], A3: [14] });
    const sums = (total: number, sum: number) => ({
      sums: { count: 1, first: [{ admissionNo: '00A2', name: 'A2, Student', test: expect.stringMatching(/^Test/), total, sum }] },
    });
    expect(await doubtsOf(leader, file)).toEqual(sums(14, 13));
    expect(await upload(leader, testId, { A1: [13], A2: [14], A3: [14] })).toMatchObject({ stored: 3 });

    // The missing mark of A3 is not known, so that its total may be right; A1's total fits what the file changes.
    const marks = marksFile(testId, { A1: [4, 7], A2: [null, null, 1], A3: [5] });
    expect((await leader.ask<UploadPreview>('preview-marks', marks)).doubts).toEqual(sums(14, 12));
    expect(await leader.done<Uploaded>('UploadMarks', { ...marks, fileName })).toMatchObject({ stored: 3, confirmed: 1 });
  });

  test('are not known while a mark is contested', async () => {
    const testId = await newTest();
    await leader.done('UploadMarks', { ...marksFile(testId, { A1: [5, 6, 2] }), fileName, saw: [] });
    await admin.done('UploadMarks', { ...marksFile(testId, { A1: [4] }), fileName, saw: [] });
    expect(await doubtsOf(leader, totalsFile([testId], { A1: [20] }))).toBeUndefined();
  });
});
