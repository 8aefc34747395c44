import { expect, test } from 'vitest';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { ask, enter } from '../../browser/calls.ts';
import { commitTotals, dialogOf, marktrailInBrowser, previewTotals, rowOf, totalsOf } from '../../browser/marktrail.ts';
import { totalCell, totalShown, typeTotal } from '../../browser/sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

test('one person in two tabs of one browser: every value survives', async () => {
  const one = await marktrail.person('teacher1@demo.example', { at: '/' });
  const other = await one.context().newPage();
  await other.goto('/teacher');
  await previewTotals(
    one,
    totalsOf([
      ['M0004', 'Clarke, Poppy', 11],
      ['M0005', 'Mensah, Rhys', 12],
    ]),
  );
  await previewTotals(
    other,
    totalsOf([
      ['M0005', 'Mensah, Rhys', 13],
      ['M0006', 'Powell, Mia', 14],
    ]),
  );
  await Promise.all([commitTotals(one), commitTotals(other)]);

  await one.goto('/teacher/markbook?year=11');
  const find = one.getByLabel(/Find a student/);
  await find.fill('Clarke, Poppy');
  await one
    .getByRole('row', { name: /Clarke, Poppy.*11/ })
    .first()
    .waitFor();
  await find.fill('Powell, Mia');
  await one
    .getByRole('row', { name: /Powell, Mia.*14/ })
    .first()
    .waitFor();
  await find.fill('Mensah, Rhys');
  await rowOf(one, 'Mensah, Rhys').locator('[data-contested]').first().click();
  const history = one.getByRole('dialog', { name: /Mensah, Rhys/ });
  await history.getByRole('button', { name: 'Use 12' }).waitFor();
  await history.getByRole('button', { name: 'Use 13' }).waitFor();
});

test('what somebody else stores while a page begins is shown, and otherwise nothing is asked twice', async () => {
  const [page, leader] = await Promise.all([marktrail.signedIn('teacher2@demo.example'), marktrail.caller('leader@demo.example')]);
  const subjectId = (await ask<Me>(leader, 'me')).subjects[0]?.subjectId ?? '';
  const { yearGroups } = await ask<Structure>(leader, `structure?subjectId=${subjectId}`);
  const markbook = `markbook?yearGroupId=${yearGroups.find(({ year }) => year === 11)?.yearGroupId}`;
  const { tests, students } = await ask<Markbook>(leader, markbook);
  const cell = { testId: tests[0]?.testId, studentId: students.find(({ name }) => name === 'Powell, Mia')?.studentId };

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/queries/markbook')) asked.push(request.url());
  });
  const open = async (): Promise<void> => {
    await page.goto('/teacher/markbook?year=11&find=Powell');
    await rowOf(page, 'Powell, Mia').waitFor();
  };
  await open();
  await page.getByText('Live', { exact: true }).waitFor();

  const listening = Promise.withResolvers<void>();
  await page.route('**/api/live?*', async (route) => {
    await listening.promise;
    await route.continue();
  });
  await open();
  // The page has brought it, or asks once where the server was too slow for that.
  expect(asked.length).toBeLessThanOrEqual(2);
  // Told to whoever listened by then.
  const { position } = await enter(leader, subjectId, [{ ...cell, is: 26 }]);
  await ask(leader, markbook, position);
  // A ring for a moment, which the browser draws once and not at each frame.
  const ring = page.waitForFunction(() => {
    const cell = document.querySelector('tbody [data-changed]');
    return cell && [getComputedStyle(cell).boxShadow, cell.getAnimations().length];
  });
  listening.resolve();
  await page.getByRole('row', { name: /Powell, Mia.*26/ }).waitFor();
  expect(await (await ring).jsonValue()).toEqual([expect.stringContaining('inset'), 0]);
  await page.locator('tbody [data-changed]').waitFor({ state: 'detached' });
});

test('what somebody else enters while a total is being typed over is told, and both are kept', async () => {
  const [leader, teacher] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/' }),
    marktrail.person('teacher1@demo.example', { at: '/' }),
  ]);
  await teacher.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(teacher, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: '11X1' });
  await typeTotal(dialog, 'Clarke, Poppy', '9');

  await previewTotals(leader, totalsOf([['M0004', 'Clarke, Poppy', 17]]));
  await commitTotals(leader);

  await dialog.getByText(/You typed 9. Grace Bell entered 17 meanwhile/).waitFor();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByRole('button', { name: '1 cell with several values' }).waitFor();
  // Here it is decided, too.
  await dialog.getByRole('button', { name: 'Use 17' }).click();
  await dialog.getByRole('button', { name: '1 cell with several values' }).waitFor({ state: 'detached' });
  await expect.poll(() => totalShown(dialog, 'Clarke, Poppy')).toBe('17');
});

test('the digit that stands in a field, typed over it, is entered again', async () => {
  const teacher = await marktrail.person('teacher1@demo.example', { at: '/' });
  await teacher.getByRole('button', { name: 'Upload totals' }).first().click();
  const dialog = dialogOf(teacher, TOTALS);
  await dialog.getByRole('tab', { name: 'Manual Entry' }).click();
  await dialog.getByLabel('Select Class').selectOption({ label: '11X1' });
  await typeTotal(dialog, 'Joshi, Leo', '9');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.locator('form').getByText('Done', { exact: true }).waitFor();
  await totalCell(dialog, 'Joshi, Leo').click();
  // A key that writes nothing is no entry.
  await teacher.keyboard.press('End');
  await teacher.keyboard.press('9');
  await dialog.getByText('1 total entered again').waitFor();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByText('1 total entered again').waitFor({ state: 'detached' });
  await dialog.locator('form').getByText('Done', { exact: true }).waitFor();
});
