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
