import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RankingPreview } from '../../../api/tasks/ranking/ranking-preview.contract.ts';
import type { TaskRanking, TaskScore } from '../../../api/tasks/ranking/task-ranking.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { openSteps, refusal, shown } from '../../support/worked-example.ts';
import { NORMS, PRIOR_NORMS, TABLE } from '../../support/worked-example-table.ts';

/** A feedback task from its creation to its end, by leader and teachers. */
const { school } = await schoolOfFile();
const {
  example,
  admin,
  leader,
  teacherA,
  begin,
  name,
  chosen,
  rank,
  preview,
  ranking,
  task,
  statuses,
  checkRanking,
  checkGrades,
  assign,
  enterTotal,
} = await openSteps(school);

let taskId: string;
beforeEach(async () => {
  taskId = await begin();
});

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));

test('the worked example, digit for digit, from totals and prior data to the end, with two teachers', async () => {
  const before = await preview();
  expect([before.refused, before.rankingId, before.changes, before.voids]).toEqual([null, null, null, []]);
  expect([rounded(before.norms.prior.mean), rounded(before.norms.prior.sd), before.norms.prior.n]).toEqual([...PRIOR_NORMS, 9]);
  expect(
    before.norms.tests
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((one) => [one.name, one.n, ...[one.mean, one.sd, one.priorMean, one.difference, one.multiplier].map(rounded)]),
  ).toEqual(NORMS);
  expect(before.students.map((row) => [row.name?.split(',')[0], row.score, row.ranking, row.residual])).toEqual(
    TABLE.map(([surname, score, place, residual]) => [surname, score, place, residual]),
  );
  expect(before.warnings.map((warning) => ('name' in warning ? [warning.about, warning.name] : [warning.about]))).toEqual(
    expect.arrayContaining([['few-sat', 'T1'], ['small-cohort']]),
  );

  // One of the two papers of Evans's tier is half of them: nothing is warned of.
  const sat = ({ students }: Pick<TaskRanking, 'students'> | RankingPreview) =>
    students
      .flatMap(({ name: who, sat: of, given }) => (/^(Evans|Clark|Flynn)/.test(who ?? '') ? [`${who}: ${of} of ${given}`] : []))
      .toSorted();
  const bothTiers = ['Clark, Student: 2 of 2', 'Evans, Student: 1 of 2', 'Flynn, Student: 2 of 2'];
  expect([sat(before), before.warnings.filter(({ about }) => about === 'sat-few')]).toEqual([bothTiers, []]);

  expect(await statuses()).toEqual([1, 1]);
  const { rankingId } = await rank({ was: before.rankingId, preview: before.digest });
  expect(shown(await ranking())).toEqual(TABLE.map((row) => [...row.slice(0, 4), null]));
  expect(sat(await ranking())).toEqual(bothTiers);
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
  test('a teacher checks only their own class, and takes none of the leader’s steps', async () => {
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
    const half = [{ studentId: name('Clark'), teacherRank: 1.5, flag: true }];
    expect((await checkRanking(0, half)).status).toBe(422);
    expect((await checkRanking(0, [], admin)).status).toBe(200);
    expect(await statuses()).toEqual([3, 2]);
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

  test('with an assessment that is deleted: its totals count neither for the class nor for the ranking, until it is restored', async () => {
    const testId = example.testIds[2];
    await admin.done('DeleteAssessment', { testId });
    expect(await statuses()).toEqual([1, 0]);
    expect((await task()).sets[1]?.tests.map((one) => [one.name, one.entered, one.status])).toEqual([
      ['T1', 5, 1],
      ['T3 (Foundation)', 0, 0],
    ]);
    expect((await refusal(leader.command('RankTask', chosen({ testIds: example.testIds.slice(0, 2) }))))[2]).toBe(
      'No totals yet: 10X2. Upload them, or take the class out of the task.',
    );
    await admin.done('RestoreAssessment', { testId });
    expect(await statuses()).toEqual([1, 1]);
    await rank();
    expect(shown(await ranking())).toEqual(TABLE.map((row) => [...row.slice(0, 4), null]));

    // Whoever was ranked by it stays so: nothing is corrected (docs/decisions/16-a-ranking-keeps-a-deleted-assessment.md), and the score explains itself as before.
    await admin.done('DeleteAssessment', { testId });
    const after = await ranking();
    expect(shown(after)).toEqual(TABLE.map((row) => [...row.slice(0, 4), null]));
    expect(after.students.filter(({ now }) => now !== null)).toEqual([]);
    const score = await leader.ask<TaskScore>('task-score', { taskId, studentId: name('Jones') });
    expect(score.tests.map((one) => one.name)).toContain('T3 (Foundation)');
    await admin.done('RestoreAssessment', { testId });
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
  // Whoever has it open is told by whom; others do not hear that it was there.
  const deleted = [404, 'not-found', 'This feedback task was deleted by leader.'];
  expect(await refusal(leader.query('task', { taskId }))).toEqual(deleted);
  expect(await refusal(teacherA.query('task-ranking', { taskId, setId: example.setIds[0] ?? '' }))).toEqual(deleted);
  expect((await refusal(teacherA.query('task-ranking', { taskId, setId: example.setIds[1] ?? '' })))[1]).toBe('not-your-set');
  expect((await leader.query('ranking-preview', chosen())).status).toBe(404);
  expect((await leader.command('RankTask', chosen())).status).toBe(404);
  await leader.done('RestoreFeedbackTask', { taskId });
  expect(await statuses()).toEqual([1, 1]);
});

test('ranked again, what was decided by hand goes or stays as the preview says, and says still who decided it', async () => {
  for (const testId of [example.testIds[0], example.testIds[2]])
    for (const surname of ['Irwin', 'Hayes']) await enterTotal(surname, 'absent', testId);
  await rank();
  await checkRanking(0);
  await checkRanking(1);
  await assign();
  const row = { ranking: null, score: null, grade: null, exempt: false };
  await leader.done('DecideResults', {
    taskId,
    rows: [
      { ...row, studentId: name('Clark'), ranking: 2, grade: '5' },
      { ...row, studentId: name('Irwin'), exempt: true },
      { ...row, studentId: name('Hayes'), ranking: 8, score: 20 },
    ],
  });
  await leader.done('ReopenGrades', { taskId });
  // Nothing would change, so that nothing goes.
  expect((await preview()).decisions).toEqual({ gone: [], kept: [] });
  const testIds = [example.testIds[0], example.testIds[2]];
  const { decisions } = await preview({ testIds });
  expect(decisions.gone).toEqual([
    { studentId: name('Clark'), name: 'Clark, Student', admissionNo: 'XClark', ranking: 2, score: null, exempt: false },
  ]);
  expect(decisions.kept.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
    { studentId: name('Hayes'), name: 'Hayes, Student', admissionNo: 'XHayes', ranking: 8, score: 20, exempt: false },
    { studentId: name('Irwin'), name: 'Irwin, Student', admissionNo: 'XIrwin', ranking: null, score: null, exempt: true },
  ]);
  await admin.done('RankTask', chosen({ testIds }));
  const { students } = await ranking();
  const of = (surname: string) => students.find(({ studentId }) => studentId === name(surname));
  expect([of('Clark')?.decided, of('Irwin')?.exempt, of('Irwin')?.ranking]).toEqual([null, true, null]);
  expect([of('Hayes')?.ranking, of('Hayes')?.score, of('Hayes')?.decided?.by]).toEqual([8, 20, 'leader']);
  for (const testId of testIds) for (const surname of ['Irwin', 'Hayes']) await enterTotal(surname, 'sat', testId);
});

// Last: it takes a student's name away for ever.
test('a student who is forgotten in the middle takes nobody’s score, rank or grade with them', async () => {
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
  expect(evans?.rankingFlag).toBe(true);
  expect([evans?.name, evans?.score, evans?.ranking, evans?.grade, evans?.rankingComment]).toEqual([null, 63.2, 3, '5', null]);
  await checkGrades(0);
  await checkGrades(1);
  await leader.done('CompleteTask', { taskId });
  expect(others(await ranking())).toBe(others(before));
});
