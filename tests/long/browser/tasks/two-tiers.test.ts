import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { openHands } from '../../../browser/hands.ts';
import { hasFocus, pressEnter } from '../../../browser/keyboard.ts';
import { counts } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { FOUNDATION, HIGHER, step, tomorrow, yearOf } from '../../../browser/tasks/mock-ranking.ts';

/** The demo school as its users get it: six classes of Year 11 in two tiers. */
const marktrail = marktrailInBrowser({ past: true });

/** As if nobody had ranked by the two papers yet, and another task had the newest assessment of all. */
const otherTasks = async ({ done, tasks, subjectId, yearGroupId, sets, testId }: Awaited<ReturnType<typeof yearOf>>): Promise<void> => {
  for (const { taskId } of await tasks()) await done('DeleteFeedbackTask', { taskId });
  await done('CreateFeedbackTask', {
    subjectId,
    yearGroupId,
    name: 'Written papers',
    expiry: tomorrow(),
    teacherInput: false,
    maps: sets.map(({ setId }) => ({ setId, testId: testId('Written examination') })),
  });
};

test('a new task of two tiers takes four clicks and its name: each class has the paper that it has totals for', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await otherTasks(await yearOf(leader.request));
  await leader.goto('/leader?year=11');
  const hands = openHands();
  await hands.click(leader.getByRole('button', { name: 'Add new task' }));
  const dialog = dialogOf(leader, 'New feedback task – Year 11');
  const papers = ['11X1', '11Y1'].flatMap((set) => [HIGHER, FOUNDATION].map((paper) => `${set}: ${paper}`));
  await expect
    .poll(() => Promise.all(papers.map((paper) => dialog.getByLabel(paper, { exact: true }).isChecked())))
    .toEqual([true, false, false, true]);
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
  await step(open, 'Upload assessment totals')
    .getByRole('row', { name: new RegExp(`^11Y1 .*Foundation`) })
    .waitFor();
  await hands.click(open.getByRole('button', { name: 'Continue' }));
  const preview = step(open, 'Initial ranking by department lead').getByRole('region', { name: 'The ranking before it is stored' });
  // Of two papers a class is given one: nobody is held to have missed that of the other tier.
  await preview.getByRole('cell', { name: '1 of 1' }).first().waitFor();
  await hands.click(open.getByRole('button', { name: 'Rank the students' }));
  expect(hands.effort()).toEqual({ clicks: 4, fields: 1, files: 0 });
  // Somebody has left two values of a total, which are asked about.
  await leader.getByRole('button', { name: 'Rank the students all the same' }).click();
  await step(open, 'Initial ranking by department lead').getByRole('region', { name: 'Ranking', exact: true }).waitFor();

  // Of the ranking: who there is to look at, one of them by name, and as many rows as somebody likes.
  const ranking = step(open, 'Initial ranking by department lead');
  const table = ranking.getByRole('region', { name: 'Ranking', exact: true });
  await ranking.getByRole('radio', { name: /^Contested/ }).check();
  await counts(table.getByRole('row'), 2);
  const contested = (await table.getByRole('rowheader').innerText()).replace('several values', '').trim();
  await ranking.getByRole('radio', { name: /^Everybody/ }).check();
  await counts(table.getByRole('row'), 16);
  await ranking.getByLabel('Find a student').fill(contested);
  await counts(table.getByRole('row'), 2);
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await ranking.getByLabel('Find a student').fill('nobody is called so');
  await ranking.getByRole('button', { name: 'Show everybody' }).click();
  await ranking.getByLabel('Rows a page').selectOption('50');
  await counts(table.getByRole('row'), 51);
  await leader.reload();
  await leader.getByRole('button', { name: 'Open Winter papers' }).click();
  await open.getByRole('button', { name: 'Initial ranking by department lead' }).click();
  await counts(table.getByRole('row'), 51);
});
