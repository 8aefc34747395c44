import type { APIRequestContext } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Me } from '../../../api/accounts/accounts.contract.ts';
import { parseResults } from '../../../api/marks/upload/results-file.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { readFileSync } from 'node:fs';
import { brokenRules } from '../axe.ts';
import { act, ask } from '../calls.ts';
import { pressEnter } from '../keyboard.ts';
import { counts } from '../looks.ts';
import { data, marktrailInBrowser } from '../marktrail.ts';

/** The real examination with the marks of its 13 questions; the figures are those of its README. */
const marktrail = marktrailInBrowser();
const FACILITIES = [0.642, 0.8059, 0.8368, 0.6392, 0.7922, 0.7675, 0.2517, 0.7311, 0.4691, 0.4739, 0.8381, 0.7435, 0.476];
const DISCRIMINATIONS = [0.194, 0.1958, 0.2873, 0.234, 0.2268, 0.2867, 0.1698, 0.3442, 0.2801, 0.3003, 0.2866, 0.3314, 0.2216];

/** The marks of the data set, uploaded by a leader. */
const withMarks = async (leader: APIRequestContext): Promise<{ readonly testId: string }> => {
  const [subject] = (await ask<Me>(leader, 'me')).subjects;
  const subjectId = subject?.subjectId ?? '';
  const { yearGroups, tests } = await ask<Structure>(leader, `structure?subjectId=${subjectId}`);
  const testId = tests[0]?.testId ?? '';
  const file = parseResults({ name: 'results_upload.csv', type: 'text/csv', bytes: readFileSync(data('results_upload.csv')) });
  if (!file.ok) throw new Error(file.message);
  const setIds = yearGroups.flatMap(({ sets }) => sets).map(({ setId }) => setId);
  const rows = file.rows.map(({ admissionNo, name, marks }) => ({ admissionNo, name, marks }));
  await act(leader, 'UploadMarks', { subjectId, testId, setIds, rows, fileName: 'results_upload.csv' });
  return { testId };
};

test('a leader sees how the questions worked, where a class lost most, and who got one wrong though strong elsewhere', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await withMarks(leader.request);
  await leader.goto('/leader?year=11');

  // From the bars of the classes, each with its table.
  const averages = leader.getByRole('listitem').filter({ has: leader.getByRole('heading', { name: 'Written examination' }) });
  await averages.getByRole('button', { name: /^Averages in Written examination: year 65\.\d %, classes from/ }).click();
  await averages
    .getByRole('button', { name: /^Show as a table: .*year/i })
    .or(averages.getByRole('button', { name: /^Show as a table: No class/ }))
    .click();
  await counts(averages.getByRole('table').first().getByRole('row'), 27);
  // The mean of a school year says who is in it.
  await pressEnter(averages.getByRole('button', { name: /^20\d\d\/\d\d: 65\.1 %, 729 students/ }));
  const explained = leader.locator('dialog[open]');
  await explained.getByText('65.1314 % of 729 students with a staff total').waitFor();
  await explained.getByText(/^20\d\d\/\d\d: sat from 01\/09\/20\d\d to 31\/08\/20\d\d$/).waitFor();
  await leader.keyboard.press('Escape');
  await averages.getByRole('link', { name: /^Question analysis of/ }).click();

  await leader.getByRole('heading', { name: 'Written examination – Question analysis' }).waitFor();
  const summary = leader.locator('dl div').filter({ hasText: /^Alpha / });
  await expect.poll(async () => [await summary.textContent(), await summary.getAttribute('title')]).toEqual(['Alpha 0.61', '0.6143']);
  await leader.getByText('Hardest: Q7 Payment flows (25.2 %)').waitFor();
  const points = leader.getByRole('figure').filter({ hasText: 'strong from weak' });
  await points.getByRole('button', { name: /^Show as a table/ }).click();
  const cells = points.getByRole('cell');
  await expect
    .poll(async () => (await cells.allTextContents()).map(Number))
    .toEqual(FACILITIES.flatMap((facility, place) => [facility, DISCRIMINATIONS[place]]));

  // The table sorts: the question that tells least comes first.
  const table = leader.getByRole('table').filter({ hasText: 'Alpha without it' });
  await table.getByRole('button', { name: 'Discrimination' }).click();
  await expect.poll(() => table.getByRole('row').nth(1).textContent()).toMatch(/^Q7 Payment flows/);
  await table.getByRole('button', { name: 'Q7 Payment flows' }).click();
  const dialog = leader.getByRole('dialog');
  await dialog.getByText(/729 × 2\) = 0\.2517/).waitFor();
  const students = dialog.getByRole('table').getByRole('row');
  const all = await students.count();
  await dialog.getByRole('radio', { name: /^Wrong, but strong elsewhere/ }).check({ force: true });
  await expect.poll(() => students.count()).toBeLessThan(all);
  await dialog
    .getByRole('button', { name: /who entered it/ })
    .first()
    .click();
  await dialog.getByRole('heading', { name: 'Who entered it' }).waitFor();
  await leader.keyboard.press('Escape');

  // A class against the year.
  await leader.getByRole('radio', { name: /^11X3/ }).check({ force: true });
  await leader.getByText('In no question is 11X3 below the year by more than chance.').waitFor();
  await leader.getByText('Fewer than 20 students').waitFor({ state: 'detached' });
  expect(await brokenRules(leader)).toEqual([]);
});
