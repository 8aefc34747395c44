import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EnteredTotals } from '../../../api/tasks/entered-totals.contract.ts';
import type { Task, Tasks } from '../../../api/tasks/task.contract.ts';
import type { TaskGrades } from '../../../api/tasks/grades/task-grades.contract.ts';
import type { RankingPreview } from '../../../api/tasks/ranking/ranking-preview.contract.ts';
import type { TaskRanking, TaskScore } from '../../../api/tasks/ranking/task-ranking.contract.ts';
import type { FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { feedbackTask, resultOf } from '../../../events/tasks/feedback-task.ts';
import { marksIn } from '../../support/marks.ts';
import type { RoleName } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { rankingOf, writeTask } from '../../support/tasks-in-log.ts';

/** What leaders and teachers are shown of feedback tasks. */
const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');

const id = (short: string): string => school.ids.students[short] ?? '';

/** A task of 11A and 11B in `mock`; 11A also sits `other`. */
const created = (of: Partial<Extract<FeedbackTaskEvent, { type: 'FeedbackTaskCreated' }>['data']> = {}): FeedbackTaskEvent => ({
  type: 'FeedbackTaskCreated',
  data: {
    subjectId: school.ids.maths,
    yearGroupId: school.ids.year,
    about: { name: 'Autumn' },
    expiry: '2026-12-01',
    teacherInput: true,
    maps: [
      { setId: school.ids.setA, testId: school.ids.mock },
      { setId: school.ids.setA, testId: school.ids.other },
      { setId: school.ids.setB, testId: school.ids.mock },
    ],
    ...of,
  },
});
const write = async (taskId: string, ...events: readonly (FeedbackTaskEvent | readonly [RoleName, FeedbackTaskEvent])[]) =>
  writeTask(
    school,
    taskId,
    events.map((one) => ('type' in one ? { event: one } : { by: one[0], event: one[1] })),
  );
const { enter: save } = marksIn(() => school);
const enter = async (testId: string, totals: Readonly<Record<string, number>>) =>
  save(
    leader,
    Object.entries(totals).map(([short, is]) => ({ studentId: id(short), testId, is })),
  );
/** 11A: priors 48, 40, 32, none; 11B: 24, 16, 8, 0. */
const MARKS = { A1: 18, A2: 12, A3: 15, A4: 9, B1: 10, B2: 6, B3: 6 };
const ranked = (kept?: Extract<FeedbackTaskEvent, { type: 'TaskRanked' }>['data']['kept']): FeedbackTaskEvent => {
  const priors: Readonly<Record<string, number | null>> = { A1: 48, A2: 40, A3: 32, A4: null, B1: 24, B2: 16, B3: 8, B4: 0 };
  const totals = new Map(Object.entries(MARKS).map(([short, total]) => [id(short), total]));
  return {
    type: 'TaskRanked',
    data: {
      ...rankingOf(
        school.ids.terminalExam,
        Object.entries(priors).map(([short, prior]) => ({
          studentId: id(short),
          setId: short.startsWith('A') ? school.ids.setA : school.ids.setB,
          prior,
        })),
        [{ testId: school.ids.mock, max: 20, totals }],
      ),
      ...(kept && { kept }),
    },
  };
};

test('a class is at 0 until anybody in it has a total; the task is at the mean of all assessments, and a teacher hears of their class alone', async () => {
  const taskId = randomUUID();
  const { setA, setB, year, mock } = school.ids;
  await write(taskId, created());
  const seen = async () => {
    const { tasks, classes } = await leader.ask<Tasks>('tasks', { yearGroupId: year });
    const task = tasks.find((one) => one.taskId === taskId);
    return [classes, task?.status, task?.sets.map(({ name, status, tests }) => [name, status, tests.map(({ entered }) => entered)])];
  };
  expect(await seen()).toEqual([
    3,
    0,
    [
      ['11A', 0, [0, 0]],
      ['11B', 0, [0]],
    ],
  ]);
  await enter(mock, { A1: 18, B1: 10, B2: 6 });
  // Two of three assessments: 2/3, rounded down.
  expect(await seen()).toEqual([
    3,
    0,
    [
      ['11A', 0, [1, 0]],
      ['11B', 1, [2]],
    ],
  ]);

  const own = await teacherA.ask<Tasks>('tasks', { setId: setA });
  expect(own.tasks.map(({ name, status, sets }) => [name, status, sets.map((set) => set.name)])).toEqual([['Autumn', 0, ['11A']]]);
  expect(JSON.stringify(own)).not.toContain(setB);
  expect((await teacherA.query('tasks', { setId: setB })).status).toBe(403);
  expect((await teacherA.query('tasks', { yearGroupId: year })).status).toBe(403);
  expect((await teacherA.query('task', { taskId })).status).toBe(403);
  await write(taskId, { type: 'FeedbackTaskDeleted', data: {} });
  expect((await seen())[1]).toBeUndefined();
  expect((await leader.query('task', { taskId })).status).toBe(404);
});

test('the leader sees step by step what each class has, who checked and who stood in, and what they went on without', async () => {
  const taskId = randomUUID();
  const { setA, setB, mock } = school.ids;
  await enter(mock, MARKS);
  await write(taskId, created());
  const seen = async () => {
    const { status, lowest, step, sets } = await leader.ask<Task>('task', { taskId });
    return { status, lowest, step, sets: sets.map((set) => set.status) };
  };
  const before = await leader.ask<Task>('task', { taskId });
  expect([before.name, before.year, before.createdBy, before.students]).toEqual(['Autumn', 11, 'leader', 8]);
  expect(before.sets.map(({ teachers }) => teachers.map(({ name, hasAccount }) => [name, hasAccount]))).toEqual([
    [['Teacher A', true]],
    [['Teacher B', true]],
  ]);
  expect(before.otherSets.map(({ name }) => name)).toEqual(['11C']);
  expect(before.offered.map(({ testId, entered, inTask }) => [testId, entered, inTask])).toEqual([[mock, 7, true]]);
  expect(await seen()).toEqual({ status: 0, lowest: 0, step: 2, sets: [0, 1] });

  await write(taskId, {
    type: 'FeedbackTaskMapsChanged',
    data: { maps: [setA, setB].map((setId) => ({ setId, testId: mock })) },
  });
  expect(await seen()).toEqual({ status: 1, lowest: 1, step: 3, sets: [1, 1] });
  await write(taskId, ranked());
  expect(await seen()).toEqual({ status: 2, lowest: 2, step: 4, sets: [2, 2] });
  await write(
    taskId,
    [
      'teacherA',
      {
        type: 'RankingChecked',
        data: { setId: setA, rows: [{ studentId: id('A2'), teacherRank: 2, flag: true, comment: { text: 'was ill' } }] },
      },
    ],
    ['admin', { type: 'RankingChecked', data: { setId: setB, rows: [] } }],
  );
  expect(await seen()).toEqual({ status: 3, lowest: 3, step: 5, sets: [3, 3] });
  const checked = await leader.ask<Task>('task', { taskId });
  expect(checked.sets.map(({ rankingChecked }) => [rankingChecked?.by, rankingChecked?.stoodIn])).toEqual([
    ['teacherA', false],
    ['admin', true],
  ]);
  expect([checked.ranking?.students, checked.ranking?.ranked, checked.ranking?.flagged]).toEqual([8, 7, 1]);

  // Ranked again, nobody has checked it.
  await write(taskId, ranked(), ['teacherA', { type: 'RankingChecked', data: { setId: setA, rows: [] } }]);
  expect(await seen()).toEqual({ status: 2, lowest: 2, step: 4, sets: [3, 2] });
  const about = { gradeProfileId: null, grades: [{ label: 'P', percent: 100 }] };
  const rows = Object.keys(MARKS).map((short) => ({ studentId: id(short), grade: 'P' }));
  const without = [{ setId: setB, about: { reason: 'on a trip' } }];
  await write(taskId, { type: 'GradesAssigned', data: { ...about, rows, without } });
  expect(await seen()).toEqual({ status: 4, lowest: 4, step: 6, sets: [4, 4] });
  const graded = await leader.ask<Task>('task', { taskId });
  expect(graded.sets.map(({ rankingChecked, withoutRanking }) => [rankingChecked?.by, withoutRanking])).toEqual([
    ['teacherA', null],
    [undefined, { by: 'leader', reason: 'on a trip' }],
  ]);
  expect([graded.grades?.shares, graded.grades?.profile]).toEqual([about.grades, null]);
  // Reopened, nobody has checked it all the same, and nobody is asked again why it was gone on without.
  await write(taskId, { type: 'GradesReopened', data: {} });
  const chosen = { taskId, terminalExamId: school.ids.terminalExam, testIds: [mock] };
  const preview = await leader.ask<RankingPreview>('ranking-preview', chosen);
  expect(preview.voids.map(({ name }) => name)).toEqual(['11A']);
  await write(taskId, { type: 'GradesAssigned', data: { ...about, rows, without: [] } });
  const again = await leader.ask<Task>('task', { taskId });
  expect(again.sets.map(({ withoutRanking }) => withoutRanking)).toEqual([null, { by: 'leader', reason: 'on a trip' }]);
  await write(taskId, { type: 'FeedbackTaskCompleted', data: { without: [] } });
  expect(await seen()).toEqual({ status: 6, lowest: 6, step: 7, sets: [6, 6] });
});

test('a corrected total is scored with the norms of the ranking, beside what was ranked; a student who leaves stays in it', async () => {
  const taskId = randomUUID();
  const { setA, setB, mock, maths } = school.ids;
  await enter(mock, MARKS);
  await write(taskId, created({ maps: [setA, setB].map((setId) => ({ setId, testId: mock })) }), ranked());
  const all = () => leader.ask<TaskRanking>('task-ranking', { taskId });
  const of = ({ students }: TaskRanking, short: string) => students.find(({ studentId }) => studentId === id(short));
  const before = await all();
  expect(before.students.map(({ name, ranking, sat }) => [name?.slice(0, 2), ranking, sat])).toEqual([
    ['A1', 1, 1],
    ['A3', 2, 1],
    ['A2', 3, 1],
    ['B1', 4, 1],
    ['A4', 5, 1],
    ['B2', 6, 1],
    ['B3', 6, 1],
    ['B4', null, 0],
  ]);
  expect(before.students.every(({ now, left }) => now === null && !left)).toBe(true);

  await enter(mock, { A2: 17 });
  await (
    await school.as('admin')
  ).done('ChangeStudents', {
    subjectId: maths,
    changes: [{ studentId: id('B3'), place: 'off-roll' }],
  });
  const after = await all();
  const [a1, a2, a3] = [of(after, 'A1'), of(after, 'A2'), of(after, 'A3')];
  expect([a2?.score, a2?.ranking]).toEqual([of(before, 'A2')?.score, 3]);
  expect([a2?.now?.ranking, a2?.now?.changed, a3?.now?.ranking, a3?.now?.changed, a1?.now]).toEqual([2, true, 3, false, null]);
  // Only that student's own score is another.
  expect(a3?.now?.score).toBe(a3?.score);
  expect(a2?.now?.score).toBeGreaterThan(a2?.score ?? 0);
  expect(after.students.filter(({ left }) => left).map(({ name }) => name?.slice(0, 2))).toEqual(['B3']);

  const explained = await leader.ask<TaskScore>('task-score', { taskId, studentId: id('A2') });
  const [only] = explained.tests;
  expect([only?.total, only?.now, explained.now.score]).toEqual([12, 17, a2?.now?.score]);
  expect(only?.changes.map(({ is, by, how, later }) => [is, by, how, later])).toEqual([[17, 'leader', 'typed', true]]);

  const own = await teacherA.ask<TaskRanking>('task-ranking', { taskId, setId: setA });
  expect([own.students.length, own.ranking?.students, own.sets.map(({ name }) => name)]).toEqual([4, 8, ['11A']]);
  // The student's rank among all, not in the class.
  expect(own.students.find(({ studentId }) => studentId === id('A4'))?.ranking).toBe(5);
  expect((await teacherA.query('task-ranking', { taskId })).status).toBe(403);
  expect((await teacherA.query('task-ranking', { taskId, setId: setB })).status).toBe(403);
  expect((await teacherA.query('task-score', { taskId, studentId: id('B1') })).status).toBe(403);
  await (await school.as('admin')).done('ChangeStudents', { subjectId: maths, changes: [{ studentId: id('B3'), place: { setId: setB } }] });
});

test('what is decided by hand counts, with its author, and grades of a profile are shared out by it', async () => {
  const [taskId, { setA, setB, mock, maths, year }] = [randomUUID(), school.ids];
  await write(taskId, created({ maps: [setA, setB].map((setId) => ({ setId, testId: mock })) }), ranked(), {
    type: 'ResultsDecided',
    data: {
      rows: [
        { studentId: id('B4'), ranking: 8, score: 1, grade: '1', exempt: false },
        { studentId: id('A4'), ranking: null, score: null, grade: null, exempt: true },
      ],
    },
  });
  const { students } = await leader.ask<TaskRanking>('task-ranking', { taskId });
  const b4 = students.find(({ studentId }) => studentId === id('B4'));
  expect([b4?.ranking, b4?.score, b4?.grade, b4?.decided?.by, b4?.computed]).toEqual([
    8,
    1,
    '1',
    'leader',
    { score: null, ranking: null, grade: null },
  ]);
  expect((await leader.ask<Task>('task', { taskId })).ranking).toMatchObject({ students: 8, ranked: 7 });
  // Also who left somebody out.
  expect(students.find(({ studentId }) => studentId === id('A4'))?.decided?.by).toBe('leader');
  await leader.done('CreateGradeProfile', {
    subjectId: maths,
    yearGroupId: year,
    name: 'Halves',
    grades: [
      { label: '9', percent: 50 },
      { label: '1', percent: 50 },
    ],
  });
  const preview = await leader.ask<TaskGrades>('task-grades', { taskId });
  // Seven with a rank: half of seven, rounded up.
  expect([
    preview.students,
    preview.profiles.map(({ name, sum, grades }) => [name, sum, grades.map((grade) => [grade.label, grade.students])]),
  ]).toEqual([
    7,
    [
      [
        'Halves',
        100,
        [
          ['9', 4],
          ['1', 3],
        ],
      ],
    ],
  ]);
  expect(preview.profiles[0]?.grades[1]?.boundary).toBe(1);
  expect(preview.allocated).toBe(null);

  // What was allocated is told apart from what has become of the profile since.
  const grades = [
    { label: '9', percent: 20 },
    { label: '1', percent: 80 },
  ];
  const rows = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'].map((short) => ({ studentId: id(short), grade: short === 'A1' ? '9' : '1' }));
  await write(taskId, { type: 'GradesAssigned', data: { gradeProfileId: randomUUID(), grades, rows, without: [] } });
  const { allocated } = await leader.ask<TaskGrades>('task-grades', { taskId });
  expect(allocated?.map(({ label, percent, students: given }) => [label, percent, given])).toEqual([
    ['9', 20, 1],
    ['1', 80, 6],
  ]);
});

test('every score comes out of the numbers that explain it, to a hundredth', async () => {
  const taskId = randomUUID();
  const { setA, setB, mock } = school.ids;
  await write(taskId, created({ maps: [setA, setB].map((setId) => ({ setId, testId: mock })) }), ranked());
  for (const short of ['A1', 'A4', 'B3', 'B4']) {
    const { tests, score } = await leader.ask<TaskScore>('task-score', { taskId, studentId: id(short) });
    const parts = tests.flatMap(({ total, max, mean, sd, multiplier }) => {
      if (total === null) return [];
      const z = Math.min(3, Math.max(-3, ((100 * total) / max - (mean ?? 0)) / (sd ?? 1)));
      return [multiplier * (z + 3)];
    });
    const again = parts.length === 0 ? null : Math.max(0.01, (100 / 6) * (parts.reduce((sum, part) => sum + part, 0) / parts.length));
    if (again === null) expect([short, score]).toEqual(['B4', null]);
    else expect(Math.abs((score ?? 0) - again)).toBeLessThanOrEqual(0.01);
  }
});

test('whatever is done to a task, it is shown as the log has it', async () => {
  const { setA, setB, mock } = school.ids;
  const sets = fc.constantFrom(setA, setB);
  const students = ['A1', 'A2', 'B1', 'B4'].map(id);
  const share = [{ label: 'P', percent: 100 }];
  const event = fc.oneof(
    fc.constant(ranked()),
    fc.boolean().map((exempt) => ranked([{ studentId: id('B4'), ranking: exempt ? null : 7, score: exempt ? null : 5, exempt }])),
    fc.constant<FeedbackTaskEvent>({ type: 'RankingRemoved', data: {} }),
    sets.map((setId): FeedbackTaskEvent => ({ type: 'RankingChecked', data: { setId, rows: [] } })),
    sets.map((setId): FeedbackTaskEvent => ({ type: 'GradesChecked', data: { setId, rows: [] } })),
    fc.subarray(students).map((some): FeedbackTaskEvent => ({
      type: 'GradesAssigned',
      data: { gradeProfileId: null, grades: share, rows: some.map((studentId) => ({ studentId, grade: 'P' })), without: [] },
    })),
    fc.constant<FeedbackTaskEvent>({ type: 'GradesReopened', data: {} }),
    fc
      .tuple(fc.constantFrom(...students), fc.option(fc.integer({ min: 1, max: 9 })), fc.boolean())
      .map(([studentId, ranking, exempt]): FeedbackTaskEvent => ({
        type: 'ResultsDecided',
        data: { rows: [{ studentId, ranking, score: ranking, grade: ranking === null ? null : 'U', exempt }] },
      })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 7 }), async (done) => {
      const taskId = randomUUID();
      const all = [created({ maps: [setA, setB].map((setId) => ({ setId, testId: mock })) }), ...done];
      await write(taskId, ...all);
      const folded = all.reduce(
        (state, one) =>
          feedbackTask.evolve(state, { ...one, metadata: { commandId: taskId } } as Parameters<typeof feedbackTask.evolve>[1]),
        feedbackTask.initial(),
      );
      const shown = await leader.ask<TaskRanking>('task-ranking', { taskId });
      expect(shown.sets.map(({ setId, status }) => [setId, Math.max(1, status)])).toEqual(
        [setA, setB].map((setId) => [setId, folded.statuses.get(setId) ?? 1]),
      );
      const byStudent = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]));
      expect(
        shown.students
          .map(({ studentId, ranking, score, grade, exempt }) => [studentId, ranking, score, grade, exempt])
          .toSorted(byStudent),
      ).toEqual(
        [...folded.students]
          .map(([studentId, student]) => {
            const { ranking, score, grade } = resultOf(student);
            return [studentId, ranking, score, grade, student.exempt];
          })
          .toSorted(byStudent),
      );
    }),
    { numRuns: 25 },
  );
});

test('of each class the leader sees how many have a total, who is missing, when it was sat, and whether a task has it already', async () => {
  const taskId = randomUUID();
  const { setA, mock, other, year, maths } = school.ids;
  for (const [testId, totals] of [[mock, MARKS] as const, [other, { A1: 7 }] as const]) await enter(testId, totals);
  await save(leader, [{ studentId: id('A4'), testId: other, attendance: true, is: 'absent' }]);
  await (await school.as('admin')).done('DateAssessment', { setId: setA, subjectId: maths, testId: other, satOn: '2026-01-15' });
  const before = await leader.ask<Tasks>('tasks', { yearGroupId: year });
  for (const one of before.tasks) await leader.done('DeleteFeedbackTask', { taskId: one.taskId });
  await write(taskId, created({ maps: [{ setId: setA, testId: mock }] }));
  const seen = async () => {
    const { entered } = await leader.ask<EnteredTotals>('entered-totals', { yearGroupId: year });
    return entered.map(({ setId, testId, missing, satOn, ...row }) => ({
      of: `${setId === setA ? '11A' : '11B'} ${testId === mock ? 'mock' : 'other'}`,
      ...row,
      missing: missing.length,
      dated: satOn === '2026-01-15' ? satOn : /^\d{4}-\d\d-\d\d$/.test(satOn ?? ''),
    }));
  };
  expect((await seen()).toSorted((a, b) => a.of.localeCompare(b.of))).toEqual([
    { of: '11A mock', students: 4, entered: 4, out: 0, inTask: true, missing: 0, dated: true },
    { of: '11A other', students: 4, entered: 1, out: 1, inTask: false, missing: 2, dated: '2026-01-15' },
    { of: '11B mock', students: 4, entered: 3, out: 0, inTask: false, missing: 1, dated: true },
  ]);
  await write(taskId, { type: 'FeedbackTaskDeleted', data: {} });
  expect((await seen()).map(({ inTask }) => inTask)).toEqual([false, false, false]);
  expect((await teacherA.query('entered-totals', { yearGroupId: year })).status).toBe(403);
});
