import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { isGone, reads } from '../looks.ts';
import { dialogOf, marktrailInBrowser, undo } from '../marktrail.ts';
import { downloadBy } from '../shared-browser.ts';

const marktrail = marktrailInBrowser();
const currentStep = (page: Page, hasText: string) => page.locator('[aria-current=step]').filter({ hasText }).waitFor();

test('an admin allocates in three steps, the last of which is opened first: by suggestion, along a topic tree, and by keyboard', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/mappings' });
  const save = page.getByRole('button', { name: 'Save', exact: true }).filter({ visible: true });
  const submitted = page.getByText('Submitted successfully!').filter({ visible: true });
  const topics = page.getByRole('tree', { name: 'Topics' }).filter({ visible: true });

  // Questions are suggested by their topics. Save is there with the first change, and goes when it is stored.
  await currentStep(page, 'Manually allocate prerequisites');
  await page.getByText('100% match').filter({ visible: true }).waitFor();
  await isGone(save);
  await page.getByRole('checkbox', { name: /1\. Quadratic forms/ }).check();
  await page.getByText('1 change is not saved yet.').waitFor();
  await pressEnter(save);
  await submitted.waitFor();
  await isGone(save);

  // A topic of the scheme to one of a tree, which is looked at before it is chosen.
  await page.getByRole('button', { name: /^1 Allocate pre-requisite/ }).click();
  await pressEnter(page.getByRole('button', { name: 'Choose a topic tree' }).filter({ visible: true }));
  const dialog = dialogOf(page, 'Topic tree of Mathematics');
  await pressEnter(dialog.getByRole('button', { name: 'Use the GCSE Mathematics tree' }));
  await dialog.getByText('Ratio, proportion and rates of change').waitFor();
  await pressEnter(dialog.getByRole('button', { name: 'Use this tree' }));
  await page.getByText('Mathematics: GCSE Mathematics').waitFor();
  await page.getByLabel('Search topics').filter({ visible: true }).fill('completing the square');
  await topics.getByRole('treeitem', { name: 'Algebra' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  const allocated = page.getByRole('list', { name: 'Allocated topics' }).filter({ visible: true });
  await reads(allocated, /Quadratic formula and completing the square/);
  await pressEnter(save);
  await submitted.waitFor();

  // A question of an assessment to a topic of the tree.
  await page.getByRole('button', { name: /^2 Allocate topics/ }).click();
  await currentStep(page, 'Allocate topics to an assessment');
  await topics.getByRole('treeitem', { name: 'Number' }).click();
  await pressEnter(save);
  await submitted.waitFor();

  // A question to a topic of the scheme: it names its assessment, as each begins with question 1.
  await page.getByRole('button', { name: /^3 Manually/ }).click();
  await page.getByLabel('Search questions').filter({ visible: true }).fill('payment flows');
  await page
    .getByRole('treeitem', { name: /^7\. Payment flows/ })
    .filter({ visible: true })
    .click();
  await reads(page.getByRole('list', { name: 'Allocated questions' }).filter({ visible: true }), /Written examination: 7\. Payment flows/);
  expect(await brokenRules(page, { serious: true })).toEqual([]);
});

test('terminal exams are added, warned about, removed and brought back', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/terminal' });
  const year = page.getByLabel('School year exam sat');
  const name = page.getByLabel('Exam name');
  const add = page.getByRole('button', { name: 'Add exam' });
  await add.click();
  await page.getByText('Required.').first().waitFor();
  await year.fill('0');
  await name.fill('GCSE Mathematics');
  await add.click();
  await page.getByText('The value must be greater than zero').waitFor();
  await year.fill('10.5');
  await page.getByText('The value must be an integer number').waitFor();
  await year.fill('11');
  await add.click();
  const timeline = page.getByRole('list', { name: 'Terminal exams by school year' });
  await timeline.getByText('GCSE Mathematics').waitFor();

  await year.fill('11');
  await page.getByText('Warning: There is already a terminal exam allocated to this school year').waitFor();
  await name.fill('gcse mathematics');
  await add.click();
  await page.getByText('There is a terminal exam of this name in this school year already').waitFor();
  await name.fill('Mock GCSE');
  await add.click();
  await timeline.getByText('Mock GCSE').waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  await page.getByRole('button', { name: 'Remove Mock GCSE, year 11' }).click();
  await undo(page, 'Mock GCSE removed.', timeline.getByText('Mock GCSE'));
  await timeline.getByText('Mock GCSE').waitFor();
  const { name: fileName } = await downloadBy(page.getByRole('button', { name: 'Export CSV' }));
  expect(fileName).toBe('terminal_exams.csv');
});
