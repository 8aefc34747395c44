import { test } from 'vitest';
import { isEnabled } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';

/** Files that look wrong: what is wrong stands above the table, and the file can be stored all the same. */
const marktrail = marktrailInBrowser();

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
