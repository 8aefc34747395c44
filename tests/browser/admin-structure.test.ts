import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dialogOf, marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

test('what somebody else has changed under an open form is said, and what was typed stays', async () => {
  const page = await marktrail.person('admin@demo.example');
  await page.goto('/admin/subjects');
  await press(page, 'Edit Science');
  const form = dialogOf(page, 'Edit subject');
  await form.getByLabel('Subject name').fill('Sciences');
  const list = (await (await page.request.get('/api/rest/subjects')).json()) as { id: string; name: string }[];
  const science = list.find(({ name }) => name === 'Science');
  await page.request.put(`/api/rest/subjects/${science?.id}`, { data: { name: 'Physics' } });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Somebody else has changed this meanwhile.').waitFor();
  expect(await form.getByLabel('Subject name').inputValue()).toBe('Sciences');
  await form.getByRole('button', { name: 'Show what it says now' }).click();
  expect(await form.getByLabel('Subject name').inputValue()).toBe('Physics');
  await form.getByLabel('Subject name').fill('Combined Science');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Combined Science' }).waitFor();
});
