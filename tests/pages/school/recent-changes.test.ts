import { afterAll, test } from 'vitest';
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
