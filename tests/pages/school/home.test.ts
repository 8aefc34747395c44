import { afterAll, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(() => school.close());
const admin = await school.as('admin');
const { maths: subjectId, setA, setC, mock, unready } = school.ids;

test('the home of a school that is being set up lists the teachers’ invitation and the joining code; afterwards what waits, until nothing does', async () => {
  const page = await open(admin, '/admin');
  const steps = await page.part('region', 'First steps');
  await steps.says('7 of 9 done for Mathematics');
  await steps.find('link', 'Invite the teachers');
  await steps.find('link', 'Make the joining code for the students');

  const totals = [{ admissionNo: '00A1', name: 'A1, Student', totals: [5] }];
  await admin.done('UploadTotals', { subjectId, classes: [{ setId: setA, testIds: [mock] }], rows: totals, fileName: 'totals.csv' });
  await open(admin, '/admin');
  const waiting = await page.part('region', 'What waits');
  await waiting.says('1 class has no teacher');
  await waiting.says('11C');
  await user.click(await waiting.find('link', 'Add questions'));
  await page.part('heading', 'Assessment Data');
  await page.says('Unready');
  await page.gone('Other');

  await open(admin, '/admin');
  const { teacherId } = await admin.done<{ teacherId: string }>('AddTeacher', { subjectId, name: 'Cyril' });
  await admin.done('ChangeTeacher', { subjectId, teacherId, setIds: [setC] });
  await waiting.gone('1 class has no teacher');
  await admin.done('DeleteAssessment', { testId: unready });
  await waiting.says('Nothing waits for you: the set-up of Mathematics is complete.');
});

test('the leader’s home stays at its year group when a second one is added, and the profile’s menu leads to the dialogs; Escape closes those in which nothing was changed', async () => {
  const leader = await school.as('leader');
  const page = await open(leader, '/leader');
  await page.find('heading', 'Year 11 – Mathematics');
  const { yearGroupId } = await admin.done<{ yearGroupId: string }>('AddYearGroup', { subjectId, year: 7 });
  await admin.done('AddSet', { subjectId, yearGroupId, name: '7A', schemeId: school.ids.scheme });
  await page.find('radio', /^All classes/);
  await user.click(await page.find('link', 'Markbook'));
  await page.find('heading', 'Year 11 – Markbook');
  await page.press('Upload Student Assessment Totals');
  const totals = await page.dialog('Upload Student Assessment Totals');
  await user.keyboard('{Escape}');
  await totals.press('Close');
  await page.goneFrom('dialog', 'Upload Student Assessment Totals');
  await user.click(await page.find('link', 'Home'));
  await page.find('heading', 'Year 11 – Mathematics');
  await page.press('Enter question-level analysis');
  await page.dialog('Enter question-level analysis');
  await user.keyboard('{Escape}');
  await page.goneFrom('dialog', 'Enter question-level analysis');

  const profile = await open(leader, '/profile');
  const entry = await profile.find('link', 'Revision Lists');
  const at = entry.getAttribute('href') ?? '';
  const led = await open(leader, at);
  await led.dialog('Revision Lists');
  await user.keyboard('{Escape}');
  await led.goneFrom('dialog', 'Revision Lists');
});
