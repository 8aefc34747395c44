import { randomUUID } from 'node:crypto';
import { enoughPrior } from '../support/enough-prior.ts';
import { tomorrow } from '../support/samples.ts';
import type { School } from '../support/school.ts';

/** Students who came since have no prior data: then it is entered. */
export const readyForTasks = async (school: School): Promise<void> => {
  const admin = await school.as('admin');
  type Summary = { readonly exams: readonly { readonly enough: boolean }[] };
  const { exams } = await admin.ask<Summary>('prior-summary', { subjectId: school.ids.maths, yearGroupId: school.ids.year });
  if (!exams.some(({ enough }) => enough)) await enoughPrior(school);
};

/** The newest task of the year group: of 11A in `other`, in which A4 has a total, or without assessments. */
export const newTask = async (school: School, isOfA = true): Promise<string> => {
  const { maths: subjectId, year: yearGroupId, setA: setId, other: testId } = school.ids;
  const admin = await school.as('admin');
  await readyForTasks(school);
  const task = { subjectId, yearGroupId, name: randomUUID().slice(0, 18), expiry: tomorrow(), teacherInput: true };
  const { taskId = '' } = isOfA
    ? await admin.done('CreateFeedbackTask', { ...task, maps: [{ setId, testId }] })
    : await admin.done('OpenFeedbackTask', task);
  return taskId;
};
