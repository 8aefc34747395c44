import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import type { FlaggedTotal } from '../../../api/contract/total-flag.ts';
import type { Task } from '../../../api/tasks/task.contract.ts';
import type { TaskGrades } from '../../../api/tasks/grades/task-grades.contract.ts';
import type { TaskScore } from '../../../api/tasks/ranking/task-ranking.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { writeTask } from '../../support/tasks-in-log.ts';
import { openSteps, refusal } from '../../support/worked-example.ts';

/** Contested totals and totals above the maximum, from the ranking to the end of the task. */
const { school } = await schoolOfFile();
const { example, admin, leader, teacherA, begin, name, chosen, rank, preview, ranking, task, checkRanking, checkGrades, assign, statuses } =
  await openSteps(school);

const { maths: subjectId } = school.ids;
const [t1, t2] = example.testIds;
let taskId: string;
beforeEach(async () => {
  taskId = await begin();
});

/** One cell in a sitting of its own. */
const enter = (who: typeof leader, surname: string, testId: string, cell: object) =>
  who.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells: [{ studentId: name(surname), testId, ...cell }] });
/** Two people who have not seen each other's: the first one's counts. */
const contest = async (surname: string, testId: string, was: number | 'sat' | 'absent', values: readonly (number | string)[]) => {
  const attendance = typeof was === 'number' ? {} : { attendance: true };
  for (const [place, is] of values.entries())
    await enter(place === 0 ? leader : teacherA, surname, testId, { is, was: was === 'sat' ? [] : [was], ...attendance });
};
const decide = (surname: string, testId: string, is: number | string, was: readonly (number | string)[], attendance = false) =>
  leader.done('DecideMark', {
    entryId: randomUUID(),
    subjectId,
    studentId: name(surname),
    testId,
    is,
    was,
    ...(attendance ? { attendance } : {}),
  });
const flag = (surname: string, testId: string, of: FlaggedTotal['flag']): FlaggedTotal => ({ studentId: name(surname), testId, flag: of });

const named = (surname: string) => ({ studentId: name(surname), name: `${surname}, Student`, admissionNo: `X${surname}` });

const byPlace = (flags: readonly FlaggedTotal[]) =>
  flags.map(({ studentId, testId, flag: of }) => `${studentId} ${testId} ${of}`).toSorted();
const flagsIn = ({ students }: { readonly students: readonly { studentId: string; totalFlags: readonly object[] }[] }) =>
  students.flatMap(({ studentId, totalFlags }) => totalFlags.map((one) => ({ studentId, ...one }) as FlaggedTotal));

test('what is open about totals is named before the ranking, asked about, and seen until the end', async () => {
  // Clark's 34 of T1 is changed by two; Davis's 44 of T2 comes back above a maximum that was lowered meanwhile; two disagree about Baker.
  await contest('Clark', t1, 34, [30, 32]);
  await contest('Baker', t1, 'sat', ['absent', 'exempt']);
  // Of a mark beneath a total that was entered nothing is asked.
  const { questions: ofT1 } = await admin.ask<AssessmentContents>('assessment', { testId: t1 });
  for (const [is, who] of [leader, teacherA].entries()) await enter(who, 'Adams', t1, { questionId: ofT1[0]?.questionId, is, was: [] });
  const entryId = randomUUID();
  const { commandId } = await leader.done('EnterMarks', {
    entryId,
    subjectId,
    seq: 1,
    cells: [{ studentId: name('Davis'), testId: t2, is: 79, was: [44] }],
  });
  await leader.done('UndoCommand', { entryId, commandId });
  const worth = async (max: number) => {
    const { questions } = await admin.ask<AssessmentContents>('assessment', { testId: t2 });
    await admin.done('EditQuestions', {
      testId: t2,
      questions: questions.map(({ questionId, topic }) => ({ questionId, topic, marksAvailable: max })),
    });
  };
  await worth(78);
  await leader.done('RedoCommand', { entryId, commandId, anyway: true });
  const open = [flag('Clark', t1, 'contested'), flag('Davis', t2, 'above-maximum'), flag('Baker', t1, 'contested-attendance')];

  // The preview names who and where.
  const before = await preview();
  expect(before.refused).toBeNull();
  expect(byPlace(flagsIn(before))).toEqual(byPlace(open));
  expect(before.warnings).toEqual(
    expect.arrayContaining([
      { about: 'contested', ...named('Clark'), testId: t1, test: 'T1' },
      { about: 'above-maximum', ...named('Davis'), testId: t2, test: 'T2 (Higher)' },
      { about: 'contested-attendance', ...named('Baker'), testId: t1, test: 'T1' },
    ]),
  );

  // Nobody ranks by them without having seen them.
  const head = await school.backend.store.head();
  const asked = await leader.command('RankTask', chosen());
  expect([asked.status, asked.body.code, asked.body.title]).toEqual([
    409,
    'answers-needed',
    '2 totals are contested, 1 total is above the maximum. Nothing was ranked: look at them, then decide which count, or rank by them as they are.',
  ]);
  expect(byPlace(asked.body.asks?.flaggedTotals ?? [])).toEqual(byPlace(open));
  expect(await school.backend.store.head()).toBe(head);
  const some = await leader.command('RankTask', chosen({ flaggedTotals: open.slice(1) }));
  expect(some.body.asks?.flaggedTotals).toEqual(open.slice(0, 1));
  await rank({ flaggedTotals: open });

  // Who looks at the ranking sees them: the leader, the class's teacher, and who asks how a score came about.
  expect(byPlace(flagsIn(await ranking()))).toEqual(byPlace(open));
  const ofClass = await teacherA.ask<Awaited<ReturnType<typeof ranking>>>('task-ranking', { taskId, setId: example.setIds[0] });
  expect(byPlace(flagsIn(ofClass))).toEqual(byPlace(open));
  const score = await leader.ask<TaskScore>('task-score', { taskId, studentId: name('Davis') });
  expect(score.tests.map((one) => [one.name, one.totalFlags]).toSorted()).toEqual([
    ['T1', []],
    ['T2 (Higher)', ['above-maximum']],
    ['T3 (Foundation)', []],
  ]);

  await checkRanking(0);
  await checkRanking(1);
  await assign();
  const grades = await leader.ask<TaskGrades>('task-grades', { taskId });
  expect(grades.flaggedTotals.map((one) => [one.name, one.test, one.flag])).toEqual([
    ['Baker, Student', 'T1', 'contested-attendance'],
    ['Clark, Student', 'T1', 'contested'],
    ['Davis, Student', 'T2 (Higher)', 'above-maximum'],
  ]);
  await checkGrades(0);
  await checkGrades(1);

  // The end waits for what is contested, not for what is above the maximum.
  const contested = (await leader.command('CompleteTask', { taskId })).body;
  expect([contested.code, contested.title]).toEqual([
    'answers-needed',
    '2 totals are contested in this ranking. Decide which value counts, or go on without that and say why.',
  ]);
  expect(byPlace(contested.asks?.flaggedTotals ?? [])).toEqual(byPlace([open[0]!, open[2]!]));
  expect(await statuses()).toEqual([5, 5]);
  await decide('Baker', t1, 'absent', ['absent', 'exempt'], true);
  const totals = [{ studentId: name('Clark'), testId: t1 }];
  expect((await refusal(leader.command('CompleteTask', { taskId, contested: { totals, reason: ' ' } })))[1]).toBe('invalid-input');
  await leader.done('CompleteTask', { taskId, contested: { totals, reason: 'Her teacher is away' } });
  expect(await statuses()).toEqual([6, 6]);
  expect((await task()).endedContested).toEqual({ by: 'leader', reason: 'Her teacher is away', totals: 1 });

  // Decided and correct, nothing is said and nothing asked any more.
  await decide('Clark', t1, 34, [30, 32]);
  await decide('Baker', t1, 'sat', ['absent'], true);
  await enter(leader, 'Davis', t2, { is: 44, was: [79] });
  await worth(80);
  taskId = await begin();
  expect((await preview()).warnings.filter(({ about }) => /contested|above/.test(about))).toEqual([]);
  await rank();
  expect(flagsIn(await ranking())).toEqual([]);
});

// Last: it takes the leader's account away for ever.
test('why a leader did not wait for a decision goes with them when they are forgotten; that they did not wait stays', async () => {
  const about = { reason: 'never seen in print' };
  await writeTask(school, taskId, [
    {
      event: {
        type: 'FeedbackTaskCompleted',
        data: { without: [], contested: { totals: [{ studentId: name('Clark'), testId: t1 }], about } },
      },
    },
  ]);
  const ended = async () => (await admin.ask<Task>('task', { taskId })).endedContested;
  expect(await ended()).toEqual({ by: 'leader', reason: about.reason, totals: 1 });
  await admin.done('ForgetStaffAccount', { accountId: school.accounts.leader });
  await expect.poll(ended).toEqual({ by: null, reason: null, totals: 1 });
});
