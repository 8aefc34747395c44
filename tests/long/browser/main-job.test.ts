import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { brokenOnAnyScreen } from '../../browser/axe.ts';
import { act, ask } from '../../browser/calls.ts';
import { isDisabled } from '../../browser/looks.ts';
import { dialogOf, marktrailInBrowser, previewTotals, resultsFile, totalsFile, totalsOf } from '../../browser/marktrail.ts';
import { openSheet } from '../../browser/sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';
const RESULTS = 'Enter question-level analysis';
/** Nothing of it is stored, so that it is the same whatever the log stands on: once is enough. */
const withAnyLog = test.skipIf(process.env['TEST_LOG']);

test('a leader uploads real totals and real question marks, sees the markbook change, and takes an upload back', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });

  // The demo school comes with its totals: take them back first, and the markbook is empty.
  await page.getByRole('button', { name: /^Undo totals_upload.csv/ }).click();
  // So many are taken back after a question only.
  const asked = dialogOf(page, 'Undo totals_upload.csv?');
  await asked.getByText('This takes back 729 marks.').waitFor();
  await asked.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: /^Undo totals_upload.csv/ }).click();
  await asked.getByRole('button', { name: 'Take back 729 marks' }).click();
  await page.getByRole('button', { name: /^Redo totals_upload.csv/ }).waitFor();
  await page.goto('/leader/markbook');
  await page
    .getByRole('row', { name: /Adeyemi, Anh/ })
    .getByText('not entered')
    .waitFor({ state: 'attached' });

  // Totals: 729 new ones, with the day on which they were sat.
  await previewTotals(page, totalsFile(), '2026-01-10');
  const totals = dialogOf(page, TOTALS);
  await totals.getByText('Sat on 10/01/2026.').waitFor();
  await totals.getByText('This will add 729 totals').waitFor();
  await totals.getByRole('row', { name: /M0001\s+Edwards, Sophie\s+11X1\s+20/ }).waitFor();
  await totals.getByRole('button', { name: 'Commit to DB' }).click();
  await totals.getByText('729 totals stored.').waitFor();
  await totals.getByRole('link', { name: 'Open the markbook' }).click();

  // The markbook's mean and SD are the reference figures of the data set (16.93416, 4.284338).
  const figures = page.getByRole('grid');
  await figures.getByRole('row', { name: /^Mean/ }).getByText('16.9').waitFor();
  await figures.getByRole('row', { name: /^SD/ }).getByText('4.3').waitFor();
  await page.getByRole('row', { name: /Adeyemi, Anh.*10/ }).waitFor();

  // Question marks: the year group's whole file at once.
  await page.goto('/leader');
  await page.getByRole('button', { name: 'Upload question marks' }).first().click();
  const results = dialogOf(page, RESULTS);
  await results.getByText('Select a set to continue...').waitFor();
  await results.getByLabel('Class').selectOption({ label: 'All classes of year 11' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText('This will add 9,477 marks').waitFor();
  await results.getByRole('button', { name: 'Commit to DB' }).click();
  await results.getByText('Upload Successful! 9,477 marks stored.').waitFor();

  // The same file once more has nothing to store.
  await results.getByRole('button', { name: 'Upload another file' }).click();
  await results.getByLabel('Class').selectOption({ label: 'All classes of year 11' });
  await results.locator('input[type=file]').setInputFiles(resultsFile());
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results.getByText(/^Nothing would change/).waitFor();
  await isDisabled(results.getByRole('button', { name: 'Commit to DB' }));
  // For one class, the others of the file are not in the group that is selected.
  await results.getByRole('button', { name: 'Show Upload dialog' }).click();
  await results.getByLabel('Class').selectOption({ label: '11X1' });
  await results.getByRole('button', { name: 'Upload', exact: true }).click();
  await results
    .getByText(/^\d+ student\(s\) from the upload file cannot be found in the selected group, check the classes match$/)
    .waitFor();
  await results.getByRole('button', { name: 'Close' }).click();

  // The day of the totals stands at the head of the sheet, with who said so.
  await openSheet(page, '11X1');
  await page.getByText(/^Sat on 10\/01\/2026, as said with the upload totals_upload.csv by /).waitFor({ state: 'attached' });
  await page.goto('/leader');
  await page.getByText(/ · sat on 10\/01\/2026$/).waitFor();

  // Undo it from the list, and redo it.
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).click();
  await page.getByRole('button', { name: 'Take back 9,477 marks' }).click();
  await page.getByRole('button', { name: /^Redo results_upload.csv/ }).click();
  await page.getByRole('button', { name: /^Undo results_upload.csv/ }).waitFor();
});

withAnyLog('a teacher may not upload a file that holds classes of others: they are named, nothing is stored', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  await dialog.locator('input[type=file]').setInputFiles(totalsFile());
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByText(/You may not upload for 11X4/).waitFor();
  await isDisabled(dialog.getByRole('button', { name: 'Confirm Assessments' }));
});

withAnyLog('files that are wrong are refused, and the page says why', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  await page.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(page, TOTALS);
  const upload = async (name: string, mimeType: string, text: string): Promise<void> => {
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  };
  const header = 'StudentID,LastFirst,Test 1,Test 2,Test 3,Test 4,Test 5,Test 6';
  const nonNumeric = 'The upload file contains non numeric data. Please check before uploading again.';

  await upload('text.csv', 'text/csv', `${header}\nM0001,"Edwards, Sophie",twenty,,,,,\n`);
  await dialog.getByText(nonNumeric).waitFor();
  await upload('strangers.csv', 'text/csv', `${header}\nX1,"Nobody, Known",1,,,,,\n`);
  await dialog.getByText(/That is everybody in the file, so there is nothing to upload/).waitFor();
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  await upload(
    'above.csv',
    'text/csv',
    `${header}\nM0001,"Edwards, Sophie",27,,,,,\nM-2024-0000000000000000000000001,"Nobody, Known",1,,,,,\n`,
  );
  await dialog.getByText('1 student(s) from the upload file cannot be found in the database').waitFor();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await dialog.getByText('Nobody, Known (M-2024-0000000000000000000000001)').waitFor();
  await dialog.getByRole('button', { name: 'Confirm Assessments' }).click();
  await dialog.getByText('The submitted total exceeds the maximum on Test 1').waitFor();
  await dialog.getByText(/Edwards, Sophie: 27/).waitFor();
});

withAnyLog('no room breaks a rule of accessibility on any screen', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const check = async (room: string): Promise<void> => {
    expect(await brokenOnAnyScreen(page), room).toEqual([]);
  };
  await page.getByRole('heading', { name: 'Recent uploads' }).waitFor();
  await check('home');
  await page.goto('/leader/markbook');
  await page.getByRole('row', { name: /Adeyemi, Anh/ }).waitFor();
  await check('markbook');
  await page
    .getByRole('gridcell', { name: /^\d+ (?:amber|green|red)/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await check('history of a cell');
  await page.keyboard.press('Escape');
  await previewTotals(
    page,
    totalsFile((total, row) => (row < 3 ? total - 1 : total)),
  );
  await dialogOf(page, TOTALS)
    .getByText(/This will change 3 totals/)
    .waitFor();
  await check('preview');
});

test('a class lists its own uploads behind fifty of others; one that is the leader’s to undo says so to its author', async () => {
  const [teacher, admin] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/' }),
    marktrail.signedIn('admin@demo.example'),
  ]);
  await previewTotals(teacher, totalsOf([['M0004', 'Clarke, Poppy', 11]]));
  await dialogOf(teacher, TOTALS).getByRole('button', { name: 'Commit to DB' }).click();
  await dialogOf(teacher, TOTALS).getByText('1 total stored').waitFor();
  await dialogOf(teacher, TOTALS).getByRole('button', { name: 'Close' }).click();
  await teacher.getByRole('button', { name: /^Undo class.csv/ }).waitFor();

  const caller = admin.request;
  const subjectId = (await ask<Me>(caller, 'me')).subjects.find(({ name }) => name === 'Mathematics')?.subjectId ?? '';
  const yearGroup = (await ask<Structure>(caller, `structure?subjectId=${subjectId}`)).yearGroups.find(({ year }) => year === 11);
  const { students, tests } = await ask<Markbook>(caller, `markbook?yearGroupId=${yearGroup?.yearGroupId}`);
  const poppy = students.find(({ name }) => name === 'Clarke, Poppy')?.studentId;
  const setId = yearGroup?.sets.find(({ name }) => name === '11X4')?.setId;
  const other = students.find((student) => student.setId === setId);
  for (let n = 0; n <= 50; n += 1) {
    const rows = [{ admissionNo: other?.admissionNo, name: other?.name, totals: [n % 20] }];
    await act(caller, 'UploadTotals', { subjectId, classes: [{ setId, testIds: [tests[0]?.testId] }], rows, fileName: `${n}.csv` });
  }
  await admin.goto('/leader?year=11&set=11X1');
  await admin.getByRole('heading', { name: 'Recent uploads with 11X1' }).waitFor();
  await admin.getByRole('button', { name: /^Undo class.csv/ }).waitFor();
  await admin.goto('/leader?year=11&set=11X4');
  await admin.getByRole('button', { name: /^Undo 50.csv/ }).waitFor();
  for (let more = 0; more < 2; more += 1) await admin.getByRole('button', { name: 'Show older uploads' }).click();
  await admin.getByRole('button', { name: /^Undo 0.csv/ }).waitFor();

  await act(caller, 'ChangeStudents', { subjectId, changes: [{ studentId: poppy, place: { setId } }] });
  const why = 'It holds marks of a student who is in none of your classes now: Clarke, Poppy (11X4). ';
  await teacher.getByText(`${why}A leader of the subject or an admin can undo it.`).waitFor();
  await teacher.getByRole('button', { name: /^Undo class.csv/ }).waitFor({ state: 'detached' });
  await admin.getByRole('button', { name: /^Undo class.csv/ }).click();
  await teacher.getByText(`${why}A leader of the subject or an admin can redo it.`).waitFor();
});
