import type { Locator, Page } from 'playwright-core';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { openHands } from '../hands.ts';
import { hasFocus } from '../keyboard.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { cellOf, openSheet, placeOf, sheetOf } from '../sheet.ts';

const marktrail = marktrailInBrowser();

/** Rows that are seen as a whole, between the heads and the means. */
const rowsInSight = (page: Page): Promise<number> =>
  page.getByRole('grid').evaluate((grid) => {
    const edge = (part: string, side: 'top' | 'bottom') => grid.querySelector(part)?.getBoundingClientRect()[side] ?? 0;
    const [top, foot] = [edge('thead th', 'bottom'), Math.min(edge('tfoot td', 'top'), innerHeight)];
    return [...grid.querySelectorAll('tbody tr')].filter((row) => {
      const { top: from, bottom: to } = row.getBoundingClientRect();
      return from >= top - 0.5 && to <= foot + 0.5;
    }).length;
  });

/** Whether it is in the window, and a finger that is put on its middle hits it. */
const isInReach = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });

const openDialog = async (page: Page, set: string): Promise<Locator> => {
  await page.goto(`/teacher?year=11&set=${set}`);
  await page.getByRole('button', { name: /^Enter marks of/ }).click();
  return page.getByRole('dialog', { name: 'Enter question-level analysis' });
};

test('a class fits into the window, its sums too, and whoever comes can type into the first empty cell', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const seen: Record<string, number> = {};
  for (const [width, height] of [
    [1366, 768],
    [1440, 900],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one page
    await page.setViewportSize({ width, height });
    await openSheet(page, '11X2');
    await hasFocus(page.locator('[data-row="0"][data-column="0"]').getByRole('textbox'));
    seen[`page ${height}`] = await rowsInSight(page);
    const dialog = await openDialog(page, '11X2');
    await hasFocus(dialog.locator('[data-row="0"][data-column="0"]').getByRole('textbox'));
    seen[`dialog ${height}`] = await rowsInSight(page);
    // oxlint-enable no-await-in-loop
  }
  expect(seen).toEqual({ 'page 768': 20, 'dialog 768': 18, 'page 900': 25, 'dialog 900': 23 });
  await page.setViewportSize({ width: 768, height: 1024 });
  await openSheet(page, '11X2');
  for (const head of ['Total', 'Teacher’s total', 'Difference'])
    // oxlint-disable-next-line no-await-in-loop -- one page
    expect(await isInReach(page.getByRole('columnheader', { name: head, exact: true }))).toBe(true);
});

test('a student is found by /, and is absent by two clicks; a mark typed for somebody absent is asked about', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  await openSheet(page, '11X2');
  const { students } = await sheetOf(page, '11X2');
  const [, , third, fourth] = students.map(({ name }) => name ?? '');
  const is = async (row: number) => (await sheetOf(page, '11X2')).students[row]?.attendance.value;
  await hasFocus(page.locator('[data-row="0"][data-column="0"]').getByRole('textbox'));
  await page.keyboard.press('/');
  await page.keyboard.type((third ?? '').slice(0, -1));
  await page.keyboard.press('Enter');
  await hasFocus(cellOf(page, third ?? '', 1).getByRole('textbox'));

  await page.getByRole('button', { name: third ?? '', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Absent' }).click();
  await expect.poll(() => is(2)).toBe('absent');
  expect(await brokenRules(page)).toEqual([]);
  // By the other mouse button in a cell, and taken back the same way.
  await cellOf(page, fourth ?? '', 3).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Exempt' }).click();
  await expect.poll(() => is(3)).toBe('exempt');
  await cellOf(page, fourth ?? '', 3).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Exempt', checked: true }).press('Enter');
  await expect.poll(() => is(3)).toBe('sat');
  // A column by its head: what is in its first cell goes into all.
  await cellOf(page, students[0]?.name ?? '', 2).click();
  await page.keyboard.type('1');
  await page.getByRole('columnheader', { name: /^Q2/ }).click();
  await page.keyboard.press('Control+d');
  await page.getByText(/^\d+ cells filled/).waitFor();
  await page.getByText(`${third} is absent. Sat it after all?`).waitFor();
  await page.getByRole('button', { name: 'No, take the mark out' }).click();
  await expect.poll(async () => (await sheetOf(page, '11X2')).students[2]?.marks.count).toBe(0);
  expect(await is(2)).toBe('absent');

  await cellOf(page, third ?? '', 1).click();
  await page.keyboard.type('2');
  await page.getByRole('button', { name: 'Sat it', exact: true }).click();
  await expect.poll(() => is(2)).toBe('sat');
  expect((await sheetOf(page, '11X2')).students[2]?.marks).toEqual({ sum: 2, count: 1 });
  // The keys are told by a key.
  await cellOf(page, third ?? '', 2).click();
  await page.keyboard.press('?');
  await page.getByText('find a student', { exact: true }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
});

test('somebody is absent in two clicks on every width, and a total of two values is decided in two clicks from home', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const leader = await marktrail.caller('leader@demo.example');
  const { students, testId } = await sheetOf(page, '11X1');
  const attendanceOf = async (row: number) => (await sheetOf(page, '11X1')).students[row]?.attendance.value;
  for (const [row, width] of [1440, 1024, 768, 390, 375].entries()) {
    // oxlint-disable no-await-in-loop -- one page
    const hands = openHands();
    const name = students[row + 5]?.name ?? '';
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/teacher/marks?year=11&set=11X1&test=${testId}`);
    await page.getByRole('button', { name: 'Submit' }).waitFor();
    if (width >= 768) {
      await hands.click(page.getByRole('button', { name, exact: true }));
      await hands.click(page.getByRole('menuitemcheckbox', { name: 'Absent' }));
    } else {
      await hands.select(page.getByRole('combobox', { name: 'Student' }), row + 5);
      await hands.click(page.getByRole('group', { name: /^Mark for Q1/ }).getByRole('button', { name: 'Absent', exact: true }));
    }
    await expect.poll(() => attendanceOf(row + 5)).toBe('absent');
    expect([width, hands.effort().clicks]).toEqual([width, 2]);
    // oxlint-enable no-await-in-loop
  }

  // Neither of two people has seen the other's.
  const { subjectId } = await placeOf(page, '11X1');
  const studentId = students[11]?.studentId ?? '';
  for (const [caller, is] of [
    [page.request, 3],
    [leader, 4],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- the earliest counts
    const entered = await caller.post('/api/commands/EnterMarks', {
      data: { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId, testId, is, was: [] }] },
      headers: { Origin: marktrail.url() },
    });
    expect(entered.status(), await entered.text()).toBe(200);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/teacher?year=11&set=11X1');
  const hands = openHands();
  const contested = page.getByRole('link', { name: '1 total with several values' });
  await hands.click(contested);
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Use 4', exact: true }));
  await expect.poll(() => page.getByRole('button', { name: 'Use 3', exact: true }).count()).toBe(0);
  expect(hands.effort()).toEqual({ clicks: 2, fields: 0, files: 0 });
  await page.goBack();
  await page.getByRole('heading', { name: 'Assessments' }).waitFor();
  await expect.poll(() => contested.count()).toBe(0);
});

test('on a phone, also on its side, and on a page enlarged twice, everything that marks need is in reach', async () => {
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const { students, questions } = await sheetOf(page, '11X3');
  const is = async (row: number) => (await sheetOf(page, '11X3')).students[row]?.attendance.value;
  const sizes = [
    [390, 844],
    [375, 667],
    [844, 390],
    [720, 450],
  ] as const;
  for (const [row, [width, height]] of sizes.entries()) {
    // oxlint-disable no-await-in-loop -- one page
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page, '11X3');
    await dialog.getByRole('combobox', { name: 'Student' }).selectOption({ index: row });
    const pad = dialog.getByRole('group', { name: /^Mark for Q1/ });
    const buttons = ['0', 'Next', 'Absent', 'Exempt'].map((name) => pad.getByRole('button', { name, exact: true }));
    expect(await Promise.all(buttons.map(isInReach)), `${width}x${height}`).toEqual([true, true, true, true]);
    expect(await isInReach(dialog.getByRole('button', { name: 'Submit' }))).toBe(true);
    await pad.getByRole('button', { name: 'Absent' }).click();
    await expect.poll(() => is(row)).toBe('absent');
    await pad.getByRole('button', { name: 'Absent' }).click();
    await expect.poll(() => is(row)).toBe('sat');
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/dialog-${width}x${height}.png` });
    // oxlint-enable no-await-in-loop
  }
  expect(await brokenRules(page)).toEqual([]);
  // One tap for each mark, and after the last question comes the next student; with a keyboard as well.
  const dialog = page.getByRole('dialog');
  const chosen = dialog.getByRole('region', { name: students[4]?.name ?? '' });
  await dialog.getByRole('combobox', { name: 'Student' }).selectOption({ index: 3 });
  for (const { number } of questions)
    // oxlint-disable-next-line no-await-in-loop -- tap by tap
    await dialog
      .getByRole('group', { name: new RegExp(`^Mark for Q${number},`) })
      .getByRole('button', { name: '1', exact: true })
      .click();
  await chosen.waitFor();
  await page.keyboard.type('11');
  await expect
    .poll(async () => (await sheetOf(page, '11X3')).students.slice(3, 5).map(({ marks }) => marks))
    .toEqual([
      { sum: questions.length, count: questions.length },
      { sum: 2, count: 2 },
    ]);

  // As a page too.
  await page.goto(`/teacher/marks?year=11&set=11X3&test=${(await sheetOf(page, '11X3')).testId}`);
  const pad = page.getByRole('group', { name: /^Mark for/ });
  await pad.getByRole('button', { name: 'Next' }).waitFor();
  expect(await isInReach(pad.getByRole('button', { name: 'Next' }))).toBe(true);
});

test('an assessment that students do not see has no link for them, until somebody who may shows it', async () => {
  const [teacher, leader] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/' }),
    marktrail.person('leader@demo.example', { at: '/' }),
  ]);
  const { testId, name } = await sheetOf(teacher, '11X3');
  const show = (visible: boolean) =>
    leader.request.post('/api/commands/ShowAssessment', { data: { testId, visible }, headers: { Origin: marktrail.url() } });
  expect((await show(false)).status()).toBe(200);
  const open = async (page: Page, area: string) => {
    await page.goto(`/${area}?year=11&set=11X3`);
    await page.getByRole('button', { name: `Submission tracker of ${name}` }).click();
    return page.getByRole('dialog', { name: 'Student Submission Tracker' });
  };
  const [own, led] = await Promise.all([open(teacher, 'teacher'), open(leader, 'leader')]);
  await own.getByText(`Students do not see ${name}.`).waitFor();
  expect([
    await own.getByRole('button', { name: 'Copy link' }).count(),
    await own.getByRole('button', { name: 'Show it' }).count(),
  ]).toEqual([0, 0]);
  await led.getByText(/see their own results of it/).waitFor();
  await led.getByRole('button', { name: 'Show it to students' }).click();
  await led.getByText(`Students see ${name} now.`).waitFor();
  // The teacher's page hears of it.
  await own.getByRole('button', { name: 'Copy link' }).waitFor();
});

test('the chosen year group is in sight beside two dozen classes, and so is the chosen class', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const { subjects } = (await (await admin.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = subjects.find(({ name }) => name === 'Mathematics')?.subjectId;
  for (const year of [7, 8, 9, 10, 12, 13]) {
    // oxlint-disable-next-line no-await-in-loop -- one subject
    const added = await admin.post('/api/rest/yearGroups', { data: { subjectId, year } });
    expect(added.status(), await added.text()).toBe(201);
  }
  const leader = await marktrail.person('leader@demo.example', { at: '/leader?year=11' });
  const chosen = (label: string) => leader.getByRole('group', { name: label }).locator('label', { has: leader.locator('input:checked') });
  for (const width of [1440, 1366, 768, 390]) {
    // oxlint-disable-next-line no-await-in-loop -- one page
    await leader.setViewportSize({ width, height: 800 });
    for (const label of ['Year group', 'Class'])
      // oxlint-disable-next-line no-await-in-loop -- one page
      await expect
        .poll(async () => `${label} at ${width}: ${await chosen(label).evaluate(isWhollySeen)}`)
        .toBe(`${label} at ${width}: true`);
  }
  await leader.getByRole('group', { name: 'Year group' }).locator('label', { hasText: 'Year 10' }).click();
  await leader.getByText('Year 10 – Mathematics').waitFor();
});

/** Whether no edge of the bar around it cuts a chip off. */
const isWhollySeen = (chip: Element): boolean => {
  const [inner, outer] = [chip.getBoundingClientRect(), chip.parentElement?.getBoundingClientRect()];
  return outer !== undefined && inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5;
};
