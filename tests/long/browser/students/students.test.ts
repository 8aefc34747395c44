import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { pressEnter } from '../../../browser/keyboard.ts';
import { counts, holds, isDisabled, isGone } from '../../../browser/looks.ts';
import { data, heldBack, noticeOf, marktrailInBrowser, undo, whenAsked } from '../../../browser/marktrail.ts';
import { downloaded } from '../../../browser/shared-browser.ts';

const marktrail = marktrailInBrowser();
let page: Page;
beforeEach(async () => {
  page = await marktrail.signedIn('admin@demo.example');
});

const seen = (what: Locator): Promise<void> => what.waitFor();
const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const csv = (name: string, lines: readonly string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });

type Student = { readonly studentId: string; readonly subjectId: string };

/** In Mathematics: most students are in Science as well. */
const studentOf = async (admissionNo: string): Promise<Student> => {
  const { subjects } = (await (await page.request.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = subjects.find(({ name }) => name === 'Mathematics')?.subjectId;
  const found = await page.request.get(`/api/rest/students?filter=${encodeURIComponent(JSON.stringify({ admissionNo, subjectId }))}`);
  const [student] = (await found.json()) as Student[];
  if (!student) throw new Error(`${admissionNo} is not in Mathematics`);
  return student;
};
/** The result of a command that must succeed. */
const done = async (command: string, sent: object): Promise<Readonly<Record<string, string>>> => {
  const answer = await page.request.post(`/api/commands/${command}`, { data: sent });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { result: Readonly<Record<string, string>> }).result;
};
/** As somebody else does it in the table of students. */
const moved = ({ studentId, subjectId }: Student, place: 'off-roll' | 'removed') =>
  done('ChangeStudents', { subjectId, changes: [{ studentId, place }] });

test('of two changes of a name each notice names its act; the older one is undone first, and neither name comes back', async () => {
  await page.goto('/admin/add_students');
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
  await holds(names.nth(0), 'Aa One');
  await names.nth(0).fill('Aa Two');
  await list.letGo();
  await seen(page.getByRole('textbox', { name: 'Name of Aa One' }));
  await button('Submit Changes (1)').waitFor();
  await isGone(page.getByText('Somebody else changed this student meanwhile'));
  const [stored] = await Promise.all([page.waitForResponse('**/api/commands/ChangeStudents'), pressEnter(button('Submit Changes (1)'))]);
  // One notice at a time: the older one is there again once the newer one is dismissed.
  await button('Dismiss', await noticeOf(page, 'Aa Two: name changed.')).click();
  await button('Undo', older).click();
  await seen(page.getByText('Undone: Aa One: name changed. 1 student was changed again since: that stays, and what was undone will not'));
  await holds(names.nth(0), 'Aa Two');
  const { subjectId: ofNewer } = stored.request().postDataJSON() as { subjectId: string };
  const { commandId: newer } = ((await stored.json()) as { result: { commandId: string } }).result;
  await page.request.post('/api/commands/UndoRosterChange', { data: { subjectId: ofNewer, commandId: newer } });
  await holds(names.nth(0), called);
});

test('whoever edits a student whom somebody else removes is told what cannot be submitted any more', async () => {
  await page.goto('/admin/add_students');
  await button(/^11X1,/).click();
  await seen(page.getByText(/^1–15 of \d+$/));
  const ids = page.getByRole('textbox', { name: /^Student ID of/ });
  const student = await studentOf(await ids.nth(0).inputValue());
  await ids.nth(0).fill('typed');
  const { commandId } = await moved(student, 'removed');
  await seen(page.getByText('What you changed cannot be submitted any more: typed,'));
  await button('Discard the change').click();
  await page.getByRole('button', { name: 'Submit Changes', exact: true }).waitFor();
  await page.request.post('/api/commands/UndoRosterChange', { data: { subjectId: student.subjectId, commandId } });
});

test('questions are dragged, deleted and completed; their assessment is renamed, deleted and restored', async () => {
  const { subjectId } = await studentOf('M0001');
  const { testId } = await done('CreateAssessment', { subjectId, name: 'Autumn test' });
  await done('UploadQuestions', {
    testId,
    questions: [1, 2, 3].map((number) => ({ number, topic: `Topic ${number}`, marksAvailable: 3 })),
  });
  await page.goto('/admin/assessments');
  await button(/^Autumn test/).click();
  await button('Edit questions').click();
  const edit = page.getByRole('dialog', { name: 'Questions of Autumn test' });
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
  await holds(edit.getByLabel('Topic of question 1', { exact: true }), 'Topic 2');
  await button('Delete question 3', edit).click();
  // What is typed and not added yet is saved with it, once it is complete.
  await edit.getByLabel('Topic of a new question').fill('Venn diagrams');
  await button('Save', edit).click();
  await seen(edit.getByText('The new question is not complete.'));
  await edit.getByLabel('Its marks').fill('4');
  await button('Save', edit).click();
  await seen(page.getByText('3 questions, 10 marks'));

  await button('Rename').click();
  await page.getByLabel('Assessment name').fill('Written examination');
  await button('Save').click();
  await seen(page.getByText('Assessment name needs to be unique'));
  await page.getByLabel('Assessment name').fill('Winter test');
  await button('Save').click();
  await seen(button(/^Winter test/));
  await button('Delete').click();
  await seen(page.getByText('With it go 3 questions: hidden, not lost. Undo brings everything back.'));
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
  await holds(edit.getByLabel('Topic of question 2', { exact: true }), 'My topic');
  await button('Show what it says now', edit).click();
  await holds(edit.getByLabel('Topic of question 1', { exact: true }), 'Their topic');
  // Nobody has a mark for them, and nothing is mapped to them: they go without being asked about.
  for (const number of [2, 1]) await button(`Delete question ${number}`, edit).click();
  await button('Save', edit).click();
  await seen(edit.getByText('There are marks above the new maximum: correct them first.'));
  await seen(edit.getByText(/for the total is above the maximum of/).first());
});

test('of a file of next year’s students sets are made in two years, one name is corrected, and what would be written is looked at first', async () => {
  await page.goto('/admin/upload_students');
  const file = page.locator('input[type=file]');
  const header = 'StudentID,Name,Set,DoB';
  const [, ...rows] = readFileSync(data('student_upload.csv'), 'utf8').trim().split(/\r?\n/);
  const next = rows.slice(20).map((row) => row.replace(/,11(X|Y)/, ',12$1'));
  next[0] = next[0]?.replace(/"[^"]*"/, '"Another, Name"') ?? '';
  await file.setInputFiles(csv('next_year.csv', [header, ...next]));
  await seen(page.getByText('First choose or make the sets that are not known.'));
  await isDisabled(button('Commit to Database'));
  await holds(page.getByLabel('Year group', { exact: true }), '12');
  // One that is not where its name says.
  const own = page.getByLabel('Year group of 12X2', { exact: true });
  await own.fill('99');
  await seen(page.getByText('Year 99 is kept for Off-Roll'));
  await isDisabled(button('Make 26 sets'));
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
  await counts(dialog.getByRole('row'), 51);
  await dialog.getByLabel('Which students').selectOption('off-roll');
  await seen(dialog.getByText('1–20 of 20'));
  await button('Close', dialog).click();

  await button('Commit to Database').click();
  await button('Move 20 students', page.getByRole('dialog', { name: 'Move 20 students to Off-Roll?' })).click();
  await seen(page.getByText(/^709 student\(s\) on import file successfully uploaded: 0 new, 709 moved, 1 with another name/));
  await button('Undo', await noticeOf(page, 'Data Uploaded Successfully')).click();
  await seen(page.getByText('The import was undone: 729 students put back.'));
});

test('what Off-Roll was exported as takes the student off roll again', async () => {
  const student = await studentOf('M0002');
  const { commandId } = await moved(student, 'off-roll');
  await page.goto('/admin/add_students');
  await pressEnter(button('Off-Roll'));
  await seen(page.getByText('1–1 of 1'));
  const [download] = await Promise.all([page.waitForEvent('download'), pressEnter(button('Export CSV'))]);
  const leavers = { name: 'students.csv', mimeType: 'text/csv', buffer: await downloaded(download) };
  await done('UndoRosterChange', { subjectId: student.subjectId, commandId });

  await page.goto('/admin/upload_students');
  const file = page.locator('input[type=file]');
  await file.setInputFiles(csv('one.csv', ['StudentID,Name,Set,DoB', 'Q-1,"Somebody, Else",11X1,']));
  await seen(page.getByText('1 new · 0 moved · 0 corrected · 0 to Off-Roll · 0 removed'));
  await button('Clear All').click();
  await file.setInputFiles(leavers);
  await seen(page.getByText('0 new · 0 moved · 0 corrected · 1 to Off-Roll · 0 removed'));
  await holds(page.getByLabel('Set for Off-Roll'), 'Off-Roll');
  await button('View import data').click();
  const dialog = page.getByRole('dialog', { name: 'Import data' });
  await seen(dialog.getByText(/^From 11X1 to Off-Roll$/));
  await button('Close', dialog).click();
  await button('Commit to Database').click();
  await seen(page.getByText(/^1 student\(s\) on import file successfully uploaded: 0 new, 0 moved, 1 taken off roll, /));
  await file.setInputFiles(leavers);
  await seen(page.getByText('Everything in this file is stored already.'));
});

test('an import that removes many asks for their number, and one that is decided is not left without a question', async () => {
  await moved(await studentOf('M0003'), 'off-roll');
  await page.goto('/admin/upload_students');
  await page
    .locator('input[type=file]')
    .setInputFiles(csv('one.csv', ['StudentID,Name,Set,DoB', 'M0001,"Edwards, Sophie",11X1,02/08/2010']));
  const others = page.getByText(/^\d+ students of this subject/);
  await seen(others);
  const left = Number.parseInt(await others.innerText(), 10);
  await page.getByLabel('3. Permanently remove').check();
  const commit = button('Commit to Database');
  await seen(page.getByText(`0 to Off-Roll · ${left} removed`));
  const away = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'School Structure' });
  await away.click();
  await whenAsked(page, 'Stay here');
  await seen(page.getByRole('heading', { name: 'Bulk Upload' }));

  // Somebody whom Off-Roll has already is not counted.
  await commit.click();
  const dialog = page.getByRole('dialog', { name: /^Remove \d+ students\?$/ });
  const number = Number(/\d+/.exec(await dialog.innerText())?.[0]);
  expect(number).toBeLessThan(left);
  const remove = button(`Remove ${number} students`, dialog);
  await isDisabled(remove);
  await dialog.getByLabel(`Type ${number} to remove them`).fill(String(number - 1));
  await isDisabled(remove);
  await dialog.getByLabel(`Type ${number} to remove them`).fill(String(number));
  await remove.click();
  const committed = await noticeOf(page, 'Data Uploaded Successfully');
  await seen(page.getByText(new RegExp(`, ${left} permanently removed\\.$`)));
  await button('Undo', committed).click();
  await seen(page.getByText(`The import was undone: ${left} students put back.`));
  // Nothing is decided any more.
  await away.click();
  await page.waitForURL('**/admin/subjects');
});
