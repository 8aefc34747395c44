import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Sheet } from '../../api/marks/sheet.contract.ts';
import type { Questions } from '../../api/assessments/assessments.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import type { TaskRanking } from '../../api/tasks/ranking/task-ranking.contract.ts';
import { openAuthSchool } from '../support/auth.ts';
import { Client } from '../support/client.ts';
import { tomorrow } from '../support/samples.ts';
import { PASSWORD } from '../support/school.ts';
import { Program } from './program.ts';
import type { Made } from './structure.ts';
import { makeStructure, NAMES } from './structure.ts';

/**
 * A school from its registration to the end of its first feedback task, and on into the next, played by programs that know the documented
 * calls only. After each part the apps are asked for the same; what the apps change in between, the programs read.
 */
const { mailbox, school, visitor } = await openAuthSchool();

const anybody = new Program(visitor());
const domain = `${randomUUID().slice(0, 8)}.example`;
const address = (name: string): string => `${name}@${domain}`;
const tokenFor = async (name: string): Promise<Program> => {
  const body = {
    grant_type: 'password',
    client_id: 2,
    client_secret: 'known to all',
    username: address(name),
    password: PASSWORD,
    scope: '',
  };
  const { access_token } = await anybody.does<{ access_token: string }>('POST', '/oauth/token', { body });
  return new Program(visitor(), access_token);
};
/** The same person in the apps. */
const inApps = async (name: string): Promise<Client> => {
  const client = new Client(school);
  await client.signIn(address(name), PASSWORD);
  return client;
};
const twice = { password: PASSWORD, password_confirmation: PASSWORD };
const MODELS = ['structure', 'roster', 'assessments', 'results', 'tasks', 'mappings', 'revision_lists'];
/** Until what the apps have written shows. */
const shown = async () => school.backend.progress.waitFor(MODELS, await school.backend.store.head(), 30_000);

let [admin, leader, ali, bell, pupil] = Array.from({ length: 5 }, () => anybody) as [Program, Program, Program, Program, Program];
let its: Made;
const thisYear = new Date().getUTCFullYear();

test('a school registers once for each solved robot check, and opens with the mailed token', async () => {
  const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  const response = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const form = { name: 'Ada Nwosu', email: address('head'), ...twice };
  expect((await anybody.send('POST', '/auth/register', { body: form })).status).toBe(422);

  // The check is passed in one browser, and opens one registration there.
  const browser = visitor();
  const solved = await browser.post('/api/recaptcha', JSON.stringify({ secret: 'anything', response }));
  expect(await solved.json()).toEqual({ success: true });
  const passed = browser.cookie ?? '';
  expect(await (await visitor().post('/api/recaptcha', JSON.stringify({ response }))).json()).toEqual({ success: false });
  const registers = async (cookie: string) => (await new Client(school, cookie).post('/api/auth/register', JSON.stringify(form))).status;
  expect(await registers(passed.replace(/=(\d+)/u, (_, until: string) => `=${Number(until) + 1}`))).toBe(422);
  expect(await registers(passed)).toBe(200);
  expect(await registers(passed)).toBe(422);

  const opening = { school: 'Greenfield Academy', email: address('head'), password: PASSWORD, token: await mailbox.token(address('head')) };
  expect((await anybody.send('POST', '/new-db', { body: { ...opening, password: 'another one' } })).status).toBe(409);
  await anybody.does('POST', '/new-db', { body: opening });
  admin = await tokenFor('head');
  expect(await admin.reads('/checkauth')).toEqual({ scope: 'admin', name: 'Ada Nwosu', school: 'Greenfield Academy' });
});

test('its structure and students are made, and the apps show them', async () => {
  its = await makeStructure(admin);

  // Each of the staff is invited, and activates the account by the mailed token.
  const invited = [
    ['ali', 'teacher', 0],
    ['bell', 'teacher', 1],
    ['cole', 'leader', 2],
  ] as const;
  for (const [name, role, place] of invited) {
    await admin.does('POST', '/users_teachers', { query: { name, email: address(name), role, teacher: its.teachers[place] ?? '' } });
    await anybody.does('POST', '/reset-password', { body: { email: address(name), ...twice, token: await mailbox.token(address(name)) } });
  }
  [ali, bell, leader] = (await Promise.all(['ali', 'bell', 'cole'].map(tokenFor))) as [Program, Program, Program];
  expect(await ali.reads('/user-load')).toMatchObject({ teacher: { Teacher: 'Ms Ali', subject_name: 'Mathematics' } });

  const shownToHead = await (await inApps('head')).ask<Structure>('structure', { subjectId: its.SubjectID });
  expect(shownToHead).toMatchObject({
    subject: { name: 'Mathematics' },
    schemes: [{ schemeId: its.SoWID, name: 'Higher' }],
    tests: [
      { testId: its.mock, max: 20, visible: true },
      { testId: its.quiz, max: 30 },
    ],
  });
  const { tests } = await (await inApps('head')).ask<Questions>('questions', { subjectId: its.SubjectID });
  expect(tests.find(({ testId }) => testId === its.mock)?.questions).toMatchObject(
    its.questions.map((questionId, index) => ({ questionId, number: index + 1 })),
  );
  expect(shownToHead.yearGroups).toMatchObject([
    {
      year: 11,
      sets: [
        { setId: its.setA, name: '11A', students: 4, testIds: [its.mock, its.quiz] },
        { setId: its.setB, name: '11B', students: 4 },
      ],
    },
  ]);
});

test('a student joins with code, date of birth and name', async () => {
  const { code } = await admin.does<{ code: string }>('PUT', '/users_students/code', { query: { subject: its.SubjectID } });
  type Choices = { readonly students: { UniqueID: string; LastFirst: string }[] };
  const { students: choices } = await anybody.does<Choices>('POST', '/verify-code', { body: { code, DoB: '2010-01-01' } });
  const own = choices.find(({ LastFirst }) => LastFirst === NAMES[0])?.UniqueID;
  await anybody.does('PUT', `/verify-code/${own}`, { body: { code, name: NAMES[0], email: address('amy'), ...twice } });
  pupil = await tokenFor('amy');
  expect(await pupil.reads('/user-load')).toMatchObject({ students: [{ UniqueID: its.students[0], SetName: '11A', SoWId: its.SoWID }] });
});

test('teachers enter totals and marks, of their own classes, and the apps show them', async () => {
  const total = (index: number) => ({ TestID: its.quiz, StudentID: its.students[index], Total: 30 - index });
  await ali.adds('/teacher', 'TestTotals', 'TestTotalsID', [0, 1, 2, 3].map(total));
  await bell.adds('/teacher', 'TestTotals', 'TestTotalsID', [4, 5, 6, 7].map(total));
  const foreign = await ali.send('POST', '/teacher', {
    body: { table: 'TestTotals', data: [{ keyval: { TestTotalsID: null }, values: total(4) }] },
  });
  expect(foreign.status).toBe(403);
  const marks = [0, 1, 2].flatMap((index) =>
    its.questions.map((QuestionID, place) => ({
      QuestionID,
      StudentID: its.students[index],
      MarkAwarded: [4, 8, 3][place],
      EnteredStatus: 1,
    })),
  );
  await ali.adds('/teacher', 'QuestionResults', 'ResultID', marks);

  const app = await inApps('ali');
  const sheet = await app.ask<Sheet>('sheet', { testId: its.mock, setId: its.setA });
  expect(sheet.students.map(({ cells }) => cells.map((cell) => cell?.value ?? null))).toEqual([
    [4, 8, 3],
    [4, 8, 3],
    [4, 8, 3],
    [null, null, null],
  ]);
  const book = await app.ask<Markbook>('markbook', { yearGroupId: its.YeargroupID });
  const place = book.tests.findIndex(({ testId }) => testId === its.quiz);
  expect(book.students.map(({ totals }) => totals[place]?.total)).toEqual([30, 29, 28, 27, 26, 25, 24, 23]);

  // What somebody types in the app, the program reads; and it takes one of the marks away.
  const cell = { testId: its.mock, studentId: its.students[3], questionId: its.questions[1], is: 7 };
  await app.done('EnterMarks', { entryId: randomUUID(), subjectId: its.SubjectID, seq: 1, cells: [cell] });
  await shown();
  type Result = { ResultID: string; UniqueID: string; QuestionID: string; MarkAwarded: number | null };
  const results = async () =>
    (await ali.reads<Result[]>('/teacher/12', { SetID: its.setA, TestID: its.mock })).filter(
      ({ UniqueID }) => UniqueID === its.students[3],
    );
  expect((await results()).map(({ MarkAwarded }) => MarkAwarded)).toEqual([null, 7, null]);
  const [, typed] = await results();
  const emptied = { StudentID: its.students[3], QuestionID: its.questions[1], MarkAwarded: null, EnteredStatus: 1 };
  await ali.changes('/teacher', 'QuestionResults', 'ResultID', [[typed?.ResultID ?? '', emptied]]);
  expect((await results()).map(({ MarkAwarded }) => MarkAwarded)).toEqual([null, null, null]);
});

test('what is bound and headed in the apps reads the same, and the other way round', async () => {
  const app = await inApps('cole');
  const head = await inApps('head');
  await head.done('ReplaceTopicTree', { subjectId: its.SubjectID, title: 'Mathematics', paths: [['Number', 'Fractions'], ['Algebra']] });
  await head.done('RenameYearGroup', { subjectId: its.SubjectID, yearGroupId: its.YeargroupID, year: 10 });
  await shown();
  const tree = await leader.reads<{ TopicID: string; TopicName: string }[]>('/topics/2', { data: its.SubjectID });
  expect(tree.map(({ TopicName }) => TopicName)).toEqual(['Number', 'Fractions', 'Algebra']);
  expect(await ali.reads('/teacher/1', { SubjectId: its.SubjectID })).toEqual([{ YeargroupID: its.YeargroupID, Yeargroup: 10 }]);
  await admin.does('PUT', `/admin/${its.YeargroupID}`, { body: { table: 'Yeargroups', values: { Yeargroup: 11 } } });
  await admin.adds('/admin', 'NLPAssess', 'NLPAssessID', [{ QuestionID: its.questions[1], TopicID: tree[2]?.TopicID }]);
  type Mappings = { tests: { testId: string; questions: { questionId: string; topicIds: string[] }[] }[] };
  const mapped = await app.ask<Mappings>('mappings', { subjectId: its.SubjectID });
  expect(JSON.stringify(mapped)).toContain(tree[2]?.TopicID);

  const [RevID] = await leader.adds('/admin', 'RevLinks', 'RevLinkID', [{ RevHead: 'Shape', Num: 1, SubjectID: its.SubjectID }]);
  await ali.does('PUT', `/leader/${its.questions[2]}`, { body: { table: 'QuestionData', values: { RevID, RevAlt: 'Circles' } } });
  const { headerId = '' } = await app.done('AddRevisionHeader', { subjectId: its.SubjectID, name: 'Data' });
  await app.done('SaveRevisionList', {
    subjectId: its.SubjectID,
    testId: its.mock,
    questions: [{ questionId: its.questions[0], headerId, text: null }],
  });
  await shown();
  type Lists = { headers: { RevHead: string }[]; rev: { QuestionID: string; RevID: string | 0; RevAlt: string | null }[] };
  const { headers, rev } = await ali.reads<Lists>('/leader/2', { SubjectID: its.SubjectID, TestID: its.mock });
  expect(headers.map(({ RevHead }) => RevHead)).toEqual(['Shape', 'Data']);
  expect(rev.map((row) => [row.RevID, row.RevAlt])).toEqual([
    [headerId, null],
    [0, null],
    [RevID, 'Circles'],
  ]);
});

type Rank = Readonly<Record<'RankID' | 'UniqueID', string>> & Readonly<Record<string, unknown>>;
const ranking = async () => {
  const rows = await leader.reads<Rank[]>('/leader/16', { YeargroupID: its.YeargroupID });
  return new Map(rows.map((row) => [its.students.indexOf(row.UniqueID), row]));
};
const moves = async (TaskID: string, Status: number) => {
  const { status, body } = await leader.send('PUT', `/leader/${TaskID}`, {
    body: { table: 'FeedbackMaps', key: 'TaskID', values: { Status } },
  });
  return [status, status === 200 ? body.lastid : body.title];
};
const maps = async (TaskID: string) => {
  const { Counts } = await leader.reads<{ Counts: { FeedbackMapID: string; SetName: string; Status: number }[] }>('/leader/10', { TaskID });
  return Counts;
};
const statuses = async (TaskID: string) => (await maps(TaskID)).map(({ SetName, Status }) => `${SetName} ${Status}`);
const ranked = (places: readonly number[]) =>
  leader.adds(
    '/leader',
    'ranking',
    'RankID',
    places.map((student, index) => ({
      YearID: its.YeargroupID,
      UniqueID: its.students[student],
      Ranking: index + 1,
      Score: 80 - index,
      Tests: JSON.stringify([its.quiz]),
    })),
  );
const opened = async (TaskName: string): Promise<string> => {
  const [TaskID = ''] = await leader.adds('/leader', 'FeedbackTasks', 'taskID', [
    { TaskName, Expiry: tomorrow(), TeacherInput: 1, YeargroupID: its.YeargroupID },
  ]);
  for (const SetID of [its.setA, its.setB])
    await leader.adds('/leader', 'FeedbackMaps', 'FeedbackMapID', [{ TaskID, SetID, TestID: its.quiz, Status: 0 }]);
  return TaskID;
};
const EVERYBODY = [0, 1, 2, 3, 4, 5, 6, 7];

let autumn = '';
test('a feedback task goes through its steps to the end, each refused where it is not its turn, and what was sent shows in the apps', async () => {
  const early = { TaskName: 'Early', Expiry: tomorrow(), TeacherInput: 1, YeargroupID: its.YeargroupID };
  const refused = await leader.send('POST', '/leader', {
    body: { table: 'FeedbackTasks', data: [{ keyval: { TaskID: null }, values: early }] },
  });
  expect([refused.status, refused.body.title]).toEqual([409, 'You need to upload prior data to initiate a feedback task']);
  await leader.adds(
    '/teacher',
    'EndpointScores',
    'EndpointScoresID',
    EVERYBODY.map((index) => ({
      StudentID: its.students[index],
      EndpointID: its.ks2,
      EndScore: String(100 + index),
      DateCompleted: thisYear - 5,
    })),
  );
  autumn = await opened('Autumn');
  // 0 and 1 follow from the totals.
  expect(await statuses(autumn)).toEqual(['11A 1', '11B 1']);
  expect(await moves(autumn, 0)).toEqual([200, autumn]);
  expect(await moves(autumn, 2)).toEqual([409, 'No rows of a ranking were sent yet.']);
  expect(await moves(autumn, 3)).toEqual([409, 'There is nothing to check yet.']);
  const told = await leader.does<{ message: string }>('POST', '/feedback', {
    query: { name: 'Autumn', task_id: autumn, expiry: tomorrow() },
  });
  expect(told.message).toBe('2 teachers are told by mail');
  expect((await mailbox.next(address('ali'))).text).toContain('Autumn');
  expect(await ali.reads('/teacher/22', { SetID: its.setA })).toMatchObject([{ TaskID: autumn, TaskName: 'Autumn', Status: 1 }]);

  await ranked(EVERYBODY);
  expect(await statuses(autumn)).toEqual(['11A 1', '11B 1']);
  expect(await moves(autumn, 2)).toEqual([200, autumn]);
  expect(await moves(autumn, 1)).toEqual([409, 'The students are ranked already. Remove the ranking first.']);
  expect(await moves(autumn, 4)).toEqual([409, 'Not checked yet by the teacher: 11A, 11B. Wait for it, or go on without it and say why.']);
  const app = await inApps('cole');
  const { ranked: shownInApp } = await app.ask<Markbook>('markbook', { yearGroupId: its.YeargroupID });
  expect(shownInApp).toMatchObject({ taskId: autumn, formula: 'client' });
  // The same again writes nothing; other ranks are ranked anew.
  const before = await school.backend.store.head();
  await ranked(EVERYBODY);
  expect(await moves(autumn, 2)).toEqual([200, autumn]);
  expect(await school.backend.store.head()).toBe(before);
  await ranked([1, 0, ...EVERYBODY.slice(2)]);
  expect((await ranking()).get(1)).toMatchObject({ Ranking: 2 });
  expect(await moves(autumn, 2)).toEqual([200, autumn]);
  expect((await ranking()).get(1)).toMatchObject({ Ranking: 1, Score: 80, Tests: JSON.stringify([its.quiz]) });

  // Both teachers check; one of them says more afterwards, which is checked again at once.
  const [mapA, mapB] = await maps(autumn);
  const RankID = (await ranking()).get(2)?.RankID ?? '';
  const checks = (who: Program, id: string | undefined, Status: number) =>
    who.does('PUT', `/teacher/${id}`, { body: { table: 'FeedbackMaps', key: 'FeedbackMapID', values: { Status } } });
  await ali.changes('/teacher', 'ranking', 'RankID', [[RankID, { Trank: 5, Tflag: 1, Comment: 'Was ill' }]]);
  await checks(ali, mapA?.FeedbackMapID, 3);
  expect(await statuses(autumn)).toEqual(['11A 3', '11B 2']);
  await checks(bell, mapB?.FeedbackMapID, 3);
  const inApp = async (student: number) =>
    (await app.ask<TaskRanking>('task-ranking', { taskId: autumn })).students.find(({ studentId }) => studentId === its.students[student]);
  expect(await inApp(2)).toMatchObject({ teacherRank: 5, rankingFlag: true, rankingComment: 'Was ill', ranking: 3 });
  await ali.changes('/teacher', 'ranking', 'RankID', [[RankID, { Comment: 'Was away' }]]);
  expect(await inApp(2)).toMatchObject({ teacherRank: 5, rankingFlag: true, rankingComment: 'Was away' });

  expect(await moves(autumn, 4)).toEqual([409, 'No grades were sent yet.']);
  const rows = await ranking();
  const graded = [...rows.values()].map((row, index) => [row.RankID, { Grade: index < 3 ? '9' : '8' }] as const);
  await leader.changes('/leader', 'ranking', 'RankID', graded);
  expect(await moves(autumn, 4)).toEqual([200, autumn]);
  expect([await statuses(autumn), (await inApp(3))?.grade]).toEqual([['11A 4', '11B 4'], '8']);
  // Back, and on again.
  expect(await moves(autumn, 3)).toEqual([200, autumn]);
  expect(await moves(autumn, 6)).toEqual([409, 'No grades are allocated yet.']);
  expect(await moves(autumn, 4)).toEqual([200, autumn]);
  await checks(ali, mapA?.FeedbackMapID, 5);
  expect(await moves(autumn, 5)).toEqual([200, autumn]);
  expect(await statuses(autumn)).toEqual(['11A 5', '11B 5']);
  expect(await inApp(2)).toMatchObject({ gradeFlag: true, gradeComment: 'Was away' });

  // What a leader of the app decides, and what is sent, stand beside each other.
  const decided = { studentId: its.students[3], ranking: 2, score: null, grade: null, exempt: false };
  await app.done('DecideResults', { taskId: autumn, rows: [decided] });
  await shown();
  expect((await ranking()).get(3)).toMatchObject({ Ranking: 2 });
  await leader.changes('/leader', 'ranking', 'RankID', [[rows.get(4)?.RankID ?? '', { Grade: '7', Ranking: 5 }]]);
  expect(await inApp(4)).toMatchObject({ grade: '7', computed: { grade: '8', ranking: 5 } });
});

test('a student submits marks and reads what became of them, as in the app', async () => {
  const waiting = async () =>
    (await pupil.reads<{ TestID: string; Cnt: number }[]>('/student/38', { UniqueID: its.students[0] ?? '' })).map(({ TestID }) => TestID);
  expect(await waiting()).toEqual([its.quiz]);
  const paper = await pupil.reads<{ QuestionID: string; MarksAvailable: number }[]>('/student/30', {
    UniqueID: its.students[0] ?? '',
    TestID: its.quiz,
  });
  const marks = paper.map(({ QuestionID }) => ({
    unique: { QuestionID, StudentID: its.students[0] },
    values: { MarkAwarded: 30, EnteredStatus: 2 },
  }));
  await pupil.does('POST', '/student', { body: marks as unknown as object });
  const card = (await pupil.reads<{ TestID: string }[]>('/student/25', { UniqueID: its.students[0] ?? '' })).find(
    ({ TestID }) => TestID === its.quiz,
  );
  expect(card).toMatchObject({ TTotal: 30, STotal: 30, MaxMark: 30 });
  const home = await (
    await inApps('amy')
  ).ask<{ tests: { testId: string; ownTotal: number | null }[] }>('student-home', { subjectId: its.SubjectID });
  expect(home.tests.find(({ testId }) => testId === its.quiz)).toMatchObject({ ownTotal: 30 });
  expect(await ali.reads('/teacher/21', { SetID: its.setA, TestID: its.quiz })).toContainEqual(
    expect.objectContaining({ UniqueID: its.students[0], STotal: 30 }),
  );
});

test('the task ends, and the markbook of the calls is that of the app', async () => {
  expect(await moves(autumn, 6)).toEqual([200, autumn]);
  expect(await statuses(autumn)).toEqual(['11A 6', '11B 6']);
  expect(await moves(autumn, 5)).toEqual([409, 'This feedback task has ended.']);
  const late = {
    table: 'ranking',
    data: [{ keyval: { RankID: null }, values: { YearID: its.YeargroupID, UniqueID: its.students[0], Ranking: 1 } }],
  };
  expect((await leader.send('POST', '/leader', { body: late })).body.title).toBe('This year group has no open feedback task.');
  const removed = await leader.send('DELETE', `/leader/${its.YeargroupID}`, { body: { table: 'ranking', altKey: 'YearID' } });
  expect([removed.status, removed.body.title]).toEqual([409, 'This feedback task has ended.']);

  type Book = {
    Tests: { TestID: string; MaxMark: number }[];
    allStudents: { UniqueID: string; LastFirst: string; SetID: string }[];
    allData: { UniqueID: string; TestID: string; Total: number }[];
    ranking: { UniqueID: string; Ranking: number; Score: number; Residual: number; Grade: string }[];
    allPAD: { UniqueID: string; EndScore: string }[];
  };
  const called = await ali.reads<Book>('/teacher/28', { YeargroupID: its.YeargroupID });
  const book = await (await inApps('ali')).ask<Markbook>('markbook', { yearGroupId: its.YeargroupID });
  expect(called.allStudents.map(({ LastFirst }) => LastFirst)).toEqual(NAMES);
  expect(called.Tests.map(({ TestID, MaxMark }) => [TestID, MaxMark])).toEqual(book.tests.map(({ testId, max }) => [testId, max]));
  const totals = new Map(called.allData.map(({ UniqueID, TestID, Total }) => [`${UniqueID} ${TestID}`, Total]));
  const results = new Map(called.ranking.map((row) => [row.UniqueID, row]));
  const prior = new Map(called.allPAD.map((row) => [row.UniqueID, row.EndScore]));
  for (const student of book.students) {
    const { studentId } = student;
    expect(book.tests.map(({ testId }) => totals.get(`${studentId} ${testId}`) ?? null)).toEqual(student.totals.map(({ total }) => total));
    const row = results.get(studentId);
    expect([row?.Ranking, row?.Score, row?.Residual, row?.Grade, prior.get(studentId)]).toEqual([
      student.ranking,
      student.score,
      student.residual ?? null,
      student.grade,
      student.prior,
    ]);
  }
  expect(results.get(its.students[4] ?? '')).toMatchObject({ Ranking: 5, Grade: '7' });
  expect(await leader.reads('/leader/5', { YeargroupID: its.YeargroupID, SubjectID: its.SubjectID })).toContainEqual(
    expect.objectContaining({ EndpointID: its.gcse }),
  );
});

test('with a new task, the ranking of the one before stays with that, and its own can be removed', async () => {
  const TaskID = await opened('Spring');
  const remove = () => leader.does('DELETE', `/leader/${its.YeargroupID}`, { body: { table: 'ranking', altKey: 'YearID' } });
  const head = await school.backend.store.head();
  await remove();
  expect(await school.backend.store.head()).toBe(head);
  expect((await ranking()).get(4)).toMatchObject({ Grade: '7' });
  await ranked(EVERYBODY);
  expect((await ranking()).get(4)).toMatchObject({ Ranking: 5, Grade: null });
  expect(await moves(TaskID, 2)).toEqual([200, TaskID]);
  await remove();
  expect(await statuses(TaskID)).toEqual(['11A 1', '11B 1']);
  await leader.does('DELETE', `/leader/${TaskID}`, { body: { table: 'FeedbackTasks' } });
  const tasks = await leader.reads<{ TaskID: string }[]>('/leader/17', { YeargroupID: its.YeargroupID });
  expect(tasks.map((task) => task.TaskID)).toEqual([autumn]);
});
