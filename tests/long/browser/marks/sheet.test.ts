import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Sheet } from '../../../../api/marks/sheet.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, enter } from '../../../browser/calls.ts';
import { hasFocus, pressEnter } from '../../../browser/keyboard.ts';
import { isGone, reads } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { signInByCall } from '../../../browser/profiles.ts';
import { cellOf, changesOf, openSheet, paste, placeOf, saved, sheetOf, typeMark } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

const oneMark = ({ questions }: Sheet) => questions.map(({ questionId }, at) => ({ questionId, mark: at === 0 ? 1 : 0 }));

test('who of a class has submitted marks shows by itself, the others are reminded, and staff let one submit again', async () => {
  const [page, student] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1', permissions: ['clipboard-read', 'clipboard-write'] }),
    marktrail.caller('student1@demo.example'),
  ]);
  const sheet = await sheetOf(page, '11X1');
  const { students, testId, name } = sheet;
  await pressEnter(page.getByRole('button', { name: `Submission tracker of ${name}` }));
  const dialog = page.getByRole('dialog', { name: 'Student Submission Tracker' });
  const numbers = dialog.getByRole('status').filter({ hasText: 'incomplete' });
  await reads(numbers, `${students.length} incomplete0 by student0 by staff`);

  // Staff enter another total than the one that the student submits.
  const { subjectId } = await placeOf(page, '11X1');
  const studentId = students.find((one) => one.name === 'Edwards, Sophie')?.studentId;
  await enter(page.request, subjectId, [{ studentId, testId, is: 20 }]);
  const submit = () => act(student, 'SubmitFeedback', { testId, marks: oneMark(sheet) });
  await submit();
  await dialog.getByText(/^1, teacher’s total 20: they differ/).waitFor();
  await reads(numbers, `${students.length - 1} incomplete1 by student0 by staff`);
  expect(await brokenRules(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await dialog.getByText('The link is copied: send it to the class.').waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${marktrail.url()}/student/submit?test=${testId}`);
  await dialog.getByRole('button', { name: 'Show QR code' }).click();
  await dialog.getByRole('img', { name: /^QR code of the page where students submit/ }).waitFor();

  await pressEnter(dialog.getByRole('button', { name: 'Reopen the marks of Edwards, Sophie' }));
  await page.keyboard.press('Enter');
  await dialog.getByText(/^opened again /).waitFor();
  await reads(numbers, `${students.length} incomplete0 by student0 by staff`);
  await submit();
  await dialog.getByRole('region', { name: 'Submitted by student: 1' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: `Submission tracker of ${name}` }));
});

test('blanks are offered as 0, which one step takes back; the day on which it was sat is changed and undone by keyboard', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const marks = async () => (await sheetOf(page, '11X3')).students[1]?.marks;
  await cellOf(page, students[1]?.name ?? '', 1).click();
  await paste(page, '1\t\t1\n');
  await page.getByText('2 stored.').waitFor();
  await page.getByRole('button', { name: /^Enter 0 for the \d+ blanks$/ }).click();
  await page.getByText(`1 of ${students.length} students complete`).waitFor();
  await saved(page);
  expect(await marks()).toEqual({ sum: 2, count: questions.length });
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page.getByText(/ cells taken back\.$/).waitFor();
  expect(await marks()).toEqual({ sum: 2, count: 2 });

  // Folded away behind the day of its first mark.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByText(/^Sat on .*, the day of the first mark$/).waitFor();
  const change = page.getByRole('button', { name: 'Change the date' });
  await change.click();
  await page.getByLabel('Date sat').fill('2026-01-10');
  await page.keyboard.press('Enter');
  await page.getByText('Sat on 10/01/2026', { exact: true }).waitFor();
  // It stays there for the keyboard, whatever folds away.
  await hasFocus(change);
  await page.keyboard.press('Enter');
  await hasFocus(page.getByLabel('Date sat'));
  await pressEnter(page.getByRole('button', { name: 'Cancel' }));
  await hasFocus(change);
  await pressEnter(page.getByRole('button', { name: 'Undo' }).last());
  await page.getByText(/^Sat on .*, the day of the first mark$/).waitFor();
  // While it is being sent nothing there can have the focus, and the line may be faster than the answer.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^(Change the date|Undo)$/);
});

test('what has become of a cell shows in colours of one’s own too; of two who say absent and exempt both are asked', async () => {
  const [teacher, leader] = await Promise.all([marktrail.signedIn('teacher1@demo.example'), marktrail.signedIn('leader@demo.example')]);
  await Promise.all([openSheet(teacher, '11X2'), openSheet(leader, '11X2')]);
  const { subjectId, testId } = await placeOf(teacher, '11X2');
  const { students, questions } = await sheetOf(teacher, '11X2');
  const [first = '', second = '', third = ''] = students.map(({ name }) => name ?? '');
  await typeMark(teacher, first, 1, 1);
  for (const [page, is] of [
    [teacher, 0],
    [leader, 2],
  ] as const)
    await enter(page.request, subjectId, [
      { studentId: students[0]?.studentId, testId, questionId: questions[1]?.questionId, is, was: [] },
    ]);
  const contested = (page: Page) => page.getByRole('button', { name: '1 cell with several values' });
  for (const page of [teacher, leader]) await contested(page).waitFor();
  // As of Windows' high contrast.
  await teacher.emulateMedia({ forcedColors: 'active' });
  await cellOf(teacher, second, 3).click();
  await teacher.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => isSeen(cellOf(teacher, first, 1), 'data-status')).toBe(true);
  await expect.poll(() => isSeen(cellOf(teacher, first, 2), 'data-contested')).toBe(true);
  await expect.poll(() => isSeen(cellOf(teacher, third, 3), 'aria-selected')).toBe(true);
  await contested(leader).click();
  await leader.getByRole('button', { name: 'Use 2' }).click();
  for (const page of [teacher, leader]) await isGone(contested(page));

  const away = { studentId: students[1]?.studentId, testId, attendance: true, was: [] };
  await Promise.all([
    enter(teacher.request, subjectId, [{ ...away, is: 'absent' }]),
    enter(leader.request, subjectId, [{ ...away, is: 'exempt' }]),
  ]);
  for (const page of [teacher, leader]) {
    await page.getByRole('rowheader', { name: `${second} ?` }).waitFor();
    await contested(page).click();
    await page.getByText('Which attendance counts?').waitFor();
  }
  await teacher.getByRole('button', { name: 'Use exempt' }).click();
  for (const page of [teacher, leader]) {
    await page.getByText('Which attendance counts?').waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: `${second} E` }).waitFor();
  }
});

/** Whether this attribute makes a difference to the eye. */
const isSeen = async (cell: Locator, attribute: string): Promise<boolean> => {
  const value = await cell.getAttribute(attribute);
  if (value === null) return false;
  const shown = await cell.screenshot();
  await cell.evaluate((one, name) => one.removeAttribute(name), attribute);
  const without = await cell.screenshot();
  await cell.evaluate((one, [name, was]) => one.setAttribute(name, was), [attribute, value] as const);
  return !shown.equals(without);
};

test('a mark that waits goes from every page, also once the subject is back as which it was refused', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await openSheet(page, '11X3');
  const { subjectId } = await placeOf(page, '11X3');
  const sheet = await sheetOf(page, '11X3');
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await typeMark(page, sheet.students[4]?.name ?? '', 2, 2);
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  for (const at of ['/profile', '/admin']) {
    await page.goto(at);
    await page.getByText('1 mark waits on this device. The pages of your classes say why a mark is not stored by itself.').waitFor();
  }
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
  const heard = page.waitForResponse((answer) => answer.url().includes('/api/queries/me'));
  await act(page.request, 'RemoveSubject', { subjectId });
  await heard;
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/EnterMarks') && !answer.ok());
  await page.unroute('**/api/commands/EnterMarks');
  await refused;
  await act(page.request, 'RestoreSubject', { subjectId });
  await isGone(page.getByText(/waits? on this device/));
  expect((await changesOf(page, sheet, 4, 2)).map(({ is }) => is)).toEqual([2]);
});

test('two tabs, a session that ends, another person on the device: each mark is stored once, by whoever typed it', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const sheet = await sheetOf(page, '11X3');
  const name = sheet.students[10]?.name ?? '';
  const marks = async () => (await sheetOf(page, '11X3')).students[10]?.marks;
  const tab = await page.context().newPage();
  await Promise.all([openSheet(page, '11X3'), openSheet(tab, '11X3')]);
  await typeMark(page, name, 1, 1);
  await typeMark(tab, name, 5, 1);
  await cellOf(page, name, 5).getByText(/^1/).waitFor();
  await cellOf(tab, name, 1).getByText(/^1/).waitFor();
  // Either tab may have sent both, and the other then says nothing.
  await expect.poll(marks).toEqual({ sum: 2, count: 2 });
  await tab.close();

  // The session ends while the teacher types.
  const ended = Promise.withResolvers<void>();
  await page.route('**/api/commands/EnterMarks', async (route) => {
    await ended.promise;
    await route.continue();
  });
  await typeMark(page, name, 3, 1);
  await page.context().clearCookies({ name: /session/ });
  ended.resolve();
  await page.getByRole('dialog').getByLabel('Password').fill('marktrail-demo');
  await page.getByRole('button', { name: 'Login' }).click();
  await saved(page);
  expect(await marks()).toEqual({ sum: 3, count: 3 });
  expect((await changesOf(page, sheet, 10, 3)).map(({ is }) => is)).toEqual([1]);

  // The teacher types without a network; somebody else logs in on the device, and then the teacher again.
  await page.unroute('**/api/commands/EnterMarks');
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await typeMark(page, name, 4, 1);
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await page.goto('/testing');
  await page.unroute('**/api/commands/EnterMarks');
  await signInByCall(page.request, marktrail.url(), 'leader@demo.example');
  await openSheet(page, '11X3');
  // The other's own goes, after which what waits of the first would have been sent, too.
  await typeMark(page, sheet.students[11]?.name ?? '', 1, 1);
  await saved(page);
  await isGone(page.getByText(/waits? on this device/));
  expect(await changesOf(page, sheet, 10, 4)).toEqual([]);
  await page.goto('/testing');
  await signInByCall(page.request, marktrail.url(), 'teacher1@demo.example');
  await page.goto('/teacher');
  await expect.poll(async () => (await changesOf(page, sheet, 10, 4)).map(({ is, by }) => [is, by])).toEqual([[1, 'Tom Hughes']]);
  await isGone(page.getByText(/waits? on this device/));
});
