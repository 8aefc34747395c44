import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { Sheet } from '../../../api/marks/sheet.contract.ts';
import type { RankingPreview } from '../../../api/tasks/ranking/ranking-preview.contract.ts';
import type { SatOn } from '../../../api/school/sets/sets.contract.ts';
import type { SubmissionPage, ToSubmit, Tracker } from '../../../api/marks/submissions/submissions.contract.ts';
import type { Task, Tasks } from '../../../api/tasks/task.contract.ts';
import type { TaskRanking } from '../../../api/tasks/ranking/task-ranking.contract.ts';
import type { FeedbackTaskEvent } from '../../../events/tasks/feedback-task.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { rankingOf, writeTask } from '../../support/tasks-in-log.ts';

/** The staff total of A1, wherever there is one: all places go by the same rule. */
const { school, admin, leader, teacherA, student: A1 } = await schoolOfFile('admin', 'leader', 'teacherA', 'student');

const { shownTest, withoutFirst, marksFile, totalInMarkbook, upload, enter } = marksIn(() => school);

const database = new pg.Pool({ connectionString: school.databaseUrl, max: 1 });
afterAll(() => database.end());

/** Said with each upload of A1, and of A2, which comes last and is no total. */
const [A1_SAT_ON, A2_SAT_ON] = ['2026-01-10', '2026-01-12'];

type Paper = { readonly testId: string; readonly questions: string[] };
type Step = (paper: Paper) => Promise<unknown>;
const total =
  (mark: number): Step =>
  ({ testId }) =>
    upload(leader, testId, { A1: [mark] }, { satOn: A1_SAT_ON });
const marks =
  (...ofA1: readonly (number | null)[]): Step =>
  ({ testId }) =>
    teacherA.done('UploadMarks', { ...marksFile(testId, { A1: ofA1 }), fileName, satOn: A1_SAT_ON });
const type =
  (cell: object, who = teacherA): Step =>
  ({ testId }) =>
    enter(who, [{ testId, studentId: school.ids.students['A1'], ...cell }]);
const away = (is: 'absent' | 'exempt') => type({ attendance: true, is, was: [] });
const cleared = type({ is: 'cleared', was: [13] });
const another: Step = ({ testId, questions }) => {
  const paper = [...questions, null].map((questionId, at) => ({ questionId, topic: 'Topic', marksAvailable: [5, 10, 5, 2][at] }));
  return admin.done('EditQuestions', { testId, questions: paper });
};
const submitted: Step = ({ testId, questions }) =>
  A1.done('SubmitFeedback', { testId, marks: questions.map((questionId, at) => ({ questionId, mark: at })) });

/** What was entered for A1, in a test of 5, 10 and 5 marks, and the staff total. */
const cases: readonly (readonly [name: string, steps: readonly Step[], expected: number | null])[] = [
  ['nothing', [], null],
  ['a total', [total(13)], 13],
  ['a total of 0', [total(0)], 0],
  ['a mark for every question', [marks(5, 4, 3)], 12],
  ['0 for every question', [marks(0, 0, 0)], 0],
  ['no mark for the last question', [marks(5, 4, null)], null],
  ['a total beside marks of another sum', [marks(5, 4, 3), total(13)], 13],
  ['a total beside marks of some questions', [marks(5, null, null), total(13)], 13],
  ['no mark for a question that is taken off the paper', [marks(null, 4, 3), withoutFirst], 7],
  ['a mark for a question that is taken off the paper, and for no other', [marks(5, null, null), withoutFirst], null],
  ['marks for every question, to which another is added', [marks(5, 4, 3), another], null],
  ['a total of somebody absent', [total(13), away('absent')], null],
  ['a total of somebody exempt', [total(13), away('exempt')], null],
  ['marks for every question of somebody absent', [marks(5, 4, 3), away('absent')], null],
  ['marks for every question of somebody exempt', [marks(5, 4, 3), away('exempt')], null],
  ['a total of somebody who had sat after all', [total(13), away('absent'), type({ attendance: true, is: 'sat', was: ['absent'] })], 13],
  [
    'two totals by people who did not see each other’s: the first counts until it is decided',
    [total(13), type({ is: 15, was: [] }, admin)],
    13,
  ],
  ['a total that was cleared', [total(13), cleared], null],
  ['a total that was cleared, beside a mark for every question', [marks(5, 4, 3), total(13), cleared], 12],
  ['marks of the student’s own only', [submitted], null],
];

test.each(cases)('%s', async (_name, steps, expected) => {
  const paper = await shownTest();
  for (const step of steps) await step(paper);
  await expectEverywhere(paper.testId, expected);
});

test('in a test without questions nobody has one', async () => {
  const { setA: setId, maths: subjectId, unready: testId, mock, other } = school.ids;
  await admin.done('ChangeSet', { subjectId, setId, testIds: [mock, other, testId] });
  await admin.done('ShowAssessment', { testId, visible: true });
  await type({ attendance: true, is: 'sat', was: [] })({ testId, questions: [] });
  await expectEverywhere(testId, null);
});

const expectEverywhere = async (testId: string, expected: number | null): Promise<void> => {
  const { setA: setId, year: yearGroupId, terminalExam: terminalExamId, students } = school.ids;
  const studentId = students['A1'] ?? '';
  const [open, ranked] = await Promise.all([openTask(testId), rankedTask(testId)]);

  const ofSheet = await teacherA.ask<Sheet>('sheet', { testId, setId });
  const ofYear = await leader.ask<Sheet>('sheet', { testId, yearGroupId });
  const ofTracker = await teacherA.ask<Tracker>('tracker', { testId, setId });
  const preview = await leader.ask<RankingPreview>('ranking-preview', { taskId: open, terminalExamId, testIds: [testId] });
  const ranking = await leader.ask<TaskRanking>('task-ranking', { taskId: ranked });
  const one = <Student extends { readonly studentId: string }>(list: readonly Student[]) => list.find((of) => of.studentId === studentId);
  const totals = {
    markbook: (await totalInMarkbook(testId, 'A1'))?.total,
    sheet: one(ofSheet.students)?.staffTotal,
    'sheet of the year group': one(ofYear.students)?.staffTotal,
    tracker: one(ofTracker.students)?.staffTotal,
    'student’s page': (await A1.ask<SubmissionPage>('submission', { testId })).staffTotal,
    'ranking preview': one(preview.students)?.totals[0] ?? null,
    'task ranking, now': one(ranking.students)?.now?.totals[0],
    // By the rule once more, in the projection.
    'what averages are made of': await keptWithClass(testId, studentId),
  };
  expect(totals).toEqual(Object.fromEntries(Object.keys(totals).map((place) => [place, expected])));
  // Listed only while the student can still submit.
  const toSubmit = (await A1.ask<ToSubmit>('to-submit')).tests.find((of) => of.testId === testId);
  if (toSubmit) expect(toSubmit.staffTotal).toBe(expected);

  const { tasks } = await teacherA.ask<Tasks>('tasks', { setId });
  const task = await leader.ask<Task>('task', { taskId: open });
  const has = expected !== null;
  expect({
    tasks: tasks.find(({ taskId }) => taskId === open)?.status,
    task: task.status,
    entered: task.sets.flatMap(({ tests }) => tests.map(({ entered }) => entered)),
    offered: task.offered.some((of) => of.testId === testId),
    'sat on': await countsForDay(testId),
  }).toEqual({ tasks: Number(has), task: Number(has), entered: [Number(has)], offered: has, 'sat on': has });
};

const keptWithClass = async (testId: string, studentId: string): Promise<number | null> => {
  const { rows } = await database.query<{ total: number | null }>(
    `select (totals -> $1::text ->> 'total')::int4 as total from read.class_students where student_id = $2 and subject_id = $3`,
    [testId, studentId, school.ids.maths],
  );
  return rows[0]?.total ?? null;
};

const mapOf = (testId: string) => ({ setId: school.ids.setA, testId });
const created = (testId: string): FeedbackTaskEvent => ({
  type: 'FeedbackTaskCreated',
  data: {
    subjectId: school.ids.maths,
    yearGroupId: school.ids.year,
    about: { name: 'Task' },
    expiry: '2026-12-01',
    teacherInput: true,
    maps: [mapOf(testId)],
  },
});
const openTask = async (testId: string): Promise<string> => {
  const taskId = randomUUID();
  await writeTask(school, taskId, [{ event: created(testId) }]);
  return taskId;
};
/** Ranked by totals that are in none of the cases, so that what counts now is always another one. */
const rankedTask = async (testId: string): Promise<string> => {
  const taskId = randomUUID();
  const cohort = ['A1', 'A2'].map((short, at) => ({ studentId: school.ids.students[short] ?? '', setId: school.ids.setA, prior: 48 - at }));
  const totals = new Map(cohort.map(({ studentId }, at) => [studentId, 19 - at]));
  const data = rankingOf(school.ids.terminalExam, cohort, [{ testId, max: 20, totals }]);
  await writeTask(school, taskId, [{ event: created(testId) }, { event: { type: 'TaskRanked', data } }]);
  return taskId;
};

/**
 * Whether the total of A1 says on which day the class sat. Beside it A2 gets a mark that is no total, with a later day, which is the one of
 * the class unless somebody has a total.
 */
const countsForDay = async (testId: string): Promise<boolean> => {
  const { questions } = await teacherA.ask<Sheet>('sheet', { testId, setId: school.ids.setA });
  if (questions.length > 0) {
    const ofA2 = questions.map((_, at) => (at === 0 ? 1 : null));
    await teacherA.done('UploadMarks', { ...marksFile(testId, { A2: ofA2 }), fileName: 'A2.csv', satOn: A2_SAT_ON });
  }
  const { upload: dated } = await teacherA.ask<SatOn>('sat-on', { setId: school.ids.setA, testId });
  if (questions.length > 0) expect([A1_SAT_ON, A2_SAT_ON]).toContain(dated?.satOn);
  return dated?.satOn === A1_SAT_ON;
};
