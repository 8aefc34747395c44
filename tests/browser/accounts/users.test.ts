import type { APIRequestContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tokenIn } from '../../support/mailbox.ts';
import { pdfSource } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { noticeOf, marktrailInBrowser, searchForOne } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';

const marktrail = marktrailInBrowser({ mail: true });

const clean = async (page: Page): Promise<void> => {
  expect(await brokenRules(page)).toEqual([]);
};

test.each([[1440], [390]])('an admin invites, corrects, and closes accounts of staff, at %i px', async (width) => {
  const name = `Priya ${width}`;
  const wrong = `wrong${width}@demo.example`;
  const right = `right${width}@demo.example`;
  const page = await marktrail.person('admin@demo.example', { viewport: { width, height: 900 }, at: '/admin/users' });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('nobody');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  for (const said of ['Required.', 'Invalid e-mail.', 'Select a role']) await dialog.getByText(said).waitFor();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('E-mail').fill('leader@demo.example');
  await dialog.getByLabel('Role').click();
  await page.getByRole('option', { name: 'Teacher' }).waitFor();
  expect(await page.getByRole('option').allInnerTexts()).not.toContain('Student');
  await page.getByRole('option', { name: 'Teacher' }).click();
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await dialog.getByText('Add teacher failed. Please check the email address is valid, and not already in use').waitFor();
  await clean(page);
  await dialog.getByLabel('E-mail').fill(wrong);
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('Account activated').waitFor();
  const first = tokenIn(await marktrail.mailbox().next(wrong));

  await searchForOne(page, 'Search staff', name);
  await page.getByRole('button', { name: `Update ${name}` }).click();
  await dialog.getByLabel('E-mail').fill(right);
  await dialog.getByRole('button', { name: 'Update' }).click();
  expect(tokenIn(await marktrail.mailbox().next(right))).not.toBe(first);
  await page.getByRole('button', { name: `Re-send Activation to ${name}` }).click();
  await marktrail.mailbox().next(right);
  await page.getByRole('button', { name: `Deactivate ${name}` }).click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText(`The account of ${name} is closed.`).waitFor();

  await searchForOne(page, 'Search staff', 'admin@demo.example');
  await page.getByRole('button', { name: 'Deactivate Ada Nwosu' }).click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('A school needs an admin: make somebody else an admin first.').waitFor();
  await clean(page);
});

test('an admin makes a joining code, prints it, says the domain, resets and deletes a student’s account', async () => {
  const page = await marktrail.person('admin@demo.example', { viewport: { width: 390, height: 900 }, at: '/admin/users_students' });
  const card = page.getByRole('region', { name: /^Joining code of/ });
  await card.getByRole('button', { name: 'Make a code' }).click();
  const code = card.getByLabel('Joining code', { exact: true });
  await expect.poll(() => code.innerText()).toMatch(/^[A-Za-z0-9]{7}$/);
  const first = await code.innerText();
  await card.getByRole('button', { name: 'Regenerate code' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
  await expect.poll(() => code.innerText()).not.toBe(first);
  const now = await code.innerText();

  await card.getByLabel('E-mail domain').fill('no domain');
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Invalid domain.').waitFor();
  await card.getByLabel('E-mail domain').fill('students.example');
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Students now join with an address at students.example.').waitFor();

  await card.getByRole('button', { name: 'Print stickers' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await clean(page);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Signup_sheet.pdf' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Signup_sheet.pdf');
  const pdf = pdfSource(await downloaded(file));
  expect([...pdf.matchAll(new RegExp(`\\(${now}\\)`, 'g'))].length).toBe(14);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Search students').fill('student1');
  await page.getByRole('button', { name: 'Reset Joseph Kowalski' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reset Sophie Edwards' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  const link = await dialog.locator('code').innerText();
  expect(link).toContain(tokenIn(await marktrail.mailbox().next('student1@demo.example')));
  await clean(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Delete / }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/^The account of .* is deleted\.$/).waitFor();
  await page.getByText(/Nothing is called/).waitFor();
});

test('several are chosen at once: accounts of a saved filter are closed, students are moved', async () => {
  const page = await marktrail.signedIn('admin@demo.example');
  for (const name of ['Nobody One', 'Nobody Two']) {
    const data = { name, email: `${name.replace(' ', '.')}@demo.example`, role: 'teacher' };
    expect((await page.request.post('/api/commands/InviteStaff', { data })).status()).toBe(200);
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
  expect(await kept()).toBe(0);
  await page.getByRole('button', { name: 'Forget the filter Teachers to come' }).click();
  await page.context().addCookies([{ name: 'marktrail_consent', value: 'accepted', url: marktrail.url() }]);
  await save();
  expect(await kept()).toBe(1);
  await page.goto('/admin/subjects');
  await page.goto('/admin/users');
  await page.getByRole('rowheader', { name: 'Ada Nwosu' }).waitFor();
  await page.getByRole('button', { name: 'Teachers to come', exact: true }).click();
  await page.getByRole('rowheader', { name: 'Ada Nwosu' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Search staff').inputValue()).toBe('Nobody');
  await page.getByLabel('Choose Nobody One').check();
  await page.getByLabel('Choose Nobody Two').check();
  await clean(page);
  const chosen = page.getByRole('region', { name: 'Chosen' });
  await chosen.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('2 accounts are closed.').waitFor();
  await page.getByRole('rowheader', { name: 'Nobody One' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Forget the filter Teachers to come' }).click();

  await page.goto('/admin/add_students');
  await page.getByRole('button', { name: /^11X1,/ }).click();
  await page.getByLabel('Choose all on this page').check();
  await chosen.getByText('15 chosen').waitFor();
  await chosen.getByLabel('Move to').selectOption('11X2');
  await page.getByRole('button', { name: 'Submit Changes (15)' }).click();
  const submitted = await noticeOf(page, 'Submitted successfully!');
  await page.getByRole('button', { name: '11X2, 45 students' }).waitFor();
  await submitted.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: '11X2, 30 students' }).waitFor();
});

test.each([[1440], [390]])('an admin sees who has lost an address to its owner, and gives another, at %i px', async (width) => {
  const [lost, next] = width === 1440 ? ['teacher1@demo.example', 'tom1440@demo.example'] : ['tom1440@demo.example', 'tom390@demo.example'];
  const owner = await marktrail.caller(width === 1440 ? 'teacher2@demo.example' : 'leader@demo.example');
  await asked(owner, 'door/profile/unlock', { password: 'marktrail-demo' });
  await asked(owner, 'door/profile', { email: lost });
  await asked(owner, 'door/verify', { token: tokenIn(await marktrail.mailbox().next(lost)) });

  const page = await marktrail.person('admin@demo.example', { viewport: { width, height: 900 }, at: '/admin/users' });
  await searchForOne(page, 'Search staff', 'Tom Hughes');
  await page.getByText('No e-mail address any more').waitFor();
  await clean(page);
  await page.getByRole('button', { name: 'Update Tom Hughes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(next);
  await dialog.getByRole('button', { name: 'Update' }).click();
  await page.getByText(`Tom Hughes updated. A mail is on its way to ${next}.`).waitFor();
  await page.getByText('No e-mail address any more').waitFor({ state: 'detached' });
  await marktrail.mailbox().next(next);
});

const asked = async (caller: APIRequestContext, path: string, body: object): Promise<void> => {
  const answer = await caller.post(`/api/${path}`, { data: body });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
};
