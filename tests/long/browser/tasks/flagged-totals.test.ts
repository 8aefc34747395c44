import { expect, test } from 'vitest';
import { brokenRules } from '../../../browser/axe.ts';
import { dialogOf, marktrailInBrowser } from '../../../browser/marktrail.ts';
import { mockRanking, openTask, step } from '../../../browser/tasks/mock-ranking.ts';

/** Two teachers of the demo school disagree about a total of 11X1. */
const marktrail = marktrailInBrowser({ past: true });

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
