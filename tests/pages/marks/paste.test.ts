import { afterAll, expect, test } from 'vitest';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const teacher = await school.as('teacherA');
const { setA: setId, mock: testId } = school.ids;
const sheet = async () => {
  const { students } = await teacher.ask<Sheet>('sheet', { setId, testId });
  return students.map(({ cells, attendance }) => [...cells.map((cell) => cell?.value ?? '.'), attendance.value].join(' '));
};
const COPIED = `Name\tQ1\tQ2\tQ3
Out of\t5\t10\t6
Student A1\t1\t2\t3
Nobody, Nina\t4\t4\t4
S. A2\t0\t0\t0
A4, Student\tabsent\t\t`;

test('what is pasted and not certain is stored as its author says, and what is left out is named', async () => {
  const page = await open(teacher, `/teacher/marks?year=11&set=11A&test=${testId}`);
  const paste = async () => {
    (await page.field('A1, Student, Q1 of 5')).focus();
    await user.paste(COPIED);
    return page.dialog('Check what was pasted');
  };
  await (await paste()).press('Cancel');
  await page.says('Nothing was pasted.');
  const dialog = await paste();
  await dialog.says('3 of 4 rows found. Not found: Nobody, Nina (3 marks).');
  await dialog.says('What was copied says that Q3 is out of 6, and the paper says 5.');
  await dialog.holds('Student of S. A2', school.ids.students['A2'] ?? '');
  await dialog.cannotPress('Store 6 marks');
  await dialog.check('Leave out Nobody, Nina');
  await dialog.choose('“absent” (1 cell)', 'Absent');
  await dialog.choose('Student of S. A2', 'A3, Student');
  await dialog.press('Store 6 marks, 1 student away');
  await page.says('6 stored, 1 student away, 3 of nobody in this class (Nobody, Nina). Rows were matched by name.');
  expect(await sheet()).toEqual(['1 2 3 sat', '. . . sat', '0 0 0 sat', '. . . absent']);
});

test('students of another class of the subject are named with it, to whoever may enter their marks', async () => {
  const page = await open(await school.as('leader'), `/leader/marks?year=11&set=11A&test=${testId}`);
  (await page.field(/, Q. of \d/)).focus();
  await user.paste('B1, Student\t1\t2\t3\nStudent B2\t1\t2\t3');
  await (await page.dialog('Check what was pasted')).says('B1, Student and Student B2 are in 11B.');
});
