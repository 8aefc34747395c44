import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Me } from '../../../../api/accounts/accounts.contract.ts';
import { brokenRules } from '../../../browser/axe.ts';
import { act, ask, enter } from '../../../browser/calls.ts';
import { openHands } from '../../../browser/hands.ts';
import { isGone } from '../../../browser/looks.ts';
import { isInReach, openMarksDialog } from '../../../browser/marks/in-sight.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';
import { placeOf, saved, sheetOf } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser();

test('a total of two values is decided in two clicks from home', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const leader = await marktrail.caller('leader@demo.example');
  const { students, testId } = await sheetOf(page, '11X1');
  const { subjectId } = await placeOf(page, '11X1');
  // Neither of two people has seen the other's. The earliest counts.
  for (const [caller, is] of [
    [page.request, 3],
    [leader, 4],
  ] as const)
    await enter(caller, subjectId, [{ studentId: students[11]?.studentId, testId, is, was: [] }]);
  await page.goto('/teacher?year=11&set=11X1');
  const hands = openHands();
  const contested = page.getByRole('link', { name: '1 total with several values' });
  await hands.click(contested);
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Use 4', exact: true }));
  await isGone(page.getByRole('button', { name: 'Use 3', exact: true }));
  expect(hands.effort()).toEqual({ clicks: 2, fields: 0, files: 0 });
  await page.goBack();
  await page.getByRole('heading', { name: 'Assessments' }).waitFor();
  await isGone(contested);
});

test('on a phone, also on its side, and on a page enlarged twice, everything that marks need is in reach', async () => {
  const page = await marktrail.signedIn('teacher1@demo.example');
  const { students, questions, testId } = await sheetOf(page, '11X3');
  const is = async (row: number) => {
    await saved(page);
    return (await sheetOf(page, '11X3')).students[row]?.attendance.value;
  };
  const sizes = [
    [390, 844],
    [375, 667],
    [844, 390],
    [720, 450],
  ] as const;
  for (const [row, [width, height]] of sizes.entries()) {
    await page.setViewportSize({ width, height });
    const dialog = await openMarksDialog(page, '11X3');
    await dialog.getByRole('combobox', { name: 'Student' }).selectOption({ index: row });
    const pad = dialog.getByRole('group', { name: /^Mark for Q1/ });
    const buttons = ['0', 'Next', 'Absent', 'Exempt'].map((name) => pad.getByRole('button', { name, exact: true }));
    for (const one of [...buttons, dialog.getByRole('button', { name: 'Submit' })])
      await expect.poll(() => isInReach(one), { message: `${width}x${height}` }).toBe(true);
    await pad.getByRole('button', { name: 'Absent' }).click();
    expect(await is(row)).toBe('absent');
    await pad.getByRole('button', { name: 'Absent' }).click();
    expect(await is(row)).toBe('sat');
  }
  expect(await brokenRules(page)).toEqual([]);
  // One tap for each mark, and after the last question comes the next student; with a keyboard as well.
  const dialog = page.getByRole('dialog');
  const chosen = dialog.getByRole('region', { name: students[4]?.name ?? '' });
  await dialog.getByRole('combobox', { name: 'Student' }).selectOption({ index: 3 });
  for (const { number } of questions)
    await dialog
      .getByRole('group', { name: new RegExp(`^Mark for Q${number},`) })
      .getByRole('button', { name: '1', exact: true })
      .click();
  await chosen.waitFor();
  await page.keyboard.type('11');
  await saved(page);
  expect((await sheetOf(page, '11X3')).students.slice(3, 5).map(({ marks }) => marks)).toEqual([
    { sum: questions.length, count: questions.length },
    { sum: 2, count: 2 },
  ]);

  // As a page too.
  await page.goto(`/teacher/marks?year=11&set=11X3&test=${testId}`);
  const pad = page.getByRole('group', { name: /^Mark for/ });
  await expect.poll(() => isInReach(pad.getByRole('button', { name: 'Next' }))).toBe(true);
});

test('an assessment that students do not see has no link for them, until somebody who may shows it', async () => {
  const [teacher, leader] = await Promise.all([marktrail.signedIn('teacher1@demo.example'), marktrail.signedIn('leader@demo.example')]);
  const { testId, name } = await sheetOf(teacher, '11X3');
  await act(leader.request, 'ShowAssessment', { testId, visible: false });
  const open = async (page: Page, area: string) => {
    await page.goto(`/${area}?year=11&set=11X3`);
    await page.getByRole('button', { name: `Submission tracker of ${name}` }).click();
    return page.getByRole('dialog', { name: 'Student Submission Tracker' });
  };
  const [own, led] = await Promise.all([open(teacher, 'teacher'), open(leader, 'leader')]);
  await own.getByText(`Students do not see ${name}.`).waitFor();
  for (const button of ['Copy link', 'Show it']) await isGone(own.getByRole('button', { name: button }));
  await led.getByText(/see their own results/).waitFor();
  await led.getByRole('button', { name: 'Show it to students' }).click();
  await led.getByText(`Students see ${name} now.`).waitFor();
  // The teacher's page hears of it.
  await own.getByRole('button', { name: 'Copy link' }).waitFor();
});

test('the chosen year group is in sight beside two dozen classes, and so is the chosen class', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const subjectId = (await ask<Me>(admin, 'me')).subjects.find(({ name }) => name === 'Mathematics')?.subjectId;
  for (const year of [7, 8, 9, 10, 12, 13]) await act(admin, 'AddYearGroup', { subjectId, year });
  const leader = await marktrail.person('leader@demo.example', { at: '/leader?year=11' });
  const chosen = (label: string) => leader.getByRole('group', { name: label }).locator('label', { has: leader.locator('input:checked') });
  for (const width of [1440, 1366, 768, 390]) {
    await leader.setViewportSize({ width, height: 800 });
    for (const label of ['Year group', 'Class'])
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
