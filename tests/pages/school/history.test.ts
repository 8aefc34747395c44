import { afterAll, expect, test } from 'vitest';
import type { RoleName } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';
import type { Place } from '../support/open.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths, setA, mock, students } = school.ids;

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

test('from its own page anything leads to what is recorded of it, in the area of its reader', async () => {
  const leads = async (role: RoleName, path: string, link: string, narrow?: (page: Place) => Promise<void>) => {
    const page = await open(await school.as(role), path);
    await narrow?.(page);
    return (await page.find('link', link)).getAttribute('href') ?? '';
  };
  const teacher = await school.as('teacherA');
  const account = await leads('auditor', '/admin/users', 'History of teacherA');
  const ofAccount = await open(await school.as('auditor'), account);
  await ofAccount.find('button', 'About teacherA: show others too');
  await ofAccount.says('uploaded 1 total of');
  await ofAccount.says('opened an account for');
  const ofClass = await open(admin, await leads('admin', '/admin/classes', 'History of 11A', (page) => page.press(/^Year 11/)));
  await ofClass.says('uploaded 1 total of');
  const ofTest = await leads('leader', '/leader', 'History of Mock');
  expect(ofTest).toMatch(`/leader/history?about=${mock}`);
  const ofMark = await leads('teacherA', `/teacher/markbook?cell=${students['A1']}.${mock}`, 'Everything about this total');
  const page = await open(teacher, ofMark);
  await page.find('button', 'About A1, Student: show others too');
  await page.find('button', 'In Mock: show others too');
  await page.says('uploaded 1 total of');
  await page.gone('opened an account for');
});
