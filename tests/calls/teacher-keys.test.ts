import { expect, test } from 'vitest';
import { offRollSetId } from '../../api/calls/admin/off-roll.ts';
import { feedbackMapId, resultId, totalId } from '../../api/calls/ids.ts';
import { ORIGIN } from '../support/product.ts';
import type { RoleName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { holdReadModels } from '../support/held-read-models.ts';
import { asks } from './case.ts';
import { newTask } from './tasks.ts';

/** What teachers write through the documented calls: whose it is, what is refused, and what a refused request leaves as it was. */
const { school } = await schoolOfFile();
const { ids } = school;
const neighbour = await school.neighbour();

type Answered = { readonly insertids: string[]; readonly title: string; readonly code: string; readonly errors: { message: string }[] };
const send = async (role: RoleName | 'neighbour', method: string, path: string, body: object) => {
  const client = role === 'neighbour' ? await neighbour.as('admin') : await school.as(role);
  const headers = { 'Content-Type': 'application/json', Origin: ORIGIN };
  const answer = await client.send(`/api${path}`, { method, body: JSON.stringify(body), headers });
  return { status: answer.status, body: (await answer.json()) as Answered };
};
type Rows = readonly (readonly [key: string | null, values: object])[];
const post = (role: RoleName | 'neighbour', table: string, key: string, rows: Rows) =>
  send(role, 'POST', '/teacher', { table, data: rows.map(([id, values]) => ({ keyval: { [key]: id }, values })) });
const grid = async () => {
  const { students } = await (
    await school.as('admin')
  ).ask<{ students: { studentId: string; total: { value: number } | null; cells: ({ value: number; source: string } | null)[] }[] }>(
    'sheet',
    { testId: ids.mock, setId: ids.setA },
  );
  return new Map(students.map((student) => [student.studentId, student]));
};
const A1 = ids.students['A1'] ?? '';
const B1 = ids.students['B1'] ?? '';
const [Q1 = '', Q2 = '', Q3 = ''] = ids.questions;

test('a mark above its maximum refuses the whole request, typed or from a file, and says what may be', async () => {
  for (const EnteredStatus of [1, 2]) {
    const { status, body } = await post('teacherA', 'QuestionResults', 'ResultID', [
      [null, { StudentID: A1, QuestionID: Q1, MarkAwarded: 4, EnteredStatus }],
      [null, { StudentID: A1, QuestionID: Q2, MarkAwarded: 11, EnteredStatus }],
    ]);
    expect([EnteredStatus, status]).toEqual([EnteredStatus, 422]);
    expect(JSON.stringify(body)).toContain('10');
  }
  expect((await grid()).get(A1)?.cells).toEqual([null, null, null]);
});

test('what is stored is told of as stored, also where the read models do not show it yet', async () => {
  const held = await holdReadModels(school);
  const sent = post('teacherA', 'TestTotals', 'TestTotalsID', [[null, { TestID: ids.mock, StudentID: A1, Total: 3 }]]);
  expect(await sent).toMatchObject({ status: 200, body: { insertids: [totalId(ids.mock, A1)] } });
  await held.release();
  expect((await grid()).get(A1)?.total).toMatchObject({ value: 3 });
  await post('teacherA', 'TestTotals', 'TestTotalsID', [[null, { TestID: ids.mock, StudentID: A1, Total: null }]]);
});

test('nothing typed takes a mark away, nothing in a file says nothing', async () => {
  const rows: Rows = [
    [null, { StudentID: A1, QuestionID: Q1, MarkAwarded: 4, EnteredStatus: 1 }],
    [null, { StudentID: A1, QuestionID: Q2, MarkAwarded: 6, EnteredStatus: 1 }],
    [null, { StudentID: A1, QuestionID: Q3, MarkAwarded: 2 }],
  ];
  expect((await post('teacherA', 'QuestionResults', 'ResultID', rows)).status).toBe(200);
  const emptied = await post('teacherA', 'QuestionResults', 'ResultID', [
    [resultId(Q1, A1), { StudentID: A1, QuestionID: Q1, MarkAwarded: null, EnteredStatus: 1 }],
    [resultId(Q2, A1), { StudentID: A1, QuestionID: Q2, MarkAwarded: null, EnteredStatus: 2 }],
  ]);
  expect(emptied.body.insertids).toEqual([resultId(Q1, A1), resultId(Q2, A1)]);
  expect((await grid()).get(A1)?.cells.map((cell) => cell?.value ?? null)).toEqual([null, 6, 2]);
});

test('a teacher writes into no other class, whatever the table, and another school finds nothing', async () => {
  const taskId = await newTask(school);
  const tries: readonly (readonly [string, string, object])[] = [
    ['TestTotals', 'TestTotalsID', { TestID: ids.mock, StudentID: A1, Total: 3 }],
    ['QuestionResults', 'ResultID', { StudentID: A1, QuestionID: Q1, MarkAwarded: 1, EnteredStatus: 1 }],
    ['QuestionResults', 'ResultID', { StudentID: A1, QuestionID: Q1, MarkAwarded: 1, EnteredStatus: 2 }],
    ['ranking', 'RankID', { YearID: ids.year, UniqueID: A1, Trank: 1 }],
  ];
  for (const [table, key, values] of tries) {
    const other = await post('teacherB', table, key, [[null, values]]);
    expect([table, other.status, other.body.code]).toEqual([table, 403, 'not-your-set']);
    expect([table, (await post('neighbour', table, key, [[null, values]])).status]).toEqual([table, 404]);
    expect([table, (await post('scienceLeader', table, key, [[null, values]])).status]).toEqual([table, 404]);
    for (const role of ['student', 'auditor'] as const)
      expect([table, (await post(role, table, key, [[null, values]])).status]).toEqual([table, 403]);
  }
  const map = feedbackMapId(taskId, ids.setA, ids.other);
  const checks = (role: RoleName | 'neighbour') => send(role, 'PUT', `/teacher/${map}`, { table: 'FeedbackMaps', values: { Status: 3 } });
  expect((await checks('teacherB')).body.code).toBe('not-your-set');
  expect((await checks('neighbour')).status).toBe(404);
  expect((await checks('scienceLeader')).status).toBe(404);
  expect((await checks('student')).status).toBe(403);
});

test('prior scores are for leaders and admins', async () => {
  const score = { StudentID: A1, EndpointID: ids.terminalExam, EndScore: '7', DateCompleted: new Date().getUTCFullYear() };
  const writes = (role: RoleName | 'neighbour', values: object = score) =>
    post(role, 'EndpointScores', 'EndpointScoresID', [[null, values]]);
  expect((await writes('teacherA')).status).toBe(403);
  expect((await writes('scienceLeader')).status).toBe(404);
  expect((await writes('neighbour')).status).toBe(404);
  const wrong = await writes('leader', { ...score, EndScore: 'Z' });
  expect(wrong.status).toBe(422);
  expect(JSON.stringify(wrong.body)).toContain('Value must be numeric or a grade from A*-G or U');
  expect((await writes('leader')).status).toBe(200);
});

test('a total below 0, or of an assessment without questions, refuses the whole request', async () => {
  const head = await school.backend.store.head();
  const A2 = ids.students['A2'];
  for (const [wrong, status] of [
    [{ TestID: ids.mock, StudentID: A2, Total: -1 }, 422],
    [{ TestID: ids.unready, StudentID: A2, Total: 1 }, 409],
  ] as const) {
    const right = { TestID: ids.mock, StudentID: A1, Total: 12 };
    const answer = await post('teacherA', 'TestTotals', 'TestTotalsID', [
      [null, right],
      [null, wrong],
    ]);
    expect([answer.status, await school.backend.store.head()]).toEqual([status, head]);
  }
});

test('a row that goes by its id names all of itself, and only itself', async () => {
  const half = await post('teacherA', 'TestTotals', 'TestTotalsID', [[totalId(ids.mock, A1), { TestID: ids.mock, StudentID: A1 }]]);
  expect([half.status, half.body.errors.map(({ message }) => message)]).toEqual([422, ['Required.']]);
  const other = await post('admin', 'TestTotals', 'TestTotalsID', [[totalId(ids.mock, A1), { TestID: ids.mock, StudentID: B1, Total: 5 }]]);
  expect(other.status).toBe(422);
});

test('a total that was taken away is there no more: its row has no id, and no list has it', async () => {
  const client = await school.as('teacherA');
  const ofClass = { SetID: ids.setA, TestID: ids.mock };
  const typed = () => asks<{ UniqueID: string; TestTotalsID: string | null; Total: number | null }[]>(client, '/teacher/3', ofClass);
  const there = () => asks<{ StudentID: string }[]>(client, '/teacher/6', ofClass);
  const write = (Total: number | null) =>
    post('teacherA', 'TestTotals', 'TestTotalsID', [[null, { TestID: ids.mock, StudentID: A1, Total }]]);
  expect((await write(7)).status).toBe(200);
  expect(await typed()).toContainEqual(expect.objectContaining({ UniqueID: A1, TestTotalsID: totalId(ids.mock, A1), Total: 7 }));
  expect(await there()).toContainEqual(expect.objectContaining({ StudentID: A1 }));
  expect((await write(null)).status).toBe(200);
  expect(await typed()).toContainEqual(expect.objectContaining({ UniqueID: A1, TestTotalsID: null, Total: null }));
  expect((await there()).map(({ StudentID }) => StudentID)).not.toContain(A1);
});

test('the feedback total of 60 that older programs pass along changes nothing', async () => {
  const total = { TestID: ids.mock, StudentID: A1, Total: 9, FeedbackTotal: 60 };
  expect((await post('teacherA', 'TestTotals', 'TestTotalsID', [[null, total]])).status).toBe(200);
  const mark = { StudentID: A1, QuestionID: Q1, MarkAwarded: 4, EnteredStatus: 1, FeedbackTotal: 60 };
  expect((await post('teacherA', 'QuestionResults', 'ResultID', [[null, mark]])).status).toBe(200);
  const shown = (await grid()).get(A1);
  expect([shown?.total?.value, shown?.cells[0]?.value]).toEqual([9, 4]);
  await post('teacherA', 'TestTotals', 'TestTotalsID', [[null, { TestID: ids.mock, StudentID: A1, Total: null }]]);
  await post('teacherA', 'QuestionResults', 'ResultID', [[null, { StudentID: A1, QuestionID: Q1, MarkAwarded: null }]]);
});

test('a student who goes off roll stays among those of the subject, in the set Off-Roll', async () => {
  const A5 = await (
    await school.as('admin')
  ).done('AddStudent', {
    subjectId: ids.maths,
    setId: ids.setA,
    admissionNo: 'LEAVES1',
    name: 'Leaver, Lea',
    dateOfBirth: null,
  });
  const UniqueID = A5['studentId'] ?? '';
  await school.backend.progress.waitFor(['roster', 'structure'], await school.backend.store.head(), 30_000);
  const SetID = offRollSetId(ids.maths);
  const data = [{ keyval: { UniqueID }, values: { SetID } }];
  const left = await send('admin', 'POST', '/admin', { table: 'StudentNames', data });
  expect([left.status, left.body]).toEqual([200, left.body]);
  const students = await asks<object[]>(await school.as('teacherA'), '/teacher/4', { SubjectID: ids.maths });
  expect(students).toContainEqual({ UniqueID, StudentID: 'LEAVES1', LastFirst: 'Leaver, Lea', SetID, SetName: 'Off-Roll' });
});

test('a class that is not ranked is not checked, and the steps of the whole task are its leader’s', async () => {
  const taskId = await newTask(school);
  const map = feedbackMapId(taskId, ids.setA, ids.other);
  const put = (Status: number) => send('teacherA', 'PUT', `/teacher/${map}`, { table: 'FeedbackMaps', values: { Status } });
  expect((await put(1)).status).toBe(200);
  const early = await put(3);
  expect([early.status, early.body.title]).toEqual([409, expect.any(String)]);
  for (const status of [2, 4, 6])
    expect((await put(status)).body.title).toBe('This status is set for the whole feedback task, by its leader.');
});
