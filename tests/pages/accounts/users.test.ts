import { expect, test } from 'vitest';
import { openAuthSchool } from '../../support/auth.ts';
import { open } from '../support/open.ts';

const { school, admin, mailbox, visitor } = await openAuthSchool();

test('an account of staff needs a name, an address that is free, and a role', async () => {
  const page = await open(admin, '/admin/users');
  await page.press('Add account');
  const dialog = await page.dialog('Add account');
  await dialog.fill('E-mail', 'nobody');
  await dialog.press('Activate');
  for (const said of ['Required.', 'Invalid e-mail.', 'Select a role']) await dialog.says(said);
  await dialog.fill('Name', 'Priya Shah');
  await dialog.fill('E-mail', school.email('leader'));
  await dialog.user.click(await dialog.findByRole('combobox', { name: 'Role' }));
  await page.press('Teacher', 'option');
  await dialog.press('Activate');
  await dialog.says('Add teacher failed. Please check the email address is valid, and not already in use');
  await dialog.fill('E-mail', 'priya@demo.example');
  await dialog.press('Activate');
  await page.says('Account activated');
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
  const first = (await card.findByLabelText('Joining code')).textContent;
  await card.press('Regenerate code');
  await (await page.dialog(/code/)).press('Regenerate');
  await expect.poll(() => card.getByLabelText('Joining code').textContent).not.toBe(first);
  await card.fill('E-mail domain of the students', 'no domain');
  await card.press('Save');
  await card.says('Invalid domain.');
  await card.fill('E-mail domain of the students', 'students.example');
  await card.press('Save');
  await page.says('Students now join with an address at students.example.');
});

test('a pupil who finds no place waits on the page, and goes on without typing again when a teacher lets the class go on', async () => {
  const { maths: subjectId } = school.ids;
  const { code } = await admin.done('IssueJoinCode', { subjectId });
  const day = (of: number): string => `2009-06-${String(of + 1).padStart(2, '0')}`;
  const rows = Array.from({ length: 22 }, (_, n) => ({ admissionNo: `J${n}`, name: `Pupil ${n}`, set: '11A', dateOfBirth: day(n) }));
  await admin.done('ImportStudents', { subjectId, fileName: 'pupils.csv', rows, others: 'keep' });
  // Staff are logged in here: twenty dates may be open, and somebody has tried as many.
  for (let one = 0; one < 20; one++) {
    // oxlint-disable-next-line no-await-in-loop
    const { joining } = await visitor().passed('join/code', { code });
    // oxlint-disable-next-line no-await-in-loop
    await visitor().passed('join/birthday', { joining, dateOfBirth: day(one) });
  }
  const page = await open(visitor(), `/code?code=${code}`);
  await page.fill('Date of birth', day(20));
  await page.press('Continue');
  await page.says('Please wait: you are next.');
  await page.says('20 others are joining here just now.');
  await page.press('Change the date');
  await page.holds('Date of birth', day(20));
  await page.fill('Date of birth', day(21));
  await page.press('Continue');
  await page.says('Please wait: you are next.');
  await (await school.as('teacherA')).passed('join/clear', { subjectId });
  await expect.poll(() => page.queryAllByRole('radio')).toHaveLength(10);
});
