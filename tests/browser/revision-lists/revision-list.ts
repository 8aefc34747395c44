import type { APIRequestContext, Locator, Page } from 'playwright-core';
import { pdfPages } from '../../support/pdf.ts';
import { downloadBy } from '../shared-browser.ts';

/** The dialog of the revision lists, at an assessment. */
export const listOf = async (page: Page, assessment: string): Promise<Locator> => {
  await page.getByRole('button', { name: 'Revision Lists' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revision Lists' });
  const select = dialog.getByLabel('Select an assessment');
  const option = select.locator('option', { hasText: assessment });
  await select.selectOption((await option.getAttribute('value')) ?? '');
  await dialog.getByRole('heading', { name: assessment, exact: true }).waitFor();
  return dialog;
};
export const addHeader = async (page: Page, dialog: Locator, name: string): Promise<void> => {
  await dialog.getByRole('button', { name: 'New Header' }).click();
  const one = page.getByRole('dialog', { name: 'New Header' });
  await one.getByLabel('Header').fill(name);
  await one.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('region', { name: 'Topic headers' }).first().getByRole('rowheader', { name }).waitFor();
};
/** The headers, in their order. */
export const names = (dialog: Locator): Promise<string[]> =>
  dialog
    .getByRole('region', { name: 'Topic headers' })
    .first()
    .getByRole('rowheader')
    .evaluateAll((heads) => heads.map(({ textContent }) => textContent.replaceAll(/[⠿\n]/gu, '').trim()));
/** What a button saves: its name, and the text of its pages. */
export const pagesBy = async (button: Locator): Promise<{ name: string; pages: readonly string[] }> => {
  const { name, file } = await downloadBy(button);
  return { name, pages: await pdfPages(file) };
};
/** The examination of mathematics, and its list. */
export const examination = async (caller: APIRequestContext) => {
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
