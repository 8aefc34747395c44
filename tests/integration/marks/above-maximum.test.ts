import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CellHistory } from '../../../api/marks/marks.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');

const { newTest, marksFile, upload, totalInMarkbook, history } = marksIn(() => school);

const questionsOf = async (testId: string) => (await admin.ask<AssessmentContents>('assessment', { testId })).questions;
/** Gives the questions these maxima. */
const worth = async (testId: string, maxima: readonly number[]) => {
  const questions = (await questionsOf(testId)).map(({ questionId, topic }, index) => ({
    questionId,
    topic,
    marksAvailable: maxima[index] ?? 1,
  }));
  return admin.command('EditQuestions', { testId, questions });
};
const markOf = (testId: string, questionId: string | undefined, short: string) =>
  leader.ask<CellHistory>('cell', { testId, questionId, studentId: school.ids.students[short] });

test('a redo whose totals are above the lowered maximum says so and asks; redone anyway, they are flagged', async () => {
  const testId = await newTest();
  const { entryId, commandId } = await upload(leader, testId, { A1: [20], A2: [12] });
  await leader.done('UndoCommand', { entryId, commandId });
  expect((await worth(testId, [5, 5, 5])).status).toBe(200);

  const before = await school.backend.store.head();
  const { status, body } = await leader.command('RedoCommand', { entryId, commandId });
  expect([status, body.code, body.asks]).toEqual([409, 'answers-needed', { aboveMaximum: 1 }]);
  expect(body.title).toBe('1 mark is above today’s maximum. They can be brought back all the same, and are marked as such.');
  expect(body.errors).toEqual([
    { path: `students.${school.ids.students['A1']}`, message: 'A1, Student: 20 for the total is above the maximum of 15' },
  ]);
  expect(await school.backend.store.head()).toBe(before);

  await leader.done('RedoCommand', { entryId, commandId, anyway: true });
  expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 20, flags: ['above-maximum'] });
  expect(await totalInMarkbook(testId, 'A2')).toEqual({ total: 12, source: expect.any(String), attendance: 'sat' });
  expect((await history(testId, 'A1')).above).toEqual([{ questionId: null, number: null, mark: 20, max: 15 }]);
});

test('a question mark above its maximum is flagged in the cell and in the sum, until the maximum is right again', async () => {
  const testId = await newTest();
  const { entryId, commandId } = await leader.done('UploadMarks', { ...marksFile(testId, { A1: [1, 9, 1], A2: [5, 4, 5] }), fileName });
  await leader.done('UndoCommand', { entryId, commandId });
  expect((await worth(testId, [5, 6, 9])).status).toBe(200);
  const { status, body } = await leader.command('RedoCommand', { entryId, commandId });
  expect([status, body.errors]).toEqual([
    409,
    [{ path: `students.${school.ids.students['A1']}`, message: 'A1, Student: 9 for question 2 is above the maximum of 6' }],
  ]);
  await leader.done('RedoCommand', { entryId, commandId, anyway: true });

  // The sum, 11 of 20, is below the maximum of the test.
  expect(await totalInMarkbook(testId, 'A1')).toMatchObject({ total: 11, source: 'marks', flags: ['above-maximum'] });
  expect(await totalInMarkbook(testId, 'A2')).toEqual({ total: 14, source: expect.any(String), attendance: 'sat' });
  const second = (await questionsOf(testId))[1]?.questionId;
  const above = [{ questionId: second, number: 2, mark: 9, max: 6 }];
  expect((await markOf(testId, second, 'A1')).above).toEqual(above);
  expect((await history(testId, 'A1')).above).toEqual(above);
  expect((await markOf(testId, second, 'A2')).above).toEqual([]);

  // A total that was entered says nothing of the marks beneath.
  await upload(leader, testId, { A1: [12] });
  expect(await totalInMarkbook(testId, 'A1')).toEqual({ total: 12, source: 'total', attendance: 'sat' });
  expect((await history(testId, 'A1')).above).toEqual(above);

  expect((await worth(testId, [5, 10, 5])).status).toBe(200);
  expect(await totalInMarkbook(testId, 'A1')).toEqual({ total: 12, source: 'total', attendance: 'sat' });
  expect((await history(testId, 'A1')).above).toEqual([]);
});

test('whoever is first, a lowered maximum and a mark above it do not pass each other unseen', async () => {
  const testId = await newTest();
  const [first] = await questionsOf(testId);
  for (let round = 0; round < 12; round += 1) {
    const short = `A${(round % 4) + 1}`;
    const cell = { testId, questionId: first?.questionId, studentId: school.ids.students[short] };
    const enter = (is: number | 'cleared') =>
      leader.command('EnterMarks', { entryId: randomUUID(), subjectId: school.ids.maths, seq: 1, cells: [{ ...cell, is }] });
    // oxlint-disable no-await-in-loop -- one race after the other
    const [lowered, entered] = await Promise.all([worth(testId, [3, 10, 5]), enter(5)]);
    const isStored = JSON.stringify(entered.body).includes('"stored":1');
    const total = await totalInMarkbook(testId, short);
    if (lowered.status === 200 && isStored) {
      expect([short, total?.flags]).toEqual([short, ['above-maximum']]);
      expect((await markOf(testId, first?.questionId, short)).above).toMatchObject([{ mark: 5, max: 3 }]);
    } else expect([short, total?.flags]).toEqual([short, undefined]);
    expect((await enter('cleared')).status).toBe(200);
    expect((await worth(testId, [5, 10, 5])).status).toBe(200);
    // oxlint-enable no-await-in-loop
  }
});
