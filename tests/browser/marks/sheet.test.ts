import type { Locator, Page } from 'playwright-core';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CellHistory } from '../../../api/marks/marks.contract.ts';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { signInByCall } from '../profiles.ts';
import { cellOf, marksOfData, openSheet, paste, placeOf, sheetOf, saved } from '../sheet.ts';

const marktrail = marktrailInBrowser();

/** With PICTURES=folder: what is shown, in the sizes and themes to look at. */
const pictures = async (page: Page, name: string): Promise<void> => {
  if (!process.env['PICTURES']) return;
  for (const width of [390, 768, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      // oxlint-disable no-await-in-loop -- one page
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env['PICTURES']}/${name}-${width}-${colorScheme}.png` });
      // oxlint-enable no-await-in-loop
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: null });
};

const marksIn = ({ students }: Sheet) => students.map(({ admissionNo, cells }) => [admissionNo, cells.map((cell) => cell?.value ?? null)]);

test('who of a class has submitted marks shows by itself, the others are reminded, and staff let one submit again', async () => {
  const [page, student] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/teacher?year=11&set=11X1', permissions: ['clipboard-read', 'clipboard-write'] }),
    marktrail.caller('student1@demo.example'),
  ]);
  const { students, questions, testId, name } = await sheetOf(page, '11X1');
  await pressEnter(page.getByRole('button', { name: `Submission tracker of ${name}` }));
  const dialog = page.getByRole('dialog', { name: 'Student Submission Tracker' });
  const counts = dialog.getByRole('status').filter({ hasText: 'incomplete' });
  await expect.poll(() => counts.textContent()).toBe(`${students.length} incomplete0 by student0 by staff`);
  await pictures(page, 'tracker');

  // Staff enter another total than the one that the student submits.
  const marks = questions.map(({ questionId }, at) => ({ questionId, mark: at === 0 ? 1 : 0 }));
  const { subjectId } = await placeOf(page, '11X1');
  const studentId = students.find((one) => one.name === 'Edwards, Sophie')?.studentId;
  const entered = { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId, testId, is: 20 }] };
  expect((await page.request.post('/api/commands/EnterMarks', { data: entered, headers: { Origin: marktrail.url() } })).status()).toBe(200);
  const submit = () => student.post('/api/commands/SubmitFeedback', { data: { testId, marks } });
  expect((await submit()).status()).toBe(200);
  await dialog.getByText(/^1, teacher’s total 20: they differ/).waitFor();
  expect(await counts.textContent()).toBe(`${students.length - 1} incomplete1 by student0 by staff`);
  expect(await brokenRules(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await dialog.getByText('The link is copied: send it to the class.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${marktrail.url()}/student/submit?test=${testId}`);
  await dialog.getByRole('button', { name: 'Show QR code' }).click();
  await dialog.getByRole('img', { name: /^QR code of the page where students submit/ }).waitFor();

  await pressEnter(dialog.getByRole('button', { name: 'Reopen the marks of Edwards, Sophie' }));
  await pictures(page, 'tracker-reopen');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^opened again /).waitFor();
  expect(await counts.textContent()).toBe(`${students.length} incomplete0 by student0 by staff`);
  expect((await submit()).status()).toBe(200);
  await dialog.getByRole('region', { name: 'Submitted by student: 1' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(`Submission tracker of ${name}`);
});

test('what is pasted over a student’s own marks is the teacher’s too, and taken back it is the student’s alone again', async () => {
  // Sophie has submitted hers.
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const row = (await sheetOf(page, '11X1')).students.findIndex(({ cells }) => cells.some((cell) => cell?.source === 'student'));
  const own = async () => (await sheetOf(page, '11X1')).students[row];
  const name = (await own())?.name ?? '';
  const marks = (await own())?.cells.map((cell) => cell?.value ?? 0) ?? [];
  expect([row >= 0, (await own())?.marks.count]).toEqual([true, 0]);

  await openSheet(page, '11X1');
  await cellOf(page, name, 1).click();
  await paste(page, `${marks.join('\t')}\n`);
  await page.getByText(`${marks.length} stored, ${marks.length} of them as the students had entered them.`).waitFor();
  expect((await own())?.cells.map((cell) => cell?.source)).toEqual(marks.map(() => 'staff'));
  // Elsewhere by then: the cursor comes back to what is taken back.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+z');
  await page.getByText(`${marks.length} cells taken back.`).waitFor();
  expect((await own())?.cells.map((cell) => [cell?.source, cell?.value])).toEqual(marks.map((mark) => ['student', mark]));
  await hasFocus(cellOf(page, name, 1).getByRole('textbox'));
});

test('one class is typed and another pasted, and both read back as they are in the data', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const marks = marksOfData();
  const wanted = ({ students, questions }: Sheet) =>
    students.map(({ admissionNo }) => [admissionNo, questions.map((_, at) => Number(marks.get(admissionNo ?? '')?.[at]))]);

  const before = await sheetOf(page, '11X1');
  await openSheet(page, '11X1');
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/empty-1440.png` });
  await page.locator('[data-row="0"][data-column="0"]').click();
  // A key for each mark, and none besides.
  const keys = wanted(before)
    .flatMap(([, row]) => row as readonly number[])
    .join('');
  expect(keys).toHaveLength(before.students.length * before.questions.length);
  await page.keyboard.type(keys);
  await page.getByText(`${before.students.length} of ${before.students.length} students complete`).waitFor();
  await saved(page);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Submitted successfully!').waitFor();
  expect(marksIn(await sheetOf(page, '11X1'))).toEqual(wanted(before));
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/typed-1440.png` });
  expect(await brokenRules(page)).toEqual([]);

  // Another class, copied from a spreadsheet with its heading and names, in the order of their ids.
  await page.getByLabel('Select Class').selectOption({ label: '11X2' });
  await page.getByText('Submitted successfully!').waitFor({ state: 'detached' });
  const other = await sheetOf(page, '11X2');
  await page.getByRole('row', { name: new RegExp(`^${other.students[0]?.name}`) }).waitFor();
  await page.locator('[data-row="0"][data-column="0"]').click();
  const rows = other.students.toSorted((a, b) => ((a.admissionNo ?? '') < (b.admissionNo ?? '') ? -1 : 1));
  const heading = ['StudentID', 'LastFirst', ...other.questions.map(({ number }) => `Q${number}`)];
  const copied = [
    heading,
    ...rows.map(({ admissionNo, name }) => [admissionNo, name, ...(marks.get(admissionNo ?? '') ?? []).slice(0, other.questions.length)]),
  ];
  await paste(page, copied.map((row) => `${row.join('\t')}\r\n`).join(''));
  const count = other.students.length * other.questions.length;
  await page.getByText(`${count} stored. Rows were matched by name.`).waitFor();
  await expect.poll(async () => marksIn(await sheetOf(page, '11X2'))).toEqual(wanted(other));
  // One step back, and it is as it was.
  await page.keyboard.press('Control+z');
  await expect.poll(async () => marksIn(await sheetOf(page, '11X2'))).toEqual(marksIn(other));
});

test('what is no mark stays visible with its reason and is not stored; the rest is', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const [first = '', second = ''] = students.map(({ name }) => name ?? '');
  const max = questions[0]?.max ?? 0;
  await cellOf(page, first, 1).click();
  await paste(page, `${max + 1}\t12.5\tx\n1\t\t1\n`);
  await page.getByText(/^2 of 5 stored, 3 refused/).waitFor();
  // Each with its reason, which leads to its cell.
  await page.getByRole('button', { name: '3 marks to correct' }).click();
  await page.getByRole('button', { name: `${first}: ${max + 1} for Q1 is above the maximum of ${max}` }).waitFor();
  await page.getByRole('button', { name: `${first}, Q2: 12.5. Value must be an integer` }).click();
  await hasFocus(cellOf(page, first, 2).getByRole('textbox'));
  await expect
    .poll(async () =>
      (await sheetOf(page, '11X3')).students.slice(0, 2).map(({ cells }) => cells.slice(0, 3).map((cell) => cell?.value ?? null)),
    )
    .toEqual([
      [null, null, null],
      [1, null, 1],
    ]);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/wrong-1440.png` });

  // Blanks in rows that hold marks are offered as 0: one save, one step back.
  await page.getByRole('button', { name: /^Enter 0 for the \d+ blanks$/ }).click();
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.marks).toEqual({ sum: 2, count: questions.length });
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.marks).toEqual({ sum: 2, count: 2 });

  // The day on which it was sat, folded away behind the day of its first mark.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByText(/^Sat on .*, the day of the first mark$/).waitFor();
  await page.getByRole('button', { name: 'Change the date' }).click();
  await page.getByLabel('Date sat').fill('2026-01-10');
  await page.keyboard.press('Enter');
  await page.getByText('Sat on 10/01/2026', { exact: true }).waitFor();
  // It stays there for the keyboard, whatever folds away.
  const change = page.getByRole('button', { name: 'Change the date' });
  await hasFocus(change);
  await page.keyboard.press('Enter');
  await hasFocus(page.getByLabel('Date sat'));
  await pressEnter(page.getByRole('button', { name: 'Cancel' }));
  await hasFocus(change);
  await pressEnter(page.getByRole('button', { name: 'Undo' }).last());
  await page.getByText(/^Sat on .*, the day of the first mark$/).waitFor();
  // While it is being sent nothing there can have the focus, and the line may be faster than the answer.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^(Change the date|Undo)$/);
  await page.keyboard.press('Escape');

  // Absent and exempt are of the student, and taken back by the same key.
  await cellOf(page, second, 2).click();
  await page.keyboard.press('a');
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.attendance.value).toBe('absent');
  await page.keyboard.press('a');
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.attendance.value).toBe('sat');
});

test('two people type into one class at once: every mark survives, and where they disagree both are asked', async () => {
  const [teacher, leader] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/' }),
    marktrail.person('leader@demo.example', { at: '/' }),
  ]);
  await Promise.all([openSheet(teacher, '11X2'), openSheet(leader, '11X2')]);
  const { students } = await sheetOf(teacher, '11X2');
  const [first = '', second = '', third = ''] = students.map(({ name }) => name ?? '');
  const stored = async (row: number, column: number) => (await sheetOf(teacher, '11X2')).students[row]?.cells[column];

  // In other cells: each sees what the other has entered.
  await cellOf(teacher, first, 1).click();
  await teacher.keyboard.type('1');
  await cellOf(leader, second, 1).click();
  await leader.keyboard.type('2');
  await cellOf(teacher, second, 1).getByText(/^2/).waitFor();
  await teacher.locator('td[data-new]').first().waitFor();
  await teacher.getByText(/ changed 1 cell just now$/).waitFor();

  // In one cell, of which the leader's page could not know.
  await leader.context().setOffline(true);
  await cellOf(leader, first, 2).click();
  await leader.keyboard.type('2');
  await leader.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await cellOf(teacher, first, 2).click();
  await teacher.keyboard.type('0');
  await expect.poll(async () => (await stored(0, 1))?.value).toBe(0);
  await leader.context().setOffline(false);
  await expect.poll(async () => (await stored(0, 1))?.values).toEqual([0, 2]);
  for (const page of [teacher, leader]) await page.getByRole('button', { name: '1 cell with several values' }).waitFor();
  // Whoever has colours of their own, as of Windows' high contrast, sees what has become of a cell as well.
  await teacher.emulateMedia({ forcedColors: 'active' });
  await cellOf(teacher, second, 3).click();
  await teacher.keyboard.press('Shift+ArrowDown');
  expect([
    await isSeen(cellOf(teacher, first, 1), 'data-status'),
    await isSeen(cellOf(teacher, first, 2), 'data-contested'),
    await isSeen(cellOf(teacher, third, 3), 'aria-selected'),
  ]).toEqual([true, true, true]);
  await leader.getByRole('button', { name: '1 cell with several values' }).click();
  await leader.getByRole('button', { name: 'Use 2' }).click();
  for (const page of [teacher, leader])
    await page.getByRole('button', { name: '1 cell with several values' }).waitFor({ state: 'detached' });
  expect(await stored(0, 1)).toEqual({ value: 2, source: 'staff' });

  // Absent says one, exempt the other, and neither has seen it.
  const { subjectId, testId } = await placeOf(teacher, '11X2');
  const away = { studentId: students[1]?.studentId, testId, attendance: true, was: [] };
  await Promise.all(
    [[teacher, 'absent'] as const, [leader, 'exempt'] as const].map(([page, is]) =>
      page.request.post('/api/commands/EnterMarks', { data: { entryId: randomUUID(), subjectId, seq: 1, cells: [{ ...away, is }] } }),
    ),
  );
  for (const page of [teacher, leader]) {
    await page.getByRole('rowheader', { name: `${second} ?` }).waitFor();
    await page.getByRole('button', { name: '1 cell with several values' }).click();
    await page.getByText('Which attendance counts?').waitFor();
  }
  if (process.env['PICTURES']) await teacher.screenshot({ path: `${process.env['PICTURES']}/attendance-1440.png` });
  await teacher.getByRole('button', { name: 'Use exempt' }).click();
  for (const page of [teacher, leader]) {
    await page.getByText('Which attendance counts?').waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: `${second} E` }).waitFor();
  }
});

/** Whether this attribute makes a difference to the eye. */
const isSeen = async (cell: Locator, attribute: string): Promise<boolean> => {
  const value = (await cell.getAttribute(attribute)) ?? '';
  const shown = await cell.screenshot();
  await cell.evaluate((one, name) => one.removeAttribute(name), attribute);
  const without = await cell.screenshot();
  await cell.evaluate((one, [name, was]) => one.setAttribute(name, was), [attribute, value] as const);
  return !shown.equals(without);
};

test('what is typed without a network outlasts the page, is said on every page, and is stored once', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await openSheet(page, '11X3');
  const { subjectId, testId } = await placeOf(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const name = students[4]?.name ?? '';
  const changes = async (question: number): Promise<number> => {
    const ask = `testId=${testId}&studentId=${students[4]?.studentId}&questionId=${questions[question - 1]?.questionId}`;
    return ((await (await page.request.get(`/api/queries/cell?${ask}`)).json()) as CellHistory).changes.length;
  };
  // The server stores, and its answer is lost; then nothing arrives.
  let lost = 0;
  await page.route('**/api/commands/EnterMarks', async (route) => {
    if (lost++ === 0) await route.fetch();
    await route.abort();
  });
  await cellOf(page, name, 1).click();
  await page.keyboard.type('1');
  await expect.poll(() => changes(1)).toBe(1);
  await cellOf(page, name, 2).click();
  await page.keyboard.type('2');
  await page.getByText('2 marks wait on this device until the server can be reached.').waitFor();
  await page.goto(`/leader?year=11&set=11X3`);
  await page.getByText('2 marks for 11X3, Written examination wait on this device.').waitFor();
  for (const at of ['/profile', '/admin']) {
    // oxlint-disable no-await-in-loop -- one page
    await page.goto(at);
    await page.getByText('2 marks wait on this device. What is not stored by itself says why on the pages of your classes.').waitFor();
    await pictures(page, `waiting${at.replace('/', '-')}`);
    // oxlint-enable no-await-in-loop
  }
  expect(await brokenRules(page)).toEqual([]);
  // It goes from here as well, by itself: what is refused as long as its subject is removed, as soon as that is back.
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
  const heard = page.waitForResponse((answer) => answer.url().includes('/api/queries/me'));
  expect((await page.request.post('/api/commands/RemoveSubject', { data: { subjectId } })).status()).toBe(200);
  await heard;
  const refused = page.waitForResponse(
    (answer) => answer.url().endsWith('/EnterMarks') && !answer.ok() && answer.request().postData()!.includes('"is":2'),
  );
  await page.unroute('**/api/commands/EnterMarks');
  await refused;
  expect((await page.request.post('/api/commands/RestoreSubject', { data: { subjectId } })).status()).toBe(200);
  await expect.poll(() => changes(2)).toBe(1);
  await page.getByText(/waits? on this device/).waitFor({ state: 'detached' });
  expect([await changes(1), await changes(2)]).toEqual([1, 1]);
  expect((await sheetOf(page, '11X3')).students[4]?.marks).toEqual({ sum: 3, count: 2 });
});

/** How often a mark of a student was changed, as the log tells. */
const changesOf = async (page: Page, set: string, row: number, question: number): Promise<CellHistory['changes']> => {
  const { testId, students, questions } = await sheetOf(page, set);
  const ask = `testId=${testId}&studentId=${students[row]?.studentId}&questionId=${questions[question - 1]?.questionId}`;
  return ((await (await page.request.get(`/api/queries/cell?${ask}`)).json()) as CellHistory).changes;
};

test('a browser that keeps nothing says so at once, and what is typed and pasted is stored all the same', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
  });
  await openSheet(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const [name = '', other = ''] = [students[7]?.name, students[8]?.name].map((one) => one ?? '');
  await cellOf(page, name, 1).click();
  await page.keyboard.type('1');
  await page.getByText('This browser keeps nothing for later.', { exact: true }).waitFor();
  await expect.poll(async () => (await changesOf(page, '11X3', 7, 1)).map(({ is }) => is)).toEqual([1]);

  // More than there is room for, and of somebody who is not in the class: what fits is taken, the rest is named.
  await cellOf(page, name, questions.length).click();
  await paste(page, `0\t1\t1\n`);
  await page.getByText('1 of 3 taken, 2 lie outside the table.').waitFor();
  await cellOf(page, other, 1).click();
  await paste(page, `${other}\t1\nNobody, Ned\t1\n`);
  await page.getByText('1 of 2 taken, 1 of nobody in this class (Nobody, Ned). Rows were matched by name.').waitFor();
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[8]?.cells[0]?.value).toBe(1);
  await page.getByText('This browser keeps nothing for later.', { exact: true }).waitFor({ state: 'detached' });
});

test('two tabs, a session that ends, another person on the device: each mark is stored once, by whoever typed it', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const { students } = await sheetOf(page, '11X3');
  const name = students[10]?.name ?? '';
  const tab = await page.context().newPage();
  await Promise.all([openSheet(page, '11X3'), openSheet(tab, '11X3')]);
  for (const [one, question] of [
    [page, 1],
    [tab, 5],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one after the other
    await cellOf(one, name, question).click();
    await one.keyboard.type('1');
    // oxlint-enable no-await-in-loop
  }
  await cellOf(page, name, 5).getByText(/^1/).waitFor();
  await cellOf(tab, name, 1).getByText(/^1/).waitFor();
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[10]?.marks).toEqual({ sum: 2, count: 2 });
  await tab.close();

  // The session ends while the teacher types.
  const ended = Promise.withResolvers<void>();
  await page.route('**/api/commands/EnterMarks', async (route) => {
    await ended.promise;
    await route.continue();
  });
  await cellOf(page, name, 3).click();
  await page.keyboard.type('1');
  await page.context().clearCookies({ name: /session/ });
  ended.resolve();
  await page.getByRole('dialog').getByLabel('Password').fill('marktrail-demo');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[10]?.marks).toEqual({ sum: 3, count: 3 });
  await page.unroute('**/api/commands/EnterMarks');
  expect((await changesOf(page, '11X3', 10, 3)).map(({ is }) => is)).toEqual([1]);

  // The teacher types without a network; somebody else logs in on the device, and then the teacher again.
  await page.route('**/api/commands/EnterMarks', (route) => route.abort());
  await cellOf(page, name, 4).click();
  await page.keyboard.type('1');
  await page.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await page.goto('/testing');
  await page.unroute('**/api/commands/EnterMarks');
  await signInByCall(page.request, marktrail.url(), 'leader@demo.example');
  await openSheet(page, '11X3');
  await page.getByText('Live', { exact: true }).or(page.getByRole('grid')).first().waitFor();
  expect(await page.getByText(/waits? on this device/).count()).toBe(0);
  expect(await changesOf(page, '11X3', 10, 4)).toEqual([]);
  await page.goto('/testing');
  await signInByCall(page.request, marktrail.url(), 'teacher1@demo.example');
  await page.goto('/teacher');
  await expect.poll(async () => (await changesOf(page, '11X3', 10, 4)).map(({ is, by }) => [is, by])).toEqual([[1, 'Tom Hughes']]);
});
