import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ORIGIN } from '../support/product.ts';
import { enoughPrior } from '../support/enough-prior.ts';
import { tomorrow } from '../support/samples.ts';
import type { RoleName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

/** What leaders write through the documented calls: whose it is, what is refused, and what is sent twice. A task's way: whole-school.test.ts. */
const { school } = await schoolOfFile();
const { ids } = school;
const neighbour = await school.neighbour();

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
const read = async <Rows>(path: string, query: Readonly<Record<string, string>>): Promise<Rows> => {
  const headers = { 'X-Min-Position': String(await school.backend.store.head()) };
  const answer = await (await school.as('leader')).send(`/api${path}?${new URLSearchParams(query)}`, { headers });
  return (await answer.json()) as Rows;
};

const YearID = ids.year;
const today = (): string => new Date().toISOString().slice(0, 10);
const UniqueID = (short: string): string => ids.students[short] ?? '';

/** A task of 11A and 11B, in which everybody has a total. */
const opened = async (TaskName: string, TeacherInput = 1): Promise<string> => {
  const task = { TaskName, Expiry: tomorrow(), TeacherInput, YeargroupID: YearID };
  const { lastid: TaskID } = await post('FeedbackTasks', 'taskID', [task]);
  for (const SetID of [ids.setA, ids.setB]) await post('FeedbackMaps', 'FeedbackMapID', [{ TaskID, SetID, TestID: ids.other, Status: 0 }]);
  return TaskID;
};
test('a task is moved by leaders of its subject only, and rows name students of its classes', async () => {
  await enoughPrior(school);
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
  const totals = ['A1', 'B1'].map((short) => ({
    keyval: { TestTotalsID: null },
    values: { TestID: ids.other, StudentID: UniqueID(short), Total: 20 },
  }));
  await write('POST', '/teacher', { table: 'TestTotals', data: totals });
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

test('a reminder is of a task that teachers check, though a newer one stands at the same step', async () => {
  const ranked = async (name: string, TeacherInput: number): Promise<string> => {
    const TaskID = await opened(name, TeacherInput);
    await post('ranking', 'RankID', [{ YearID, UniqueID: UniqueID('A1'), Ranking: 1, Score: 70 }]);
    expect((await move(TaskID, 2)).status).toBe(200);
    return TaskID;
  };
  const tasks = [await ranked('Checked', 1), await ranked('Unchecked', 0)];
  const { status, body } = await send('leader', 'POST', '/email', { type: 1, teacher: ids.recordA, class: ids.setA });
  expect([status, body]).toEqual([200, { message: 'Nobody was reminded. No mail to Teacher A (e-mail address not confirmed).' }]);
  for (const TaskID of tasks) await send('leader', 'DELETE', `/leader/${TaskID}`, { table: 'FeedbackTasks' });
});

test('grades come row by row, are changed by their ids, and cannot be allocated until they add up', async () => {
  const { lastid: GPID } = await post('GradeProfileName', 'GPID', [{ Name: 'By rows', YearID }]);
  const { insertids } = await post('GradeProfileScores', 'GID', [
    { GPID, Label: '9', Perc: 35 },
    { GPID, Label: '8', Perc: 50 },
  ]);
  const ofProfile = async () => {
    const all = await read<{ grades: { GID: string; GPID: string; Label: string; Perc: number }[] }>('/leader/15', { YeargroupID: YearID });
    return all.grades.filter((row) => row.GPID === GPID);
  };
  const grades = async () => (await ofProfile()).map(({ Label, Perc }) => `${Label} ${Perc}`);
  const gids = async () => (await ofProfile()).map(({ GID }) => GID);
  // Sent again, they are there already.
  await post('GradeProfileScores', 'GID', [{ GPID, Label: '8', Perc: 50 }]);
  const { lastid } = await change('GradeProfileScores', 'GID', [[insertids[1] ?? '', { Label: '7' }]]);
  // It is the same grade under another label, and a new one that gets its old label is another.
  expect(lastid).toBe(insertids[1]);
  expect(await grades()).toEqual(['9 35', '7 50']);
  const renamed = await send('leader', 'POST', '/leader', {
    table: 'GradeProfileName',
    data: [{ keyval: { GPID }, values: { Name: 'Renamed' } }],
  });
  expect([renamed.status, JSON.stringify(renamed.body)]).toEqual([422, expect.stringContaining('they add up to 85 %')]);
  await post('GradeProfileScores', 'GID', [{ GPID, Label: 'U', Perc: 15 }]);
  await change('GradeProfileName', 'GPID', [[GPID, { Name: 'Renamed' }]]);
  expect(await grades()).toEqual(['9 35', '7 50', 'U 15']);
  const [eight] = (await post('GradeProfileScores', 'GID', [{ GPID, Label: '8', Perc: 5 }])).insertids;
  expect(insertids).not.toContain(eight);
  await change('GradeProfileScores', 'GID', [[insertids[1] ?? '', { Perc: 45 }]]);
  expect(await grades()).toEqual(['9 35', '7 45', 'U 15', '8 5']);
  // The apps save a profile as a whole, and know no ids: what has the place of a label that is gone is renamed.
  const shares = [
    ['9', 35],
    ['Good', 45],
    ['U', 15],
    ['8', 5],
  ].map(([label, percent]) => ({ label, percent }));
  await (await school.as('leader')).done('EditGradeProfile', { gradeProfileId: GPID, name: 'Renamed', grades: shares });
  expect(await gids()).toEqual([insertids[0], insertids[1], expect.any(String), eight]);
  const gone = await send('leader', 'POST', '/leader', {
    table: 'GradeProfileScores',
    data: [{ keyval: { GID: randomUUID() }, values: { Perc: 10 } }],
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
  // With a header its texts go, and come back.
  await teacher.done('DeleteRevisionHeader', { subjectId: ids.maths, headerId: header['headerId'] });
  expect((await stands())[0]).toEqual([0, null]);
  await teacher.done('RestoreRevisionHeader', { subjectId: ids.maths, headerId: header['headerId'] });
  expect((await stands())[0]).toEqual([header['headerId'], 'Arcs']);
  expect((await put(ids.mock, { key: 'TestID', values: { RevID: header['headerId'] } })).status).toBe(422);
  expect((await put(ids.mock, { key: 'TestID', values: { RevID: 0, RevAlt: null } })).status).toBe(200);
  expect(await stands()).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
});
