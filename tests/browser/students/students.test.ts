import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { scratchDirectory } from '../../support/scratch.ts';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { counts, holds, isDisabled } from '../looks.ts';
import { data, noticeOf, marktrailInBrowser } from '../marktrail.ts';

/** The dialogs of students and assessments, each with bad input and with good. */
const marktrail = marktrailInBrowser();
let page: Page;
beforeEach(async () => {
  page = await marktrail.signedIn('admin@demo.example');
});

const seen = (what: Locator): Promise<void> => what.waitFor();
const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const csv = (name: string, lines: readonly string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });

test('students are corrected, moved, removed and added by hand', async () => {
  await page.goto('/admin/add_students');
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await counts(page.getByRole('textbox', { name: /^Name of/ }), 15);

  const ids = page.getByRole('textbox', { name: /^Student ID of/ });
  const dates = page.getByRole('textbox', { name: /^Date of birth of/ });
  const [first, second] = [await ids.nth(0).inputValue(), await ids.nth(1).inputValue()];
  const born = await dates.nth(0).inputValue();
  await dates.nth(0).fill('31/02/2009');
  await seen(page.getByText('There is no such date: DD/MM/YYYY'));
  await button('Submit Changes (1)').click();
  await seen(page.getByText('1 student cannot be submitted like this: see the marked fields.'));
  await dates.nth(0).fill(born);
  await ids.nth(0).fill(second.toLowerCase());
  await button('Submit Changes (1)').click();
  await seen(page.getByText('Student ID must be Unique').first());
  await holds(ids.nth(0), second.toLowerCase());
  await ids.nth(0).fill(first);
  await page
    .getByRole('combobox', { name: /^Set of/ })
    .nth(1)
    .selectOption({ label: 'Off-Roll' });
  await button(/^Delete /)
    .nth(2)
    .click();
  await button('Submit Changes (2)').click();
  await button('Delete 1 student').click();
  const submitted = await noticeOf(page, '2 students: taken off roll (1) and deleted (1).');
  await pressEnter(button(/^Off-Roll/));
  await seen(page.getByText('1–1 of 1'));
  await button('Undo', submitted).click();
  await seen(page.getByText('Nobody is Off-Roll'));

  await button(/^11X1,/).click();
  await button('Add Student').click();
  const dialog = page.getByRole('dialog', { name: 'Add Student' });
  const add = button('Add Student', dialog);
  await isDisabled(add);
  await dialog.getByLabel('Student ID').focus();
  await dialog.getByLabel('Name').fill('New, Somebody');
  await seen(dialog.getByText('Required · 0/20'));
  await dialog.getByLabel('Date of birth').fill('01/09/2009');
  await isDisabled(add);
  await dialog.getByLabel('Student ID').fill(first.toLowerCase());
  await add.click();
  await seen(dialog.getByText(/^Student ID must be unique/));
  await dialog.getByLabel('Student ID').fill('N-1');
  await add.click();
  const added = await noticeOf(page, 'New, Somebody added.');
  await page.getByLabel('Search students').fill('somebody');
  await seen(page.getByText('1–1 of 1'));
  await button('Undo', added).click();
  await page.getByRole('textbox', { name: 'Name of New, Somebody' }).waitFor({ state: 'detached' });
});

test('an assessment gets its questions from a file, and they are edited and shown to students', async () => {
  await page.goto('/admin/assessments');
  await button('Add assessment').click();
  const adding = page.getByRole('dialog', { name: 'Add assessment' });
  await adding.getByLabel('Assessment name').fill('written EXAMINATION');
  await button('Add assessment', adding).click();
  await seen(adding.getByText('Assessment name needs to be unique'));
  await adding.getByLabel('Assessment name').fill('Autumn test');
  await button('Add assessment', adding).click();

  await button('Upload questions').click();
  const upload = page.getByRole('dialog', { name: 'Upload questions of Autumn test' });
  const file = upload.locator('input[type=file]');
  await file.setInputFiles(csv('bad.csv', ['Question No,Topic,Max Mark', '1,Algebra,2', '3,Fractions,2']));
  await seen(upload.getByText('Questions are not numbered sequentially. Please check your upload file.'));
  // The file is not kept.
  await seen(upload.getByText('or drop it here'));
  await isDisabled(button('Save questions', upload));
  const twelve = Array.from({ length: 12 }, (_, index) => `${index + 1},Topic ${index + 1},3`);
  await file.setInputFiles(csv('assessment_upload.csv', ['Question No,Topic,Max Mark', ...twelve]));
  await seen(upload.getByText('1–10 of 12'));
  await counts(upload.getByRole('row'), 11);
  await button('Save questions', upload).click();
  await seen(page.getByText('12 questions, 36 marks'));

  await button('Edit questions').click();
  const edit = page.getByRole('dialog', { name: 'Questions of Autumn test' });
  const marks = edit.getByLabel('Marks of question 1', { exact: true });
  await marks.fill('2.5');
  await seen(edit.getByText('The value must be an integer number'));
  await isDisabled(button('Save', edit));
  await marks.fill('5');
  await edit.getByLabel('Topic of a new question').fill('Vectors');
  await isDisabled(button('Add question', edit));
  await edit.getByLabel('Its marks').fill('4');
  await pressEnter(button('Add question', edit));
  await pressEnter(button('Move question 13 up', edit));
  await seen(edit.getByText('Question 13 is question 12 now.'));
  expect(await brokenRules(page)).toEqual([]);
  await button('Save', edit).click();
  await seen(page.getByText('13 questions, 42 marks'));
  await page.getByRole('switch', { name: 'Students can see it and enter feedback' }).click();
  await seen(page.getByText(/13 questions, 42 marks · shown to students/));
});

/** As from a file manager. */
const dropFile = async (on: Page, where: Locator, path: string): Promise<void> => {
  const { x = 0, y = 0 } = (await where.boundingBox()) ?? {};
  const devtools = await on.context().newCDPSession(on);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
  await devtools.detach();
};

test('a file of students is checked, its sets are made, it is committed and undone', async () => {
  await page.goto('/admin/upload_students');
  const header = 'StudentID,Name,Set,DoB';
  const directory = scratchDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'next_year.csv');
  const drop = async (...lines: readonly string[]) => {
    writeFileSync(path, lines.join('\r\n'));
    await dropFile(page, page.getByText('Select CSV File for Import...'), path);
  };
  await drop(header, '1,Ann,11X1,31/02/2009');
  await seen(page.getByText('Check date input column. Should be of the form DD/MM/YYYY'));

  const [, ...known] = readFileSync(data('student_upload.csv'), 'utf8').trim().split(/\r?\n/);
  const rows = known.slice(20).map((row) => row.replace(/,11(X|Y)/, ',12$1'));
  // Corrected under the same name.
  await drop(header, ...rows);
  await seen(page.getByText('First choose or make the sets that are not known.'));
  await isDisabled(button('Commit to Database'));
  await holds(page.getByLabel('Year group', { exact: true }), '12');
  expect(await brokenRules(page)).toEqual([]);
  await button('Make 26 sets').click();
  await seen(page.getByText('26 sets in year 12 will be made with the import.'));
  await page.getByLabel('2. Move them to Off-Roll').check();
  await seen(page.getByText('0 new · 709 moved · 0 corrected · 20 to Off-Roll · 0 removed'));
  await button('View import data').press('Enter');
  const preview = page.getByRole('dialog', { name: 'Import data' });
  await seen(preview.getByText('1–50 of 729'));
  await preview.getByRole('radio', { name: '729 changes' }).press('ArrowRight');
  await seen(preview.getByText('1–50 of 709'));
  expect(await brokenRules(page)).toEqual([]);
  await button('Commit to Database (729)', preview).press('Enter');
  await button('Move 20 students', page.getByRole('dialog', { name: 'Move 20 students to Off-Roll?' })).click();
  const committed = await noticeOf(page, 'Data Uploaded Successfully');
  const summary = page.getByText(/^709 student\(s\) on import file successfully uploaded: 0 new, 709 moved, /);
  await seen(summary.filter({ hasText: '0 kept in their current groups, 20 moved off-roll, 0 permanently removed.' }));
  await button('Undo', committed).click();
  await seen(page.getByText('The import was undone: 729 students put back.'));
});
