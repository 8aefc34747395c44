import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { act } from '../../../browser/calls.ts';
import { marktrailInBrowser, undo } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** No serious findings of axe on what is shown. */
const sound = async (page: Page): Promise<void> => {
  expect(await brokenRules(page, { serious: true })).toEqual([]);
};
/** The result of a command that must succeed. */
const done = async (page: Page, command: string, data: object) => (await act(page.request, command, data)).result;

test('home says what is where, and leads on', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await done(page, 'AddSubject', { name: 'Art' });
  await page.goto('/admin');
  await page.getByLabel('Subject', { exact: true }).selectOption('Art');
  for (const [help, about] of [
    ['School Structure', 'Who teaches which sets.'],
    ['Student Details', 'A whole year from a CSV file'],
    ['Manage Users', 'Invite admins, leaders and teachers'],
    ['Export QLA Data', 'Everything that was entered, as CSV.'],
  ] as const) {
    await press(page, help);
    await page.getByText(about).waitFor();
  }
  await page.getByRole('link', { name: 'Add a scheme of work with its topics' }).click();
  await page.getByRole('heading', { level: 1, name: 'Schemes of Work' }).waitFor();
});

test('of many teachers a page is shown at a time: what is typed on one of them is stored from another', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { subjectId } = await done(page, 'AddSubject', { name: 'Pottery' });
  // One after the other: they stand in one stream.
  for (let number = 1; number <= 25; number++) await done(page, 'AddTeacher', { subjectId, name: `Teacher ${number}` });
  await done(page, 'AddTeacher', { subjectId, name: 'Frida Kahlo' });
  await page.goto('/admin/teachers');
  await page.getByLabel('Subject', { exact: true }).selectOption('Pottery');
  await page.getByRole('listitem', { name: 'Frida Kahlo' }).getByLabel('Teacher name').fill('Frida Rivera');
  await page.getByText('1–25 of 26').waitFor();
  await sound(page);
  await press(page, 'Next page');
  await page.getByRole('listitem', { name: 'Teacher 25' }).waitFor();
  await page.getByText('1 change not on this page').waitFor();
  await press(page, 'Submit');
  await page.getByText('Submitted successfully!').waitFor();
  await page.getByLabel('Search teachers').fill('rivera');
  await page.getByRole('listitem', { name: 'Frida Rivera' }).waitFor();
  await page.getByText('1–1 of 1').waitFor();
});

test('on a phone one notice at a time is shown, the newest', async () => {
  const page = await marktrail.signedIn('admin@demo.example', { viewport: { width: 390, height: 844 } });
  const { subjectId } = await done(page, 'AddSubject', { name: 'Music' });
  const { teacherId } = await done(page, 'AddTeacher', { subjectId, name: 'Clara Wieck' });
  await done(page, 'RemoveTeacher', { subjectId, teacherId });
  await page.goto('/admin/teachers');
  await page.getByLabel('Subject', { exact: true }).selectOption('Music');
  await page.getByText('Deleted (1)').click();
  await press(page, 'Restore Clara Wieck');
  await page.getByText('Clara Wieck is back.').waitFor();
  await page.getByLabel('Add new teacher').fill('Fanny Hensel');
  await press(page, 'Add teacher');
  await page.getByText('Fanny Hensel added.').waitFor();
  await page.getByText('Clara Wieck is back.').waitFor({ state: 'hidden' });
  await sound(page);
});

test('a year group and a subject are changed, removed and brought back, and the keyboard goes on where it was', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  const { subjectId } = await done(page, 'AddSubject', { name: 'Drama' });
  const { schemeId } = await done(page, 'AddScheme', { subjectId, name: 'Stagecraft' });
  await done(page, 'CreateAssessment', { subjectId, name: 'First night' });
  await done(page, 'AddYearGroup', { subjectId, year: 11 });
  const { yearGroupId } = await done(page, 'AddYearGroup', { subjectId, year: 10 });
  await done(page, 'AddSets', { subjectId, yearGroupId, schemeId, names: ['10D1', '10D2', '10D3'] });
  const dialog = page.getByRole('dialog');

  await page.goto('/admin/classes');
  await page.getByLabel('Subject', { exact: true }).selectOption('Drama');
  await press(page, /^Year 10/);
  await press(page, 'Rename');
  await page.getByLabel('Year group', { exact: true }).fill('9');
  await press(page, /^Save$/);
  await page.getByRole('button', { name: /^Year 9/ }).waitFor();

  // One is open at a time.
  const first = page.getByRole('row', { name: 'Set 10D1' });
  await first.waitFor();
  await press(page, /^Year 11/);
  await first.waitFor({ state: 'detached' });
  await press(page, /^Year 9/);

  // What one set is given, all of them are given.
  await page.getByLabel('Choose all on this page').check();
  await page.getByRole('button', { name: 'Assessments', exact: true }).click();
  await page.getByRole('group', { name: 'What the 3 sets sit' }).getByLabel('First night').check();
  await page.keyboard.press('Escape');
  for (const name of ['10D1', '10D2', '10D3'])
    await page
      .getByRole('row', { name: `Set ${name}` })
      .getByText('First night')
      .waitFor();
  await press(page, 'Save (3)');
  await page.getByText('Submitted successfully!').waitFor();

  await press(page, 'Delete year group');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Year 9 deleted.').waitFor();
  // Undo is reached by keyboard, and waits for it; then the keyboard is where it was.
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => {
      await page.keyboard.press('F8');
      return page.evaluate(() => document.activeElement?.textContent);
    })
    .toBe('Undo');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Year 9/ }).waitFor();

  await page.goto('/admin/subjects');
  await press(page, 'Delete Drama');
  await dialog.getByText('Its 2 year groups, 3 sets, 1 scheme of work and 1 assessment will be hidden with it.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Drama', exact: true }).waitFor({ state: 'detached' });
  // The keyboard goes on from its neighbour.
  await page.locator('main li button:focus').waitFor();
  await undo(page, 'Drama deleted.');
  await page.getByText('Drama is back.').waitFor();
  await page.getByRole('heading', { name: 'Drama', exact: true }).waitFor();
});
