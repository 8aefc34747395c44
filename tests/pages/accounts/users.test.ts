import { expect, test } from 'vitest';
import { openAuthSchool } from '../../support/auth.ts';
import { open } from '../support/open.ts';

const { school, admin, mailbox } = await openAuthSchool();

test('an account of staff needs a name, an address that is free, and a role', async () => {
  const page = await open(admin, '/admin/users');
  await page.press('Add account');
  const dialog = await page.dialog('Add account');
  await dialog.fill('E-mail', 'nobody');
  await dialog.press('Activate');
  for (const said of ['Required.', 'Invalid e-mail.', 'Select a role']) await dialog.says(said);
  await dialog.fill('Name', 'Priya Shah');
  await dialog.fill('E-mail', school.email('leader'));
  await dialog.press('Role', 'combobox');
  await dialog.press('Teacher', 'option');
  await dialog.press('Activate');
  await dialog.says('Add teacher failed. Please check the email address is valid, and not already in use');
  // Of a long form the field may be out of sight.
  await expect.poll(async () => document.activeElement === (await dialog.field('E-mail'))).toBe(true);
  await dialog.fill('E-mail', 'priya@demo.example');
  await dialog.press('Activate');
  await page.says('Account activated');
  await page.says('A mail with a link is on its way to priya@demo.example: the account works once it has been used.');
  await mailbox.next('priya@demo.example');
});

test('an account is closed after a question, and the last of an admin is not', async () => {
  const page = await open(admin, '/admin/users');
  await page.press('Deactivate auditor');
  await (await page.dialog(/auditor/)).press('Deactivate');
  await page.says('The account of auditor is closed.');
  await page.press('Deactivate admin');
  await (await page.dialog(/admin/)).press('Deactivate');
  await page.says('A school needs an admin: make somebody else an admin first.');
});

test('a joining code is made anew after a question, and a domain of addresses has to be one', async () => {
  const page = await open(admin, '/admin/users_students');
  const card = await page.part('region', /^Joining code of Mathematics/);
  await card.press('Make a code');
  const first = (await card.field('Joining code')).textContent;
  await card.press('Regenerate code');
  await (await page.dialog(/code/)).press('Regenerate');
  await expect.poll(() => card.seen().getByLabelText('Joining code').textContent).not.toBe(first);
  await card.fill('E-mail domain of the students', 'no domain');
  await card.press('Save');
  await card.says('Invalid domain.');
  await card.fill('E-mail domain of the students', 'students.example');
  await card.press('Save');
  await page.says('Students now join with an address at students.example.');
});

test('from the accounts of students one gets to a student, and to who has not joined yet', async () => {
  const page = await open(admin, '/admin/users_students');
  await page.fill('Search students', '00b1');
  await page.find('heading', 'Nothing is called “00b1”');
  await page.press('look in Student Details', 'link');
  await page.field('Name of B1, Student');
  const users = await open(admin, '/admin/users_students');
  await users.fill('Search students', '00a1');
  await users.press('A1, Student', 'link');
  await users.field('Name of A1, Student');
});
