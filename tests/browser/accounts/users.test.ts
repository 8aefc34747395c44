import { expect, test } from 'vitest';
import { tokenIn } from '../../support/mailbox.ts';
import { pdfSource } from '../../support/pdf.ts';
import { brokenRules } from '../axe.ts';
import { isGone, reads } from '../looks.ts';
import { marktrailInBrowser, searchForOne } from '../marktrail.ts';
import { downloaded } from '../shared-browser.ts';

const marktrail = marktrailInBrowser({ mail: true });

test('an admin invites, corrects, and closes accounts of staff', async () => {
  const page = await marktrail.person('admin@demo.example', { at: '/admin/users' });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('nobody');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  for (const said of ['Required.', 'Invalid e-mail.', 'Select a role']) await dialog.getByText(said).waitFor();
  await dialog.getByLabel('Name').fill('Priya Newcome');
  await dialog.getByLabel('E-mail').fill('leader@demo.example');
  await dialog.getByLabel('Role').click();
  await dialog.getByRole('option', { name: 'Teacher' }).waitFor();
  await isGone(dialog.getByRole('option', { name: 'Student' }));
  await dialog.getByRole('option', { name: 'Teacher' }).click();
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await dialog.getByText('Add teacher failed. Please check the email address is valid, and not already in use').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await dialog.getByLabel('E-mail').fill('wrong@demo.example');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('Account activated').waitFor();
  const first = tokenIn(await marktrail.mailbox().next('wrong@demo.example'));

  await searchForOne(page, 'Search staff', 'Priya Newcome');
  await page.getByRole('button', { name: 'Update Priya Newcome' }).click();
  await dialog.getByLabel('E-mail').fill('right@demo.example');
  await dialog.getByRole('button', { name: 'Update' }).click();
  expect(tokenIn(await marktrail.mailbox().next('right@demo.example'))).not.toBe(first);
  await page.getByRole('button', { name: 'Re-send Activation to Priya Newcome' }).click();
  await marktrail.mailbox().next('right@demo.example');
  await page.getByRole('button', { name: 'Deactivate Priya Newcome' }).click();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('The account of Priya Newcome is closed.').waitFor();
});

test('an admin makes a joining code, prints it, and resets a student’s account', async () => {
  const page = await marktrail.person('admin@demo.example', { viewport: { width: 390, height: 900 }, at: '/admin/users_students' });
  const card = page.getByRole('region', { name: /^Joining code of/ });
  await card.getByRole('button', { name: 'Make a code' }).click();
  const code = card.getByLabel('Joining code', { exact: true });
  await reads(code, /^[A-Za-z0-9]{7}$/);
  const made = await code.innerText();
  await card.getByRole('button', { name: 'Print stickers' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download Signup_sheet.pdf' }).click();
  expect(pdfSource(await downloaded(await download)).split(`(${made})`)).toHaveLength(1 + 14);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await searchForOne(page, 'Search students', 'student1');
  await page.getByRole('button', { name: 'Reset Sophie Edwards' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await reads(dialog.locator('code'), new RegExp(tokenIn(await marktrail.mailbox().next('student1@demo.example'))));
  expect(await brokenRules(page)).toEqual([]);
});
