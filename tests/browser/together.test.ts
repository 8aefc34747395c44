import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import { dialogOf, marktrailInBrowser, previewTotals, totalsOf } from './marktrail.ts';
import { totalCell, totalShown, typeTotal } from './sheet.ts';

const marktrail = marktrailInBrowser();
const TOTALS = 'Upload Student Assessment Totals';

const commit = async (page: Page): Promise<void> => {
  const dialog = dialogOf(page, TOTALS);
  await dialog.getByRole('button', { name: 'Commit to DB' }).click();
  await dialog
    .getByText(/total.* stored/)
    .first()
    .waitFor();
};

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });

test('two people upload to one class at once: every value survives, and where they disagree both are asked', async () => {
  const [leader, teacher] = await Promise.all([
    marktrail.person('leader@demo.example', { at: '/' }),
    marktrail.person('teacher1@demo.example', { at: '/' }),
  ]);
  // Somebody else looks on.
  const watcher = await marktrail.person('teacher2@demo.example', { at: '/teacher/markbook?year=11&find=Edwards' });
  await rowOf(watcher, 'Edwards, Sophie').waitFor();

  // Both look at the same state, then both commit.
  await previewTotals(
    leader,
    totalsOf([
      ['M0001', 'Edwards, Sophie', 18],
      ['M0002', 'Kowalski, Joseph', 21],
    ]),
  );
  await previewTotals(
    teacher,
    totalsOf([
      ['M0001', 'Edwards, Sophie', 22],
      ['M0003', 'Lee, Kayleigh', 25],
    ]),
  );
  await Promise.all([commit(leader), commit(teacher)]);
  // Whoever came second is told at once.
  const told = (page: Page) => dialogOf(page, TOTALS).getByText('1 cell of the file holds several values.').waitFor();
  await Promise.any([told(leader), told(teacher)]);

  // The watcher's markbook follows by itself.
  await rowOf(watcher, 'Edwards, Sophie').locator('[data-contested]').first().waitFor();

  await leader.goto('/leader/markbook?year=11');
  const find = leader.getByLabel(/Find a student/);
  await find.fill('Kowalski, Joseph');
  await leader.getByRole('row', { name: /Kowalski, Joseph.*21/ }).waitFor();
  await find.fill('Lee, Kayleigh');
  await leader.getByRole('row', { name: /Lee, Kayleigh.*25/ }).waitFor();
  await find.fill('Edwards, Sophie');
  await rowOf(leader, 'Edwards, Sophie').locator('[data-contested]').first().click();
  const history = leader.getByRole('dialog', { name: /Edwards, Sophie/ });
  await history.getByRole('button', { name: 'Use 18' }).waitFor();
  await history.getByRole('button', { name: 'Use 22' }).click();
  await history.getByRole('button', { name: 'Use 22' }).waitFor({ state: 'detached' });
  await leader.keyboard.press('Escape');
  await leader.getByRole('row', { name: /Edwards, Sophie.*22/ }).waitFor();
  // The total may have read 22 before: what was decided shows by the folded corner that goes.
  for (const page of [leader, watcher])
    await rowOf(page, 'Edwards, Sophie').locator('[data-contested]').first().waitFor({ state: 'detached' });
  await rowOf(watcher, 'Edwards, Sophie').getByText('22').waitFor();
});

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
  await Promise.all([commit(one), commit(other)]);

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
  const ask = async <Answer>(path: string): Promise<Answer> => (await (await leader.get(`/api/queries/${path}`)).json()) as Answer;
  const subjectId = (await ask<Me>('me')).subjects[0]?.subjectId ?? '';
  const { yearGroups } = await ask<Structure>(`structure?subjectId=${subjectId}`);
  const yearGroupId = yearGroups.find(({ year }) => year === 11)?.yearGroupId ?? '';
  const { tests, students } = await ask<Markbook>(`markbook?yearGroupId=${yearGroupId}`);
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
  expect(asked).toHaveLength(2);
  const save = { entryId: randomUUID(), subjectId, seq: 1, cells: [{ ...cell, is: 26 }] };
  const stored = await leader.post('/api/commands/EnterMarks', { data: save });
  const { result, position } = (await stored.json()) as { result: object; position: string };
  expect(result).toMatchObject({ stored: 1 });
  // Told to whoever listened by then.
  await leader.get(`/api/queries/markbook?yearGroupId=${yearGroupId}`, { headers: { 'X-Min-Position': position } });
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
  await commit(leader);

  await dialog.getByText(/You typed 9. Grace Bell entered 17 meanwhile/).waitFor();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await dialog.getByRole('button', { name: '1 cell with several values' }).waitFor();
  // Here it is decided, too.
  await dialog.getByRole('button', { name: 'Use 17' }).click();
  await dialog.getByRole('button', { name: '1 cell with several values' }).waitFor({ state: 'detached' });
  expect(await totalShown(dialog, 'Clarke, Poppy')).toBe('17');
});

test('two people upload the same: whoever undoes takes away only what nobody else entered, and reads whose the rest is', async () => {
  const [teacher, leader] = await Promise.all([
    marktrail.person('teacher1@demo.example', { at: '/' }),
    marktrail.person('leader@demo.example', { at: '/' }),
  ]);
  const same = [
    ['M0007', 'Farah, Jessica', 16],
    ['M0008', 'Joshi, Leo', 9],
  ] as const;
  await previewTotals(teacher, totalsOf([...same, ['M0009', 'Okafor, Jayden', 25]]));
  await commit(teacher);

  await previewTotals(leader, totalsOf(same));
  const agreed = dialogOf(leader, TOTALS);
  await agreed.getByText('This will confirm 2 totals that are there already.').waitFor();
  await agreed.getByRole('button', { name: 'Commit to DB' }).click();
  await agreed.getByText('Upload Successful! 2 totals confirmed.').waitFor();

  const mine = dialogOf(teacher, TOTALS);
  await mine.getByRole('button', { name: 'Undo' }).click();
  await mine.getByText('1 removed, 2 stay: also entered by Grace Bell.').waitFor();
  await mine.getByRole('link', { name: 'Open the markbook' }).click();
  const find = teacher.getByLabel(/Find a student/);
  await find.fill('Farah, Jessica');
  await teacher.getByRole('row', { name: /Farah, Jessica.*16/ }).waitFor();
  await find.fill('Joshi, Leo');
  await teacher.getByRole('row', { name: /Joshi, Leo.*9/ }).waitFor();

  await teacher
    .getByRole('row', { name: /Joshi, Leo/ })
    .getByText('9')
    .first()
    .click();
  const history = teacher.getByRole('dialog', { name: /Joshi, Leo/ });
  await history.getByText('Also entered by Grace Bell, who uploaded class.csv').waitFor();
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
