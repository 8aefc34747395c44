import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { TaskRanking } from '../../api/tasks/task-answers.contract.ts';
import { ORIGIN } from '../support/product.ts';
import { enoughPrior } from '../support/enough-prior.ts';
import { tomorrow } from '../support/samples.ts';
import type { RoleName } from '../support/school.ts';
import { openSchool } from '../support/school.ts';

/** A feedback task, from its beginning to its end, by the documented calls of leaders; and what the apps show of it. */
const school = await openSchool();
const { ids } = school;
const neighbour = await school.neighbour();
afterAll(() => school.close());

type Answered = { readonly insertids: string[]; readonly lastid: string; readonly title: string; readonly code: string };
const send = async (role: RoleName | 'neighbour', method: string, path: string, body: object) => {
  const client = role === 'neighbour' ? await neighbour.as('admin') : await school.as(role);
  const headers = { 'Content-Type': 'application/json', Origin: ORIGIN };
  const answer = await client.send(`/api${path}`, { method, body: JSON.stringify(body), headers });
  return { status: answer.status, body: (await answer.json()) as Answered };
};
/** What must succeed. */
const write = async (method: string, path: string, body: object): Promise<Answered> => {
  const answer = await send('leader', method, path, body);
  expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, answer.body]);
  return answer.body;
};
const post = (table: string, key: string, rows: readonly object[]) =>
  write('POST', '/leader', { table, data: rows.map((values) => ({ keyval: { [key]: null }, values })) });
const change = (table: string, key: string, rows: readonly (readonly [string, object])[]) =>
  write('POST', '/leader', { table, data: rows.map(([id, values]) => ({ keyval: { [key]: id }, values })) });
const move = (TaskID: string, Status: number, role: RoleName | 'neighbour' = 'leader') =>
  send(role, 'PUT', `/leader/${TaskID}`, { table: 'FeedbackMaps', key: 'TaskID', values: { Status } });
const moved = async (TaskID: string, Status: number) => {
  const { status, body } = await move(TaskID, Status);
  return [status, status === 200 ? body.lastid : body.title];
};
const read = async <Rows>(path: string, query: Readonly<Record<string, string>>): Promise<Rows> => {
  const headers = { 'X-Min-Position': String(await school.backend.store.head()) };
  const answer = await (await school.as('leader')).send(`/api${path}?${new URLSearchParams(query)}`, { headers });
  return (await answer.json()) as Rows;
};

const YearID = ids.year;
const today = (): string => new Date().toISOString().slice(0, 10);
type Row = Readonly<Record<'RankID' | 'UniqueID', string>> & Readonly<Record<string, unknown>>;
const ranking = async () => {
  const rows = await read<Row[]>('/leader/16', { YeargroupID: YearID });
  return new Map(rows.map((row) => [Object.entries(ids.students).find(([, id]) => id === row.UniqueID)?.[0] ?? '', row]));
};
const statuses = async (TaskID: string) => {
  const { Counts } = await read<{ Counts: { SetName: string; Status: number }[] }>('/leader/10', { TaskID });
  return Counts.map(({ SetName, Status }) => `${SetName} ${Status}`);
};
const shorts = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4'];
const UniqueID = (short: string): string => ids.students[short] ?? '';

/** A task of 11A and 11B, in which everybody has a total. */
const opened = async (TaskName: string): Promise<string> => {
  const task = { TaskName, Expiry: tomorrow(), TeacherInput: 1, YeargroupID: YearID };
  const { lastid: TaskID } = await post('FeedbackTasks', 'taskID', [task]);
  for (const SetID of [ids.setA, ids.setB]) await post('FeedbackMaps', 'FeedbackMapID', [{ TaskID, SetID, TestID: ids.other, Status: 0 }]);
  return TaskID;
};
const ranked = (places: readonly string[] = shorts) =>
  post(
    'ranking',
    'RankID',
    places.map((short, index) => ({ YearID, UniqueID: UniqueID(short), Ranking: index + 1, Score: 80 - index, Tests: `["${ids.other}"]` })),
  );

test('before there is prior data, no task begins', async () => {
  const task = { TaskName: 'Early', Expiry: tomorrow(), TeacherInput: 1, YeargroupID: YearID };
  const { status, body } = await send('leader', 'POST', '/leader', {
    table: 'FeedbackTasks',
    data: [{ keyval: { TaskID: null }, values: task }],
  });
  expect([status, body.title]).toEqual([409, 'You need to upload prior data to initiate a feedback task']);
});

test('a task goes through its steps, each refused where it is not its turn, and what was sent shows in the apps', async () => {
  await enoughPrior(school);
  const TaskID = await opened('Autumn');
  expect(await statuses(TaskID)).toEqual(['11A 0', '11B 0']);
  const totals = shorts.map((short, index) => ({
    keyval: { TestTotalsID: null },
    values: { TestID: ids.other, StudentID: UniqueID(short), Total: 20 - index },
  }));
  await write('POST', '/teacher', { table: 'TestTotals', data: totals });
  expect(await statuses(TaskID)).toEqual(['11A 1', '11B 1']);

  // 0 and 1 follow from the totals.
  expect(await moved(TaskID, 0)).toEqual([200, TaskID]);
  expect(await moved(TaskID, 2)).toEqual([409, 'No rows of a ranking were sent yet.']);
  expect(await moved(TaskID, 3)).toEqual([409, 'There is nothing to check yet.']);
  await ranked();
  expect(await statuses(TaskID)).toEqual(['11A 1', '11B 1']);
  expect(await moved(TaskID, 2)).toEqual([200, TaskID]);
  expect(await statuses(TaskID)).toEqual(['11A 2', '11B 2']);
  expect(await moved(TaskID, 1)).toEqual([409, 'The students are ranked already. Remove the ranking first.']);
  expect(await moved(TaskID, 4)).toEqual([409, 'Not checked yet by the teacher: 11A, 11B. Wait for it, or go on without it and say why.']);
  const leader = await school.as('leader');
  const shown = await leader.ask<{ ranked: object }>('markbook', { yearGroupId: YearID });
  expect(shown.ranked).toMatchObject({ taskId: TaskID, formula: 'client' });

  // The same again writes nothing; other ranks are ranked anew.
  const before = await school.backend.store.head();
  await ranked();
  expect(await moved(TaskID, 2)).toEqual([200, TaskID]);
  expect(await school.backend.store.head()).toBe(before);
  const swapped = ['A2', 'A1', ...shorts.slice(2)];
  await ranked(swapped);
  expect((await ranking()).get('A2')).toMatchObject({ Ranking: 2 });
  expect(await moved(TaskID, 2)).toEqual([200, TaskID]);
  expect((await ranking()).get('A2')).toMatchObject({ Ranking: 1, Score: 80, Tests: JSON.stringify([ids.other]) });

  const { RankID = '' } = (await ranking()).get('A3') ?? {};
  await change('ranking', 'RankID', [[RankID, { Trank: 5, Tflag: 1, Comment: 'Was ill' }]]);
  expect(await moved(TaskID, 3)).toEqual([200, TaskID]);
  expect(await statuses(TaskID)).toEqual(['11A 3', '11B 3']);
  const inApp = async (short: string) =>
    (await leader.ask<TaskRanking>('task-ranking', { taskId: TaskID })).students.find(({ studentId }) => studentId === UniqueID(short));
  expect(await inApp('A3')).toMatchObject({ teacherRank: 5, rankingFlag: true, rankingComment: 'Was ill', ranking: 3 });
  // After a check, what is said otherwise is checked again at once.
  await change('ranking', 'RankID', [[RankID, { Comment: 'Was away' }]]);
  expect(await inApp('A3')).toMatchObject({ teacherRank: 5, rankingFlag: true, rankingComment: 'Was away' });

  expect(await moved(TaskID, 4)).toEqual([409, 'No grades were sent yet.']);
  const rows = await ranking();
  await change(
    'ranking',
    'RankID',
    [...rows.values()].map((row, index) => [row.RankID, { Grade: index < 3 ? '9' : '8' }]),
  );
  expect(await moved(TaskID, 4)).toEqual([200, TaskID]);
  expect([await statuses(TaskID), (await inApp('A4'))?.grade]).toEqual([['11A 4', '11B 4'], '8']);
  // Back, and on again.
  expect(await moved(TaskID, 3)).toEqual([200, TaskID]);
  expect(await statuses(TaskID)).toEqual(['11A 3', '11B 3']);
  expect(await moved(TaskID, 6)).toEqual([409, 'No grades are allocated yet.']);
  expect(await moved(TaskID, 4)).toEqual([200, TaskID]);
  expect(await moved(TaskID, 5)).toEqual([200, TaskID]);
  expect(await statuses(TaskID)).toEqual(['11A 5', '11B 5']);
  expect(await inApp('A3')).toMatchObject({ gradeFlag: true, gradeComment: 'Was away' });

  // What a leader of the app decides, and what is sent, stand beside each other.
  const A4 = { studentId: UniqueID('A4'), ranking: 2, score: null, grade: null, exempt: false };
  await leader.done('DecideResults', { taskId: TaskID, rows: [A4] });
  expect((await ranking()).get('A4')).toMatchObject({ Ranking: 2 });
  await change('ranking', 'RankID', [[rows.get('B1')?.RankID ?? '', { Grade: '7', Ranking: 5 }]]);
  expect(await inApp('B1')).toMatchObject({ grade: '7', computed: { grade: '8', ranking: 5 } });
  expect(await inApp('A4')).toMatchObject({ ranking: 2 });

  expect(await moved(TaskID, 6)).toEqual([200, TaskID]);
  expect(await statuses(TaskID)).toEqual(['11A 6', '11B 6']);
  expect(await moved(TaskID, 5)).toEqual([409, 'This feedback task has ended.']);
  expect((await ranking()).get('B1')).toMatchObject({ Ranking: 5, Grade: '7' });
  const late = await send('leader', 'POST', '/leader', {
    table: 'ranking',
    data: [{ keyval: { RankID: null }, values: { YearID, UniqueID: UniqueID('A1'), Ranking: 1 } }],
  });
  expect([late.status, late.body.title]).toEqual([409, 'This year group has no open feedback task.']);
  const removed = await send('leader', 'DELETE', `/leader/${YearID}`, { table: 'ranking', altKey: 'YearID' });
  expect([removed.status, removed.body.title]).toEqual([409, 'This feedback task has ended.']);
});

test('with a new task, the ranking of the one before stays with that, and its own can be removed', async () => {
  const TaskID = await opened('Spring');
  const remove = () => write('DELETE', `/leader/${YearID}`, { table: 'ranking', altKey: 'YearID' });
  const head = await school.backend.store.head();
  await remove();
  expect(await school.backend.store.head()).toBe(head);
  expect((await ranking()).get('B1')).toMatchObject({ Grade: '7' });
  await ranked();
  expect((await ranking()).get('B1')).toMatchObject({ Ranking: 5, Grade: null });
  expect(await moved(TaskID, 2)).toEqual([200, TaskID]);
  await remove();
  expect(await statuses(TaskID)).toEqual(['11A 1', '11B 1']);
  await write('DELETE', `/leader/${TaskID}`, { table: 'FeedbackTasks' });
  const tasks = await read<{ TaskID: string }[]>('/leader/17', { YeargroupID: YearID });
  expect(tasks.map((task) => task.TaskID)).not.toContain(TaskID);
});

test('a task is moved by leaders of its subject only, and rows name students of its classes', async () => {
  const TaskID = await opened('Summer');
  const head = await school.backend.store.head();
  const refusals = await Promise.all(
    (['teacherA', 'auditor', 'student', 'scienceLeader', 'neighbour'] as const).map(async (role) => (await move(TaskID, 0, role)).status),
  );
  expect(refusals).toEqual([403, 403, 403, 404, 404]);
  const rows = (values: object) => send('leader', 'POST', '/leader', { table: 'ranking', data: [{ keyval: { RankID: null }, values }] });
  for (const [values, status] of [
    [{ YearID, UniqueID: UniqueID('C1'), Ranking: 1 }, 404],
    [{ YearID: ids.scienceYear, UniqueID: UniqueID('A1'), Ranking: 1 }, 404],
    [{ YearID, UniqueID: UniqueID('A1'), SetID: ids.setB, Ranking: 1 }, 404],
    [{ YearID, UniqueID: UniqueID('A1'), Ranking: 1.5 }, 422],
    [{ YearID, UniqueID: UniqueID('A1'), Score: 0 }, 422],
    [{ YearID, UniqueID: UniqueID('A1'), Tests: 'Mock' }, 422],
    [{ YearID, UniqueID: UniqueID('A1'), Tests: `${ids.other}, ${ids.forces}` }, 404],
    [{ UniqueID: UniqueID('A1'), Ranking: 1 }, 422],
  ] as const)
    expect([values, (await rows(values)).status]).toEqual([values, status]);
  expect(await school.backend.store.head()).toBe(head);
});

test('a request that is sent again under its key is answered as before, and stores nothing twice', async () => {
  const { lastid: GPID } = await post('GradeProfileName', 'GPID', [{ Name: 'Twice', YearID }]);
  const again = async (method: string, path: string, body: object) => {
    const leader = await school.as('leader');
    const headers = { 'Content-Type': 'application/json', Origin: ORIGIN, 'Idempotency-Key': randomUUID() };
    const sent = async () => {
      const answer = await leader.send(`/api${path}`, { method, body: JSON.stringify(body), headers });
      return { status: answer.status, body: (await answer.json()) as Answered, head: await school.backend.store.head() };
    };
    const first = await sent();
    expect([first.status, first.body]).toEqual([200, first.body]);
    expect(await sent()).toEqual(first);
    return first.body.lastid;
  };
  const data = (key: string, values: object) => [{ keyval: { [key]: null }, values }];
  await again('POST', '/leader', { table: 'GradeProfileScores', data: data('GID', { GPID, Label: '9', Perc: 100 }) });
  const task = { TaskName: 'Twice', Expiry: tomorrow(), TeacherInput: 1, YeargroupID: YearID };
  const TaskID = await again('POST', '/leader', { table: 'FeedbackTasks', data: data('TaskID', task) });
  const edit = [{ keyval: { TaskID }, values: { TaskName: 'Once', Expiry: today(), TeacherInput: 1 } }];
  await again('POST', '/leader', { table: 'FeedbackTasks', data: edit });
  for (const SetID of [ids.setA, ids.setB])
    await again('POST', '/leader', { table: 'FeedbackMaps', data: data('FeedbackMapID', { TaskID, SetID, TestID: ids.other }) });
  const row = { YearID, UniqueID: UniqueID('A1'), Ranking: 1, Score: 70, Grade: '9', Tflag: 1, Comment: 'Ill' };
  await again('POST', '/leader', { table: 'ranking', data: data('RankID', row) });
  for (const Status of [2, 3, 4, 5]) await again('PUT', `/leader/${TaskID}`, { table: 'FeedbackMaps', key: 'TaskID', values: { Status } });
  await again('DELETE', `/leader/${TaskID}`, { table: 'FeedbackTasks' });
});

test('grades come row by row, are changed by their ids, and cannot be allocated until they add up', async () => {
  const { lastid: GPID } = await post('GradeProfileName', 'GPID', [{ Name: 'By rows', YearID }]);
  const { insertids } = await post('GradeProfileScores', 'GID', [
    { GPID, Label: '9', Perc: 35 },
    { GPID, Label: '8', Perc: 50 },
  ]);
  const grades = async () => {
    const all = await read<{ grades: { GPID: string; Label: string; Perc: number }[] }>('/leader/15', { YeargroupID: YearID });
    return all.grades.flatMap((row) => (row.GPID === GPID ? [`${row.Label} ${row.Perc}`] : []));
  };
  // Sent again, they are there already.
  await post('GradeProfileScores', 'GID', [{ GPID, Label: '8', Perc: 50 }]);
  const { lastid } = await change('GradeProfileScores', 'GID', [[insertids[1] ?? '', { Label: '7' }]]);
  expect(lastid).not.toBe(insertids[1]);
  expect(await grades()).toEqual(['9 35', '7 50']);
  const renamed = await send('leader', 'POST', '/leader', {
    table: 'GradeProfileName',
    data: [{ keyval: { GPID }, values: { Name: 'Renamed' } }],
  });
  expect([renamed.status, JSON.stringify(renamed.body)]).toEqual([422, expect.stringContaining('they add up to 85 %')]);
  await post('GradeProfileScores', 'GID', [{ GPID, Label: 'U', Perc: 15 }]);
  await change('GradeProfileName', 'GPID', [[GPID, { Name: 'Renamed' }]]);
  expect(await grades()).toEqual(['9 35', '7 50', 'U 15']);
  const gone = await send('leader', 'POST', '/leader', {
    table: 'GradeProfileScores',
    data: [{ keyval: { GID: insertids[1] }, values: { Perc: 10 } }],
  });
  expect([gone.status, gone.body.title]).toEqual([404, 'There is no such grade in this profile.']);
});

test('questions are put under headers one by one, and under none all at once', async () => {
  const teacher = await school.as('teacherA');
  const header = await teacher.done('AddRevisionHeader', { subjectId: ids.maths, name: 'Shape' });
  const put = (id: string, body: object) => send('teacherA', 'PUT', `/leader/${id}`, { table: 'QuestionData', ...body });
  const stands = async () => {
    const { rev } = await read<{ rev: { RevID: string | 0; RevAlt: string | null }[] }>('/leader/2', {
      SubjectID: ids.maths,
      TestID: ids.mock,
    });
    return rev.map(({ RevID, RevAlt }) => [RevID, RevAlt]);
  };
  const [one = '', two = ''] = ids.questions;
  await put(one, { values: { RevID: header['headerId'], RevAlt: 'Circles' } });
  await put(two, { values: { RevID: header['headerId'], RevAlt: null } });
  // What is left out stays.
  await put(one, { key: 'QuestionID', values: { RevAlt: 'Arcs' } });
  expect(await stands()).toEqual([
    [header['headerId'], 'Arcs'],
    [header['headerId'], null],
    [0, null],
  ]);
  expect((await put(ids.mock, { key: 'TestID', values: { RevID: header['headerId'] } })).status).toBe(422);
  expect((await put(ids.mock, { key: 'TestID', values: { RevID: 0, RevAlt: null } })).status).toBe(200);
  expect(await stands()).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
});
