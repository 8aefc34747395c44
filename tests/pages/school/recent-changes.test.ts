import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(() => school.close());
const admin = await school.as('admin');
const { maths: subjectId, setB, setA, students } = school.ids;

test('what was done is undone and redone from the list, after a question where something would stay', async () => {
  await admin.done('DeleteSet', { subjectId, setId: setB, offRoll: true });
  const page = await open(admin, '/admin/classes');
  const changes = await page.part('region', 'Recent changes');
  await changes.says('and 4 more entries');
  await changes.press('Undo: deleted the class 11B');
  await page.says('Undone: Admin deleted the class 11B.');
  await changes.press('Redo: deleted the class 11B');
  await page.says('Redone: Admin deleted the class 11B.');
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['B1'], place: { setId: setA } }] });
  await changes.press('Undo: deleted the class 11B');
  const question = await page.dialog('Undo it all the same?');
  await question.says('1 student was changed again since: that stays.');
  await question.press('Keep everything');
  await changes.press('Undo: deleted the class 11B');
  await (await page.dialog('Undo it all the same?')).press('Undo');
  await page.says('Undone: Admin deleted the class 11B. 1 student was changed again since: that stays.');
});

test('the home shows what was changed in the whole subject, by kind and person', async () => {
  const page = await open(admin, '/admin');
  const changes = await page.part('region', 'Recent changes');
  await changes.says('moved B1, Student to 11A');
  await changes.choose('Kind', 'Marks');
  await changes.says('Nothing was changed here yet');
  await changes.choose('Kind', 'Students');
  await changes.says('moved B1, Student to 11A');
});

test('a teacher opens them on their home: what they typed has Undo, what others entered for their class has not', async () => {
  const { other } = school.ids;
  const teacher = await school.as('teacherA');
  const typed = (is: number) => ({
    entryId: randomUUID(),
    subjectId,
    seq: 1,
    typedAt: '2026-01-01T08:00:00Z',
    cells: [{ studentId: students['A2'], testId: other, is }],
  });
  await admin.done('EnterMarks', typed(3));
  await teacher.done('EnterMarks', typed(4));
  const page = await open(teacher, '/teacher?year=11');
  const changes = await page.part('region', 'Recent changes');
  await changes.press('Show the recent changes');
  await changes.says('Admin');
  expect(changes.seen().getAllByRole('button', { name: /^Undo/ })).toHaveLength(1);
  await changes.press('Undo: entered 1 total of Other');
  await page.says('Undone: teacherA entered 1 total of Other.');
  await changes.press('Redo: entered 1 total of Other');
  await changes.find('button', 'Undo: entered 1 total of Other');
});
