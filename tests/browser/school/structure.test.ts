import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter, typeOver } from '../keyboard.ts';
import { holds } from '../looks.ts';
import { dialogOf, marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

test('a subject, a class and its teacher are made, by keyboard alone; what cannot be is said beside its field', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/subjects' });
  const type = async (label: string, text: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).focus();
    await typeOver(page, text);
  };
  const choose = (name: string) => pressEnter(page.getByRole('button', { name, exact: true }).first());
  const go = (name: string) => page.getByRole('link', { name, exact: true }).press('Enter');

  await choose('Add subject');
  const name = dialogOf(page, 'Add subject').getByLabel('Subject name');
  await hasFocus(name);
  await page.keyboard.type('mathematics');
  await page.keyboard.press('Enter');
  await page.getByText('Subject name needs to be unique').waitFor();
  await name.focus();
  await typeOver(page, 'Woodcarving');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Woodcarving' }).waitFor();
  await go('Schemes of Work');
  await choose('Add scheme of work');
  await hasFocus(dialogOf(page, 'Add scheme of work').getByLabel('Name of the scheme of work'));
  await page.keyboard.type('Relief');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Relief' }).waitFor();

  await go('Classes');
  await type('New year group, such as 11', '0');
  await page.getByText('The value must be greater than zero').waitFor();
  await typeOver(page, '10');
  await choose('Add year group');
  await type('Add new group', '10A');
  await choose('Add group');
  await page.getByRole('row', { name: 'Set 10A' }).waitFor();
  expect(await brokenRules(page, { serious: true })).toEqual([]);

  await go('Assign teachers to classes');
  await type('Add new teacher', 'Frida Kahlo');
  await choose('Add teacher');
  await page.getByLabel('Classes of Frida Kahlo').focus();
  await page.keyboard.type('10A');
  await page.getByRole('option', { name: '10A' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await choose('Submit (1)');
  await page.getByText('Submitted successfully!').waitFor();
  await page.reload();
  await page.getByRole('listitem', { name: 'Frida Kahlo' }).getByRole('button', { name: '10A' }).waitFor();
});

test('a form that is open outlives the list around it, and asks before it lets go of what was typed', async () => {
  const page = await marktrail.signedIn('admin@demo.example', { viewport: { width: 390, height: 844 } });
  const send = async (path: string, data: object): Promise<string> => {
    const answer = await page.request.post(`/api/rest/${path}`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return ((await answer.json()) as { id: string }).id;
  };
  const subjectId = await send('subjects', { name: 'Music' });
  // Until it hears what others do.
  await Promise.all([page.waitForResponse((answer) => answer.url().includes('/api/live?')), page.goto('/admin/sow')]);
  await page.getByLabel('Subject', { exact: true }).selectOption('Music');

  // Opened from the empty list, which another admin fills meanwhile.
  await page.getByRole('button', { name: 'Add scheme of work' }).last().click();
  const scheme = dialogOf(page, 'Add scheme of work');
  const schemeName = scheme.getByLabel('Name of the scheme of work');
  await schemeName.fill('Rhythm');
  await send('schemes', { subjectId, name: 'Harmony' });
  await page.getByRole('heading', { name: 'Harmony', includeHidden: true }).waitFor({ state: 'attached' });
  await holds(schemeName, 'Rhythm');
  const discard = dialogOf(page, 'Leave without saving?');
  await schemeName.press('Escape');
  await discard.getByRole('button', { name: 'Stay here' }).click();
  await discard.waitFor({ state: 'detached' });
  await schemeName.press('Escape');
  await discard.getByRole('button', { name: 'Leave all the same' }).click();
  await scheme.waitFor({ state: 'detached' });
  // A topic that is half typed counts; a click beside the dialog lets go of nothing.
  await press(page, 'Edit Harmony');
  const harmony = dialogOf(page, 'Edit scheme of work');
  const topic = harmony.getByLabel('New topic');
  await topic.fill('Chords');
  await page.mouse.click(195, 4);
  await holds(topic, 'Chords');
  await page.keyboard.press('Escape');
  await discard.getByRole('button', { name: 'Leave all the same' }).click();
  await harmony.waitFor({ state: 'detached' });
});
