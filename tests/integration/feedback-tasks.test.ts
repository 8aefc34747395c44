import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RankingPreview } from '../../api/ranking/ranking-preview.contract.ts';
import type { Task, TaskRanking, TaskScore } from '../../api/task-views/task-answers.contract.ts';
import type { Client } from '../support/client.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { openMailbox } from '../support/mailbox.ts';
import type { School } from '../support/school.ts';
import { openSchool } from '../support/school.ts';
import type { Example } from '../support/worked-example.ts';
import { openExample } from '../support/worked-example.ts';

/** A feedback task from its creation to its end, by leader and teachers. */
let mailbox: Mailbox;
let school: School;
let example: Example;
let admin: Client;
let leader: Client;
let teacherA: Client;
let teacherB: Client;
beforeAll(async () => {
  mailbox = await openMailbox();
  school = await openSchool({ smtpUrl: mailbox.url });
  example = await openExample(school);
  [admin, leader, teacherA, teacherB] = [
    await school.as('admin'),
    await school.as('leader'),
    await school.as('teacherA'),
    await school.as('teacherB'),
  ];
});
afterAll(async () => {
  await school.close();
  await mailbox.close();
});

let taskId: string;
beforeEach(async () => {
  ({ taskId = '' } = await leader.done('CreateFeedbackTask', example.task));
});

const name = (surname: string): string => example.students[surname] ?? '';
const chosen = (change: object = {}) => ({ taskId, terminalExamId: example.terminalExamId, testIds: example.testIds, ...change });
const rank = (change: object = {}) => leader.done<{ rankingId: string | null }>('RankTask', chosen(change));
const preview = (change: object = {}) => leader.ask<RankingPreview>('ranking-preview', chosen(change));
const ranking = () => leader.ask<TaskRanking>('task-ranking', { taskId });
const task = () => leader.ask<Task>('task', { taskId });
const statuses = async () => (await task()).sets.map(({ status }) => status);
const checkRanking = (place: 0 | 1, rows: readonly object[] = [], by = place === 0 ? teacherA : teacherB) =>
  by.command('CheckRanking', { taskId, setId: example.setIds[place], rows });
const checkGrades = (place: 0 | 1, by = place === 0 ? teacherA : teacherB) =>
  by.command('CheckGrades', { taskId, setId: example.setIds[place], rows: [] });
const assign = (change: object = {}) =>
  leader.done<{ gradesId: string }>('AssignGrades', { taskId, gradeProfileId: example.gradeProfileId, ...change });
/** Refused: status, code and sentence. */
const refusal = async (asked: ReturnType<Client['command']>) => {
  const { status, body } = await asked;
  return [status, body.code, body.title];
};
const enterTotal = (surname: string, is: number | string, testId: string = example.testIds[0]) =>
  leader.done('EnterMarks', {
    entryId: randomUUID(),
    subjectId: school.ids.maths,
    seq: 1,
    cells: [{ studentId: name(surname), testId, is, ...(typeof is === 'string' ? { attendance: true } : {}) }],
  });
const move = (surname: string, place: object | string) =>
  admin.done('ChangeStudents', { subjectId: school.ids.maths, changes: [{ studentId: name(surname), place }] });

/** The example's table: score, rank, residual and grade. */
const TABLE = [
  ['Clark', 81.89, 1, 1, '7'],
  ['Adams', 73.68, 2, -1, '7'],
  ['Evans', 63.2, 3, 1, '5'],
  ['Baker', 56.19, 4, -2, '5'],
  ['Flynn', 50.8, 5, 1, '5'],
  ['Davis', 43.34, 6, -2, '3'],
  ['Hayes', 39.65, 7, 0, '3'],
  ['Grant', 35.02, 8, -1, '3'],
  ['Jones', 35.02, 8, null, '3'],
  ['Irwin', 16.91, 10, 0, '3'],
] as const;
const shown = ({ students }: TaskRanking) =>
  students.map((row) => [row.name?.split(',')[0], row.score, row.ranking, row.residual, row.grade]);
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));

test('the worked example, digit for digit, from totals and prior data to the end, with two teachers', async () => {
  const before = await preview();
  expect([before.refused, before.rankingId, before.changes, before.voids]).toEqual([null, null, null, []]);
  expect([rounded(before.norms.prior.mean), rounded(before.norms.prior.sd), before.norms.prior.n]).toEqual([36.4444, 12.5708, 9]);
  expect(
    before.norms.tests
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((one) => [one.name, one.n, ...[one.mean, one.sd, one.priorMean, one.difference, one.multiplier].map(rounded)]),
  ).toEqual([
    ['T1', 9, 63.8889, 17.7604, 36, -0.0354, 0.9882],
    ['T2 (Higher)', 5, 70, 10, 46.4, 0.792, 1.264],
    ['T3 (Foundation)', 5, 62.5, 12.6491, 24, -0.9899, 0.67],
  ]);
  expect(before.students.map((row) => [row.name?.split(',')[0], row.score, row.ranking, row.residual])).toEqual(
    TABLE.map(([surname, score, place, residual]) => [surname, score, place, residual]),
  );
  expect(before.warnings.map((warning) => ('name' in warning ? [warning.about, warning.name] : [warning.about]))).toEqual(
    expect.arrayContaining([['few-sat', 'T1'], ['small-cohort'], ['sat-few', 'Evans, Student']]),
  );

  expect(await statuses()).toEqual([1, 1]);
  const { rankingId } = await rank({ was: before.rankingId, preview: before.digest });
  expect(shown(await ranking())).toEqual(TABLE.map((row) => [...row.slice(0, 4), null]));
  expect(await statuses()).toEqual([2, 2]);
  // Each test rests on what was uploaded.
  const score = await leader.ask<TaskScore>('task-score', { taskId, studentId: name('Clark') });
  expect(score.tests.map(({ counted }) => counted.events)).toEqual([1, 1, 1]);

  const flag = { studentId: name('Clark'), teacherRank: 2, flag: true, comment: 'Was lucky.' };
  expect((await checkRanking(0, [flag])).status).toBe(200);
  expect(await statuses()).toEqual([3, 2]);
  expect(await refusal(leader.command('AssignGrades', { taskId, gradeProfileId: example.gradeProfileId }))).toEqual([
    409,
    'refused',
    'Not checked yet by the teacher: 10X2. Wait for it, or go on without it and say why.',
  ]);
  expect((await checkRanking(1)).status).toBe(200);
  const clark = (await ranking()).students[0];
  expect([clark?.ranking, clark?.teacherRank, clark?.rankingFlag, clark?.rankingComment]).toEqual([1, 2, true, 'Was lucky.']);

  await assign();
  expect(shown(await ranking())).toEqual(TABLE);
  expect((await checkGrades(0)).status).toBe(200);
  // The second teacher is away: the leader stands in.
  expect((await checkGrades(1, leader)).status).toBe(200);
  expect((await task()).sets.map(({ gradesChecked }) => gradesChecked?.stoodIn)).toEqual([false, true]);
  await leader.done('CompleteTask', { taskId });
  expect(await statuses()).toEqual([6, 6]);
  expect(shown(await ranking())).toEqual(TABLE);
  expect(await refusal(leader.command('RankTask', chosen()))).toEqual([409, 'refused', 'This feedback task has ended.']);
  expect(rankingId).toMatch(/^[\da-f-]{36}$/);
});

describe('who may do what', () => {
  test('a teacher checks his own class only, and takes none of the leader’s steps', async () => {
    await rank();
    expect(await refusal(checkRanking(1, [], teacherA))).toEqual([403, 'not-your-set', 'You may not check this class.']);
    for (const [step, body] of [
      ['RankTask', chosen()],
      ['RemoveRanking', { taskId }],
      ['AssignGrades', { taskId, gradeProfileId: example.gradeProfileId }],
      ['ReopenGrades', { taskId }],
      ['DecideResults', { taskId, rows: [{ studentId: name('Clark'), ranking: 1, score: 1, grade: '7', exempt: false }] }],
      ['CompleteTask', { taskId }],
      ['RemindTeachers', { taskId }],
      ['DeleteFeedbackTask', { taskId }],
    ] as const) {
      expect([step, (await teacherA.command(step, body)).status]).toEqual([step, 403]);
      expect([step, (await (await school.as('auditor')).command(step, body)).status]).toEqual([step, 403]);
    }
    expect((await checkRanking(0, [], await school.as('scienceLeader'))).status).toBe(404);
    expect((await checkRanking(0, [], admin)).status).toBe(200);
    expect(await statuses()).toEqual([3, 2]);
  });

  test('a check is of the students of its class, each once, and a comment needs a flag', async () => {
    await rank();
    const [flynn, clark] = ['Flynn', 'Clark'].map((surname) => ({ studentId: name(surname), teacherRank: null, flag: true }));
    expect((await refusal(checkRanking(0, [flynn ?? {}])))[2]).toBe('This student is not in the ranking.');
    expect((await refusal(checkRanking(0, [clark ?? {}, clark ?? {}])))[2]).toBe('A student can be listed once.');
    expect((await refusal(checkRanking(0, [{ ...clark, flag: false, comment: 'Why?' }])))[2]).toBe('Flag the student to comment.');
    expect((await checkRanking(0, [{ ...clark, teacherRank: 1.5 }])).status).toBe(422);
    expect(await statuses()).toEqual([2, 2]);
  });
});

describe('what is wrong is said, and changes nothing', () => {
  test('with a new task', async () => {
    const create = (change: object) => leader.command('CreateFeedbackTask', { ...example.task, ...change });
    const messages = async (change: object) => (await create(change)).body.errors?.map(({ path, message }) => [path, message]);
    expect(await messages({ name: '  ' })).toEqual([['name', 'This field is required']]);
    expect(await messages({ expiry: '2020-01-01' })).toEqual([['expiry', expect.stringMatching(/^The expiry date must be between today/)]]);
    expect(await messages({ maps: [{ setId: school.ids.setA, testId: example.testIds[0] }] })).toEqual([
      ['maps.0.setId', 'There is no such class in this year group.'],
    ]);
    expect(await messages({ maps: [{ setId: example.setIds[0], testId: school.ids.forces }] })).toEqual([
      ['maps.0.testId', 'There is no such assessment in this subject.'],
    ]);
    const { maths: subjectId, year: yearGroupId, setA: setId, mock: testId } = school.ids;
    expect(await refusal(create({ subjectId, yearGroupId, maps: [{ setId, testId }] }))).toEqual([
      409,
      'refused',
      'You need to upload prior data to initiate a feedback task',
    ]);
  });

  test('with prior data: a student who leaves a class of ten lifts it over 90 %, one who comes takes it below', async () => {
    await admin.done('AddStudent', {
      subjectId: school.ids.maths,
      setId: example.setIds[1],
      admissionNo: 'XNew',
      name: 'New, Student',
      dateOfBirth: '2010-05-01',
    });
    const short = 'Prior data: 81.8 %. At least 90 % of the year group is needed.';
    expect([(await preview()).refused, (await refusal(leader.command('RankTask', chosen())))[2]]).toEqual([short, short]);
    const { students } = await leader.ask<{ students: readonly { studentId: string; name: string }[] }>('prior-scores', {
      subjectId: school.ids.maths,
      terminalExamId: example.terminalExamId,
      yearGroupId: example.yearGroupId,
    });
    const studentId = students.find((one) => one.name === 'New, Student')?.studentId;
    await admin.done('ChangeStudents', { subjectId: school.ids.maths, changes: [{ studentId, place: 'off-roll' }] });
    expect((await preview()).refused).toBeNull();
  });

  test('with letters and numbers in one exam, and one that never was', async () => {
    const { terminalExamId } = await admin.done('AddTerminalExam', { subjectId: school.ids.maths, name: 'Mixed', yearSat: 6 });
    await leader.done('EnterPriorScores', {
      subjectId: school.ids.maths,
      terminalExamId,
      yearCompleted: new Date().getUTCFullYear(),
      scores: Object.values(example.students).map((studentId, index) => ({ studentId, score: index === 0 ? '104' : 'B' })),
    });
    expect(await refusal(leader.command('RankTask', chosen({ terminalExamId })))).toEqual([
      409,
      'refused',
      'The prior data of this exam holds letters and numbers. Students can be ranked by one of them only.',
    ]);
    expect((await leader.command('RankTask', chosen({ terminalExamId: randomUUID() }))).body.errors).toEqual([
      { path: 'terminalExamId', message: 'There is no such terminal exam.' },
    ]);
    await admin.done('RemoveTerminalExam', { subjectId: school.ids.maths, terminalExamId });
  });

  test('with no test, one that nobody sat, and one of another subject', async () => {
    const errors = async (testIds: readonly string[]) => (await leader.command('RankTask', chosen({ testIds }))).body.errors;
    expect(await errors([])).toEqual([{ path: 'testIds', message: 'Select at least one test.' }]);
    for (const testId of [school.ids.mock, school.ids.forces, randomUUID()])
      expect(await errors([example.testIds[0], testId])).toEqual([
        { path: 'testIds.1', message: 'Nobody in these classes has a total in this test.' },
      ]);
    expect(await statuses()).toEqual([1, 1]);
  });

  test('with a class without totals, which can be taken out; the other one is ranked', async () => {
    const maps = [...(example.task['maps'] as object[]), { setId: example.setIds[1], testId: school.ids.mock }];
    await leader.done('EditFeedbackTask', { taskId, maps });
    expect(await refusal(leader.command('RankTask', chosen()))).toEqual([
      409,
      'refused',
      'No totals yet: 10X2. Upload them, or take the class out of the task.',
    ]);
    await leader.done('EditFeedbackTask', { taskId, maps: maps.slice(0, 2), was: { maps } });
    await rank({ testIds: example.testIds.slice(0, 2) });
    expect((await ranking()).students).toHaveLength(5);
    expect((await refusal(leader.command('EditFeedbackTask', { taskId, maps })))[2]).toBe(
      'The students are ranked already. Remove the ranking first, then change the classes and assessments.',
    );
  });

  test('with a grade profile that is gone, has changed, or is of another year group', async () => {
    await rank();
    for (const [place] of [[0], [1]] as const) await checkRanking(place);
    const body = { taskId, gradeProfileId: example.gradeProfileId };
    expect(await refusal(leader.command('AssignGrades', { ...body, was: [{ label: '9', percent: 100 }] }))).toEqual([
      409,
      'conflict',
      'Somebody else has changed this grade profile meanwhile. Look at it, then allocate the grades again.',
    ]);
    const { gradeProfileId } = await leader.done('CreateGradeProfile', {
      subjectId: school.ids.maths,
      yearGroupId: school.ids.year,
      name: 'Year 11',
      grades: [{ label: 'P', percent: 100 }],
    });
    expect((await leader.command('AssignGrades', { taskId, gradeProfileId })).body.errors).toEqual([
      { path: 'gradeProfileId', message: 'There is no such grade profile in this year group.' },
    ]);
    expect(await statuses()).toEqual([3, 3]);
  });
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

  test('who sat nothing is not ranked and holds up the end, until he is ranked by hand or left out', async () => {
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

  test('a student who moves stays with his class in the ranking; one who leaves needs nothing; the rest of the ranking does not move', async () => {
    await rank();
    const before = await ranking();
    await move('Clark', { setId: example.setIds[1] });
    await move('Irwin', 'off-roll');
    const after = await ranking();
    expect(shown(after)).toEqual(shown(before));
    const row = (surname: string) => after.students.find(({ studentId }) => studentId === name(surname));
    expect([row('Clark')?.setId, row('Irwin')?.left]).toEqual([example.setIds[0], true]);
    // His teacher of then checks him.
    const flag = { studentId: name('Clark'), teacherRank: 1, flag: false };
    expect((await checkRanking(0, [flag])).status).toBe(200);
    // Ranked again, he is where he is now, and who has left is not in it.
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

  test('a task past its expiry goes on', async () => {
    await rank();
    expect((await refusal(leader.command('EditFeedbackTask', { taskId, expiry: '2020-01-01' })))[0]).toBe(422);
    await leader.done('EditFeedbackTask', { taskId, name: 'Late' });
    expect((await task()).name).toBe('Late');
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

  test('a request that is repeated is answered again, and done once', async () => {
    const key = randomUUID();
    const first = await leader.done('RankTask', chosen(), key);
    await leader.done('RemoveRanking', { taskId });
    expect(await leader.done('RankTask', chosen(), key)).toEqual(first);
    expect(await statuses()).toEqual([1, 1]);
  });
});

test('what was done is taken back: a ranking, grades, a decision, a deletion', async () => {
  await rank();
  await checkRanking(0);
  await checkRanking(1);
  const { gradesId } = await assign();
  expect((await refusal(leader.command('RemoveRanking', { taskId })))[2]).toBe('Grades are allocated already. Reopen them first.');
  const decide = (ranking: number | null) =>
    leader.done('DecideResults', { taskId, rows: [{ studentId: name('Clark'), ranking, score: null, grade: null, exempt: false }] });
  await decide(3);
  await decide(null);
  expect(shown(await ranking())).toEqual(TABLE);
  await leader.done('ReopenGrades', { taskId });
  expect(await statuses()).toEqual([3, 3]);
  await assign();
  expect(await refusal(teacherA.command('CheckGrades', { taskId, setId: example.setIds[0], gradesId, rows: [] }))).toEqual([
    409,
    'conflict',
    'Grades were allocated again meanwhile. Nothing was stored: look at the new grades, then check them.',
  ]);
  await leader.done('ReopenGrades', { taskId });
  await leader.done('RemoveRanking', { taskId });
  expect([await statuses(), (await ranking()).students]).toEqual([[1, 1], []]);
  await leader.done('DeleteFeedbackTask', { taskId });
  expect((await leader.query('task', { taskId })).status).toBe(404);
  expect((await leader.query('ranking-preview', chosen())).status).toBe(404);
  expect((await leader.command('RankTask', chosen())).status).toBe(404);
  await leader.done('RestoreFeedbackTask', { taskId });
  expect(await statuses()).toEqual([1, 1]);
});

describe('mails', () => {
  const mailTo = async (role: 'teacherA' | 'teacherB', says: string) => {
    for (;;) {
      const mail = await mailbox.next(school.email(role));
      if (mail.text?.includes(says)) return mail;
    }
  };
  const mailsAbout = (says: string): readonly string[] =>
    mailbox.mails.filter(({ text = '' }) => text.includes(says)).map(({ recipient }) => recipient);

  test('a new task is told to each of its teachers, once; a reminder goes to those who are awaited', async () => {
    const named = await leader.done('CreateFeedbackTask', { ...example.task, name: 'The mailed one' });
    taskId = named['taskId'] ?? '';
    const mail = await mailTo('teacherA', 'The mailed one');
    expect(mail.subject).toBe('Test School: a new feedback task');
    expect(mail.text).toMatch(/There is a new feedback task for 10X1: “The mailed one”\. It runs until \d\d\/\d\d\/\d{4}\./);
    await mailTo('teacherB', 'The mailed one');

    await rank();
    await checkRanking(1);
    const remind = (body: object = {}) => leader.command('RemindTeachers', { taskId, ...body });
    const key = randomUUID();
    const reminded = await leader.done('RemindTeachers', { taskId }, key);
    expect(reminded).toEqual({ message: 'A reminder goes to 1 teacher of 10X1.', teachers: 1 });
    expect(await leader.done('RemindTeachers', { taskId }, key)).toEqual(reminded);
    expect((await mailTo('teacherA', 'waits for your check')).subject).toBe('Test School: please check the ranking of your classes');
    expect((await refusal(remind({ setIds: [example.setIds[1]] })))[2]).toBe('No class waits for a check.');
    await checkRanking(0);
    expect((await refusal(remind()))[2]).toBe('No class waits for a check.');
    await assign();
    expect((await remind({ setIds: [example.setIds[1]] })).body.result['message']).toBe('A reminder goes to 1 teacher of 10X2.');
    expect((await mailTo('teacherB', 'wait for your check')).text).toContain('The grades of 10X2 wait for your check');
    expect(mailsAbout('There is a new feedback task for 10X1: “The mailed one”')).toEqual([school.email('teacherA')]);
    expect(mailsAbout('waits for your check')).toEqual([school.email('teacherA')]);
  });

  test('a class whose teachers have no account is named, and too many reminders are refused', async () => {
    const { maths: subjectId, recordB, setB } = school.ids;
    await rank();
    await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds: [setB] });
    const remind = (body: object = {}) => leader.command('RemindTeachers', { taskId, ...body });
    expect(await refusal(remind({ setIds: [example.setIds[1]] }))).toEqual([409, 'refused', 'No teacher of 10X2 has an active account.']);
    expect((await remind()).body.result['message']).toBe('A reminder goes to 1 teacher of 10X1.');
    for (;;) {
      const { status, headers, body } = await remind();
      if (status === 200) continue;
      expect([status, body.code, Number(headers.get('Retry-After')) > 60]).toEqual([429, 'rate-limited', true]);
      break;
    }
    await admin.done('ChangeTeacher', { subjectId, teacherId: recordB, setIds: [setB, example.setIds[1]] });
  });
});

// Last: it takes a student's name away for ever.
test('a student who is forgotten in the middle takes nobody’s score, rank or grade with him', async () => {
  await rank();
  await checkRanking(0, [{ studentId: name('Evans'), teacherRank: null, flag: true, comment: 'Was ill in May.' }]);
  await checkRanking(1);
  await assign();
  const before = await ranking();
  await admin.done('ForgetStudent', { studentId: name('Evans') });
  const after = await ranking();
  const others = ({ students }: TaskRanking) => JSON.stringify(students.filter(({ studentId }) => studentId !== name('Evans')));
  expect(others(after)).toBe(others(before));
  const evans = after.students.find(({ studentId }) => studentId === name('Evans'));
  expect([evans?.name, evans?.score, evans?.ranking, evans?.grade, evans?.rankingComment]).toEqual([null, 63.2, 3, '5', null]);
  await checkGrades(0);
  await checkGrades(1);
  await leader.done('CompleteTask', { taskId });
  expect(others(await ranking())).toBe(others(before));
});
