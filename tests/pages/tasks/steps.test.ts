import { afterAll, expect, test } from 'vitest';
import type { Task } from '../../../api/tasks/task.contract.ts';
import { openSchool } from '../../support/school.ts';
import { openExample } from '../../support/worked-example.ts';
import { open } from '../support/open.ts';

/** The steps of the task of the worked example, on the pages of the leader and of a teacher. */
const school = await openSchool();
afterAll(school.close);
const [admin, leader, teacherA] = [await school.as('admin'), await school.as('leader'), await school.as('teacherA')];
const example = await openExample(school);
const more = [...'ABCDEFGHIJKL'].map((letter) => ({ admissionNo: `Y${letter}`, name: `Young, ${letter}` }));
const { maths: subjectId } = school.ids;
await admin.done('ImportStudents', {
  subjectId,
  fileName: 'more.csv',
  rows: more.map((one) => ({ ...one, set: '10X1', dateOfBirth: '2010-05-01' })),
  others: 'keep',
  correct: false,
});
await leader.done('UploadPriorScores', {
  subjectId,
  terminalExamId: example.terminalExamId,
  yearCompleted: new Date().getUTCFullYear(),
  fileName: 'more.csv',
  rows: more.map((one) => ({ ...one, score: 'C' })),
});
const { taskId = '' } = await leader.done('CreateFeedbackTask', { ...example.task, name: 'Winter mocks' });
await leader.done('RankTask', { taskId, terminalExamId: example.terminalExamId, testIds: example.testIds });

const openTask = async () => {
  const page = await open(leader, '/leader?year=10');
  await page.press('Open Winter mocks');
  return { page, dialog: await page.dialog('Winter mocks – Year 10') };
};

test('a check shows the totals that a score is made of, and its button who is on pages that were not opened', async () => {
  const page = await open(teacherA, '/teacher?year=10&set=10X1');
  await page.press(/^Check the ranking/);
  const check = await page.dialog('Check the ranking – 10X1');
  const clark = (await check.find('rowheader', 'Clark, Student')).closest('tr');
  expect(clark?.textContent).toContain('T1: 34 of 40T2 (Higher): 68 of 80T3 (Foundation): – of 80');
  await check.find('button', 'Save the check of the ranking – not opened: Young, K and Young, L');
  await check.press('Next page');
  await check.find('button', 'Save the check of the ranking');
});

test('a reminder that reaches nobody is an alert with its reason', async () => {
  const { page, dialog } = await openTask();
  await dialog.press('Remind all teachers');
  await page.says('Nobody was reminded.');
  const alerts = page
    .seen()
    .getAllByRole('alert')
    .map(({ textContent }) => textContent);
  expect(alerts).toEqual([expect.stringMatching(/^Nobody was reminded\. No mail to .*e-mail address not confirmed/)]);
});

test('all classes that are waited for are gone on without for one reason, which is kept when the dialog closes, at both steps', async () => {
  const { dialog } = await openTask();
  await dialog.press('Go on without all 2');
  await dialog.fill('Why you go on without all of them', 'The hall was flooded');
  await dialog.says('Every class has checked its ranking, or you went on without it.');
  await dialog.press('Close');
  const again = await openTask();
  await again.dialog.says('Every class has checked its ranking, or you went on without it.');
  await again.dialog.press('Continue');
  await again.dialog.press('Allocate grades');
  await again.dialog.says(/was allocated by leader/);
  const { sets } = await leader.ask<Task>('task', { taskId });
  expect(sets.map(({ withoutRanking }) => withoutRanking?.reason)).toEqual(['The hall was flooded', 'The hall was flooded']);
  await again.dialog.press('Continue');
  await again.dialog.press('Go on without all 2');
  await again.dialog.fill('Why you go on without all of them', 'Still flooded');
  await again.dialog.says('Every class has checked its grades, or you went on without it.');
  await again.dialog.press('Wait for them');
  await again.dialog.says('Awaiting 2 classes');
});
