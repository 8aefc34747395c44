import { afterAll, expect, test } from 'vitest';
import type { RoleName } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';
import { openExample } from '../../support/worked-example.ts';
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

test('an entry opens its page as of before it, and grades as of when they were allocated, which the choice of a moment offers', async () => {
  const leader = await school.as('leader');
  const { task, testIds, terminalExamId, gradeProfileId } = await openExample(school);
  const { taskId = '' } = await leader.done('CreateFeedbackTask', { ...task, name: 'Winter mocks', teacherInput: false });
  await leader.done('RankTask', { taskId, terminalExamId, testIds });
  await leader.done('AssignGrades', { taskId, gradeProfileId, without: [] });
  const page = await open(leader, `/leader/history?about=${taskId}`);
  await page.says('allocated grades to');
  await page.press(/open this entry/);
  const entry = await page.dialog('What happened');
  const leadsTo = async (link: string) => (await entry.find('link', link)).getAttribute('href') ?? '';
  const [before, then] = [await leadsTo('Show how it was before this change'), await leadsTo('How it was when grades were allocated')];
  const at = new URLSearchParams(then.split('?')[1]).get('asOf') ?? '';
  expect(then).toBe(`/leader/markbook?${new URLSearchParams({ asOf: at, year: '10', ranking: taskId }).toString()}`);
  const markbook = await open(leader, before);
  await markbook.says('Nothing can be changed here.');
  const clark = await markbook.part('row', /Clark, Student/);
  const cells = () =>
    clark
      .seen()
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  const ungraded = cells();
  await markbook.press(/choose the moment to show/);
  const moments = await markbook.dialog('Show an earlier moment');
  await moments.press(/^When grades of Winter mocks were allocated/);
  await expect.poll(() => new URLSearchParams(location.search).get('asOf')).toBe(at);
  await expect.poll(cells).not.toEqual(ungraded);
});
