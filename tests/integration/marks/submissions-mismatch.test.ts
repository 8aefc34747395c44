import { expect, test } from 'vitest';
import type { ToSubmit } from '../../../api/marks/submissions/submissions.contract.ts';
import { marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, teacherA, student: A1 } = await schoolOfFile('teacherA', 'student');

const { shownTest, upload } = marksIn(() => school);

test('a total that is not the teacher’s is on the student’s home until it is settled, also while the marks are open again', async () => {
  const { testId, questions } = await shownTest();
  const submit = (marks: readonly number[]) =>
    A1.done('SubmitFeedback', { testId, marks: marks.map((mark, index) => ({ questionId: questions[index], mark })) });
  const home = async () => (await A1.ask<ToSubmit>('to-submit')).tests.find((one) => one.testId === testId);
  await submit([5, 4, 1]);
  await upload(teacherA, testId, { A1: [12] });
  expect(await home()).toMatchObject({ state: 'confirmed', mismatch: true, confirmedTotal: 10, staffTotal: 12 });
  await A1.done('ReopenFeedback', { testId });
  expect(await home()).toMatchObject({ state: 'reopened', mismatch: true });
  await submit([5, 6, 1]);
  expect(await home()).toBeUndefined();
});
