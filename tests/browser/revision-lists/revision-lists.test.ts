import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { pressEnter } from '../keyboard.ts';
import { isGone } from '../looks.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { addHeader, examination, listOf, names, pagesBy } from './revision-list.ts';

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
  await page.getByText('The topic headers are in another order.').waitFor();
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

test('what a colleague changed about a question meanwhile is told before it is overwritten', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const admin = await marktrail.caller('admin@demo.example');
  const sent = async (command: string, data: object): Promise<Record<string, string>> => {
    const answer = await admin.post(`/api/commands/${command}`, { data });
    expect([command, answer.status()]).toEqual([command, 200]);
    return ((await answer.json()) as { result: Record<string, string> }).result;
  };
  const { subjectId, testId } = await examination(admin);
  const read = async () => examination(admin);
  const { headerId } = await sent('AddRevisionHeader', { subjectId, name: 'Geometry' });
  const dialog = await listOf(page, 'Written examination');
  await dialog.getByRole('radio', { name: 'Geometry' }).check();
  await dialog.getByRole('textbox', { name: /^Topic of question 1,/u }).fill('Mine');
  const [first] = (await read()).questions;
  await sent('SaveRevisionList', { subjectId, testId, questions: [{ questionId: first?.questionId, headerId, text: 'Theirs' }] });
  await dialog.getByRole('button', { name: 'Save (1)' }).click();
  await dialog.getByText('Question 1 stands under “Geometry” as “Theirs” now.').waitFor();
  expect((await read()).questions[0]).toMatchObject({ headerId, text: 'Theirs' });
  await dialog.getByRole('button', { name: 'Save (1)' }).click();
  await page.getByText('Done').waitFor();
  expect((await read()).questions[0]?.text).toBe('Mine');
});
