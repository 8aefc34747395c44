import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { marktrailInBrowser } from '../marktrail.ts';

const marktrail = marktrailInBrowser();

test('a pupil who finds no place waits on the page, and goes on without typing again when a teacher lets the class go on', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const me = (await (await admin.get('/api/queries/me')).json()) as { subjects: { subjectId: string; name: string }[] };
  const subjectId = me.subjects.find(({ name }) => name === 'Mathematics')?.subjectId;
  const issued = await admin.post('/api/commands/IssueJoinCode', { data: { subjectId } });
  const { code } = ((await issued.json()) as { result: { code: string } }).result;
  const file = readFileSync(new URL('../../data/mathexam/student_upload.csv', import.meta.url), 'utf8');
  const dates = [...new Set([...file.matchAll(/,(\d\d)\/(\d\d)\/(\d{4})/g)].map(([, day, month, year]) => `${year}-${month}-${day}`))];
  expect(dates.length).toBeGreaterThan(22);

  // Staff are logged in here: twenty dates may be open, and somebody has tried as many.
  const page = await marktrail.visitor({ viewport: { width: 390, height: 800 } });
  for (const dateOfBirth of dates.slice(0, 20)) {
    const { joining } = (await (await page.request.post('/api/door/join/code', { data: { code } })).json()) as { joining: string };
    expect((await page.request.post('/api/door/join/birthday', { data: { joining, dateOfBirth } })).status()).toBe(200);
  }
  await page.goto(`/code?code=${code}`);
  const date = page.getByLabel('Date of birth');
  await date.fill(dates[20] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Please wait: you are next.').waitFor();
  await page.getByText('20 others are joining here just now.').waitFor();
  expect(await brokenRules(page)).toEqual([]);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/join-waits.png`, fullPage: true });
  await page.getByRole('button', { name: 'Change the date' }).click();
  expect(await date.inputValue()).toBe(dates[20]);
  await date.fill(dates[21] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Please wait: you are next.').waitFor();

  const teacher = await marktrail.person('teacher1@demo.example', { at: '/teacher' });
  await teacher.getByText('One student waits to join Mathematics.').waitFor();
  if (process.env['PICTURES']) await teacher.screenshot({ path: `${process.env['PICTURES']}/join-waits-teacher.png` });
  await teacher.getByRole('button', { name: 'Let them go on' }).click();
  await teacher.getByText('The students go on now.').waitFor();
  await expect.poll(() => page.getByRole('radio').count()).toBe(10);
});
