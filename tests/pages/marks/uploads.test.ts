import { afterAll, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/universal';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import { admissionNo, fullName, openSchool } from '../../support/school.ts';
import { csv, open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const [leader, teacherA, admin] = [await school.as('leader'), await school.as('teacherA'), await school.as('admin')];
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

test('grades of another system, by names and damaged StudentIDs: columns, words and people are asked about, and only what was shown is stored', async () => {
  const { testId } = await admin.done('CreateAssessment', { subjectId, name: 'Fractions quiz' });
  await admin.done('UploadQuestions', { testId, questions: [{ number: 1, topic: 'Halves', marksAvailable: 20 }] });
  const page = await open(teacherA, '/teacher?year=11&set=11A');
  await page.press('Upload totals');
  const dialog = await page.dialog('Upload Student Assessment Totals');
  await dialog.press('Bulk Upload', 'tab');
  await dialog.upload(
    csv(
      'grades.csv',
      'Gradebook of 11A',
      'First name,Last name,ID number,Quiz: Fractions quiz,Course total',
      'Student,A1,A1,18.00,20',
      'Student,A2,00A2,abs,2',
      'Student,A3,00A3,12.5,3',
    ),
  );
  await dialog.press('Upload');
  await dialog.says('The upload file is invalid. Please check you have uploaded using the correct template.');
  await dialog.press('Read the file like this');
  await dialog.press('Upload');
  await dialog.says('The upload file contains non numeric data. Please check before uploading again.');
  await dialog.choose(/“abs”, once/, 'Absent');
  await dialog.press(/Upload the file without this row/, 'checkbox');
  await dialog.press('Upload');
  await dialog.says('1 row has a StudentID that is nobody’s');
  await dialog.says('zeros lost at its start');
  await dialog.press('Upload');
  await dialog.press('Confirm Assessments');
  await dialog.says('This will add 2 totals.');
  await dialog.press('View Upload Data');
  await dialog.press('Close');
  await (await page.dialog('Leave without saving?')).press('Stay here');
  await dialog.press('Commit to DB');
  await dialog.says('1 row of the file is left out, as you chose.');
  await dialog.says('Line 5, A3, Student (00A3): Test 1: “12.5”');
  const { students } = await leader.ask<Sheet>('sheet', { testId, setId });
  expect(students.map(({ total, attendance }) => [total?.value, attendance.value]).slice(0, 3)).toEqual([
    [18, 'sat'],
    [undefined, 'absent'],
    [undefined, 'sat'],
  ]);
});

test('whom rows mean is asked anew of another sheet of the workbook', async () => {
  const head = ['StudentID', 'LastFirst', 'Test 1', 'Test 2', 'Test 3', 'Test 4', 'Test 5', 'Test 6'];
  const sheets = [
    { sheet: 'One', data: [head, ['A1', 'A1, Student', 1]] },
    { sheet: 'Other', data: [head, ['A1', 'A2, Student', 2]] },
  ];
  const workbook = new File([await writeExcelFile(sheets as never).toBlob()], 'totals.xlsx');
  const page = await open(teacherA, '/teacher?year=11&set=11A');
  await page.press('Upload totals');
  const dialog = await page.dialog('Upload Student Assessment Totals');
  await dialog.press('Bulk Upload', 'tab');
  await dialog.upload(workbook);
  await dialog.press('Upload');
  await dialog.says('zeros lost at its start');
  await dialog.choose('Sheet of the workbook', 'Other');
  await dialog.gone('zeros lost at its start');
  await dialog.press('Upload');
  await dialog.says('more than one fits');
});

test('a total that two people uploaded says so in its history', async () => {
  const rows = [{ admissionNo: admissionNo('A1'), name: fullName('A1'), totals: [13] }];
  for (const who of [teacherA, leader])
    await who.done('UploadTotals', { subjectId, classes: [{ setId, testIds: [mock] }], rows, fileName: 'class.csv' });
  const page = await open(teacherA, '/teacher/markbook?year=11&set=11A');
  await page.press(/^13/, 'cell');
  await (await page.dialog(/A1, Student/)).says('Also entered by leader, who uploaded class.csv');
});
