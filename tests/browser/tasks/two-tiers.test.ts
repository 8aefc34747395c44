import type { APIRequestContext } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Structure } from '../../../api/school/school.contract.ts';
import type { Tasks } from '../../../api/tasks/task.contract.ts';
import { brokenRules } from '../axe.ts';
import { openHands } from '../hands.ts';
import { hasFocus, pressEnter } from '../keyboard.ts';
import { dialogOf, marktrailInBrowser } from '../marktrail.ts';

/** The demo school as its users get it: six classes of Year 11 in two tiers. */
const marktrail = marktrailInBrowser({ past: true });
const HIGHER = 'Winter assessment, Higher (simulated)';
const FOUNDATION = 'Winter assessment, Foundation (simulated)';

/** As if nobody had ranked by the two papers yet, and another task had the newest assessment of all. */
const otherTasks = async (leader: APIRequestContext): Promise<void> => {
  const ask = async <Answer>(query: string, input: Record<string, string>): Promise<Answer> =>
    (await (await leader.get(`/api/queries/${query}?${new URLSearchParams(input)}`)).json()) as Answer;
  const act = async (command: string, data: object) => {
    const answer = await leader.post(`/api/commands/${command}`, { data });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  const [{ subjectId }] = (await ask<{ subjects: [{ subjectId: string }] }>('me', {})).subjects;
  const { yearGroups, tests } = await ask<Structure>('structure', { subjectId });
  const year = yearGroups.find((one) => one.year === 11);
  const yearGroupId = year?.yearGroupId ?? '';
  const { tasks } = await ask<Tasks>('tasks', { yearGroupId });
  for (const { taskId } of tasks) await act('DeleteFeedbackTask', { taskId });
  const testId = tests.find(({ name }) => name === 'Written examination')?.testId;
  await act('CreateFeedbackTask', {
    subjectId,
    yearGroupId,
    name: 'Written papers',
    expiry: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    teacherInput: false,
    maps: year?.sets.map(({ setId }) => ({ setId, testId })),
  });
};

test('a new task of two tiers takes four clicks and its name: each class has the paper that it has totals for', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await otherTasks(leader.request);
  await leader.goto('/leader?year=11');
  const hands = openHands();
  await hands.click(leader.getByRole('button', { name: 'Add new task' }));
  const dialog = dialogOf(leader, 'New feedback task – Year 11');
  const papers = (set: string) =>
    Promise.all([HIGHER, FOUNDATION].map((paper) => dialog.getByLabel(`${set}: ${paper}`, { exact: true }).isChecked()));
  await dialog.getByLabel('Task name').waitFor();
  expect([await papers('11X1'), await papers('11Y1')]).toEqual([
    [true, false],
    [false, true],
  ]);
  // Beside each box, how many have a total; below, who has none.
  await dialog
    .getByRole('cell', { name: /\d+ of \d+/ })
    .first()
    .waitFor();
  await dialog.getByText(/^Without a total: \d+ students?$/).click();
  await dialog.getByText(`11X1, ${HIGHER}: `).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);

  // What is refused stands beside the button, wherever its field is, and has the focus.
  const add = dialog.getByRole('button', { name: 'Add task' });
  await pressEnter(add);
  await hasFocus(dialog.getByText('Task name: This field is required.'));

  await hands.type(dialog.getByLabel('Task name'), 'Winter papers');
  await hands.click(add);
  const open = dialogOf(leader, 'Winter papers – Year 11');
  const step = (title: string) => open.getByRole('region', { name: title, exact: true });
  await step('Upload assessment totals')
    .getByRole('row', { name: new RegExp(`^11Y1 .*Foundation`) })
    .waitFor();
  await hands.click(open.getByRole('button', { name: 'Continue' }));
  const preview = step('Initial ranking by department lead').getByRole('region', { name: 'The ranking before it is stored' });
  // Of two papers a class is given one: nobody is held to have missed that of the other tier.
  await preview.getByRole('cell', { name: '1 of 1' }).first().waitFor();
  await hands.click(open.getByRole('button', { name: 'Rank the students' }));
  expect(hands.effort()).toEqual({ clicks: 4, fields: 1, files: 0 });
  // Somebody has left two values of a total, which are asked about.
  await leader.getByRole('button', { name: 'Rank the students all the same' }).click();
  await step('Initial ranking by department lead').getByRole('region', { name: 'Ranking', exact: true }).waitFor();

  // Of the ranking: who there is to look at, one of them by name, and as many rows as somebody likes.
  const ranking = step('Initial ranking by department lead');
  const table = ranking.getByRole('region', { name: 'Ranking', exact: true });
  await ranking.getByRole('radio', { name: /^Contested/ }).check();
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
  const contested = (await table.getByRole('rowheader').innerText()).replace('several values', '').trim();
  await ranking.getByRole('radio', { name: /^Everybody/ }).check();
  await expect.poll(() => table.getByRole('row').count()).toBe(16);
  await ranking.getByLabel('Find a student').fill(contested);
  await expect.poll(() => table.getByRole('row').count()).toBe(2);
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await ranking.getByLabel('Find a student').fill('nobody is called so');
  await ranking.getByRole('button', { name: 'Show everybody' }).click();
  await ranking.getByLabel('Rows a page').selectOption('50');
  await expect.poll(() => table.getByRole('row').count()).toBe(51);
  await leader.reload();
  await leader.getByRole('button', { name: 'Open Winter papers' }).click();
  await open.getByRole('button', { name: 'Initial ranking by department lead' }).click();
  await expect.poll(() => table.getByRole('row').count()).toBe(51);
});
