import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Markbook } from '../../../api/marks/marks.contract.ts';
import type { Structure } from '../../../api/school/school.contract.ts';
import { brokenRules } from '../axe.ts';
import { dialogOf, noticeOf, marktrailInBrowser } from '../marktrail.ts';

/** Terminal exams and totals of the demo school as its users get it. */
const marktrail = marktrailInBrowser({ past: true });
const AUTUMN = 'Autumn assessment (simulated)';

const askOf =
  (caller: APIRequestContext) =>
  async <Answer>(query: string, input: Record<string, string>): Promise<Answer> =>
    (await (await caller.get(`/api/queries/${query}?${new URLSearchParams(input)}`)).json()) as Answer;
const act = async (caller: APIRequestContext, command: string, data: object): Promise<Record<string, string>> => {
  const answer = await caller.post(`/api/commands/${command}`, { data });
  expect([command, answer.status()], await answer.text()).toEqual([command, 200]);
  return ((await answer.json()) as { result: Record<string, string> }).result;
};

test('a contested total is named before the ranking, leads to its cell, and is asked about', async () => {
  const [leader, teacher] = await Promise.all([marktrail.signedIn('leader@demo.example'), marktrail.caller('teacher1@demo.example')]);
  const ask = askOf(leader.request);
  const [{ subjectId }] = (await ask<{ subjects: [{ subjectId: string }] }>('me', {})).subjects;
  const { yearGroups } = await ask<Structure>('structure', { subjectId });
  const year = yearGroups.find((one) => one.year === 11)!;
  const setId = year.sets.find(({ name }) => name === '11X1')!.setId;
  const { students, tests } = await ask<Markbook>('markbook', { yearGroupId: year.yearGroupId });
  const column = tests.findIndex(({ name }) => name === AUTUMN);
  const testId = tests[column]?.testId ?? '';
  const student = students.find((one) => one.setId === setId && (one.totals[column]?.total ?? 0) > 3)!;
  const total = student.totals[column]?.total ?? 0;
  // Two people correct the same total without having seen each other's.
  const [mine, theirs] = [total - 1, total - 2];
  for (const [caller, is] of [
    [leader.request, mine],
    [teacher, theirs],
  ] as const)
    await act(caller, 'EnterMarks', {
      entryId: randomUUID(),
      subjectId,
      seq: 1,
      cells: [{ studentId: student.studentId, testId, is, was: [total] }],
    });
  await act(leader.request, 'CreateFeedbackTask', {
    subjectId,
    yearGroupId: year.yearGroupId,
    name: 'Two values',
    expiry: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    teacherInput: false,
    maps: [{ setId, testId }],
  });

  // The warning names who and where, and leads to the cell.
  await leader.goto('/leader?year=11');
  const open = leader.getByRole('button', { name: 'Open Two values' });
  await open.click();
  const dialog = dialogOf(leader, 'Two values – Year 11');
  const goOn = dialog.getByRole('button', { name: 'Continue' });
  const rank = dialog.getByRole('region', { name: 'Initial ranking by department lead', exact: true });
  const link = rank.getByRole('link', { name: `${student.name}, ${AUTUMN}` });
  const rankAct = dialog.getByRole('button', { name: 'Rank the students', exact: true });
  await rank.or(goOn).first().waitFor();
  if (!(await rank.isVisible())) await goOn.click();
  await rank.getByText('1 total is contested. Decide or correct them before you rank').waitFor();
  await link.waitFor();
  await rank
    .getByRole('row', { name: new RegExp(student.name!) })
    .getByText('several values')
    .waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);

  // Nobody ranks by it without being asked.
  await rankAct.click();
  const asked = leader.getByRole('dialog', { name: 'Rank by these totals as they are?' });
  await asked.getByText('1 total is contested. Scores, ranks and grades would rest on').waitFor();
  await asked.getByRole('link', { name: `${student.name}, ${AUTUMN}` }).waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await asked.getByRole('button', { name: 'Look at them first' }).click();
  await asked.waitFor({ state: 'hidden' });
  await link.click();
  const cell = leader.getByRole('dialog', { name: new RegExp(student.name!) });
  await cell.getByRole('button', { name: `Use ${theirs}` }).waitFor();
  expect(new URL(leader.url()).pathname).toBe('/leader/markbook');
  await leader.keyboard.press('Escape');
  await expect.poll(() => new URL(leader.url()).searchParams.has('cell')).toBe(false);

  // Ranked all the same, it is seen on every step to the end, which waits for a reason.
  await leader.goBack();
  await open.click();
  await rank.or(goOn).first().waitFor();
  if (!(await rank.isVisible())) await goOn.click();
  await rankAct.click();
  await asked.getByRole('button', { name: 'Rank the students all the same' }).click();
  await noticeOf(leader, 'The students are ranked.');
  await rank.getByRole('region', { name: 'Ranking', exact: true }).getByText('several values').waitFor();
  await goOn.click();
  const grades = dialog.getByRole('region', { name: 'Allocate grade profile', exact: true });
  await grades.getByText('1 total is contested: the grades go by the ranking as it stands.').waitFor();
  await dialog.getByRole('button', { name: 'Allocate grades' }).click();
  await grades.getByText(/was allocated by Grace Bell/).waitFor();

  // Before the grades are taken back, it is said what goes with them.
  await goOn.click();
  await dialog
    .getByLabel(/^Grade of/)
    .first()
    .fill('1');
  await dialog.getByRole('button', { name: 'Save (1 student)' }).click();
  await dialog.getByText('overridden by Grace Bell').first().waitFor();
  await dialog.getByRole('button', { name: 'Allocate grade profile' }).click();
  await grades.getByRole('button', { name: 'Reopen grades' }).click();
  const reopen = leader.getByRole('dialog', { name: 'Reopen the grades?' });
  await reopen.getByText('Grades that were given by hand, and would go:').waitFor();
  await reopen.getByText(': grade 1').waitFor();
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await reopen.getByRole('button', { name: 'Reopen grades' }).click();
  await dialog.getByRole('button', { name: 'Allocate grades' }).click();
  await grades.getByText(/was allocated by Grace Bell/).waitFor();
  await goOn.click();
  const last = dialog.getByRole('region', { name: 'Final check', exact: true }).first();
  await last.getByText('1 total is contested in this ranking. Decide which value counts, or go on without that and say why.').waitFor();
  const end = dialog.getByRole('button', { name: 'End the task' });
  // The new grades are there; what is open still is open without them.
  await expect
    .poll(() =>
      last
        .getByLabel(/^Grade of/)
        .last()
        .inputValue(),
    )
    .not.toBe('');
  const required = last.getByRole('row').filter({ hasText: 'Required.' });
  // oxlint-disable-next-line no-await-in-loop -- a row that is exempt is not among them any more
  while ((await required.count()) > 0) await required.first().getByRole('checkbox').check();
  await expect.poll(() => end.isEnabled()).toBe(true);
  await end.click();
  const sure = leader.getByRole('dialog', { name: 'End the feedback task?' });
  const confirm = sure.getByRole('button', { name: 'End the task' });
  expect(await confirm.isDisabled()).toBe(true);
  await sure.getByLabel('Why you go on without a decision').fill('Her paper is with the exam board');
  expect(await brokenRules(leader, { serious: true })).toEqual([]);
  await confirm.click();
  await leader.getByText('Grades allocated and checked (1 of 1 class)').waitFor();
  await open.click();
  await dialog.getByText('Grace Bell ended it while 1 total was contested:').waitFor();
  await dialog.getByText('Her paper is with the exam board').waitFor();
});
