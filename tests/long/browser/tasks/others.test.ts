import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { hasFocus, pressEnter, tabTo } from '../../../browser/keyboard.ts';
import { holds, isEnabled } from '../../../browser/looks.ts';
import { dialogOf, heldBack, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { cardOf, goOn, mockRanking, openTask, step } from '../../../browser/tasks/mock-ranking.ts';

/** What others do to a feedback task while somebody types in it. */
const marktrail = marktrailInBrowser({ past: true });

test('a teacher’s home has what waits first; the check fits a phone', async () => {
  const { ranked } = await mockRanking(await marktrail.caller('leader@demo.example'), 'Seen on a phone');
  await ranked();
  const tom = await marktrail.signedIn('teacher1@demo.example');
  await tom.goto('/teacher?year=11&set=11X1');
  // A row for each task and class; what waits for somebody else is overdue all the same.
  const waiting = tom.getByRole('region', { name: 'Waiting for you' });
  await cardOf(waiting, '11X1 – Seen on a phone').getByText('Ranking complete: check your class').waitFor();
  await expect
    .poll(() => tom.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['Waiting for you', 'Assessments', 'Class RAG', 'Feedback tasks', 'Recent uploads with 11X1', 'Recent changes']);
  const others = tom.getByRole('region', { name: 'Feedback tasks' });
  await cardOf(others, 'Winter ranking').getByText('Grades checked: awaiting final check').waitFor();
  await cardOf(others, 'Winter ranking').getByText('(Overdue!)').waitFor();
  // Totals can be corrected, though nobody is without one.
  await tom.getByRole('button', { name: 'Upload totals of 11X1: Seen on a phone' }).waitFor();
  await tom.getByRole('button', { name: 'Check the ranking of 11X1: Seen on a phone' }).click();
  const check = dialogOf(tom, 'Check the ranking – 11X1');
  const fields = [/^Comment on/, /^Your order of/, /^Flag/].map((label) => check.getByLabel(label).first());
  for (const field of fields) await field.waitFor();
  // On a phone nothing has to be scrolled sideways for.
  await tom.setViewportSize({ width: 390, height: 844 });
  const right = () => Promise.all(fields.map((field) => field.evaluate((one) => one.getBoundingClientRect().right)));
  await expect.poll(async () => Math.max(...(await right()))).toBeLessThanOrEqual(390);
  expect(await brokenRules(tom, { serious: true })).toEqual([]);
});

test('a check of the same class, and a deleted task, are told while a teacher types, and take nothing along', async () => {
  const { taskId, done, ranked, ofSet, students } = await mockRanking(await marktrail.caller('leader@demo.example'), 'Typed by two');
  await ranked();
  const [tom, leader] = [await marktrail.signedIn('teacher1@demo.example'), await marktrail.signedIn('leader@demo.example')];
  const open = await openTask(leader, 'Typed by two');
  const checks = step(open, 'Teaching staff to check initial ranking');
  await checks.getByText('Awaiting 2 classes: 11X1 and 11Y1').waitFor();
  await tom.goto('/teacher?year=11&set=11X1');
  await tom.getByRole('button', { name: 'Check the ranking of 11X1: Typed by two' }).click();
  const check = dialogOf(tom, 'Check the ranking – 11X1');
  await check
    .getByLabel(/^Your order of/)
    .first()
    .fill('2');
  await check.getByLabel(/^Flag/).first().check();
  const comment = check.getByLabel(/^Comment on/).first();
  await comment.fill('Was ill in the winter paper');

  // Somebody else says otherwise of the same student: both are shown, and neither is lost unseen.
  const [first] = await students('11X1');
  await done('CheckRanking', { ...ofSet('11X1'), rows: [{ studentId: first?.studentId, flag: false, teacherRank: 5 }] });
  await check.getByText('Grace Bell has checked this class while you typed, and says something else. Yours is not stored.').waitFor();
  await check.getByText(`${first?.name}: you say order 2, flagged: “Was ill in the winter paper”, they say order 5`).waitFor();
  await done('DeleteFeedbackTask', { taskId });
  await check.getByText('This feedback task was deleted by Grace Bell.').waitFor();
  await check.getByText(`${first?.name}: order 2, flagged: “Was ill in the winter paper”`).waitFor();
  await done('RestoreFeedbackTask', { taskId });
  await pressEnter(check.getByRole('button', { name: 'Keep mine' }));
  await comment.press('Enter');
  await hasFocus(check.getByRole('button', { name: 'Save the check of the ranking' }));
  await tom.keyboard.press('Enter');
  await cardOf(tom, 'Typed by two').getByText('Ranking checked: awaiting grades').waitFor();

  // The leader sees it by itself.
  await checks.getByText('Awaiting 1 class: 11Y1').waitFor();
  await checks.getByText('Was ill in the winter paper').waitFor();
});

test('grades that are taken back, and a task that is deleted, in the middle of the final check lose nothing that was typed', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { taskId, done, ranked, checked, graded, gradesChecked } = await mockRanking(
    await marktrail.caller('leader@demo.example'),
    'Taken back',
  );
  await ranked();
  await checked();
  await graded();
  await gradesChecked();
  const open = await openTask(leader, 'Taken back');
  const last = step(open, 'Final check');
  const grades = step(open, 'Allocate grade profile');
  const grade = last.getByLabel(/^Grade of/).first();
  await grade.waitFor();
  const label = (await grade.getAttribute('aria-label')) ?? '';
  await tabTo(leader, label);
  await leader.keyboard.type('1');
  await leader.keyboard.press('Enter');
  await hasFocus(last.getByLabel(/^Grade of/).nth(1));
  const decided = `${label.replace('Grade of ', '')}: grade 1`;
  await done('ReopenGrades', { taskId });
  await grades.getByText('This task was taken back to “Allocate grade profile”.').waitFor();
  await grades.getByText(decided).waitFor();
  await done('DeleteFeedbackTask', { taskId });
  await open.getByText('This feedback task was deleted by Grace Bell.').waitFor();
  await open.getByText(decided).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await open.getByRole('button', { name: 'Restore it' }).click();
  await pressEnter(open.getByRole('button', { name: 'Allocate grades' }));
  await grades.getByText(/was allocated by Grace Bell/).waitFor();
  await goOn(open);
  const finalChecks = step(open, 'Teaching staff to check grades');
  for (const set of ['11X1', '11Y1'] as const) {
    await finalChecks.getByRole('button', { name: `Go on without ${set}` }).click();
    await finalChecks.getByRole('row', { name: set }).getByLabel('Why you go on without it').fill('Checked before');
  }
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await goOn(open);
  await holds(grade, '1');

  const end = open.getByRole('button', { name: 'End the task' });
  for (const box of await last.getByRole('row').filter({ hasText: 'Required.' }).getByRole('checkbox').all()) await box.check();
  // What is typed while a decision is on its way is not lost with it, and is typed over one's own.
  const answer = await heldBack(leader, '**/api/commands/DecideResults');
  await pressEnter(open.getByRole('button', { name: /^Save \(/ }));
  await answer.answered;
  await grade.fill('2');
  await answer.letGo();
  await last.getByText('overridden by Grace Bell').first().waitFor();
  await pressEnter(open.getByRole('button', { name: 'Save (1 student)' }));
  await open.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await holds(grade, '2');
  await isEnabled(end);

  // The task's end shows on a teacher's home by itself.
  const tom = await marktrail.signedIn('teacher1@demo.example');
  await tom.goto('/teacher?year=11&set=11X1');
  await cardOf(tom, 'Taken back').waitFor();
  await pressEnter(end);
  const sure = dialogOf(leader, 'End the feedback task?');
  await sure.getByLabel('Why you go on without a decision').fill('The two teachers cannot agree');
  await pressEnter(sure.getByRole('button', { name: 'End the task' }));
  await cardOf(tom, 'Taken back').getByText('Grades allocated and checked').waitFor();
});
