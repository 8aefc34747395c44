import { afterAll, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { openSchool, PASSWORD } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);

const unlock = async ({ fill, press }: Pick<Awaited<ReturnType<typeof open>>, 'fill' | 'press'>): Promise<void> => {
  await fill('Current password', PASSWORD);
  await press('Unlock');
};

test('a program gets a token in the profile, once the password was given, and loses it there', async () => {
  const page = await open(await school.signIn('leader'), '/profile');
  const tokens = await page.part('region', 'Tokens for programs');
  await tokens.press('Make a token');
  await unlock(await page.dialog('Your profile is locked'));
  await page.goneFrom('dialog', 'Your profile is locked');
  await tokens.fill('What it is for', 'Exports');
  await tokens.choose('Good for', '7 days');
  await tokens.press('Make it');
  const token = (await tokens.field('Token')).textContent;
  const asProgram = () => new Client(school).send('/api/checkauth', { headers: { Authorization: `Bearer ${token}` } });
  expect(await (await asProgram()).json()).toMatchObject({ scope: 'leader' });
  await tokens.press('I have kept it');
  const own = await page.part('region', 'Where you are logged in');
  await own.press('End Exports');
  await own.goneFrom('button', 'End Exports');
  expect((await asProgram()).status).toBe(401);
});

test('a session is ended from another place, by its owner or by an admin', async () => {
  const [lost, desk, admin] = [await school.signIn('teacherA'), await school.signIn('teacherA'), await school.as('admin')];
  const page = await open(desk, '/profile');
  const own = await page.part('region', 'Where you are logged in');
  await own.says('(this one)');
  await own.press(/^End /);
  await own.goneFrom('button', /^End /);
  expect((await lost.query('me')).status).toBe(401);

  const users = await open(admin, '/admin/users');
  await users.press('Sessions of teacherA');
  const dialog = await users.dialog('Where teacherA is logged in');
  await dialog.press(/^End /);
  await dialog.says('Nowhere at the moment.');
  expect((await desk.query('me')).status).toBe(401);
});

test('a session that ends while the profile is typed into goes on after a log-in, and nothing typed is lost', async () => {
  const client = await school.signIn('teacherB');
  const page = await open(client, '/profile');
  await unlock(page);
  await page.find('button', 'Save');
  await page.fill('Name', 'Joseph Newname');
  client.cookie = undefined;
  await page.press('Save');
  const again = await page.dialog('Your session has ended');
  await again.fill('Password', PASSWORD);
  await again.press('Login');
  await unlock(await page.dialog('Your profile is locked again'));
  await page.goneFrom('dialog', 'Your profile is locked again');
  await page.holds('Name', 'Joseph Newname');
  await page.press('Save');
  await page.says('The profile was updated successfully');
});

test('a log-out that the server has not heard of says so, and is tried again', async () => {
  const client = await school.signIn('auditor');
  const page = await open(client, '/profile');
  page.line.lose(/sign-out/);
  await page.press('Logout');
  const still = await page.dialog('Not logged out');
  await still.says('You are still logged in: the server cannot be reached. Try again.');
  expect((await client.query('me')).status).toBe(200);
  // It is not heard here that it has worked: the page would go on in another document.
  const again = page.line.hold(/sign-out/);
  await still.press('Try again');
  await again.reached;
  expect((await client.query('me')).status).toBe(401);
});
