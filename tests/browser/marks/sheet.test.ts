import { expect, test } from 'vitest';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import { brokenRules } from '../axe.ts';
import { hasFocus, tabTo } from '../keyboard.ts';
import { isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { cellOf, changesOf, marksOfData, openSheet, paste, saved, sheetOf, typeMark } from '../sheet.ts';

const marktrail = marktrailInBrowser();

const marksIn = ({ students }: Sheet) => students.map(({ cells }) => cells.map((cell) => cell?.value ?? null));

test('of a class two students are typed key by key and the others pasted, and all read back as they are in the data', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X1');
  const { students, questions } = await sheetOf(page, '11X1');
  const marks = marksOfData();
  const textOf = (admissionNo: string | null) => (marks.get(admissionNo ?? '') ?? []).slice(0, questions.length);
  const wanted = students.map(({ admissionNo }) => textOf(admissionNo).map(Number));
  const typed = wanted.map((row, at) => (at < 2 ? row : row.map(() => null)));

  await page.locator('[data-row="0"][data-column="0"]').click();
  // A key for each mark, and none besides: after the last question comes the next student.
  await page.keyboard.type(wanted.slice(0, 2).flat().join(''));
  await page.getByText(`2 of ${students.length} students complete`).waitFor();
  await saved(page);
  expect(marksIn(await sheetOf(page, '11X1'))).toEqual(typed);

  // The others are copied from a spreadsheet with its headings and maxima, first names first, in the order of their ids; one is of another class.
  const others = students.slice(2).toSorted((a, b) => ((a.admissionNo ?? '') < (b.admissionNo ?? '') ? -1 : 1));
  const copied = [
    ['', 'Student', ...questions.map(({ number }) => `Q${number}`)],
    ['', 'Out of', ...questions.map(({ max }) => max)],
    ...others.map(({ admissionNo, name }, at) => [at + 1, name?.split(', ').toReversed().join(' '), ...textOf(admissionNo)]),
    [others.length + 1, 'Nobody, Nina', 1],
  ];
  const count = others.length * questions.length;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), copied.map((row) => `${row.join('\t')}\r\n`).join(''));
  await page.context().setOffline(true);
  await page.keyboard.press('Control+V');
  await page.getByText(`${others.length} of ${others.length + 1} rows found. Not found: Nobody, Nina (1 mark).`).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await tabTo(page, 'Leave out Nobody, Nina');
  await page.keyboard.press('Space');
  await tabTo(page, `Store ${count} marks`);
  await page.keyboard.press('Enter');
  const outcome = (act: string) =>
    page.getByText(`${count} ${act}, 1 of nobody in this class (Nobody, Nina). Rows were matched by name.`).waitFor();
  await outcome('taken');
  await page.context().setOffline(false);
  await outcome('stored');
  expect(marksIn(await sheetOf(page, '11X1'))).toEqual(wanted);
  // One step back, and it is as it was; one forward, and all is there.
  await page.keyboard.press('Control+z');
  await page.getByText(/ cells taken back\.$/).waitFor();
  expect(marksIn(await sheetOf(page, '11X1'))).toEqual(typed);
  await page.keyboard.press('Control+y');
  await page.getByText(`${students.length} of ${students.length} students complete`).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Submitted successfully!').waitFor();
  const all = `${students.length * questions.length} marks stored; ${students.length} students have all their marks`;
  await page.getByText(all).waitFor();
  expect(marksIn(await sheetOf(page, '11X1'))).toEqual(wanted);
  expect(await brokenRules(page)).toEqual([]);
});

test('what is no mark stays visible with its reason and is not stored; the rest is', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X3');
  const { students, questions } = await sheetOf(page, '11X3');
  const [first = '', second = ''] = students.map(({ name }) => name ?? '');
  const max = questions[0]?.max ?? 0;
  const firstMarks = async () => marksIn(await sheetOf(page, '11X3')).map((row) => row.slice(0, 3));
  await cellOf(page, first, 1).click();
  await paste(page, `${max + 1}\t12.5\t99\n1\t\t1\n`);
  await page.getByText(/^2 stored, 3 refused/).waitFor();
  expect((await firstMarks()).slice(0, 2)).toEqual([
    [null, null, null],
    [1, null, 1],
  ]);
  // Each with its reason, which leads to its cell.
  await page.getByRole('button', { name: '3 marks to correct' }).click();
  await page.getByRole('button', { name: `${first}: ${max + 1} for Q1 is above the maximum of ${max}` }).waitFor();
  await page.getByRole('button', { name: `${first}, Q2: 12.5. Value must be an integer` }).click();
  await hasFocus(cellOf(page, first, 2).getByRole('textbox'));
  await page.keyboard.type('1');
  await page.getByRole('button', { name: '2 marks to correct' }).waitFor();
  await saved(page);
  expect((await firstMarks())[0]).toEqual([null, 1, null]);

  // Absent and exempt are of the student, and taken back by the same key.
  const attendance = async () => (await sheetOf(page, '11X3')).students[1]?.attendance.value;
  await cellOf(page, second, 2).click();
  await page.keyboard.press('a');
  await saved(page);
  expect(await attendance()).toBe('absent');
  await page.keyboard.press('a');
  await saved(page);
  expect(await attendance()).toBe('sat');
});

test('two people type into one class at once: every mark survives, and where they disagree both are asked', async () => {
  const [teacher, leader] = await Promise.all([marktrail.signedIn('teacher1@demo.example'), marktrail.signedIn('leader@demo.example')]);
  await Promise.all([openSheet(teacher, '11X2'), openSheet(leader, '11X2')]);
  const [first = '', second = ''] = (await sheetOf(teacher, '11X2')).students.map(({ name }) => name ?? '');
  const firstRow = async () => (await sheetOf(leader, '11X2')).students[0]?.cells;

  // In other cells: each sees what the other has entered.
  await typeMark(teacher, first, 1, 1);
  await typeMark(leader, second, 1, 2);
  await cellOf(teacher, second, 1).getByText(/^2/).waitFor();
  await cellOf(leader, first, 1).getByText(/^1/).waitFor();
  await teacher.getByText(/ changed 1 cell just now$/).waitFor();

  // In one cell, of which the leader's page could not know.
  await leader.context().setOffline(true);
  await typeMark(leader, first, 2, 2);
  await leader.getByText('1 mark waits on this device until the server can be reached.').waitFor();
  await typeMark(teacher, first, 2, 0);
  await saved(teacher);
  await leader.context().setOffline(false);
  const contested = (page: typeof teacher) => page.getByRole('button', { name: '1 cell with several values' });
  for (const page of [teacher, leader]) await contested(page).waitFor();
  expect((await firstRow())?.map((cell) => cell?.values ?? cell?.value).slice(0, 2)).toEqual([1, [0, 2]]);
  await contested(leader).click();
  await leader.getByRole('button', { name: 'Use 2' }).click();
  for (const page of [teacher, leader]) await isGone(contested(page));
  await cellOf(teacher, first, 2).getByText(/^2/).waitFor();
  expect((await firstRow())?.[1]).toEqual({ value: 2, source: 'staff' });
});

test('what is typed without a network outlasts the page, is said on every page, and is stored once', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await openSheet(page, '11X3');
  const sheet = await sheetOf(page, '11X3');
  const name = sheet.students[4]?.name ?? '';
  const changes = async (question: number) => (await changesOf(page, sheet, 4, question)).map(({ is }) => is);
  // The server stores, and its answer is lost; then nothing arrives.
  const lost = Promise.withResolvers<void>();
  let saves = 0;
  await page.route('**/api/commands/EnterMarks', async (route) => {
    if (saves++ === 0) await route.fetch();
    await route.abort();
    lost.resolve();
  });
  await typeMark(page, name, 1, 1);
  await lost.promise;
  await typeMark(page, name, 2, 2);
  await page.getByText('2 marks wait on this device until the server can be reached.').waitFor();
  await page.goto(`/leader?year=11&set=11X3`);
  await page.getByText('2 marks for 11X3, Written examination wait on this device.').waitFor();
  await page.goto('/profile');
  await page.getByText('2 marks wait on this device. The pages of your classes say why a mark is not stored by itself.').waitFor();
  // It goes from here as well, by itself, once it can.
  await page.unroute('**/api/commands/EnterMarks');
  await isGone(page.getByText(/waits? on this device/));
  expect([await changes(1), await changes(2)]).toEqual([[1], [2]]);
  await openSheet(page, '11X3');
  await cellOf(page, name, 2).getByText(/^2/).waitFor();
});
