import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser, searchForOne } from '../marktrail.ts';

const marktrail = marktrailInBrowser();
const PHONE = { viewport: { width: 390, height: 800 } };

test('a program gets a token in the profile, once the password was given, and loses it there', async () => {
  const page = await marktrail.person('leader@demo.example', { ...PHONE, at: '/profile' });
  const tokens = page.getByRole('region', { name: 'Tokens for programs' });
  await tokens.getByRole('button', { name: 'Make a token' }).click();
  const locked = page.getByRole('dialog', { name: 'Your profile is locked' });
  await locked.getByLabel('Current password').fill('marktrail-demo');
  await locked.getByRole('button', { name: 'Unlock' }).click();
  await locked.waitFor({ state: 'hidden' });
  await tokens.getByLabel('What it is for').fill('Exports');
  await tokens.getByLabel('Good for').selectOption('7 days');
  await tokens.getByRole('button', { name: 'Make it' }).click();
  const token = await tokens.getByLabel('Token', { exact: true }).innerText();
  await tokens.getByRole('button', { name: 'Copy' }).click();
  await tokens.getByText(/^Copied\.|^It could not be copied/).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  const asProgram = () => fetch(`${marktrail.url()}/api/checkauth`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await (await asProgram()).json()).toMatchObject({ scope: 'leader' });
  await tokens.getByRole('button', { name: 'I have kept it' }).click();
  const own = page.getByRole('region', { name: 'Where you are logged in' });
  await own.getByText('A program, with a token until').waitFor();
  await own.getByRole('button', { name: 'End Exports' }).click();
  await own.getByRole('button', { name: 'End Exports' }).waitFor({ state: 'detached' });
  expect((await asProgram()).status).toBe(401);
});

test('a session is ended from another place, by its owner or an admin, and goes on there after a log-in', async () => {
  const lost = await marktrail.person('leader@demo.example', { ...PHONE, at: '/profile' });
  await lost.getByRole('region', { name: 'Where you are logged in' }).getByText('(this one)').waitFor();
  const unlock = lost.getByLabel('Current password');

  const desk = await marktrail.person('leader@demo.example', { ...PHONE, at: '/profile' });
  const own = desk.getByRole('region', { name: 'Where you are logged in' });
  await own.getByText('(this one)').waitFor();
  expect(await brokenRules(desk)).toEqual([]);
  const others = await own.getByRole('button', { name: /^End / }).count();
  expect(others).toBeGreaterThan(0);
  for (let left = others; left > 0; left--) {
    await own.getByRole('button', { name: /^End / }).first().click();
    await expect.poll(() => own.getByRole('button', { name: /^End / }).count()).toBe(left - 1);
  }
  await unlock.fill('marktrail-demo');
  await lost.getByRole('button', { name: 'Unlock' }).click();
  const again = lost.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password').fill('marktrail-demo');
  await again.getByRole('button', { name: 'Login' }).click();
  await lost.getByRole('button', { name: 'Save' }).waitFor();

  const admin = await marktrail.person('admin@demo.example', { viewport: { width: 1440, height: 900 }, at: '/admin/users' });
  await searchForOne(admin, 'Search staff', 'leader@demo.example');
  await admin
    .getByRole('button', { name: /^Sessions of / })
    .first()
    .click();
  const dialog = admin.getByRole('dialog', { name: /^Where .* is logged in$/ });
  await dialog.getByRole('button', { name: /^End / }).first().waitFor();
  expect(await brokenRules(admin)).toEqual([]);
  while ((await dialog.getByRole('button', { name: /^End / }).count()) > 0) {
    const left = await dialog.getByRole('button', { name: /^End / }).count();
    await dialog.getByRole('button', { name: /^End / }).first().click();
    await expect.poll(() => dialog.getByRole('button', { name: /^End / }).count()).toBe(left - 1);
  }
  await dialog.getByText('Nowhere at the moment.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await desk.goto('/profile');
  await desk.waitForURL(/\/login/);
});
