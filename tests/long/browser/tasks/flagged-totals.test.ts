import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { pressEnter } from '../../../browser/keyboard.ts';
import { isDisabled, isEnabled } from '../../../browser/looks.ts';
import { dialogOf, marktrailInBrowser, noticeOf } from '../../../browser/marktrail.ts';
import { goOn, mockRanking, openTask, step } from '../../../browser/tasks/mock-ranking.ts';

/** Two teachers of the demo school disagree about a total of 11X1. */
const marktrail = marktrailInBrowser({ past: true });

test('ranked all the same, a contested total is seen on every step to the end, which waits for a reason', async () => {
  const leader = await marktrail.signedIn('leader@demo.example');
  const { checked, gradesChecked } = await mockRanking(leader.request, 'Of two values');
  const open = await openTask(leader, 'Of two values');
  const rank = step(open, 'Initial ranking by department lead');
  await rank.getByText('1 total is contested. Decide or correct them before you rank').waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await open.getByRole('button', { name: 'Rank the students', exact: true }).click();
  const asked = dialogOf(leader, 'Rank by these totals as they are?');
  await asked.waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await asked.getByRole('button', { name: 'Rank the students all the same' }).click();
  await noticeOf(leader, 'The students are ranked.');
  await rank.getByRole('region', { name: 'Ranking', exact: true }).getByText('several values').waitFor();
  await checked();
  for (let steps = 0; steps < 2; steps++) await goOn(open);
  const grades = step(open, 'Allocate grade profile');
  await grades.getByText('1 total is contested: the grades go by the ranking as it stands.').waitFor();
  await open.getByRole('button', { name: 'Allocate grades' }).click();
  await grades.getByText(/was allocated by Grace Bell/).waitFor();
  await gradesChecked();
  for (let steps = 0; steps < 2; steps++) await goOn(open);

  const last = step(open, 'Final check');
  await last.getByText('1 total is contested in this ranking. Decide which value counts, or go on without that and say why.').waitFor();
  await last
    .getByLabel(/^Grade of/)
    .first()
    .waitFor();
  for (const box of await last.getByRole('row').filter({ hasText: 'Required.' }).getByRole('checkbox').all()) await box.check();
  const end = open.getByRole('button', { name: 'End the task' });
  await isEnabled(end);
  await end.click();
  const sure = dialogOf(leader, 'End the feedback task?');
  const confirm = sure.getByRole('button', { name: 'End the task' });
  await isDisabled(confirm);
  await sure.getByLabel('Why you go on without a decision').fill('Her paper is with the exam board');
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await pressEnter(confirm);
  await leader.getByText('Grades allocated and checked (2 of 2 classes)').waitFor();
  await leader.getByRole('button', { name: 'Open Of two values' }).click();
  await open.getByText('Grace Bell ended it while 1 total was contested:').waitFor();
  await open.getByText('Her paper is with the exam board').waitFor();
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
  await reopen.getByText('Grades that were given by hand, and would go:').waitFor();
  await reopen.getByText(`${first?.name}: grade 1`).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await reopen.getByRole('button', { name: 'Reopen grades' }).click();
  await open.getByRole('button', { name: 'Allocate grades' }).click();
  await grades.getByText(/was allocated by Grace Bell/).waitFor();
});
