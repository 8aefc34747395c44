import { expect, test } from 'vitest';
import { brokenRules } from '../axe.ts';
import { hasFocus, pressEnter, tabTo } from '../keyboard.ts';
import { isDisabled, isEnabled, isGone } from '../looks.ts';
import { dialogOf, marktrailInBrowser } from '../marktrail.ts';
import { AUTUMN, cardOf, FOUNDATION, goOn, goOnByKey, HIGHER, mockRanking, openTask, step } from './mock-ranking.ts';

/** The demo school as its users get it: two tiers, absences, and grades of an exam in Year 9. */
const marktrail = marktrailInBrowser({ past: true });

test('a leader makes a task of two classes by keyboard, once it has a name', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await leader.goto('/leader?year=11');
  await pressEnter(leader.getByRole('button', { name: 'Add new task' }));
  const dialog = dialogOf(leader, 'New feedback task – Year 11');
  const assign = step(dialog, 'Assign assessments to classes');
  await assign.getByLabel('Written examination: all classes').uncheck();
  await pressEnter(dialog.getByRole('button', { name: 'Add task' }));
  await assign.getByText('This field is required').waitFor();
  await dialog.getByText(/Choose at least one class with an assessment\.$/).waitFor();
  await assign.getByLabel('Task name').press('M');
  await leader.keyboard.type('ock ranking');
  // What is typed is not lost by a slip.
  await leader.keyboard.press('Escape');
  await pressEnter(leader.getByRole('button', { name: 'Stay here' }));
  for (const cell of [`11X1: ${AUTUMN}`, `11X1: ${HIGHER}`, `11Y1: ${AUTUMN}`, `11Y1: ${FOUNDATION}`])
    await dialog.getByLabel(cell, { exact: true }).press('Space');
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await pressEnter(dialog.getByRole('button', { name: 'Add task' }));

  // All totals are there: on to the ranking.
  const open = dialogOf(leader, 'Mock ranking – Year 11');
  await step(open, 'Upload assessment totals').getByText('24 of 26 sets are not in this task').waitFor();
  await goOnByKey(open, 'Initial ranking by department lead');
});

test('a leader ranks by keyboard, asked about a contested total, and reads how a score came about', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await mockRanking(leader.request, 'Ranked by keyboard');
  const open = await openTask(leader, 'Ranked by keyboard');
  const rank = step(open, 'Initial ranking by department lead');
  await rank.getByRole('region', { name: 'The ranking before it is stored' }).waitFor();
  await isEnabled(open.getByRole('button', { name: 'Rank the students' }));
  await tabTo(leader, 'Rank the students');
  await leader.keyboard.press('Enter');
  await leader.getByRole('dialog', { name: 'Rank by these totals as they are?' }).waitFor();
  await tabTo(leader, 'Rank the students all the same');
  await leader.keyboard.press('Enter');
  await rank.getByRole('region', { name: 'Ranking', exact: true }).waitFor();
  const score = rank.getByRole('button', { name: /how .* score came about/ }).first();
  await score.press('Enter');
  await leader.getByText('Weight × (z + 3)').waitFor();
  await leader.keyboard.press('Escape');
  await hasFocus(score);
  await goOnByKey(open, 'Teaching staff to check initial ranking');
  await step(open, 'Teaching staff to check initial ranking').getByText('Awaiting 2 classes: 11X1 and 11Y1').waitFor();
});

test('a contested total is named before the ranking, asked about, and leads to its cell', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await mockRanking(leader.request, 'Of two values');
  const open = await openTask(leader, 'Of two values');
  const rank = step(open, 'Initial ranking by department lead');
  await rank.getByText('1 total is contested. Decide or correct them before you rank').waitFor();
  const link = rank.getByRole('link', { name: `, ${HIGHER}` });
  const [student = ''] = (await link.innerText()).split(`, ${HIGHER}`);
  await rank
    .getByRole('row', { name: new RegExp(student) })
    .getByText('several values')
    .waitFor();
  await open.getByRole('button', { name: 'Rank the students', exact: true }).click();
  const asked = dialogOf(leader, 'Rank by these totals as they are?');
  await asked.getByText('1 total is contested. Scores, ranks and grades would rest on').waitFor();
  await asked.getByRole('link', { name: `${student}, ${HIGHER}` }).waitFor();
  await asked.getByRole('button', { name: 'Look at them first' }).click();
  await asked.waitFor({ state: 'hidden' });
  await link.click();
  await leader
    .getByRole('dialog', { name: new RegExp(student) })
    .getByRole('button', { name: /^Use \d+$/ })
    .nth(1)
    .waitFor();
  expect(new URL(leader.url()).pathname).toBe('/leader/markbook');
  await leader.keyboard.press('Escape');
  await expect.poll(() => new URL(leader.url()).searchParams.has('cell')).toBe(false);
});

test('a teacher checks the ranking of a class by keyboard, and flags a student with a comment', async () => {
  const { ranked, students } = await mockRanking(await marktrail.caller('leader@demo.example'), 'Checked by Tom');
  await ranked();
  const tom = await marktrail.signedIn('teacher1@demo.example');
  await tom.goto('/teacher?year=11&set=11X1');
  const waiting = cardOf(tom.getByRole('region', { name: 'Waiting for you' }), '11X1 – Checked by Tom');
  await waiting.getByText('Ranking complete: check your class').waitFor();
  await pressEnter(tom.getByRole('button', { name: 'Check the ranking of 11X1: Checked by Tom' }));
  const check = dialogOf(tom, 'Check the ranking – 11X1');
  const comment = check.getByLabel(/^Comment on/).first();
  await isDisabled(comment);
  // Enter and the arrows lead from student to student, and from the last one to the button that saves.
  const own = check.getByLabel(/^Your order of/);
  await own.first().press('Enter');
  await hasFocus(own.nth(1));
  await tom.keyboard.press('ArrowUp');
  await tom.keyboard.type('2');
  for (const key of ['Tab', 'Space', 'Tab']) await tom.keyboard.press(key);
  await hasFocus(comment);
  await tom.keyboard.type('Was ill in the winter paper');
  expect(await brokenRules(tom, { serious: true })).toEqual([]);
  await tom.keyboard.press('Enter');
  await hasFocus(check.getByRole('button', { name: 'Save the check of the ranking' }));
  await tom.keyboard.press('Enter');
  await cardOf(tom, 'Checked by Tom').getByText('Ranking checked: awaiting grades').waitFor();
  await isGone(waiting);
  const [first] = await students('11X1');
  expect(first).toMatchObject({ teacherRank: 2, rankingFlag: true, rankingComment: 'Was ill in the winter paper' });
});

test('a leader allocates grades, overrides one in the final check, and ends the task', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { ranked, checked, gradesChecked, students } = await mockRanking(leader.request, 'To its end');
  await ranked();
  await checked();
  const open = await openTask(leader, 'To its end');
  const grades = step(open, 'Allocate grade profile');
  await grades.getByText('1 total is contested: the grades go by the ranking as it stands.').waitFor();
  await pressEnter(open.getByRole('button', { name: 'Allocate grades' }));
  await grades.getByText(/^GCSE 9 to 1 was allocated by Grace Bell/).waitFor();
  await gradesChecked();
  await goOn(open);
  await step(open, 'Teaching staff to check grades').getByText('Every class has checked its grades, or you went on without it.').waitFor();
  await goOn(open);

  const last = step(open, 'Final check');
  for (const { name, ranking } of [...(await students('11X1')), ...(await students('11Y1'))])
    if (ranking === null)
      await last
        .getByRole('row')
        .filter({ hasText: name ?? '' })
        .getByRole('checkbox')
        .check();
  await last
    .getByLabel(/^Grade of/)
    .first()
    .fill('8');
  await pressEnter(open.getByRole('button', { name: /^Save \(/ }));
  await last.getByText('overridden by Grace Bell').first().waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await pressEnter(open.getByRole('button', { name: 'End the task' }));
  const sure = dialogOf(leader, 'End the feedback task?');
  await sure.getByText('Are you sure you are done? This will end the feedback task.').waitFor();
  await sure.getByLabel('Why you go on without a decision').fill('The two teachers cannot agree');
  await pressEnter(sure.getByRole('button', { name: 'End the task' }));
  await leader.getByText('Grades allocated and checked (2 of 2 classes)').waitFor();
  await leader.getByRole('button', { name: 'Open To its end' }).click();
  await open.getByText('Grace Bell ended it while 1 total was contested:').waitFor();
  await open.getByText('The two teachers cannot agree').waitFor();
});
