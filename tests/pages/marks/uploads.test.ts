import { afterAll, test } from 'vitest';
import { admissionNo, fullName, openSchool } from '../../support/school.ts';
import { csv, open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacherA] = [await school.as('leader'), await school.as('teacherA')];
const { maths: subjectId, setA: setId, mock } = school.ids;
const file = (...rows: readonly string[]): File =>
  csv('class.csv', 'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6', ...rows);

test('a file of totals that cannot be used says why, and names who is not found and which class is not the teacher’s', async () => {
  const page = await open(teacherA, '/teacher?year=11&set=11A');
  await page.press('Upload totals');
  const dialog = await page.dialog('Upload Student Assessment Totals');
  await dialog.press('Bulk Upload', 'tab');
  await dialog.upload(file('00A1,"A1, Student",twenty,,,,,'));
  await dialog.press('Upload');
  await dialog.says('The upload file contains non numeric data. Please check before uploading again.');
  await dialog.upload(file('X9,"Nobody, Ned",1,,,,,'));
  await dialog.press('Upload');
  await dialog.says('That is everybody in the file, so there is nothing to upload.');
  await dialog.press('Show');
  await dialog.says('Nobody, Ned (X9)');
  await dialog.press('Choose another file');
  await dialog.upload(file('00A1,"A1, Student",1,,,,,', '00B1,"B1, Student",1,,,,,'));
  await dialog.press('Upload');
  await dialog.says('You may not upload for 11B.');
  await dialog.cannotPress('Confirm Assessments');
});

test('a total that two people uploaded says so in its history', async () => {
  const rows = [{ admissionNo: admissionNo('A1'), name: fullName('A1'), totals: [13] }];
  for (const who of [teacherA, leader])
    await who.done('UploadTotals', { subjectId, classes: [{ setId, testIds: [mock] }], rows, fileName: 'class.csv' });
  const page = await open(teacherA, '/teacher/markbook?year=11&set=11A');
  await page.press(/^13/, 'cell');
  await (await page.dialog(/A1, Student/)).says('Also entered by leader, who uploaded class.csv');
});
