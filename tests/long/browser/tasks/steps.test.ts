import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { hasFocus, pressEnter, tabTo, typeOver } from '../../../browser/keyboard.ts';
import { holds, isDisabled, isEnabled, reads } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser, noticeOf } from '../../../browser/marktrail.ts';
import { AUTUMN, goOn, goOnByKey, HIGHER, mockRanking, openTask, step } from '../../../browser/tasks/mock-ranking.ts';

/** What the leader's steps of a feedback task say on the way, and what the keyboard finds in them. */
const marktrail = marktrailInBrowser({ past: true });

test('prior data that rankings rest on is taken back after a question, and uploaded again', async () => {
  const leader = await marktrail.person('leader@demo.example', { at: '/leader/prior?year=11' });
  const file = fileURLToPath(new URL('../../../../run/demo/history/this_year_prior.csv', import.meta.url));
  await leader.getByRole('radio', { name: 'Year 9 examination (simulated)' }).check();
  await leader.getByRole('button', { name: /^Undo this_year_prior.csv/ }).click();
  await leader.getByRole('button', { name: /^Take back \d+ scores$/ }).click();
  await leader.getByRole('row', { name: /^Year 9 examination .* 0 of 728 / }).waitFor();
  await leader.getByLabel('Year completed').selectOption(String(new Date().getFullYear() - 2));
  await leader.getByRole('tab', { name: 'Upload CSV' }).click();
  await leader.locator('input[type=file]').setInputFiles(file);
  await leader.getByRole('button', { name: 'Upload', exact: true }).click();
  await leader.getByRole('button', { name: 'Commit to DB' }).click();
  await leader.getByText(/^Upload Successful! 7\d\d scores stored\.$/).waitFor();
  await leader.getByRole('link', { name: 'Back to dashboard' }).click();
  await leader.getByRole('button', { name: 'Add new task' }).waitFor();
});

test('on the way to a ranking it is said who gets no mail and why nothing can be ranked, and the keyboard gets to a notice and back', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  await leader.goto('/leader?year=11');
  await leader.getByRole('button', { name: 'Add new task' }).click();
  const dialog = dialogOf(leader, 'New feedback task – Year 11');
  await dialog.getByLabel('Written examination: all classes').uncheck();
  await dialog.getByLabel('Task name').fill('Without a mail');
  for (const paper of [AUTUMN, HIGHER]) await dialog.getByLabel(`11X1: ${paper}`, { exact: true }).check();
  await dialog.getByRole('button', { name: 'Add task' }).click();
  const open = dialogOf(leader, 'Without a mail – Year 11');
  // Nobody has proved an address in the demo: it stays on the page that they get no mail.
  await open.getByText(/^No mail to .+ \(e-mail address not confirmed\)\.$/).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await goOn(open);

  // Without any test the button is there, cannot be pressed, and says why.
  const rank = step(open, 'Initial ranking by department lead');
  await rank.getByRole('region', { name: 'The ranking before it is stored' }).waitFor();
  const tests = rank.getByRole('group', { name: 'Tests' }).getByRole('checkbox', { checked: true });
  const chosen = await tests.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).closest('label')?.textContent ?? ''));
  for (const label of chosen) await rank.getByLabel(label).uncheck();
  const rankNow = open.getByRole('button', { name: 'Rank the students' });
  await isDisabled(rankNow);
  await expect
    .poll(() => rankNow.evaluate((button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.innerText))
    .toContain('Select at least one test.');
  for (const label of chosen) await rank.getByLabel(label).check();
  await isEnabled(rankNow);
  await pressEnter(rankNow);
  await pressEnter(leader.getByRole('button', { name: 'Rank the students all the same' }));
  await rank.getByRole('region', { name: 'Ranking', exact: true }).waitFor();

  // What was done is said in the dialog. The keyboard gets there and back, and Escape leaves the notice, not the task.
  const notices = open.getByRole('region', { name: 'Notices (F8)' });
  await noticeOf(leader, 'The students are ranked.');
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  const score = rank.getByRole('button', { name: /how .* score came about/ }).first();
  await score.focus();
  await leader.keyboard.press('F8');
  await hasFocus(notices.getByRole('button', { name: 'Undo' }));
  await leader.keyboard.press('Escape');
  await hasFocus(score);
  await goOnByKey(open, 'Teaching staff to check initial ranking');
  await step(open, 'Teaching staff to check initial ranking').getByText('Awaiting 1 class: 11X1').waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);

  // How many rows a page shows is remembered.
  await open.getByRole('button', { name: 'Initial ranking by department lead' }).click();
  await rank.getByLabel('Rows a page').selectOption('50');
  await leader.reload();
  await leader.getByRole('button', { name: 'Open Without a mail' }).click();
  await open.getByRole('button', { name: 'Initial ranking by department lead' }).click();
  await holds(rank.getByLabel('Rows a page'), '50');
});

test('a leader stands in for a teacher, and goes on without a class for a reason, which a deleted task and another page do not take along', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { taskId, done, ranked, ofSet } = await mockRanking(await marktrail.caller('leader@demo.example'), 'Stood in');
  await ranked();
  await done('CheckRanking', { ...ofSet('11X1'), rows: [] });
  await leader.goto('/leader?year=11');
  await leader.getByRole('link', { name: 'Upload prior data' }).click();
  await leader.getByRole('heading', { name: 'Terminal Exams' }).waitFor();
  await leader.goBack();
  await pressEnter(leader.getByRole('button', { name: 'Open Stood in' }));
  const open = dialogOf(leader, 'Stood in – Year 11');
  const checks = step(open, 'Teaching staff to check initial ranking');
  await checks.getByRole('button', { name: 'Check 11Y1 in the teacher’s place' }).click();
  const standIn = dialogOf(leader, 'Check the ranking – 11Y1');
  const order = standIn.getByLabel(/^Your order of/).first();
  await order.fill('3');
  const stoodFor = ((await order.getAttribute('aria-label')) ?? '').replace('Your order of ', '');
  await done('DeleteFeedbackTask', { taskId });
  await open.getByText(`Check of 11Y1 – ${stoodFor}: order 3`).waitFor();
  await open.getByRole('button', { name: 'Restore it' }).click();
  await holds(order, '3');
  await standIn.getByRole('button', { name: 'Discard changes' }).click();
  await standIn.getByRole('button', { name: 'Close' }).click();
  await standIn.waitFor({ state: 'hidden' });

  await checks.getByRole('button', { name: 'Go on without 11Y1' }).click();
  await isDisabled(open.getByRole('button', { name: 'Continue' }));
  const reason = checks.getByLabel('Why you go on without it');
  await reason.fill('On a school trip');
  await goOn(open);
  await pressEnter(open.getByRole('button', { name: 'Allocate grades' }));
  await step(open, 'Allocate grade profile')
    .getByText(/was allocated by Grace Bell/)
    .waitFor();
  await open.getByRole('button', { name: 'Teaching staff to check initial ranking' }).click();
  await checks.getByText('On a school trip').waitFor();
});

test('a grade profile is made by keyboard, once it adds up; allocated grades are taken back in their notice', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { ranked, checked } = await mockRanking(leader.request, 'By a new profile');
  await ranked();
  await checked();
  const open = await openTask(leader, 'By a new profile');
  const notices = open.getByRole('region', { name: 'Notices (F8)' });
  const grades = step(open, 'Allocate grade profile');
  await pressEnter(grades.getByRole('button', { name: 'New profile' }));
  const profile = dialogOf(leader, 'New grade profile');
  await tabTo(leader, 'Profile name');
  await leader.keyboard.type('Higher and Foundation');
  for (const [index, [label, percent]] of (
    [
      ['7', '15'],
      ['5', '35'],
      ['3', '40'],
    ] as const
  ).entries()) {
    await tabTo(leader, `Grade ${index + 1}`);
    await leader.keyboard.type(label);
    await tabTo(leader, `Per cent ${index + 1}`);
    await leader.keyboard.type(percent);
  }
  await profile.getByText('Adds up to 90 %: 10 % are missing').waitFor();
  await isDisabled(profile.getByRole('button', { name: 'Save' }));
  await typeOver(leader, '50');
  await isEnabled(profile.getByRole('button', { name: 'Save' }));
  await leader.keyboard.press('Enter');
  await grades.getByRole('row', { name: /^7 15 / }).waitFor();
  await notices.getByText('Higher and Foundation was saved.').waitFor();
  const allocate = open.getByRole('button', { name: 'Allocate grades' });
  await pressEnter(allocate);
  await (await noticeOf(leader, 'The grades are allocated.')).getByRole('button', { name: 'Undo' }).click();
  await notices.getByText('The grades were taken back.').waitFor();
  await pressEnter(allocate);
  await grades.getByText(/^Higher and Foundation was allocated by Grace Bell/).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
});

test('before grades are taken back, it is said what goes with them', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { taskId, done, students, ranked, checked, graded } = await mockRanking(leader.request, 'Given by hand');
  await ranked();
  await checked();
  await graded();
  const [first] = (await students('11X1')).filter(({ ranking }) => ranking !== null);
  const decision = { studentId: first?.studentId, ranking: null, score: null, grade: '1', exempt: false };
  await done('DecideResults', { taskId, rows: [decision] });
  const open = await openTask(leader, 'Given by hand');
  await open.getByRole('button', { name: 'Allocate grade profile' }).click();
  const grades = step(open, 'Allocate grade profile');
  await grades.getByRole('button', { name: 'Reopen grades' }).click();
  const reopen = dialogOf(leader, 'Reopen the grades?');
  await reopen.getByText('Grades given by hand that would be lost:').waitFor();
  await reopen.getByText(`${first?.name}: grade 1`).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await reopen.getByRole('button', { name: 'Reopen grades' }).click();
  await open.getByRole('button', { name: 'Allocate grades' }).click();
  await grades.getByText(/was allocated by Grace Bell/).waitFor();
});

test('two teachers check the grades of their classes', async () => {
  const { ranked, checked, graded } = await mockRanking(await marktrail.caller('leader@demo.example'), 'Graded for two');
  await ranked();
  await checked();
  await graded();
  const leader = await marktrail.signedIn('leader@demo.example');
  const open = await openTask(leader, 'Graded for two');
  for (const [email, set] of [
    ['teacher1@demo.example', '11X1'],
    ['teacher2@demo.example', '11Y1'],
  ] as const) {
    const page = await marktrail.signedIn(email);
    await page.goto(`/teacher?year=11&set=${set}`);
    await page.getByRole('button', { name: `Check the grades of ${set}: Graded for two` }).click();
    await pressEnter(dialogOf(page, `Check the grades – ${set}`).getByRole('button', { name: 'Save the check of the grades' }));
    await reads(page.getByRole('listitem').filter({ hasText: 'Graded for two' }), /Grades checked: awaiting final check/);
  }
  await step(open, 'Teaching staff to check grades').getByText('Every class has checked its grades, or you went on without it.').waitFor();
});
