import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { offRollSetId, offRollYearId } from '../../api/calls/admin/off-roll.ts';
import { linkId } from '../../api/calls/tables.ts';
import { fullName } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { asks } from './case.ts';

/** What the writes of the administration make of keys: another key than the row's own, lists of keys, and rows that are sent twice. */
const { school, admin } = await schoolOfFile('admin');
const { ids } = school;

type Written = { readonly insertids: string[]; readonly lastid: string | null };
type Problem = { readonly code: string; readonly title: string; readonly stored: readonly string[] };
const headers = { 'Content-Type': 'application/json' };
const write = async (method: string, path: string, body: object, key?: string) => {
  const answer = await admin.send(`/api${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { ...headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
  });
  return { status: answer.status, body: (await answer.json()) as Written & Problem };
};
const rowsOf = async <Row>(path: string, query: Readonly<Record<string, string>>): Promise<Row[]> => {
  const head = await school.backend.store.head();
  const answer = await admin.send(`/api${path}?${new URLSearchParams(query)}`, { headers: { 'X-Min-Position': String(head) } });
  return (await answer.json()) as Row[];
};
const questionsOf = async (testId: string) =>
  (await rowsOf<{ TestTopic: string; QuestionNumber: number; QuestionID: string }>('/admin/6', { TestID: testId })).map(
    ({ QuestionNumber, TestTopic }) => `${QuestionNumber} ${TestTopic}`,
  );

test('a paper comes in one request, is re-ordered, loses questions by their keys, and all of them by that of its assessment', async () => {
  const made = await write('POST', '/admin', {
    table: 'TestData',
    data: [{ keyval: { TestID: null }, values: { TestName: 'By calls', SubjectID: ids.maths } }],
  });
  const TestID = made.body.lastid ?? '';
  const sent = ['A', 'B', 'C', 'D'].map((TestTopic, index) => ({
    keyval: { QuestionID: null },
    values: { QuestionNumber: index + 1, TestTopic, MarksAvailable: 2, TestID },
  }));
  const { body } = await write('POST', '/admin', { table: 'QuestionData', data: sent });
  const [a = '', b = '', c = '', d = ''] = body.insertids;
  expect(await questionsOf(TestID)).toEqual(['1 A', '2 B', '3 C', '4 D']);
  const moved = [d, a, b, c].map((QuestionID, index) => ({ keyval: { QuestionID }, values: { QuestionNumber: index + 1 } }));
  expect((await write('POST', '/admin', { table: 'QuestionData', data: moved })).body.insertids).toEqual([d, a, b, c]);
  expect(await questionsOf(TestID)).toEqual(['1 D', '2 A', '3 B', '4 C']);
  const gone = await write('DELETE', '/admin/null', { table: 'QuestionData', values: [{ QuestionID: a }, { QuestionID: c }] });
  expect(gone.body.insertids).toEqual([a, c]);
  expect(await questionsOf(TestID)).toEqual(['1 D', '2 B']);
  // 1 means the same as null.
  await write('DELETE', '/admin/1', { table: 'QuestionData', values: [{ QuestionID: b }] });
  expect(await questionsOf(TestID)).toEqual(['1 D']);
  expect((await write('DELETE', `/admin/${TestID}`, { table: 'QuestionData', altKey: 'TestID' })).status).toBe(200);
  expect(await questionsOf(TestID)).toEqual([]);
  const apart = await write('POST', '/admin', {
    table: 'QuestionData',
    data: [{ keyval: { QuestionID: null }, values: { QuestionNumber: 3, TestTopic: 'Late', MarksAvailable: 1, TestID } }],
  });
  expect(apart.body.title).toBe('Questions are not numbered sequentially. Please check your upload file.');
});

test('a leader lets students see an assessment by either verb, renames none, and a change of nothing is refused', async () => {
  const leader = await school.as('leader');
  const put = async (values: object) =>
    (await leader.send(`/api/admin/${ids.mock}`, { method: 'PUT', body: JSON.stringify({ table: 'TestData', values }), headers })).status;
  expect(await put({ Allowinput: 0 })).toBe(200);
  expect(await rowsOf('/admin/5', { SubjectID: ids.maths })).toContainEqual(expect.objectContaining({ TestID: ids.mock, Allowinput: 0 }));
  expect([await put({ Allowinput: 1 }), await put({ TestName: 'Mine' }), await put({})]).toEqual([200, 403, 422]);
});

test('a header of revision lists that is sent with its key is renamed, and there is no second one', async () => {
  const send = (RevLinkID: string | null, values: object) =>
    write('POST', '/admin', { table: 'RevLinks', data: [{ keyval: { RevLinkID }, values }] });
  const { body } = await send(null, { RevHead: 'Shape', Num: 99, SubjectID: ids.maths });
  const RevLinkID = body.lastid ?? '';
  expect((await send(RevLinkID, { RevHead: 'Geometry', Num: 99, SubjectID: ids.maths })).body).toMatchObject({ insertids: [RevLinkID] });
  expect((await send(RevLinkID, { RevHead: 'Geometry', SubjectID: ids.science })).status).toBe(422);
  const { headers } = await admin.ask<{ headers: { headerId: string; name: string }[] }>('revision-lists', {
    subjectId: ids.maths,
    testId: ids.mock,
  });
  expect(headers.filter(({ name }) => ['Shape', 'Geometry'].includes(name))).toMatchObject([{ headerId: RevLinkID, name: 'Geometry' }]);
});

test('all links of one side go by its key, and others stay', async () => {
  const list = async () =>
    (await rowsOf<{ SetID: string; TestID: string }>('/admin/10', { YeargroupID: ids.year })).map(({ SetID }) => SetID);
  expect((await list()).filter((setId) => setId === ids.setB)).toHaveLength(2);
  const { body } = await write('DELETE', `/admin/${ids.setB}`, { table: 'TestSets', altKey: 'SetID' });
  expect(body.insertids.toSorted()).toEqual([ids.mock, ids.other].map((testId) => linkId('TestSets', ids.setB, testId)).toSorted());
  expect(await list()).not.toContain(ids.setB);
  expect((await list()).filter((setId) => setId === ids.setA)).toHaveLength(2);
  const unknown = await write('DELETE', `/admin/${ids.setB}`, { table: 'TestSets', altKey: 'SetName' });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'not-listed']);
  const [SetID, TestID, TestSetsID] = [ids.setB, ids.mock, linkId('TestSets', ids.setA, ids.mock)];
  const wrong = await write('POST', '/admin', { table: 'TestSets', data: [{ keyval: { TestSetsID }, values: { SetID, TestID } }] });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid-input']);
  // So do several in a list.
  const both = { table: 'TestSets', altKey: 'SetID', values: [{ SetID: ids.setA }, { SetID: ids.setB }] };
  expect((await write('DELETE', '/admin/null', both)).body.insertids).toHaveLength(2);
  expect(await list()).not.toContain(ids.setA);
  const otherKey = await write('DELETE', '/admin/null', { ...both, values: [{ TestSetsID }] });
  expect([otherKey.status, otherKey.body.code]).toEqual([400, 'not-listed']);
  const none = await write('DELETE', '/admin/null', { table: 'TestSets' });
  expect([none.status, none.body.code]).toEqual([422, 'invalid-input']);
  const unnamed = await write('DELETE', '/admin/null', { ...both, values: [{}] });
  expect([unnamed.status, unnamed.body.code]).toEqual([422, 'invalid-input']);
  expect(await list()).not.toContain(ids.setB);
});

test('rows that are sent again under the same key are stored once, and a row that is refused names what is stored', async () => {
  const key = randomUUID();
  const names = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)];
  const data = names.map((Teacher) => ({ keyval: { TeacherID: null }, values: { Teacher, SubjectID: ids.maths } }));
  const first = await write('POST', '/admin', { table: 'Teachers', data }, key);
  const again = await write('POST', '/admin', { table: 'Teachers', data }, key);
  expect(again.body).toEqual(first.body);
  const half = await write('POST', '/admin', {
    table: 'Teachers',
    data: [{ keyval: { TeacherID: null }, values: { Teacher: 'Only', SubjectID: ids.maths } }, data[0]],
  });
  expect([half.status, half.body.title]).toEqual([422, 'Teacher name needs to be unique']);
  const { teachers } = await asks<{ teachers: { TeacherID: string; Teacher: string }[] }>(admin, '/admin/25', { SubjectID: ids.maths });
  expect(teachers.filter(({ Teacher }) => Teacher === 'Only').map(({ TeacherID }) => TeacherID)).toEqual(half.body.stored);
});

type StudentRow = readonly [studentId: string, setId: string];
const students = (rows: readonly StudentRow[]) => ({
  table: 'StudentNames',
  data: rows.map(([StudentID, SetID]) => ({ keyval: { UniqueID: null }, values: { StudentID, LastFirst: `Of, ${StudentID}`, SetID } })),
});

test('two thousand students come in one request, as one act: it is sent again without harm, and undone as a whole', async () => {
  const rows = Array.from({ length: 2_000 }, (_, number): StudentRow => [`Y${number}`, ids.setB]);
  const key = randomUUID();
  const { body } = await write('POST', '/admin', students(rows), key);
  const there = async () => rowsOf<{ UniqueID: string; StudentID: string }>('/admin/13', { SubjectID: ids.maths });
  const numbers = new Map((await there()).map(({ UniqueID, StudentID }) => [UniqueID, StudentID]));
  expect(body.insertids.map((one) => numbers.get(one))).toEqual(rows.map(([StudentID]) => StudentID));
  expect((await write('POST', '/admin', students(rows), key)).body).toEqual(body);
  const { events } = await admin.ask<{ events: { commandId: string }[] }>('history', { type: 'StudentsImported', limit: '1' });
  const undo = { subjectId: ids.maths, commandId: events[0]?.commandId };
  expect(await admin.done('UndoRosterChange', undo)).toMatchObject({ students: 2_000 });
  expect((await there()).filter(({ StudentID }) => StudentID.startsWith('Y'))).toEqual([]);
});

test('a student who is refused is named by their row, and of whom only the other subject was stored by their ids', async () => {
  const head = await school.backend.store.head();
  const taken = await write(
    'POST',
    '/admin',
    students([
      ['N1', ids.setB],
      ['00A1', ids.setB],
    ]),
  );
  expect([taken.status, taken.body]).toMatchObject([422, { title: 'Student ID must be unique', errors: [{ path: 'data.1.admissionNo' }] }]);
  expect(taken.body.stored).toBeUndefined();
  const nameless = { keyval: { UniqueID: null }, values: { StudentID: 'N2', LastFirst: ' ', SetID: ids.setB } };
  const wrong = await write('POST', '/admin', { ...students([]), data: [...students([['N1', ids.setB]]).data, nameless] });
  expect([wrong.status, wrong.body]).toMatchObject([422, { errors: [{ path: 'data.1.name' }] }]);
  expect(await school.backend.store.head()).toBe(head);
  const half = await write(
    'POST',
    '/admin',
    students([
      ['N1', ids.setB],
      ['00A1', ids.setS],
      ['N2', ids.setB],
    ]),
  );
  expect([half.status, half.body]).toMatchObject([422, { errors: [{ path: 'data.1.admissionNo' }] }]);
  const shown = await rowsOf<{ UniqueID: string; StudentID: string }>('/admin/13', { SubjectID: ids.maths });
  expect(shown.flatMap(({ UniqueID, StudentID }) => (/^N\d$/u.test(StudentID) ? [UniqueID] : [])).toSorted()).toEqual(
    half.body.stored.toSorted(),
  );
  expect(half.body.stored).toHaveLength(2);
});

test.each<[of: string, path: string, key: string, rows: readonly object[]]>([
  ['StudentNames', '/admin', 'UniqueID', ['T1', ' t1'].map((StudentID) => ({ StudentID, LastFirst: 'A, B', SetID: ids.setB }))],
  ['StudentNames', '/admin', 'UniqueID', [ids.setB, ids.setS].map((SetID) => ({ StudentID: 'T1', LastFirst: 'A, B', SetID }))],
  ['subject', '/admin', 'subjectid', ['Twice', 'twice'].map((subject_name) => ({ subject_name }))],
  ['Yeargroups', '/admin', 'YeargroupID', [71, 71].map((Yeargroup) => ({ Yeargroup, SubjectId: ids.maths }))],
  ['MathsSets', '/admin', 'SetId', ['9T', '9t'].map((SetName) => ({ SetName, YeargroupID: ids.year, SoWID: ids.scheme }))],
  ['Teachers', '/admin', 'TeacherID', ['Dr T', 'dr T'].map((Teacher) => ({ Teacher, SubjectID: ids.maths }))],
  ['EndpointNames', '/admin', 'EndpointID', ['T', 't'].map((EndpointName) => ({ EndpointName, YearSat: 12, SubjectID: ids.maths }))],
  ['SoW', '/admin', 'SoWId', ['T', 't'].map((SoWName) => ({ SoWName, SubjectID: ids.maths }))],
  ['SoWTopic', '/admin', 'SoWTopicID', ['T', 't'].map((SoWTopic) => ({ SoWTopic, SoWID: ids.scheme }))],
  ['TestData', '/admin', 'TestID', ['T', 't'].map((TestName) => ({ TestName, SubjectID: ids.maths }))],
  ['TestTotals', '/teacher', 'TestTotalsID', [1, 2].map((Total) => ({ TestID: ids.mock, StudentID: ids.students['A1'], Total }))],
  [
    'QuestionResults',
    '/teacher',
    'ResultID',
    [1, 2].map((MarkAwarded) => ({ QuestionID: ids.questions[0], StudentID: ids.students['A1'], MarkAwarded })),
  ],
  [
    'EndpointScores',
    '/teacher',
    'EndpointScoresID',
    ['a', 'b'].map((EndScore) => ({ EndpointID: ids.terminalExam, StudentID: ids.students['A1'], EndScore, DateCompleted: 2025 })),
  ],
])('of %s (%#) nothing is written where two rows of a request are of the same', async (of, path, key, rows) => {
  const head = await school.backend.store.head();
  const sent = await write('POST', path, { table: of, data: rows.map((values) => ({ keyval: { [key]: null }, values })) });
  expect([sent.status, sent.body.title]).toEqual([422, expect.stringMatching(/^Two rows have the same .+ Nothing was stored\.$/u)]);
  expect(await school.backend.store.head()).toBe(head);
});

test('Off-Roll is there without being made, and neither changes nor goes', async () => {
  const [year, set] = [offRollYearId(ids.maths), offRollSetId(ids.maths)];
  const made = await write('POST', '/admin', {
    table: 'Yeargroups',
    data: [{ keyval: { YeargroupID: null }, values: { Yeargroup: 99, SubjectId: ids.maths } }],
  });
  expect(made.body.lastid).toBe(year);
  const elsewhere = await write('POST', '/admin', {
    table: 'Yeargroups',
    data: [{ keyval: { YeargroupID: null }, values: { Yeargroup: 99, SubjectId: randomUUID() } }],
  });
  expect(elsewhere.status).toBe(404);
  const its = await write('POST', '/admin', {
    table: 'MathsSets',
    data: [{ keyval: { SetId: null }, values: { SetName: 'Off-Roll', YeargroupID: year, SoWID: null } }],
  });
  expect(its.body.lastid).toBe(set);
  expect((await write('DELETE', `/admin/${year}`, { table: 'Yeargroups' })).status).toBe(409);
  const student = ids.students['C4'] ?? '';
  await write('PUT', `/admin/${student}`, { table: 'StudentNames', values: { SetID: set } });
  expect((await rowsOf<{ UniqueID: string }>('/admin/17', { SetId: set })).map(({ UniqueID }) => UniqueID)).toEqual([student]);
  // Its year group has no assessments, and is exported as others are.
  expect(await rowsOf('/admin/10', { YeargroupID: year })).toEqual([]);
  expect(await rowsOf('/admin/22', { YeargroupID: year })).toEqual([
    { StudentID: '00C4', LastFirst: fullName('C4'), SetName: 'Off-Roll', DoB: '2009-05-01' },
  ]);
  await write('PUT', `/admin/${student}`, { table: 'StudentNames', values: { SetID: ids.setC } });
  expect(await rowsOf('/admin/17', { SetId: set })).toEqual([]);
});

test('a student in several subjects is not removed by guessing in which', async () => {
  const both = await write('DELETE', `/admin/${ids.students['A1']}`, { table: 'StudentNames' });
  expect([both.status, both.body.code]).toEqual([409, 'refused']);
});

test('the links of a subject are stored together, or none; rows that are a command each come in hundreds', async () => {
  const head = await school.backend.store.head();
  const link = (TestID: string) => ({ keyval: { TestSetsID: null }, values: { SetID: ids.setC, TestID } });
  const half = await write('POST', '/admin', { table: 'TestSets', data: [link(ids.mock), link(randomUUID())] });
  expect([half.status, half.body.stored]).toEqual([404, undefined]);
  const data = Array.from({ length: 501 }, (_, row) => ({
    keyval: { SoWId: null },
    values: { SoWName: `S${row}`, SubjectID: ids.maths },
  }));
  const many = await write('POST', '/admin', { table: 'SoW', data });
  expect([many.status, many.body.title]).toEqual([422, 'That is too much for one request: send at most 500 of these rows at a time.']);
  expect(await school.backend.store.head()).toBe(head);
});

test.each([
  ['a key that no object can hold', '"data":[{"keyval":{"__proto__":null},"values":{"subject_name":"Sly"}}]', 'key __proto__'],
  [
    'a column that no object can hold',
    '"data":[{"keyval":{"subjectid":null},"values":{"subject_name":"Sly","__proto__":{}}}]',
    'column __proto__',
  ],
  ['a key twice', '"data":[{"keyval":{"subjectid":null,"SubjectID":null},"values":{"subject_name":"Sly"}}]', 'key subjectid'],
  [
    'a column twice',
    '"data":[{"keyval":{"subjectid":null},"values":{"subject_name":"Sly","Subject_Name":"Other"}}]',
    'column subject_name',
  ],
])('%s is refused by its name, and nothing is stored', async (_, rows, named) => {
  const head = await school.backend.store.head();
  const answer = await admin.post('/api/admin', `{"table":"subject",${rows}}`);
  const { code, title } = (await answer.json()) as Problem;
  expect([answer.status, code]).toEqual([400, 'not-listed']);
  expect(title).toContain(named);
  expect(await school.backend.store.head()).toBe(head);
});

test.each([
  ['/admin/1?__proto__=1', '400 not-listed'],
  [`/admin/8?SubjectId=${ids.maths}&SubjectID=${ids.science}`, '400 not-listed'],
  [`/admin/8?SubjectId=${ids.maths}&SubjectId=${ids.science}`, '400 not-listed'],
  [`/rest/subjects?filter=${encodeURIComponent('{"__proto__":"x"}')}`, '422 invalid-input'],
])('%s is refused: %s', async (path, refused) => {
  const answer = await admin.send(`/api${path}`);
  const { code } = (await answer.json()) as Problem;
  expect(`${answer.status} ${code}`).toBe(refused);
});
