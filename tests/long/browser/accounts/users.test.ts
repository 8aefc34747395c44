import type { APIRequestContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { tokenIn } from '../../../support/mailbox.ts';
import { brokenOnAnyScreen, brokenRules } from '../../../browser/axe.ts';
import { holds, isGone } from '../../../browser/looks.ts';
import { noticeOf, marktrailInBrowser, searchForOne } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser({ mail: true });
const PHONE = { viewport: { width: 390, height: 900 } };

const asked = async (caller: APIRequestContext, path: string, body: object): Promise<void> => {
  const answer = await caller.post(`/api/${path}`, { data: body });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
};

test('an admin deletes a student’s account', async () => {
  const page = await marktrail.person('admin@demo.example', { ...PHONE, at: '/admin/users_students' });
  await searchForOne(page, 'Search students', 'student1');
  await page.getByRole('button', { name: /^Delete / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/^The account of .* is deleted\.$/).waitFor();
  await page.getByText(/Nothing is called/).waitFor();
});

test('several accounts of a saved filter are chosen and closed at once', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  for (const name of ['Nobody One', 'Nobody Two']) {
    await asked(page.request, 'commands/InviteStaff', { name, email: `${name.replace(' ', '.')}@demo.example`, role: 'teacher' });
  }
  await page.goto('/admin/users');
  await page.getByLabel('Role').selectOption('Teacher');
  await page.getByLabel('State').selectOption('Invited, not activated yet');
  await page.getByLabel('Search staff').fill('Nobody');
  await page.waitForURL(/Nobody/);
  const save = async () => {
    await page.getByRole('button', { name: 'Save this filter…' }).click();
    await page.getByLabel('Name of the filter').fill('Teachers to come');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Teachers to come', exact: true }).waitFor();
  };
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('.savedQueries')).length);
  // Named filters outlive the page only where cookies that are not essential were accepted.
  await save();
  await expect.poll(kept).toBe(0);
  await page.getByRole('button', { name: 'Forget the filter Teachers to come' }).click();
  await page.context().addCookies([{ name: 'marktrail_consent', value: 'accepted', url: marktrail.url() }]);
  await save();
  await expect.poll(kept).toBe(1);
  await page.goto('/admin/subjects');
  await page.goto('/admin/users');
  await page.getByRole('rowheader', { name: 'Ada Nwosu' }).waitFor();
  await page.getByRole('button', { name: 'Teachers to come', exact: true }).click();
  await page.getByRole('rowheader', { name: 'Ada Nwosu' }).waitFor({ state: 'detached' });
  await holds(page.getByLabel('Search staff'), 'Nobody');
  await page.getByLabel('Choose Nobody One').check();
  await page.getByLabel('Choose Nobody Two').check();
  expect(await brokenRules(page)).toEqual([]);
  const chosen = page.getByRole('region', { name: 'Chosen' });
  await chosen.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('2 accounts are closed.').waitFor();
  await page.getByRole('rowheader', { name: 'Nobody One' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Forget the filter Teachers to come' }).click();
});

test('several students are chosen and moved at once', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  await page.goto('/admin/add_students');
  await page.getByRole('button', { name: /^11X1,/ }).click();
  await page.getByLabel('Choose all on this page').check();
  const chosen = page.getByRole('region', { name: 'Chosen' });
  await chosen.getByText('15 chosen').waitFor();
  await chosen.getByLabel('Move to').selectOption('11X2');
  await page.getByRole('button', { name: 'Submit Changes (15)' }).click();
  const submitted = await noticeOf(page, 'Submitted successfully!');
  await page.getByRole('button', { name: '11X2, 45 students' }).waitFor();
  await submitted.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: '11X2, 30 students' }).waitFor();
});

test('an admin sees who has lost an address to its owner, and gives another', async () => {
  const owner = await marktrail.caller('teacher2@demo.example');
  await asked(owner, 'door/profile/unlock', { password: 'marktrail-demo' });
  await asked(owner, 'door/profile', { email: 'teacher1@demo.example' });
  await asked(owner, 'door/verify', { token: tokenIn(await marktrail.mailbox().next('teacher1@demo.example')) });

  const page = await marktrail.person('admin@demo.example', { at: '/admin/users' });
  await searchForOne(page, 'Search staff', 'Tom Hughes');
  await page.getByText('No e-mail address any more').waitFor();
  expect(await brokenOnAnyScreen(page)).toEqual([]);
  await page.getByRole('button', { name: 'Update Tom Hughes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('tom-again@demo.example');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Tom Hughes updated. A mail is on its way to tom-again@demo.example.').waitFor();
  await isGone(page.getByText('No e-mail address any more'));
  await marktrail.mailbox().next('tom-again@demo.example');
});
