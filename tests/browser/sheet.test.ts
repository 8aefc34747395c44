import { expect, test } from 'vitest';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import { brokenRules } from './axe.ts';
import { marktrailInBrowser } from './marktrail.ts';
import { cellOf, marksOfData, openSheet, paste, sheetOf } from './sheet.ts';

const marktrail = marktrailInBrowser();

const marksIn = ({ students }: Sheet) => students.map(({ admissionNo, cells }) => [admissionNo, cells.map((cell) => cell?.value ?? null)]);

test('one class is typed and another pasted, and both read back as they are in the data', async () => {
  const page = await marktrail.person('teacher1@demo.example');
  const marks = marksOfData();
  const wanted = ({ students, questions }: Sheet) =>
    students.map(({ admissionNo }) => [admissionNo, questions.map((_, at) => Number(marks.get(admissionNo ?? '')?.[at]))]);

  const before = await sheetOf(page, '11X1');
  await openSheet(page, '11X1');
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/empty-1440.png` });
  await page.locator('[data-row="0"][data-column="0"]').click();
  for (const [, row] of wanted(before))
    for (const mark of row as readonly number[]) {
      // oxlint-disable-next-line no-await-in-loop -- key by key
      await page.keyboard.type(String(mark));
      // oxlint-disable-next-line no-await-in-loop -- key by key
      await page.keyboard.press('Tab');
    }
  await page.getByText(`${before.students.length} of ${before.students.length} students complete`).waitFor();
  await page.getByText(/^Saved \d\d:\d\d$/).waitFor();
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
  await page.getByText(`${count} of ${count} taken, 0 refused`).waitFor();
  await expect.poll(async () => marksIn(await sheetOf(page, '11X2'))).toEqual(wanted(other));
  // One step back, and it is as it was.
  await page.keyboard.press('Control+z');
  await expect.poll(async () => marksIn(await sheetOf(page, '11X2'))).toEqual(marksIn(other));
});

test('what is no mark stays visible with its reason and is not stored; the rest is', async () => {
  const page = await marktrail.person('teacher1@demo.example');
  await openSheet(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const [first = '', second = ''] = students.map(({ name }) => name ?? '');
  const max = questions[0]?.max ?? 0;
  await cellOf(page, first, 1).click();
  await paste(page, `${max + 1}\t12.5\tx\n1\t\t1\n`);
  await page.getByText(/2 of 5 taken, 3 refused/).waitFor();
  await page.getByRole('button', { name: '3 marks to correct' }).waitFor();
  await page
    .getByText(`${first}: ${max + 1} for Q1 is above the maximum of ${max}`)
    .first()
    .waitFor();
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

  // Absent and exempt are of the student, and taken back by the same key.
  await cellOf(page, second, 2).click();
  await page.keyboard.press('a');
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.attendance.value).toBe('absent');
  await page.keyboard.press('a');
  await expect.poll(async () => (await sheetOf(page, '11X3')).students[1]?.attendance.value).toBe('sat');
});
