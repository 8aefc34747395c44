import { describe, expect, test } from 'vitest';
import { empty, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');

const { newTest, totalsFile, marksFile, reading, refused } = marksIn(() => school);

describe('a file that is refused as a whole', () => {
  test('with question marks above the maximum: student, mark, question and maximum are named', async () => {
    const answer = await refused(leader, 'marks', marksFile(await newTest(), { A1: [6, 10, 5], A2: [5, 11, 6] }));
    expect(answer).toMatchObject({ code: 'above-maximum', title: 'There are marks above the maximum on Q1,Q2,Q3. Nothing was uploaded.' });
    expect(answer?.errors.map(({ message }) => message)).toEqual([
      'A1, Student: 6 for Q1 is above the maximum of 5',
      'A2, Student: 11 for Q2 is above the maximum of 10',
      'A2, Student: 6 for Q3 is above the maximum of 5',
    ]);
  });

  test.each([-1, 12.5, 'twelve', '12', true, 1e300, [1]])('with %j in place of a mark', async (value) => {
    const nonNumeric = 'The upload file contains non numeric data. Please check before uploading again.';
    const testId = await newTest();
    expect(await refused(leader, 'totals', totalsFile([testId], { A1: [4], A2: [value] }))).toMatchObject({
      status: 422,
      title: nonNumeric,
      errors: [{ path: 'rows.1.totals.0', message: nonNumeric }],
    });
    expect(await refused(leader, 'marks', marksFile(testId, { A1: [4], A2: [1, value] }))).toMatchObject({
      status: 422,
      title: nonNumeric,
      errors: [{ path: 'rows.1.marks.1', message: nonNumeric }],
    });
    expect(await reading(testId, 'A1')).toEqual(empty);
  });

  test('with the same student twice, in whatever spelling', async () => {
    const testId = await newTest();
    const file = totalsFile([testId], { A1: [4] });
    const answer = await refused(leader, 'totals', {
      ...file,
      rows: [...file.rows, { admissionNo: ' 00a1 ', name: 'Again', totals: [5] }],
    });
    expect(answer).toMatchObject({
      status: 422,
      errors: [{ path: 'rows.1.admissionNo', message: 'Again (00a1) is there already in row 1' }],
    });
  });

  test('with more than six tests', async () => {
    const tests = await Promise.all(Array.from({ length: 7 }, newTest));
    expect(await refused(leader, 'totals', totalsFile(tests, { A1: [1] }))).toMatchObject({
      status: 422,
      title: 'You can only select a maximum of 6 tests',
    });
    expect(await refused(leader, 'totals', totalsFile(tests.slice(0, 6), { A1: [1, 2, 3, 4, 5, 6, 7] }))).toMatchObject({
      status: 422,
    });
  });

  test('with students of a class in which its teacher may not write: they are named', async () => {
    const testId = await newTest();
    const answer = await refused(teacherA, 'totals', totalsFile([testId], { A1: [1], B2: [2], C3: [3] }));
    expect(answer).toMatchObject({ status: 403, code: 'not-your-set' });
    expect(answer?.errors.map(({ message }) => message)).toEqual(['B2, Student (11B)', 'C3, Student (11C)']);
    expect(await reading(testId, 'A1')).toEqual(empty);
  });

  test('the same where only the tests of the teacher’s own class were chosen', async () => {
    const testId = await newTest();
    expect(await refused(teacherA, 'totals', totalsFile([testId], { A1: [1], B2: [2] }, [school.ids.setA]))).toMatchObject({
      status: 403,
      code: 'not-your-set',
    });
    expect(await refused(teacherA, 'marks', marksFile(testId, { A1: [1], B2: [2] }, [school.ids.setA, school.ids.setB]))).toMatchObject({
      status: 403,
      code: 'not-your-set',
    });
  });

  test('but a results file is for the group that was chosen: whoever is not in it is not found, be they elsewhere or nowhere', async () => {
    const testId = await newTest();
    const file = marksFile(testId, { A1: [1], B2: [2], Nobody: [3] }, [school.ids.setA]);
    expect(await teacherA.done('UploadMarks', { ...file, fileName: 'year.csv' })).toMatchObject({
      stored: 1,
      unmatched: [{ admissionNo: '00B2' }, { admissionNo: '00Nobody' }],
    });
    expect(await reading(testId, 'B2')).toEqual(empty);
  });
});
