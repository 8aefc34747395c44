import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { pressEnter } from '../keyboard.ts';
import { heldBack, noticeOf, marktrailInBrowser, undo, whenAsked } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';

/** The dialogs of students and assessments, each with bad input and with good. */
const marktrail = marktrailInBrowser();
let page: Page;
/** The list of who is in Off-Roll, as it was exported. */
let leavers = '';
beforeEach(async () => {
  page = await marktrail.signedIn('admin@demo.example');
});

const seen = (what: Locator): Promise<void> => what.waitFor();
const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const csv = (name: string, lines: readonly string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });

test('students are corrected, moved, removed and added by hand', async () => {
  await page.goto('/admin/add_students');
  await seen(page.getByText('Select a group').first());
  await button('Off-Roll').click();
  await seen(page.getByText('Off Roll selected'));
  await seen(page.getByText('Nobody is Off-Roll'));
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  await expect.poll(() => page.getByRole('textbox', { name: /^Name of/ }).count()).toBe(15);

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
  await expect.poll(() => ids.nth(0).inputValue()).toBe(second.toLowerCase());
  await ids.nth(0).fill(first);
  await page
    .getByRole('combobox', { name: /^Set of/ })
    .nth(1)
    .selectOption({ label: 'Off-Roll' });
  await button(/^Delete /)
    .nth(2)
    .click();
  await button('Submit Changes (2)').click();
  // The pointer stays on the notice, so that its Undo does not disappear meanwhile.
  const submitted = await noticeOf(page, '2 students: taken off roll (1) and removed (1).');
  await pressEnter(button('Off-Roll'));
  await seen(page.getByText('1–1 of 1'));
  const [download] = await Promise.all([page.waitForEvent('download'), pressEnter(button('Export CSV'))]);
  leavers = (await downloaded(download)).toString();
  await button('Undo', submitted).click();
  await seen(page.getByText('Nobody is Off-Roll'));

  // Two changes of a name, the older one undone first: each notice names its act, and neither name comes back.
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  const names = page.getByRole('textbox', { name: /^Name of/ });
  const called = await names.nth(0).inputValue();
  await names.nth(0).fill('Aa One');
  const list = await heldBack(page, '**/api/rest/students?*');
  await button('Submit Changes (1)').click();
  const older = await noticeOf(page, 'Aa One: name changed.');
  // What is stored stands there before the list is read again, and whoever types over it is not somebody else.
  await list.answered;
  expect(await names.nth(0).inputValue()).toBe('Aa One');
  await names.nth(0).fill('Aa Two');
  await list.letGo();
  await seen(page.getByRole('textbox', { name: 'Name of Aa One' }));
  await button('Submit Changes (1)').waitFor();
  expect(await page.getByText('Somebody else changed this student meanwhile').count()).toBe(0);
  const [stored] = await Promise.all([page.waitForResponse('**/api/commands/ChangeStudents'), pressEnter(button('Submit Changes (1)'))]);
  // One notice at a time: the older one is there again once the newer one is dismissed.
  await button('Dismiss', await noticeOf(page, 'Aa Two: name changed.')).click();
  await button('Undo', older).click();
  await seen(page.getByText('Undone: Aa One: name changed. 1 student was changed again since: that stays, and what was undone will not'));
  await expect.poll(() => names.nth(0).inputValue()).toBe('Aa Two');
  const { subjectId: ofNewer } = stored.request().postDataJSON() as { subjectId: string };
  const { commandId: newer } = ((await stored.json()) as { result: { commandId: string } }).result;
  await page.request.post('/api/commands/UndoRosterChange', { data: { subjectId: ofNewer, commandId: newer } });
  await expect.poll(() => names.nth(0).inputValue()).toBe(called);

  // Somebody else removes a student who is being edited here.
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  const [{ studentId, subjectId } = {}] = (await (
    await page.request.get(`/api/rest/students?filter=${encodeURIComponent(JSON.stringify({ admissionNo: first }))}`)
  ).json()) as { studentId?: string; subjectId?: string }[];
  await ids.nth(0).fill('typed');
  const removal = { subjectId, changes: [{ studentId, place: 'removed' }] };
  const removed = await page.request.post('/api/commands/ChangeStudents', { data: removal });
  await seen(page.getByText('What you changed cannot be submitted any more: typed,'));
  await button('Discard the change').click();
  await page.getByRole('button', { name: 'Submit Changes', exact: true }).waitFor();
  const { commandId } = ((await removed.json()) as { result: { commandId: string } }).result;
  await page.request.post('/api/commands/UndoRosterChange', { data: { subjectId, commandId } });

  await button(/^11X1,/).click();
  await button('Add Student').click();
  const dialog = page.getByRole('dialog', { name: 'Add Student' });
  const add = button('Add Student', dialog);
  await expect.poll(() => add.isDisabled()).toBe(true);
  await dialog.getByLabel('Student ID').focus();
  await dialog.getByLabel('Name').fill('New, Somebody');
  await seen(dialog.getByText('Required · 0/20'));
  await seen(dialog.getByText('13/50'));
  await dialog.getByLabel('Date of birth').fill('01/09/2009');
  await expect.poll(() => add.isDisabled()).toBe(true);
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

test('an assessment gets its questions from a file, and is edited, shown, renamed, deleted and restored', async () => {
  await page.goto('/admin/assessments');
  await button('Add assessment').click();
  const adding = page.getByRole('dialog', { name: 'Add assessment' });
  await button('Add assessment', adding).click();
  await seen(adding.getByText('Required.'));
  await adding.getByLabel('Assessment name').fill('written EXAMINATION');
  await button('Add assessment', adding).click();
  await seen(adding.getByText('Assessment name needs to be unique'));
  await adding.getByLabel('Assessment name').fill('Autumn test');
  await button('Add assessment', adding).click();

  await button('Upload questions').click();
  const upload = page.getByRole('dialog', { name: 'Upload questions of Autumn test' });
  const file = upload.locator('input[type=file]');
  for (const [lines, message] of [
    [['No,Topic,Max Mark', '1,Algebra,2'], 'The upload file does not meet the required format.'],
    [
      ['Question No,Topic,Max Mark', '1,Algebra,2', '3,Fractions,2'],
      'Questions are not numbered sequentially. Please check your upload file.',
    ],
    [['Question No,Topic,Max Mark', '1,Algebra,0'], 'Max mark needs to be an integer greater than 0. Please check your upload file.'],
  ] as const) {
    await file.setInputFiles(csv('bad.csv', lines));
    await seen(upload.getByText(message));
    // The file is not kept.
    await seen(upload.getByText('or drop it here'));
    await expect.poll(() => button('Save questions', upload).isDisabled()).toBe(true);
  }
  const twelve = Array.from({ length: 12 }, (_, index) => `${index + 1},Topic ${index + 1},3`);
  await file.setInputFiles(csv('assessment_upload.csv', ['Question No,Topic,Max Mark', ...twelve]));
  await seen(upload.getByText('1–10 of 12'));
  await expect.poll(() => upload.getByRole('row').count()).toBe(11);
  await button('Save questions', upload).click();
  const uploaded = await noticeOf(page, 'Data uploaded successfully!');
  await seen(page.getByText('12 questions, 36 marks'));
  await button('Undo', uploaded).click();
  await seen(page.getByText('No questions yet. Upload a CSV file of them', { exact: false }));
  await button('Upload questions').click();
  await file.setInputFiles(csv('assessment_upload.csv', ['Question No,Topic,Max Mark', ...twelve]));
  await button('Save questions', upload).click();
  await seen(page.getByText('12 questions, 36 marks'));

  await button('Edit questions').click();
  const edit = page.getByRole('dialog', { name: 'Questions of Autumn test' });
  const marks = edit.getByLabel('Marks of question 1', { exact: true });
  await marks.fill('2.5');
  await seen(edit.getByText('The value must be an integer number'));
  await marks.fill('0');
  await seen(edit.getByText('The value must be greater than zero'));
  await expect.poll(() => button('Save', edit).isDisabled()).toBe(true);
  await marks.fill('5');
  const addQuestion = button('Add question', edit);
  await edit.getByLabel('Topic of a new question').fill('Vectors');
  await expect.poll(() => addQuestion.isDisabled()).toBe(true);
  await edit.getByLabel('Its marks').fill('4');
  await addQuestion.click();
  // By keyboard, and by dragging: both put it before the one above.
  await pressEnter(button('Move question 13 up', edit));
  await seen(edit.getByText('Question 13 is question 12 now.'));
  const handle = edit.getByLabel('Drag question 2', { exact: true });
  const [from, to] = [await handle.boundingBox(), await edit.getByLabel('Drag question 1', { exact: true }).boundingBox()];
  if (!from || !to) throw new Error('the questions are not shown');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y + 2, { steps: 8 });
  // Drop only when the page has noticed that the pointer is over another question.
  await page.getByText(/^Draggable item (\S+) was moved over droppable area (?!\1\.)/).waitFor({ state: 'attached' });
  await page.mouse.up();
  await seen(edit.getByText('Question 2 is question 1 now.'));
  await expect.poll(() => edit.getByLabel('Topic of question 1', { exact: true }).inputValue()).toBe('Topic 2');
  await button('Delete question 3', edit).click();
  // What is typed and not added yet is saved with it, once it is complete.
  await edit.getByLabel('Topic of a new question').fill('Venn diagrams');
  await button('Save', edit).click();
  await seen(edit.getByText('The new question is not complete.'));
  await edit.getByLabel('Its marks').fill('3');
  await button('Save', edit).click();
  await seen(page.getByText('13 questions, 42 marks'));

  await page.getByRole('switch', { name: 'Students can see it and enter feedback' }).click();
  await seen(page.getByText(/13 questions, 42 marks · shown to students/));
  await button('Rename').click();
  await page.getByLabel('Assessment name').fill('Written examination');
  await button('Save').click();
  await seen(page.getByText('Assessment name needs to be unique'));
  await page.getByLabel('Assessment name').fill('Winter test');
  await button('Save').click();
  await seen(button(/^Winter test/));
  await button('Delete').click();
  await seen(page.getByText('With it go 13 questions: hidden, not lost. Undo brings everything back.'));
  await button('Delete', page.getByRole('dialog')).click();
  await undo(page, 'Winter test deleted.', button(/^Winter test/));
  await seen(button(/^Winter test/));
});

test('a question that somebody has marks for cannot be worth less, and is not overwritten unseen', async () => {
  await page.goto('/admin/assessments');
  await button(/^Written examination/).click();
  await button('Edit questions').click();
  const edit = page.getByRole('dialog', { name: 'Questions of Written examination' });
  const other = await marktrail.person('admin@demo.example', { at: '/admin/assessments' });
  await button(/^Written examination/, other).click();
  await button('Edit questions', other).click();
  await edit.getByLabel('Topic of question 2', { exact: true }).fill('My topic');
  const theirs = other.getByRole('dialog', { name: 'Questions of Written examination' });
  await theirs.getByLabel('Topic of question 1', { exact: true }).fill('Their topic');
  await button('Save', theirs).click();
  await seen(other.getByText('Submitted successfully!'));

  await seen(edit.getByText('Somebody else has changed this meanwhile.'));
  await expect.poll(() => edit.getByLabel('Topic of question 2', { exact: true }).inputValue()).toBe('My topic');
  await button('Show what it says now', edit).click();
  await expect.poll(() => edit.getByLabel('Topic of question 1', { exact: true }).inputValue()).toBe('Their topic');
  // Nobody has a mark for them, and nothing is mapped to them: they go without being asked about.
  for (const number of [2, 1]) await button(`Delete question ${number}`, edit).click();
  await button('Save', edit).click();
  await seen(edit.getByText('There are marks above the new maximum: correct them first.'));
  await seen(edit.getByText(/for the total is above the maximum of/).first());
});

test('a file of students is checked, its sets are made, it is committed and undone', async () => {
  await page.goto('/admin/upload_students');
  const file = page.locator('input[type=file]');
  const header = 'StudentID,Name,Set,DoB';
  for (const [lines, message] of [
    [['StudentID,Set,Name,DoB', '1,11X1,Ann,'], 'The upload file is invalid. Please check you have uploaded using the correct template.'],
    [
      [header, 'a1,Ann,11X1,', 'A1,Ben,11X1,'],
      'Duplicate Student IDs are present in your upload file. Each student must be assigned a unique ID.',
    ],
    [[header, '1,,11X1,', '2,Ben,,'], 'Blank rows were found in the following columns: Name, Set'],
    [[header, '1,Ann,11X1,31/02/2009'], 'Check date input column. Should be of the form DD/MM/YYYY'],
  ] as const) {
    await file.setInputFiles(csv('bad.csv', lines));
    await seen(page.getByText(message));
    await seen(page.getByText('or drop it here'));
  }

  const [, ...rows] = readFileSync(new URL('../../data/mathexam/student_upload.csv', import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/);
  const next = rows.slice(20).map((row) => row.replace(/,11(X|Y)/, ',12$1'));
  next[0] = next[0]?.replace(/"[^"]*"/, '"Another, Name"') ?? '';
  await file.setInputFiles(csv('next_year.csv', [header, ...next]));
  await seen(page.getByText('First choose or make the sets that are not known.'));
  await expect.poll(() => button('Commit to Database').isDisabled()).toBe(true);
  const year = page.getByLabel('Year group', { exact: true });
  await expect.poll(() => year.inputValue()).toBe('12');
  await year.fill('0');
  await seen(page.getByText('The value must be greater than zero').first());
  await expect.poll(() => button('Make 26 sets').isDisabled()).toBe(true);
  await year.fill('12');
  // One that is not where its name says.
  const own = page.getByLabel('Year group of 12X2', { exact: true });
  await own.fill('99');
  await seen(page.getByText('Year 99 is kept for Off-Roll'));
  await expect.poll(() => button('Make 26 sets').isDisabled()).toBe(true);
  await own.fill('13');
  await button('Make 26 sets').click();
  await seen(page.getByText('26 sets made in years 12 and 13.'));

  await seen(page.getByText('First decide about the names and dates of birth that differ.'));
  await seen(page.getByText('1 known with another name or date of birth'));
  await page.getByRole('radio', { name: /^Another, Name/ }).check();
  await page.getByLabel('2. Move them to Off-Roll').check();
  await seen(page.getByText('0 new · 709 moved · 1 corrected · 20 to Off-Roll · 0 removed'));
  await button('View import data').click();
  const dialog = page.getByRole('dialog', { name: 'Import data' });
  await seen(dialog.getByText('1–50 of 729'));
  await expect.poll(() => dialog.getByRole('row').count()).toBe(51);
  await dialog.getByLabel('Which students').selectOption('off-roll');
  await seen(dialog.getByText('1–20 of 20'));
  await button('Close', dialog).click();

  await button('Commit to Database').click();
  await button('Move 20 students', page.getByRole('dialog', { name: 'Move 20 students to Off-Roll?' })).click();
  const committed = await noticeOf(page, 'Data Uploaded Successfully');
  const summary = page.getByText(/^709 student\(s\) on import file successfully uploaded: 0 new, 709 moved, 1 with another name/);
  await seen(summary.filter({ hasText: '0 kept in their current groups, 20 moved off-roll, 0 permanently removed.' }));
  await button('Undo', committed).click();
  await seen(page.getByText('The import was undone: 729 students put back.'));

  await file.setInputFiles(csv('one.csv', [header, 'Q-1,"Somebody, Else",11X1,']));
  await seen(page.getByText('1 new · 0 moved · 0 corrected · 0 to Off-Roll · 0 removed'));
  await button('Clear All').click();
  // What Off-Roll was exported as takes the student off roll again.
  await file.setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(leavers) });
  await seen(page.getByText('0 new · 0 moved · 0 corrected · 1 to Off-Roll · 0 removed'));
  await expect.poll(() => page.getByLabel('Set for Off-Roll').inputValue()).toBe('Off-Roll');
  await button('View import data').click();
  await seen(dialog.getByText(/^From 11X1 to Off-Roll$/));
  await button('Close', dialog).click();
  await button('Commit to Database').click();
  await seen(page.getByText(/^1 student\(s\) on import file successfully uploaded: 0 new, 0 moved, 1 taken off roll, /));
  await file.setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(leavers) });
  await seen(page.getByText('Everything in this file is stored already.'));
  await button('Clear All').click();
  await page.getByText('1 new · 0 moved').waitFor({ state: 'detached' });
});

test('an import that removes many asks for their number, and one that is decided is not left without a question', async () => {
  const [{ studentId, subjectId } = {}] = (await (
    await page.request.get(`/api/rest/students?filter=${encodeURIComponent(JSON.stringify({ admissionNo: 'M0003' }))}`)
  ).json()) as { studentId?: string; subjectId?: string }[];
  const offRoll = { subjectId, changes: [{ studentId, place: 'off-roll' }] };
  expect((await page.request.post('/api/commands/ChangeStudents', { data: offRoll })).status()).toBe(200);
  await page.goto('/admin/upload_students');
  await page
    .locator('input[type=file]')
    .setInputFiles(csv('one.csv', ['StudentID,Name,Set,DoB', 'M0001,"Edwards, Sophie",11X1,02/08/2010']));
  const left = Number.parseInt(await page.getByText(/^\d+ students of this subject/).innerText(), 10);
  await page.getByLabel('3. Permanently remove').check();
  const commit = button('Commit to Database');
  await seen(page.getByText(`0 to Off-Roll · ${left} removed`));
  const away = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'School Structure' });
  await away.click();
  await whenAsked(page, 'Stay here');
  await seen(page.getByRole('heading', { name: 'Bulk Upload' }));

  // Somebody whom Off-Roll has already is not counted.
  await commit.click();
  const asked = await page.getByRole('dialog', { name: /^Remove \d+ students\?$/ }).innerText();
  const number = Number(/\d+/.exec(asked)?.[0]);
  expect(number).toBeLessThan(left);
  const dialog = page.getByRole('dialog', { name: `Remove ${number} students?` });
  const remove = button(`Remove ${number} students`, dialog);
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(`Type ${number} to remove them`).fill(String(number - 1));
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(`Type ${number} to remove them`).fill(String(number));
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/import-removes-${width}.png` });
  }
  await remove.click();
  const committed = await noticeOf(page, 'Data Uploaded Successfully');
  await seen(page.getByText(new RegExp(`, ${left} permanently removed\\.$`)));
  await button('Undo', committed).click();
  await seen(page.getByText(`The import was undone: ${left} students put back.`));
  // Nothing is decided any more.
  await away.click();
  await page.waitForURL('**/admin/subjects');
});
