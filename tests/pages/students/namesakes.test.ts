import { afterAll, expect, test } from 'vitest';
import type { ClassHome } from '../../../api/analysis/analysis.contract.ts';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

/** A2 has the name of A1, in other letters. */
const school = await openSchool();
afterAll(school.close);
const [admin, leader] = [await school.as('admin'), await school.as('leader')];
const { maths: subjectId, mock: testId, setA: setId, students } = school.ids;
const details = { admissionNo: '00A2', name: 'Á1, student', dateOfBirth: null };
await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A2'], details }] });
const entry = { entryId: '6f1c3b52-0f6a-4d0e-9f0e-5f2f0c7c1a01', subjectId, seq: 1 };
await leader.done('EnterMarks', { ...entry, cells: [{ studentId: students['A1'], testId, is: 12 }] });

test.each([
  ['the markbook', '/leader/markbook?year=11', 'rowheader'],
  ['the marks of a class', `/leader/marks?year=11&set=11A&test=${testId}`, 'rowheader'],
  ['predictors', '/leader/predictors?year=11&set=11A', 'rowheader'],
  ['the choice of whom to view', '/student/select', 'option'],
])('two of one name are told apart by their StudentIDs: %s', async (_, path, role) => {
  const page = await open(leader, path);
  await page.find(role, /^A1, Student \(00A1\)/);
  await page.find(role, /^Á1, student \(00A2\)/);
  await page.find(role, /^A3, Student(?! \()/);
});

test('two of one name are told apart in dialogs, and where one of them alone is named', async () => {
  const page = await open(leader, '/leader?year=11&set=11A');
  await page.press('Submission tracker of Mock');
  await (await page.dialog('Student Submission Tracker')).says('Á1, student (00A2)');
  const prior = await open(leader, '/leader/prior');
  await prior.check('GCSE');
  await prior.find('rowheader', 'Á1, student (00A2)');
  const { completed } = await leader.ask<ClassHome>('class-home', { setId });
  expect(completed[0]?.leftOut.map(({ name }) => name)).toEqual(['Á1, student (00A2)', 'A3, Student', 'A4, Student']);
});
