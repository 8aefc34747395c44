import { test } from 'vitest';
import { enter } from '../../../browser/calls.ts';
import { isEnabled } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser, resultsFile } from '../../../browser/marktrail.ts';
import { placeOf, sheetOf } from '../../../browser/sheet.ts';

/** Files that look wrong: what is wrong stands above the table, and the file can be stored all the same. */
const marktrail = marktrailInBrowser();

test('a file of marks that are not the sum of the totals that stand says whose, beside both', async () => {
  const page = await marktrail.signedIn('leader@demo.example');
  const { subjectId, testId } = await placeOf(page, '11X1');
  const { studentId, total } = (await sheetOf(page, '11X1')).students.find(({ name }) => name === 'Edwards, Sophie')!;
  await enter(page.request, subjectId, [{ studentId, testId, is: 1, was: [total?.value] }]);
  await page.goto('/leader');
  await page.getByRole('button', { name: 'Upload question marks' }).first().click();
  const results = dialogOf(page, 'Enter question-level analysis');
  await results.getByLabel('Class').selectOption({ label: '11X1' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText('1 total is not the sum of its question marks').waitFor();
  await results.getByRole('row', { name: /Edwards, Sophie\s+1\s+20\s+.*M0001/ }).waitFor();
  await isEnabled(results.getByRole('button', { name: 'Commit to DB' }));
});

test('the students of an import who would get the name of somebody else, or be added twice', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/upload_students' });
  const lines = [
    'StudentID,Name,Set,DoB',
    'M0001,"Kowalski, Joseph",11X1,',
    'M0002,"Edwards, Sophie",11X1,',
    '1.0E+11,"PÃ©rez, JosÃ©",11X1,',
  ];
  const file = { name: 'student_upload.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('2 names differ from ours').waitFor();
  await page.getByText('1 StudentID looks damaged, and is nobody’s').waitFor();
  await page.getByText('They would be added as new students.').waitFor();
  await page.getByText('1 name is garbled').waitFor();
  // Where the names that are stored are kept, none differs.
  await page.getByRole('button', { name: 'Keep all as stored' }).click();
  await page.getByText('2 names differ from ours').waitFor({ state: 'detached' });
  await isEnabled(page.getByRole('button', { name: 'Commit to Database' }));
});
