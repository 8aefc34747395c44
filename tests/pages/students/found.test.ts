import { afterAll, expect, test } from 'vitest';
import { moment } from '../../support/as-of.ts';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId, students } = school.ids;
const said = (name: string) => new URLSearchParams(location.search).get(name);

/** Types into the dialog that Ctrl+K opens. */
const find = async (page: Awaited<ReturnType<typeof open>>, text: string) => {
  await page.find('button', 'Find student');
  await expect.poll(() => user.keyboard('{Control>}k{/Control}').then(() => page.seen().queryByRole('dialog'))).not.toBeNull();
  const dialog = await page.dialog('Find a student');
  await dialog.fill('Student', text);
  return dialog;
};

test('an admin finds a student of the whole school, and is led to them in Student Details of their subject', async () => {
  const page = await open(admin, '/admin/classes');
  const dialog = await find(page, 'a4');
  await dialog.find('option', /00A4 · 11A · Mathematics/);
  await dialog.press(/00A4 · 11S · Science/, 'option');
  await page.says('Students of Science: set 11S');
  await page.field('Name of A4, Student');
  // Whoever chooses another subject after that has left it.
  await page.choose('Subject', 'Mathematics');
  await page.says('Students of Mathematics: Select a group');
  expect(said('group')).toBeNull();
});

test('a teacher finds students of their own classes, and is led to them in the markbook', async () => {
  const page = await open(await school.as('teacherB'), '/teacher');
  const dialog = await find(page, '00C1');
  await dialog.says('No student matches');
  await dialog.fill('Student', '00b2');
  await user.keyboard('{Enter}');
  await page.holds(/^Find a student/, 'B2, Student');
  expect([location.pathname, said('set')]).toEqual(['/teacher/markbook', '11B']);
});

test('who is not in a group is said to be in another, and who is searched without a group is found in the whole subject', async () => {
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11A,/);
  await page.fill('Search students', 'b3');
  await page.find('heading', 'Nothing is called “b3” in 11A');
  await page.says('B3, Student is in');
  await page.press('11B', 'link');
  await page.says(': set 11B');
  await page.field('Name of B3, Student');
  history.back();
  await page.find('heading', 'Nothing is called “b3” in 11A');
  const all = await open(admin, '/admin/add_students');
  await all.fill('Search all students', '00C');
  await all.field('Name of C1, Student');
  await all.says('1–4 of 4');
});

test('group, search and order stand in the address, and a link to them shows the same', async () => {
  const first = async (page: Awaited<ReturnType<typeof open>>, name: string) => {
    await page.says('1–4 of 4');
    await page.find('columnheader', 'Name');
    await expect.poll(() => page.seen().getAllByLabelText(/^Name of/)[0]).toHaveProperty('value', name);
  };
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11C,/);
  await first(page, 'C1, Student');
  await page.press('Name');
  await first(page, 'C4, Student');
  await page.fill('Search students', 'student');
  await expect.poll(() => said('find')).toBe('student');
  const again = await open(admin, `/admin/add_students${location.search}`);
  await again.holds('Search students', 'student');
  await again.says(': set 11C');
  await first(again, 'C4, Student');
});

test('a StudentID that is taken says who has it and where', async () => {
  const page = await open(admin, '/admin/add_students');
  await page.press(/^11B,/);
  await page.fill('Student ID of B1, Student', '00a2');
  await page.press('Submit Changes (1)');
  await page.says('Student ID must be Unique');
  await page.says('A2, Student has it, in 11A and 11S of Science.');
});

test('of an earlier moment the students of that day are found, and nothing that leads to today is offered', async () => {
  const asOf = await moment();
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['C1'], place: 'off-roll' }] });
  const auditor = await school.as('auditor');
  const now = await open(auditor, '/admin/add_students');
  await now.press('Off-Roll, 1 student');
  await now.field('Name of C1, Student');
  expect(now.seen().queryByRole('button', { name: 'Find student' })).toBeNull();
  const then = await open(auditor, `/admin/add_students?asOf=${asOf}`);
  await then.press('Off-Roll, 0 students');
  await then.fill('Search students', 'c1');
  await then.says('C1, Student is in');
  await then.press('11C', 'link');
  await then.field('Name of C1, Student');
  expect(said('asOf')).toBe(asOf);
});
