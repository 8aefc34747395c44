import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths, setA, mock } = school.ids;

test('who changed what is found by a name, opened into what stood before, and followed to what took it back', async () => {
  const upload = { subjectId: maths, classes: [{ setId: setA, testIds: [mock] }], fileName: 'totals.csv' };
  const rows = [{ admissionNo: '00A1', name: 'A1, Student', totals: [7] }];
  const teacher = await school.as('teacherA');
  const { entryId, commandId } = await teacher.done('UploadTotals', { ...upload, rows });
  await teacher.done('UndoCommand', { entryId, commandId });
  const page = await open(await school.as('auditor'), '/history');
  await page.find('heading', 'History');
  await page.fill('Names', 'a1, student');
  await page.press('Search');
  await page.choose('Kind', 'Marks');
  await page.says('uploaded 1 total of');
  await page.press('Mock');
  await page.find('button', 'About Mock: show others too');
  expect(location.search).toContain(`about=${mock}`);
  await page.press(/open this entry/);
  const undo = await page.dialog('What happened');
  await undo.says('teacherA undid');
  await undo.press(/uploaded 1 total of Mock from totals.csv/);
  const row = await undo.part('row', /A1, Student Total/);
  await row.says('none');
  await row.says('7');
});

test('nothing that fits is said, with the way back to everything', async () => {
  const page = await open(admin, '/history?text=nobody%20of%20this%20name');
  await page.says('No entry fits all of these filters.');
  await page.press('Show everything');
  await page.says('opened an account for');
});

test('a teacher finds what happened in one class', async () => {
  const teacher = await school.as('teacherA');
  const page = await open(teacher, '/teacher/history?set=11A');
  await page.says('What happened in 11A.');
  await page.says('uploaded 1 total of');
  await page.gone('opened an account for');
});
