import { afterAll, expect, test } from 'vitest';
import { moment } from '../../support/as-of.ts';
import { openSchool } from '../../support/school.ts';
import { open, user } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');
const { maths: subjectId } = school.ids;

test('the administration shows an earlier moment, read-only, from page to page; Escape closes a dialog first, then leads back to now', async () => {
  await admin.done('AddTerminalExam', { subjectId, name: 'Old exam', yearSat: 11 });
  const asOf = await moment();
  await admin.done('AddTerminalExam', { subjectId, name: 'New exam', yearSat: 12 });
  const page = await open(admin, `/admin/terminal?asOf=${asOf}`);
  await page.says('Nothing can be changed here.');
  await page.says('Old exam');
  expect(page.seen().queryByText('New exam')).toBeNull();
  for (const name of [/^Edit/, /^Remove/, 'Add exam']) expect(page.seen().queryByRole('button', { name })).toBeNull();
  await page.press('Assign teachers to classes', 'link');
  await page.find('heading', 'Assign teachers to classes');
  await page.says('Nothing can be changed here.');
  expect(new URLSearchParams(location.search).get('asOf')).toBe(asOf);
  for (const name of [/^Remove/, 'Submit', 'Add teacher']) expect(page.seen().queryByRole('button', { name })).toBeNull();
  await page.press(/choose the moment to show/);
  await page.dialog('Show an earlier moment');
  await user.keyboard('{Escape}');
  await page.goneFrom('dialog', 'Show an earlier moment');
  await page.says('Nothing can be changed here.');
  await user.keyboard('{Escape}');
  await page.find('button', 'Add teacher');
  expect(location.search).not.toContain('asOf');
});

test('what is no moment, and a page that shows none, are said in their place', async () => {
  const page = await open(admin, '/admin/teachers?asOf=yesterday');
  await page.says('names no valid moment, so you see how things are now');
  await page.press('Back to now');
  await page.gone('names no valid moment, so you see how things are now');
  const status = await open(admin, `/admin/upload_students?asOf=${await moment()}`);
  await status.says('This page cannot show an earlier moment.');
});

test('a time that the clocks skip in March is said not to exist', async () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/London';
  try {
    const page = await open(admin, '/admin/teachers');
    await page.press(/choose the moment to show/);
    const dialog = await page.dialog('Show an earlier moment');
    await dialog.fill('Day', '2026-03-29');
    await dialog.fill('Time', '01:30');
    await dialog.press('Show this moment');
    await dialog.says('There was no such time on that day');
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});
