import type { APIRequestContext, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pdfPages } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser } from '../marktrail.ts';
import { downloaded as downloadedFile } from '../shared-browser.ts';
import { placeOf, uploadMarksOfData } from '../sheet.ts';

const marktrail = marktrailInBrowser();

const dialogOf = async (page: Page, assessment: string): Promise<Locator> => {
  await page.getByRole('button', { name: 'Revision Lists' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revision Lists' });
  const select = dialog.getByLabel('Select an assessment');
  const option = select.locator('option', { hasText: assessment });
  await select.selectOption((await option.getAttribute('value')) ?? '');
  await dialog.getByRole('heading', { name: assessment, exact: true }).waitFor();
  return dialog;
};
const addHeader = async (page: Page, dialog: Locator, name: string): Promise<void> => {
  await dialog.getByRole('button', { name: 'New Header' }).click();
  const one = page.getByRole('dialog', { name: 'New Header' });
  await one.getByLabel('Header').fill(name);
  await one.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('region', { name: 'Topic headers' }).first().getByRole('rowheader', { name }).waitFor();
};
const names = (dialog: Locator): Promise<string[]> =>
  dialog.getByRole('region', { name: 'Topic headers' }).first().getByRole('rowheader').allInnerTexts();
const downloaded = async (page: Page, button: Locator): Promise<{ name: string; pages: readonly string[] }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), pages: await pdfPages(await downloadedFile(download)) };
};
/** The examination of mathematics, and its list. */
const examination = async (caller: APIRequestContext) => {
  const asked = async <Answer>(path: string): Promise<Answer> => (await (await caller.get(path)).json()) as Answer;
  const { subjects } = await asked<{ subjects: { subjectId: string; name: string }[] }>('/api/queries/me');
  const subjectId = subjects.find(({ name }) => name === 'Mathematics')?.subjectId ?? '';
  const lists = `/api/queries/revision-lists?subjectId=${subjectId}`;
  const { tests } = await asked<{ tests: { testId: string; name: string }[] }>(lists);
  const testId = tests.find(({ name }) => name === 'Written examination')?.testId ?? '';
  const { test: list } = await asked<{ test: { questions: { questionId: string; headerId: string | null; text: string | null }[] } }>(
    `${lists}&testId=${testId}`,
  );
  return { subjectId, testId, questions: list.questions };
};

test('a leader makes a list, puts its headers in order, undoes that, and a PDF of it is what the students get', async () => {
  const page = await marktrail.person('leader@demo.example', { at: '/' });
  const dialog = await dialogOf(page, 'Written examination');
  await dialog.getByText('There is no topic header yet: add one, or have a list suggested.').waitFor();

  // A header needs a name.
  await dialog.getByRole('button', { name: 'New Header' }).click();
  const one = page.getByRole('dialog', { name: 'New Header' });
  await one.getByRole('button', { name: 'Save' }).click();
  await one.getByText('Required').waitFor();
  await one.getByRole('button', { name: 'Cancel' }).click();
  await addHeader(page, dialog, 'Algebra');
  await addHeader(page, dialog, 'Łucja’s revision');
  expect((await names(dialog)).map((name) => name.replaceAll(/[⠿\n]/gu, '').trim())).toEqual(['Algebra', 'Łucja’s revision']);

  // What is ticked stands under the chosen header; another header has no tick for it.
  await dialog.getByRole('button', { name: 'Edit Topic Headers' }).click();
  await dialog.getByRole('radio', { name: 'Algebra' }).check();
  await dialog.getByRole('checkbox', { name: 'Question 2 under Algebra' }).check();
  await dialog.getByRole('textbox', { name: /^Topic of question 2,/u }).fill('Matrices, once more');
  await dialog.getByRole('radio', { name: 'Łucja’s revision' }).check();
  expect(await dialog.getByRole('checkbox', { name: /^Question 2 / }).count()).toBe(0);
  await dialog.getByRole('checkbox', { name: 'Question 1 under Łucja’s revision' }).check();
  expect(await brokenRules(page, { serious: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Save (2)' }).click();
  await page.getByText('Done').waitFor();

  // In another order, by the button, and back.
  await dialog.getByRole('button', { name: 'Edit Topic Headers' }).click();
  await dialog.getByRole('button', { name: 'Move Algebra down' }).click();
  await page.getByText('The topic headers are in another order.').waitFor();
  await expect.poll(async () => (await names(dialog))[1]).toContain('Algebra');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Undone.').waitFor();
  await expect.poll(async () => (await names(dialog))[0]).toContain('Algebra');

  // By dragging: the second onto the first.
  const handles = dialog.getByTitle('Drag to another place');
  await handles.nth(1).hover();
  await page.mouse.down();
  await handles.nth(0).hover();
  await handles.nth(0).hover({ position: { x: 2, y: 2 } });
  await page.mouse.up();
  await expect.poll(async () => (await names(dialog))[1]).toContain('Algebra');

  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  await dialog.getByRole('heading', { name: 'Revision Checklist: Written examination' }).waitFor();
  await expect.poll(() => dialog.getByRole('heading', { level: 5 }).allInnerTexts()).toEqual(['Łucja’s revision', 'Algebra']);
  const { name, pages } = await downloaded(page, dialog.getByRole('button', { name: 'Download Revision List' }));
  const [text = ''] = pages;
  expect([name, pages.length]).toEqual(['Revisionlist.pdf', 1]);
  expect(text).toMatch(
    /Revision Checklist: Written examination\s+As it stood on [\d/]+, [\d:]+\.\s+Tick each topic when you have revised it\.\s+Łucja’s revision\s+Q1 .+\s+Algebra\s+Q2 Matrices, once more/u,
  );
  expect(text).toMatch(/Created on \d\d\/\d\d\/\d{4} · Licensed to .+ · Made with Marktrail/u);
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  // A header is deleted after a question, and its questions are back with it.
  await dialog.getByRole('tab', { name: 'Create Revision List' }).click();
  await dialog.getByRole('button', { name: 'Delete Algebra' }).click();
  const ask = page.getByRole('dialog', { name: 'Delete Algebra' });
  await ask.getByText('Are you sure you want to delete this item?').waitFor();
  await ask.getByRole('button', { name: 'OK' }).click();
  await page.getByText('Algebra was deleted.').waitFor();
  await dialog.getByText('Deleted headers (1)').click();
  await dialog.getByRole('button', { name: 'Restore Algebra' }).click();
  await expect.poll(async () => (await names(dialog)).length).toBe(2);

  // Clear empties the list, and nothing can be downloaded then.
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  await dialog.getByText('No question stands under a header yet').waitFor();
  expect(await dialog.getByRole('button', { name: 'Download Revision List' }).isDisabled()).toBe(true);
});

test('a list is suggested in one click from the topics of the scheme of work, and undone in one', async () => {
  const staff = await marktrail.signedIn('leader@demo.example');
  const leader = staff.request;
  const { setId } = await placeOf(staff, '11X1');
  const { subjectId, questions } = await examination(leader);
  const { topics } = (await (await leader.get(`/api/queries/class-home?setId=${setId}`)).json()) as { topics: { schemeTopicId: string }[] };
  const changes = [{ schemeTopicId: topics[0]?.schemeTopicId, questionIds: questions.slice(0, 3).map(({ questionId }) => questionId) }];
  const mapped = await leader.post('/api/commands/AllocatePrerequisites', { data: { subjectId, changes } });
  expect(mapped.status()).toBe(200);
  const page = await marktrail.person('teacher1@demo.example', { at: '/' });
  const dialog = await dialogOf(page, 'Written examination');
  await dialog.getByRole('button', { name: 'Suggest a list' }).click();
  await page.getByText(/questions stand under the topic of the scheme of work\. Change what does not fit\./u).waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Undone.').waitFor();
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  await dialog.getByText('No question stands under a header yet').waitFor();
  await dialog.getByRole('tab', { name: 'Create Revision List' }).click();
  await dialog.getByRole('button', { name: 'Suggest a list' }).click();
  await dialog.getByRole('button', { name: 'Suggest a list' }).waitFor({ state: 'detached' });
  await dialog.getByRole('tab', { name: 'View/Download' }).click();
  const download = dialog.getByRole('button', { name: 'Download personal lists' });
  await download.click();
  await dialog.getByText('Nobody in 11X1 has marks by question in Written examination yet.').waitFor();
  await uploadMarksOfData(staff, '11X1');
  const personal = await downloaded(page, download);
  expect(personal.name).toBe('Revisionlist 11X1.pdf');
  expect(personal.pages.join('\n')).toMatch(
    /Revision Checklist: Written examination\s+11X1 · .+, .+\s+As it stood on [\d/]+, [\d:]+\.\s+Tick each topic/u,
  );
  expect(personal.pages.length).toBeGreaterThan(10);
});
