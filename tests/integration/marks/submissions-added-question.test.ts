import { expect, test } from 'vitest';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { SubmissionPage, ToSubmit, Tracker } from '../../../api/marks/submissions/submissions.contract.ts';
import { marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, teacherA, student: A1 } = await schoolOfFile('admin', 'teacherA', 'student');

const { shownTest, enter } = marksIn(() => school);

test('a question that is added after a confirmation is asked for, and nobody who lacks it is complete', async () => {
  const { testId, questions } = await shownTest();
  const submit = (marks: readonly number[], of: readonly string[]) =>
    A1.done<{ total: number }>('SubmitFeedback', { testId, marks: marks.map((mark, index) => ({ questionId: of[index], mark })) });
  const page = () => A1.ask<SubmissionPage>('submission', { testId });
  const tracker = () => teacherA.ask<Tracker>('tracker', { testId, setId: school.ids.setA });
  await submit([5, 4, 1], questions);
  const banner = async () => (await A1.ask<ToSubmit>('to-submit')).tests.find((one) => one.testId === testId);
  expect(await banner()).toBeUndefined();
  const before = (await tracker()).counts;

  const paper = questions.map((questionId) => ({ questionId, topic: 'Topic', marksAvailable: 10 }));
  await admin.done('EditQuestions', { testId, questions: [...paper, { questionId: null, topic: 'Added', marksAvailable: 3 }] });
  const added = (await admin.ask<AssessmentContents>('assessment', { testId })).questions.at(-1)?.questionId ?? '';
  expect(await banner()).toMatchObject({ state: 'confirmed', addedSince: 1 });
  expect(await page()).toMatchObject({
    state: 'confirmed',
    message: '1 question has no mark from you: it was added after you submitted.',
    addedSince: 1,
    open: false,
    mayReopen: true,
  });
  const now = await tracker();
  expect(now.counts).toEqual({ ...before, incomplete: before.incomplete + 1, student: before.student - 1 });
  expect(now.students[0]).toMatchObject({ group: 'incomplete', state: 'confirmed', total: 10, addedSince: 1 });

  // Staff who mark it leave nothing to ask for.
  const { entryId, commandId } = await enter(teacherA, [{ testId, studentId: school.ids.students['A1'], questionId: added, is: 2 }]);
  expect(await banner()).toBeUndefined();
  expect((await tracker()).students[0]).toMatchObject({ group: 'student', addedSince: 0 });
  expect((await A1.command('ReopenFeedback', { testId })).status).toBe(409);
  await teacherA.done('UndoCommand', { entryId, commandId });

  await A1.done('ReopenFeedback', { testId });
  expect(await page()).toMatchObject({
    open: true,
    addedSince: 0,
    questions: [{ mark: 5 }, { mark: 4 }, { mark: 1 }, { mark: null }],
  });
  expect(await submit([5, 4, 1, 3], [...questions, added])).toEqual({ total: 13 });
  expect(await banner()).toBeUndefined();
  expect((await tracker()).counts).toEqual(before);
});
