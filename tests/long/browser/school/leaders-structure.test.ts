import { expect, test } from 'vitest';
import { isGone } from '../../../browser/looks.ts';
import { marktrailInBrowser } from '../../../browser/marktrail.ts';

const marktrail = marktrailInBrowser();

test('an admin opens the structure to leaders, by keyboard, and closes it again', async () => {
  const leader = await marktrail.person('leader@demo.example', { at: '/admin/classes' });
  await leader.waitForURL('**/leader');
  const entry = leader.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'School Structure' });
  await leader.getByRole('navigation', { name: 'Main' }).getByText('Profile').waitFor();
  await isGone(entry);

  const admin = await marktrail.person('admin@demo.example', { at: '/admin' });
  const setting = admin.getByRole('switch', { name: 'Leaders may change the structure of their own subjects' });
  await setting.focus();
  await admin.keyboard.press('Space');
  await admin.getByText('The structure is open to leaders.').waitFor();
  await expect.poll(() => setting.isChecked()).toBe(true);

  // The leader's menu has it without a reload.
  await entry.click();
  await leader.getByRole('button', { name: 'Edit Mathematics' }).waitFor();
  await isGone(leader.getByRole('button', { name: /Add subject|Remove/ }));
  await leader.getByRole('link', { name: 'Terminal Exams' }).click();
  await leader.getByRole('heading', { level: 1, name: 'Terminal Exams' }).waitFor();
  await leader.goto('/admin/users');
  await leader.waitForURL('**/leader');
  await leader.goto('/admin/classes');
  await leader.getByRole('heading', { level: 1, name: 'Classes' }).waitFor();

  await admin.keyboard.press('Space');
  await admin.getByText('Only admins can change the structure again.').waitFor();
  // Whoever is inside is shown out.
  await leader.waitForURL('**/leader');
});
