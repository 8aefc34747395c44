import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { addHeader, listOf, names, pagesBy } from './revision-list.ts';

const marktrail = marktrailInBrowser();

test('a leader makes a list, puts its headers in order, undoes that, and a PDF of it is what the students get', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const dialog = await listOf(page, 'Written examination');
  await dialog.getByText('There is no topic header yet: add one, or have a list suggested.').waitFor();
  await addHeader(page, dialog, 'Algebra');
  await addHeader(page, dialog, 'Łucja’s revision');
  await expect.poll(() => names(dialog)).toEqual(['Algebra', 'Łucja’s revision']);

  // What is ticked stands under the chosen header; another header has no tick for it.
  await pressEnter(dialog.getByRole('button', { name: 'Edit Topic Headers' }));
  await dialog.getByRole('radio', { name: 'Algebra' }).check();
  await dialog.getByRole('checkbox', { name: 'Question 2 under Algebra' }).check();
  await dialog.getByRole('textbox', { name: /^Topic of question 2,/u }).fill('Matrices, once more');
  await dialog.getByRole('radio', { name: 'Łucja’s revision' }).check();
  await dialog.getByRole('checkbox', { name: 'Question 1 under Łucja’s revision' }).check();
  await isGone(dialog.getByRole('checkbox', { name: /^Question 2 / }));
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await pressEnter(dialog.getByRole('button', { name: 'Save (2)' }));
  await page.getByText('Done').waitFor();

  // In another order, back, and in another order again.
  await pressEnter(dialog.getByRole('button', { name: 'Edit Topic Headers' }));
  const down = dialog.getByRole('button', { name: 'Move Algebra down' });
  await pressEnter(down);
  await page.getByText('The order of the topic headers has changed.').waitFor();
  await expect.poll(() => names(dialog)).toEqual(['Łucja’s revision', 'Algebra']);
  await pressEnter(page.getByRole('button', { name: 'Undo' }).last());
  await page.getByText('Undone.').waitFor();
  await expect.poll(() => names(dialog)).toEqual(['Algebra', 'Łucja’s revision']);
  await pressEnter(down);
  await expect.poll(() => names(dialog)).toEqual(['Łucja’s revision', 'Algebra']);

  await dialog.getByRole('tab', { name: 'View/Download' }).press('Enter');
  await expect.poll(() => dialog.getByRole('heading', { level: 5 }).allInnerTexts()).toEqual(['Łucja’s revision', 'Algebra']);
  const { name, pages } = await pagesBy(dialog.getByRole('button', { name: 'Download Revision List' }));
  const [text = ''] = pages;
  expect([name, pages.length]).toEqual(['Revisionlist.pdf', 1]);
  expect(text).toMatch(
    /Revision Checklist: Written examination\s+As it stood on [\d/]+, [\d:]+\.\s+Tick each topic when you have revised it\.\s+Łucja’s revision\s+Q1 .+\s+Algebra\s+Q2 Matrices, once more/u,
  );
  expect(text).toMatch(/Created on \d\d\/\d\d\/\d{4} · Licensed to .+ · Made with Marktrail/u);
});
