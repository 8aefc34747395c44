import type { APIRequestContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { openHands } from '../../../browser/hands.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { totalShown, typeTotal } from '../../../browser/sheet.ts';

const marktrail = marktrailInBrowser({ apart: true });

type Listed = {
  readonly id: string;
  readonly admissionNo: string;
  readonly name: string;
  readonly set: string;
  readonly studentId: string;
};

test('the demo school goes into a new school year in a few clicks, and all of it is taken back after sixty other acts and a restart', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const before = await classesOf(admin);
  const hands = openHands();

  // A teacher types meanwhile.
  const teacher = await marktrail.person('teacher1@demo.example', { at: '/' });
  await teacher.getByRole('button', { name: 'Upload totals' }).first().click();
  const sheet = dialogOf(teacher, 'Upload Student Assessment Totals');
  await sheet.getByRole('tab', { name: 'Manual Entry' }).click();
  await sheet.getByLabel('Select Class').selectOption({ label: '11X1' });
  await typeTotal(sheet, 'Clarke, Poppy', '9');

  const page = await marktrail.person('admin@demo.example', { at: '/admin/classes' });
  await hands.click(page.getByRole('link', { name: 'New school year' }));
  const outcome = page.getByRole('region', { name: 'What changes' });
  await outcome.getByText('729 leave, 0 change class.').waitFor();
  await page.getByLabel('Year 11 becomes').selectOption({ label: 'Year 12' });
  await page.getByLabel('What becomes of 11Y14').selectOption({ label: 'Ends: to Off-Roll' });
  await page.getByLabel('What becomes of 11X12').selectOption({ label: 'Merges into 12X1' });
  const selects = 3;
  await page.locator('input[type=file]').setInputFiles({ name: 'intake.csv', mimeType: 'text/csv', buffer: Buffer.from(INTAKE) });
  const files = 1;
  await outcome.getByText(`${sizeOf(before, '11Y14')} leave, 30 come, ${sizeOf(before, '11X12')} change class.`).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await hands.click(page.getByRole('button', { name: 'Begin now' }));
  await hands.click(page.getByRole('button', { name: 'Begin', exact: true }));
  await page.getByText(/^The school year .* has begun\.$/).waitFor();
  // A choice in a list is two clicks, and so is a file.
  expect(hands.effort().clicks + 2 * (selects + files)).toBeLessThanOrEqual(25);

  const after = await classesOf(admin);
  expect(sizeOf(after, '12X1')).toBe(sizeOf(before, '11X1') + sizeOf(before, '11X12'));
  expect([sizeOf(after, '11X1'), sizeOf(after, '11Y1'), sizeOf(after, 'Off-Roll')]).toEqual([15, 15, sizeOf(before, '11Y14')]);
  expect(after.get('M0001')).toBe(before.get('M0001')?.replace('11', '12'));

  // What was typed goes to the student for whom it was typed.
  await sheet.getByRole('button', { name: 'Submit' }).click();
  await sheet.locator('form').getByText('Done', { exact: true }).waitFor();
  await expect.poll(() => totalShown(sheet, 'Clarke, Poppy')).toBe('9');

  const { id } = (await studentsOf(admin)).find(({ admissionNo }) => admissionNo === 'M0002')!;
  for (let n = 0; n < 60; n++) {
    const details = { admissionNo: 'M0002', name: `Number ${n}`, dateOfBirth: null };
    const body = { subjectId: await subjectOf(admin), changes: [{ studentId: id, details }] };
    expect((await admin.post('/api/commands/ChangeStudents', { data: body })).status()).toBe(200);
  }
  await (
    await marktrail.killed()
  )();

  const again = await marktrail.person('admin@demo.example', { at: '/admin/classes' });
  await again.getByRole('button', { name: /^Undo: began the school year/ }).click();
  await again.getByRole('button', { name: 'Undo', exact: true }).click();
  await again.getByText(/^Undone: .*began the school year/).waitFor();
  expect(await classesOf(await marktrail.caller('admin@demo.example'))).toEqual(before);
});

const INTAKE = [
  'StudentID,Name,Set,DoB',
  ...Array.from({ length: 30 }, (_, n) => `N${n},"New, Number ${n}",${n % 2 ? '11X1' : '11Y1'},01/02/2010`),
].join('\r\n');

const subjectOf = async (caller: APIRequestContext): Promise<string> => {
  const subjects = (await (await caller.get('/api/rest/subjects')).json()) as { readonly id: string; readonly name: string }[];
  return subjects.find(({ name }) => name === 'Mathematics')?.id ?? '';
};
const studentsOf = async (caller: APIRequestContext): Promise<readonly Listed[]> => {
  const filter = JSON.stringify({ subjectId: await subjectOf(caller) });
  const listed = (await (await caller.get('/api/rest/students', { params: { filter, range: '[0,1999]' } })).json()) as Listed[];
  return listed.map((one) => ({ ...one, id: one.studentId }));
};
/** By StudentID, the set or Off-Roll. */
const classesOf = async (caller: APIRequestContext): Promise<ReadonlyMap<string, string>> =>
  new Map((await studentsOf(caller)).map(({ admissionNo, set }) => [admissionNo, set]));
const sizeOf = (classes: ReadonlyMap<string, string>, set: string): number => [...classes.values()].filter((one) => one === set).length;
