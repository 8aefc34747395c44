import { expect, test } from 'vitest';
import type { MyData } from '../../../api/accounts/my-data.contract.ts';
import type { GradeGraph, StudentCard, StudentHome, StudentTasks, StudentTopics } from '../../../api/analysis/student/student.contract.ts';
import { Client } from '../../support/client.ts';
import { openExample } from '../../support/worked-example.ts';
import type { Example } from '../../support/worked-example.ts';
import { marksIn } from '../../support/marks.ts';
import { tomorrow } from '../../support/samples.ts';
import { resultTexts } from '../../../student-ui/analysis/result-texts.ts';
import { PASSWORD } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader, student: A1 } = await schoolOfFile('admin', 'leader', 'student');

const { shownTest, upload, marksFile } = marksIn(() => school);
const home = (who = A1) => who.ask<StudentHome>('student-home', { subjectId: school.ids.maths });
const cardIn = async (testId: string, who = A1) => (await home(who)).tests.find((one) => one.testId === testId);
const asA1 = () => ({ 'X-View-As': `student ${school.ids.students['A1']}` });

test('a card goes by the staff total, says what is missing, and a hidden assessment is nowhere', async () => {
  const { testId, questions } = await shownTest();
  expect(await cardIn(testId)).toMatchObject({ total: null, entered: 0, percent: null, against: null, message: null, questions: false });
  await A1.done('SubmitFeedback', { testId, marks: questions.map((questionId, index) => ({ questionId, mark: [5, 4, 1][index] })) });
  expect(await cardIn(testId)).toMatchObject({
    total: null,
    ownTotal: 10,
    entered: 0,
    message: "Submitted: waiting for your teacher's total",
  });
  await upload(leader, testId, { A1: [12], A2: [8], A3: [8], A4: [8] });
  expect(await cardIn(testId)).toMatchObject({
    total: 12,
    ownTotal: 10,
    entered: 2,
    percent: 60,
    classPercent: null,
    against: null,
    mismatch: true,
    message: '*This submitted feedback does not match the total your teacher uploaded',
  });
  expect(await A1.ask<StudentCard>('student-card', { testId })).toMatchObject({
    questions: [
      { number: 1, mark: 5, max: 5, value: 100, rag: 'green', average: null },
      { number: 2, mark: 4, max: 10, value: 40, rag: 'red' },
      { number: 3, mark: 1, max: 5, value: 20, rag: 'red' },
    ],
    strengths: [],
    targets: [],
  });
  await admin.done('ShowAssessment', { testId, visible: false });
  expect(await cardIn(testId)).toBeUndefined();
  expect((await A1.query('student-card', { testId })).status).toBe(404);
  expect((await A1.query('grade-graph', { testId, terminalExamId: school.ids.terminalExam })).status).toBe(404);
  const { subjects } = await A1.ask<MyData>('my-data');
  expect(subjects.flatMap(({ tests }) => tests).map((one) => one.testId)).not.toContain(testId);
});

test('strengths and targets are against everybody who sat it, in whole points', async () => {
  const { testId } = await shownTest();
  const others = Object.fromEntries(['A2', 'A3', 'A4', 'B1', 'B2', 'B3'].map((short) => [short, [1, 9, 3]]));
  const { setA, setB } = school.ids;
  await leader.done('UploadMarks', { ...marksFile(testId, { A1: [5, 2, 3], ...others }, [setA, setB]), fileName: 'marks.csv' });
  const card = await A1.ask<StudentCard>('student-card', { testId });
  expect(card.questions.map(({ average }) => average)).toEqual([31, 80, 60]);
  const [first, second] = card.questions;
  expect(card.strengths).toEqual([{ questionId: first?.questionId, difference: 69, weak: null }]);
  expect(card.targets).toEqual([{ questionId: second?.questionId, difference: -60, weak: null }]);
  expect(JSON.stringify(card)).not.toContain(school.ids.students['A2']);
});

test('fewer than five are no average of a question', async () => {
  const { testId } = await shownTest();
  const averages = async () => (await A1.ask<StudentCard>('student-card', { testId })).questions.map(({ average }) => average);
  const marks = Object.fromEntries(['A1', 'A2', 'A3', 'A4', 'B1'].map((short) => [short, [5, 5, 5]]));
  const { setA, setB } = school.ids;
  const { B1: _fifth, ...four } = marks;
  await leader.done('UploadMarks', { ...marksFile(testId, four, [setA, setB]), fileName: 'marks.csv' });
  expect(await averages()).toEqual([null, null, null]);
  await leader.done('UploadMarks', { ...marksFile(testId, marks, [setA, setB]), fileName: 'marks.csv' });
  expect(await averages()).toEqual([100, 50, 100]);
});

test('a question that nobody of the class has a mark for is blank, not 0; at the average is neither strength nor target', async () => {
  const { testId, questions } = await shownTest();
  await admin.done('EditQuestions', {
    testId,
    questions: questions.map((questionId, index) => ({ questionId, topic: 'Topic', marksAvailable: [3, 10, 5][index] })),
  });
  const { setA, setB } = school.ids;
  // Q3 was marked in the other class only. All have 1 of 3 in Q1, which is 33 % as shown and a little more.
  const marks = { A1: [1, null, null], A2: [1, 9, null], A3: [1, 9, null], A4: [1, 9, null], B1: [1, 9, 5], B2: [1, 9, 5], B3: [1, 9, 5] };
  await leader.done('UploadMarks', { ...marksFile(testId, marks, [setA, setB]), fileName: 'marks.csv' });
  const card = await A1.ask<StudentCard>('student-card', { testId });
  expect(card.questions.map(({ mark, value, rag, average }) => [mark, value, rag, average])).toEqual([
    [1, 33, 'red', 33],
    [null, 0, 'red', 77],
    [null, null, null, 43],
  ]);
  expect(card.strengths).toEqual([]);
  expect(card.targets).toEqual([{ questionId: questions[1], difference: -77, weak: null }]);
  const called = await A1.send(`/api/student/27?${new URLSearchParams({ UniqueID: school.ids.students['A1'] ?? '', TestID: testId })}`);
  expect(await called.json()).toMatchObject([
    { SResult: 1, Ratio: 0, Rag: 33 },
    { SResult: 0, Rag: 0 },
    { SResult: null, Ratio: null, Rag: null },
  ]);
});

test('the grade graph goes by the chosen exam, like totals, and the day that is said for a class, not by the day of the upload', async () => {
  const { testId } = await shownTest();
  const { maths: subjectId, setB, setC, terminalExam: terminalExamId } = school.ids;
  const { terminalExamId: another = '' } = await admin.done('AddTerminalExam', { subjectId, name: 'Another', yearSat: 6 });
  const others = ['B1', 'B2', 'B3', 'C1', 'C2', 'C3', 'C4'];
  const scored = (examId: string, scoreOf: (place: number) => string) =>
    leader.done('UploadPriorScores', {
      subjectId,
      terminalExamId: examId,
      yearCompleted: new Date().getUTCFullYear(),
      fileName: 'scores.csv',
      rows: others.map((short, place) => ({ admissionNo: `00${short}`, name: `${short}, Student`, score: scoreOf(place) })),
    });
  await scored(terminalExamId, (place) => (place < 4 ? '7' : '6'));
  await scored(another, () => '5');
  // C4 has more than eleven tenths.
  await upload(leader, testId, { ...Object.fromEntries(['A1', ...others].map((short) => [short, [10]])), C4: [12] });
  const ends = async () => (await A1.ask<GradeGraph>('grade-graph', { testId, terminalExamId })).ends;
  expect(await ends()).toBeNull();
  for (const setId of [setB, setC]) await leader.done('DateAssessment', { subjectId, setId, testId, satOn: '2024-01-10', was: null });
  expect(await ends()).toEqual([
    { endScore: '7', count: 4 },
    { endScore: '6', count: 2 },
  ]);
  // Nobody learns how one student's score or total changed.
  const before = await ends();
  const alone = { subjectId, terminalExamId, yearCompleted: new Date().getUTCFullYear(), fileName: 'late.csv' };
  await leader.done('UploadPriorScores', { ...alone, rows: [{ admissionNo: '00B1', name: 'B1, Student', score: '9' }] });
  await upload(leader, testId, { B2: [20] });
  expect(await ends()).toEqual(before);
});

test('topics of the scheme are those of questions that the class was asked', async () => {
  const { testId, questions } = await shownTest();
  await leader.done('AllocatePrerequisites', {
    subjectId: school.ids.maths,
    changes: [{ schemeTopicId: school.ids.schemeTopic, questionIds: questions.slice(0, 2) }],
  });
  await leader.done('UploadMarks', { ...marksFile(testId, { A1: [4, null, 5], A2: [1, 1, 1] }), fileName: 'marks.csv' });
  const { topics, scheme } = await A1.ask<StudentTopics>('student-topics', { subjectId: school.ids.maths });
  expect(scheme?.name).toBe('Scheme of Mathematics');
  const algebra = topics.find(({ schemeTopicId }) => schemeTopicId === school.ids.schemeTopic);
  expect(algebra).toMatchObject({ name: 'Algebra', value: 26, rag: 'red', predictedFrom: [] });
  expect(algebra?.questions.map(({ number, mark, max }) => [number, mark, max])).toEqual([
    [1, 4, 5],
    [2, null, 10],
  ]);
});

test('what waits is due by its task, and a deleted task is due no more', async () => {
  const { testId, questions } = await shownTest();
  const { maths: subjectId, year: yearGroupId, setA } = school.ids;
  const { terminalExamId = '' } = await admin.done('AddTerminalExam', { subjectId, name: 'Prior of the task', yearSat: 6 });
  const prior = (short: string) => ({ admissionNo: `00${short}`, name: `${short}, Student`, score: 'B' });
  const everybody = Object.keys(school.ids.students);
  await leader.done('UploadPriorScores', {
    subjectId,
    terminalExamId,
    yearCompleted: new Date().getUTCFullYear(),
    fileName: 'prior.csv',
    rows: everybody.map(prior),
  });
  const { taskId = '' } = await leader.done('CreateFeedbackTask', {
    subjectId,
    yearGroupId,
    name: 'Autumn',
    expiry: tomorrow(),
    teacherInput: true,
    maps: [{ setId: setA, testId }],
  });
  const waiting = async () => (await A1.ask<StudentTasks>('student-tasks')).tests.find((one) => one.testId === testId);
  expect(await waiting()).toMatchObject({ taskId, expiry: tomorrow(), overdue: false, submitted: false, waits: true });
  await A1.done('SubmitFeedback', { testId, marks: questions.map((questionId) => ({ questionId, mark: 1 })) });
  expect(await waiting()).toMatchObject({ taskId, submitted: true, waits: false });
  await leader.done('DeleteFeedbackTask', { taskId });
  expect(await waiting()).toBeUndefined();
});

test('rank, score and grade are shown of complete tasks, on the home only if the school says so', async () => {
  const example: Example = await openExample(school);
  const email = 'adams@students.example';
  await admin.done('OpenStudentAccount', { studentId: example.students['Adams'], name: 'Adams', email, password: PASSWORD });
  const adams = new Client(school);
  await adams.signIn(email, PASSWORD);
  const results = async () => (await home(adams)).results;
  const inData = async () => (await adams.ask<MyData>('my-data')).subjects.flatMap((one) => one.results);
  const { taskId = '' } = await leader.done('CreateFeedbackTask', example.task);
  await leader.done('RankTask', { taskId, terminalExamId: example.terminalExamId, testIds: example.testIds });
  await admin.done('ShowResultsToStudents', { shown: true });
  expect(await results()).toEqual([]);
  expect(await inData()).toEqual([]);
  const without = example.setIds.map((setId) => ({ setId, reason: 'Ill' }));
  await leader.done('AssignGrades', { taskId, gradeProfileId: example.gradeProfileId, without });
  const decided = { studentId: example.students['Adams'], ranking: null, score: null, grade: '5', exempt: false };
  await leader.done('DecideResults', { taskId, rows: [decided] });
  await leader.done('CompleteTask', { taskId, without });
  const shown = { ranking: 2, score: 73.68, grade: '5', overridden: ['grade'] };
  expect(await results()).toMatchObject([{ taskId, ...shown }]);
  await admin.done('ShowResultsToStudents', { shown: false });
  expect(await results()).toBeNull();
  const [inMyData] = await inData();
  expect(inMyData).toMatchObject(shown);
  expect(inMyData && resultTexts(inMyData)).toEqual(['grade 5 (overridden)', 'score 73.68', 'rank 2']);
  // Nobody of earlier years has a total in it.
  const [testId] = example.testIds;
  await admin.done('ShowAssessment', { testId, visible: true });
  expect(await adams.ask<GradeGraph>('grade-graph', { testId, terminalExamId: example.terminalExamId })).toMatchObject({
    total: 36,
    from: 33,
    to: 39,
    ends: null,
  });
});

test('students read who has looked and what was changed; staff who view as one see their own part, and not these data', async () => {
  const { testId } = await shownTest();
  await upload(leader, testId, { A1: [12] });
  const teacherB = await school.as('teacherB');
  const seen = (who: Client, name: string, ask: Record<string, string>) =>
    who.send(`/api/queries/${name}?${new URLSearchParams(ask)}`, { headers: asA1() });
  const { maths: subjectId } = school.ids;
  expect((await seen(leader, 'student-home', { subjectId })).status).toBe(200);
  expect((await seen(leader, 'student-card', { testId })).status).toBe(200);
  expect((await seen(leader, 'my-data', {})).status).toBe(403);
  for (const name of ['student-home', 'student-topics']) expect((await seen(teacherB, name, { subjectId })).status).toBe(403);
  const { looks, subjects, name } = await A1.ask<MyData>('my-data');
  expect(name).toBe('A1, Student');
  expect(looks).toMatchObject([{ role: 'leader' }]);
  const mine = subjects.flatMap(({ tests }) => tests).find((one) => one.testId === testId);
  expect(mine?.changes).toMatchObject([{ what: 'total', value: 12, how: 'upload', role: 'leader', undone: false }]);
});
