// The window first.
import { open, user } from '../support/open.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { enoughPrior } from '../../support/enough-prior.ts';
import { taskAt } from '../../support/samples.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');
const { maths: subjectId, mock: testId, students } = school.ids;
const enter = (client: typeof leader, short: string, is: number, was?: number[]) =>
  client.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId,
    seq: 1,
    cells: [{ studentId: students[short], testId, is, ...(was && { was }) }],
  });
await enter(teacherA, 'A1', 7);
await enter(teacherA, 'A2', 8);
await enter(leader, 'A1', 9, [7]);

test('by keyboard one goes from change to change, and hears who changed what; a change leads to its moment', async () => {
  const page = await open(leader, '/leader/markbook/replay?year=11');
  await page.says(/leader entered marks. A1, Student, Mock: 7 → 9\./u);
  const cell = (row: string) =>
    page
      .seen()
      .getByRole('row', { name: new RegExp(row, 'u') })
      .querySelector('[data-changed]')?.textContent;
  expect(cell('A1, Student')).toMatch(/^9/u);
  await user.keyboard('{ArrowLeft}');
  await page.says(/teacherA entered marks. A2, Student, Mock: none → 8\./u);
  expect([cell('A2, Student')?.startsWith('8'), cell('A1, Student')]).toEqual([true, undefined]);
  await page.choose('Changes of one student', 'A1, Student 00A1');
  await page.press('Previous change of the student');
  await page.says(/teacherA entered marks. A1, Student, Mock: none → 7\./u);
  expect((await page.find('link', 'Open this moment')).getAttribute('href')).toMatch(/^\/leader\/markbook\?year=11&asOf=20/u);
  await page.press('Next change of the student');
  await page.says(/7 → 9/u);
  await user.keyboard(' ');
  await page.says(/Before the first change|imported students|added a class/u);
  await page.press('Pause');
});

test('two moments side by side: what moved, by how much, and who moved it', async () => {
  const page = await open(teacherA, '/teacher/markbook/replay?year=11');
  await page.says(/7 → 9/u);
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  await page.press('Compare');
  await page.says(/and now 2 totals changed\./u);
  const row = await page.part('row', /A1, Student Mock 7 9 \+2/u);
  await row.press(/leader, \d/u);
  await page.says(/7 → 9/u);
  await page.says(/no total changed/u);
});

test('what if: a ranking of the moment without a test and with other shares is shown; only a leader is told how it becomes one', async () => {
  const { maths, year: yearGroupId, setA: setId, other } = school.ids;
  const row = { admissionNo: '00A4', name: 'A4, Student', totals: [14] };
  await leader.done('UploadTotals', { subjectId: maths, classes: [{ setId, testIds: [other] }], rows: [row], fileName: 'task.csv' });
  const grades = [{ label: '9', percent: 40 }, { label: '8', percent: 60 }]; // prettier-ignore
  const { gradeProfileId = '' } = await leader.done('CreateGradeProfile', { subjectId: maths, yearGroupId, name: 'Two', grades });
  await taskAt(school, 'graded', { ...(await enoughPrior(school)), gradeProfileId });
  const page = await open(leader, '/leader/markbook/replay?year=11');
  await page.press('What if');
  await page.says('0 of 4 students would have another rank, 0 another grade.');
  await page.find('link', 'feedback task');
  await page.fill('9', '50');
  await page.says('add up to 100');
  await page.fill('8', '50');
  await page.says('0 of 4 students would have another rank');
  await page.check('Other');
  await page.says('Choose at least one test.');
  const ofTeacher = await open(teacherA, '/teacher/markbook/replay?year=11');
  await ofTeacher.press('What if');
  await ofTeacher.says('0 of 4 students');
  await ofTeacher.gone('To make it the ranking');
});
