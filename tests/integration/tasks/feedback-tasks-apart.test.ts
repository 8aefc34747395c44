import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '../../../api/tasks/task.contract.ts';
import type { FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { writeTask } from '../../support/tasks-in-log.ts';
import { openSteps, refusal, shown } from '../../support/worked-example.ts';
import { TABLE } from '../../support/worked-example-table.ts';

/** Feedback tasks of odd data and of two people at once. */
const { school } = await schoolOfFile();
const { example, admin, leader, teacherA, begin, name, chosen, rank, preview, ranking, statuses, checkRanking, assign, enterTotal, move } =
  await openSteps(school);

let taskId: string;
beforeEach(async () => {
  taskId = await begin();
});

describe('odd data', () => {
  test('everybody on one mark has 50.00 and rank 1; equal priors take nothing away', async () => {
    const { terminalExamId } = await admin.done('AddTerminalExam', { subjectId: school.ids.maths, name: 'Equal', yearSat: 6 });
    const { testId = '' } = await admin.done('CreateAssessment', { subjectId: school.ids.maths, name: 'All the same' });
    await admin.done('UploadQuestions', { testId, questions: [{ number: 1, topic: 'All', marksAvailable: 20 }] });
    for (const surname of Object.keys(example.students)) await enterTotal(surname, 12, testId);
    await leader.done('EnterPriorScores', {
      subjectId: school.ids.maths,
      terminalExamId,
      yearCompleted: new Date().getUTCFullYear(),
      scores: Object.values(example.students).map((studentId) => ({ studentId, score: 'C' })),
    });
    await rank({ terminalExamId, testIds: [testId] });
    const { students } = await ranking();
    expect(new Set(students.map(({ score, ranking: place, residual }) => `${score} ${place} ${residual}`))).toEqual(new Set(['50 1 0']));
    // The example's own tests, with these priors.
    await rank({ terminalExamId });
    expect((await preview({ terminalExamId })).norms.tests.map(({ multiplier }) => multiplier)).toEqual([1, 1, 1]);
    await admin.done('RemoveTerminalExam', { subjectId: school.ids.maths, terminalExamId });
  });

  test('who sat nothing is not ranked and holds up the end, until they are ranked by hand or left out', async () => {
    const none = { ranking: null, score: null, grade: null };
    for (const testId of [example.testIds[0], example.testIds[2]]) await enterTotal('Irwin', 'absent', testId);
    await rank();
    const irwin = async () => (await ranking()).students.find(({ studentId }) => studentId === name('Irwin'));
    expect([(await irwin())?.score, (await irwin())?.ranking]).toEqual([null, null]);
    const without = example.setIds.map((setId) => ({ setId, reason: 'On leave' }));
    await assign({ without });
    const answer = await leader.command('CompleteTask', { taskId, without });
    expect([answer.status, answer.body.title, answer.body.errors?.map(({ path }) => path)]).toEqual([
      409,
      '1 student has no ranking, score or grade yet.',
      ['grade', 'ranking', 'score'].map((field) => `students.${name('Irwin')}.${field}`),
    ]);
    const byHand = (row: object) =>
      leader.command('DecideResults', { taskId, rows: [{ studentId: name('Irwin'), ...none, exempt: false, ...row }] });
    for (const wrong of [{ ranking: 0 }, { ranking: 1.5 }, { score: 0 }, { score: -1 }, { grade: '' }])
      expect([wrong, (await byHand(wrong)).status]).toEqual([wrong, 422]);
    await byHand({ ranking: 10, score: 12.5, grade: '3' });
    expect([(await irwin())?.score, (await irwin())?.grade, (await irwin())?.computed.score]).toEqual([12.5, '3', null]);
    await leader.done('CompleteTask', { taskId, without });
    expect(await statuses()).toEqual([6, 6]);
    for (const [testId, is] of [
      [example.testIds[0], 12],
      [example.testIds[2], 34],
    ] as const) {
      await enterTotal('Irwin', 'sat', testId);
      await enterTotal('Irwin', is, testId);
    }
  });

  test('a student who moves stays with their class in the ranking; one who leaves needs nothing; the rest of the ranking does not move', async () => {
    await rank();
    const before = await ranking();
    await move('Clark', { setId: example.setIds[1] });
    await move('Irwin', 'off-roll');
    const after = await ranking();
    expect(shown(after)).toEqual(shown(before));
    const row = (surname: string) => after.students.find(({ studentId }) => studentId === name(surname));
    expect([row('Clark')?.setId, row('Irwin')?.left]).toEqual([example.setIds[0], true]);
    // Their teacher of that time checks them.
    const flag = { studentId: name('Clark'), teacherRank: 1, flag: false };
    expect((await checkRanking(0, [flag])).status).toBe(200);
    // Ranked again, they are where they are now, and who has left is not in it.
    const again = await preview();
    expect([again.changes?.left.map(({ studentId }) => studentId), again.voids.map((set) => set.name)]).toEqual([
      [name('Irwin')],
      ['10X1'],
    ]);
    expect(again.students.find(({ studentId }) => studentId === name('Clark'))?.setId).toBe(example.setIds[1]);
    await move('Clark', { setId: example.setIds[0] });
    await move('Irwin', { setId: example.setIds[1] });
  });

  test('a correction after the ranking changes no score of it, and is shown; ranking again says first what it would change', async () => {
    const { rankingId } = await rank();
    expect(await rank()).toEqual({ rankingId: null });
    expect((await preview()).same).toBe(true);
    await checkRanking(0);
    await enterTotal('Flynn', 36);
    expect(shown(await ranking())).toEqual(TABLE.map((row) => [...row.slice(0, 4), null]));
    const flynn = (await ranking()).students.find(({ studentId }) => studentId === name('Flynn'));
    expect(flynn?.now?.changed).toBe(true);
    const again = await preview();
    expect([again.same, again.rankingId, again.voids.map((set) => set.name)]).toEqual([false, rankingId, ['10X1']]);
    expect(again.changes).toMatchObject({ joined: 0, left: [] });
    expect(again.changes?.scores).toBeGreaterThan(5);
    const row = again.students.find(({ studentId }) => studentId === name('Flynn'));
    expect([row?.was, (row?.score ?? 0) > 50.8]).toEqual([{ score: 50.8, ranking: 5 }, true]);
    await rank({ was: rankingId, preview: again.digest });
    expect(await statuses()).toEqual([2, 2]);
    expect((await ranking()).students.map(({ score }) => score)).toEqual(again.students.map(({ score }) => score));
    await enterTotal('Flynn', 26);
  });

  test('a task past its expiry goes on to its end; only another expiry has to lie ahead', async () => {
    const late = randomUUID();
    const { name: title, expiry: _expiry, subjectId, yearGroupId, maps } = example.task;
    const created = { subjectId, yearGroupId, about: { name: title }, expiry: '2020-01-31', teacherInput: false, maps };
    await writeTask(school, late, [{ event: { type: 'FeedbackTaskCreated', data: created } as FeedbackTaskEvent }]);
    await rank({ taskId: late });
    expect((await refusal(leader.command('EditFeedbackTask', { taskId: late, expiry: '2020-02-29' })))[0]).toBe(422);
    await leader.done('EditFeedbackTask', { taskId: late, name: 'Late' });
    await leader.done('AssignGrades', { taskId: late, gradeProfileId: example.gradeProfileId });
    await leader.done('CompleteTask', { taskId: late });
    const { name: shownName, expiry, status } = await leader.ask<Task>('task', { taskId: late });
    expect([shownName, expiry, status]).toEqual(['Late', '2020-01-31', 6]);
  });
});

describe('two at once', () => {
  test('of two leaders who rank, the second is told; both find one ranking', async () => {
    const seen = await preview();
    const [t1, t2] = example.testIds;
    const answers = await Promise.all([
      leader.command('RankTask', chosen({ testIds: [t1], was: seen.rankingId })),
      admin.command('RankTask', chosen({ testIds: [t1, t2], was: seen.rankingId })),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.title).toBe(
      'Somebody else has ranked the students, or removed the ranking, meanwhile. Look at it, then decide again.',
    );
    const won = answers.find(({ status }) => status === 200)?.body.result['rankingId'];
    expect((await ranking()).ranking?.rankingId).toBe(won);
  });

  test('a total that comes after the preview makes the ranking another one: it is refused', async () => {
    const seen = await preview();
    await enterTotal('Hayes', 39);
    expect(await refusal(leader.command('RankTask', chosen({ preview: seen.digest })))).toEqual([
      409,
      'conflict',
      'Totals or prior data have changed since you looked. Nothing was ranked: look at the ranking again.',
    ]);
    expect(await statuses()).toEqual([1, 1]);
    await enterTotal('Hayes', 24);
    await rank({ preview: seen.digest });
  });

  test('a teacher who checks while the leader ranks again is told, and checks the new one', async () => {
    const first = await rank();
    await enterTotal('Hayes', 39);
    const second = await rank();
    const check = (rankingId: string | null) =>
      teacherA.command('CheckRanking', { taskId, setId: example.setIds[0], rankingId: rankingId ?? undefined, rows: [] });
    expect(await refusal(check(first.rankingId))).toEqual([
      409,
      'conflict',
      'The students were ranked again meanwhile. Nothing was stored: look at the new ranking, then check it.',
    ]);
    expect((await check(second.rankingId)).status).toBe(200);
    await enterTotal('Hayes', 24);
  });

  test('of two who check one class, the second is told what the first has said, and adds their own', async () => {
    await rank();
    const mine = { studentId: name('Clark'), teacherRank: 2, flag: true, comment: 'Was lucky.' };
    const theirs = { studentId: name('Adams'), teacherRank: null, flag: true, comment: 'Was ill.' };
    const check = (rows: readonly object[], was: readonly object[]) =>
      teacherA.command('CheckRanking', { taskId, setId: example.setIds[0], rows, was });
    const said = async () => (await ranking()).students.filter((row) => row.rankingFlag).map((row) => [row.studentId, row.rankingComment]);
    expect((await checkRanking(0, [theirs], leader)).status).toBe(200);
    const late = await check([mine], []);
    expect([late.status, late.body.code, late.body.errors]).toEqual([
      409,
      'conflict',
      [{ path: `students.${name('Adams')}`, message: 'Somebody else has checked it, and says something else.' }],
    ]);
    expect(await said()).toEqual([[name('Adams'), 'Was ill.']]);
    expect((await check([mine, theirs], [theirs])).status).toBe(200);
    expect(await said()).toEqual([
      [name('Clark'), 'Was lucky.'],
      [name('Adams'), 'Was ill.'],
    ]);
    const without = [{ setId: example.setIds[1], reason: 'On leave' }];
    await assign({ without });
    const grades = (by: typeof leader, rows: readonly object[]) =>
      by.command('CheckGrades', { taskId, setId: example.setIds[0], rows, was: [] });
    expect((await grades(leader, [{ studentId: name('Adams'), flag: true }])).status).toBe(200);
    expect((await grades(teacherA, [])).body.title).toBe(late.body.title);
  });
});
