import { expect, test } from 'vitest';
import type { ClassHome } from '../../../api/analysis/analysis.contract.ts';
import type { Dashboard, HistoricTotals, QuestionAnalysis, ResidualsAnswer } from '../../../api/analysis/tests.contract.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';
import { openExample } from '../../support/worked-example.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');
const { newTest, upload, marksFile, enter } = marksIn(() => school);

const dashboard = () => leader.ask<Dashboard>('leader-dashboard', { yearGroupId: school.ids.year });
const testOf = async (testId: string) => (await dashboard()).tests.find((one) => one.testId === testId);

test('classes and school years by staff totals, with who is left out; a day that a set says moves its year', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A1: [10], A2: [14], A3: [2], B1: [20] }, { satOn: '2026-01-10' });
  await enter(teacherA, [{ studentId: school.ids.students['A3'], testId, attendance: true, is: 'exempt' }]);
  const before = await testOf(testId);
  expect(before).toMatchObject({ day: '2026-01-10', max: 20, all: { n: 3 }, undated: 0 });
  expect(before?.averages).toMatchObject([
    { setId: school.ids.setA, n: 2, mean: 60, stands: 'few', leftOut: { absent: 0, exempt: 1, noTotal: 1 } },
    { setId: school.ids.setB, n: 1, mean: 100, leftOut: { noTotal: 3 } },
  ]);
  expect(before?.historic).toEqual([{ schoolYear: 2025, n: 3, mean: expect.closeTo(220 / 3, 9) as unknown }]);

  const { maths: subjectId, setB: setId } = school.ids;
  await leader.done('DateAssessment', { subjectId, setId, testId, satOn: '2025-06-10', was: null });
  expect((await testOf(testId))?.historic).toEqual([
    { schoolYear: 2024, n: 1, mean: 100 },
    { schoolYear: 2025, n: 2, mean: 60 },
  ]);
});

test('a result has the day of the file by which it stands, not that of a later one beside it', async () => {
  const testId = await newTest();
  await upload(leader, testId, { A1: [10] }, { satOn: '2025-06-10' });
  // The total goes before the sum of the marks.
  await leader.done('UploadMarks', { ...marksFile(testId, { A1: [5, 1, 2] }), fileName, satOn: '2026-01-10' });
  expect(await testOf(testId)).toMatchObject({ day: '2025-06-10', historic: [{ schoolYear: 2024, n: 1, mean: 50 }] });
  const { completed } = await leader.ask<ClassHome>('class-home', { setId: school.ids.setA });
  expect(completed.find((one) => one.testId === testId)?.day).toBe('2025-06-10');
});

test('without a day from anybody a class sat it on the day of its first mark', async () => {
  const testId = await newTest();
  const { setA: setId, students } = school.ids;
  const now = Date.now();
  const daysAgo = (days: number) => new Date(now - days * 24 * 3_600_000).toISOString();
  for (const [short, days] of Object.entries({ A2: 5, A1: 9, A3: 7 }))
    await enter(teacherA, [{ studentId: students[short], testId, is: 10 }], { typedAt: daysAgo(days) });
  const { completed } = await leader.ask<ClassHome>('class-home', { setId });
  expect(completed.find((one) => one.testId === testId)?.day).toBe(daysAgo(9).slice(0, 10));
});

test('whoever is off roll counts in the school year of the day, and in no class of now', async () => {
  const testId = await newTest();
  await upload(leader, testId, { C3: [10], C4: [16] }, { satOn: '2026-01-10' });
  const admin = await school.as('admin');
  const { maths: subjectId, students } = school.ids;
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['C4'], place: 'off-roll' }] });
  const shown = await testOf(testId);
  expect(shown?.averages).toMatchObject([{ n: 1, mean: 50 }]);
  expect(shown?.historic).toMatchObject([{ schoolYear: 2025, n: 2, mean: 65 }]);
  const { year: yearGroupId } = school.ids;
  const behind = (schoolYear: string) => leader.ask<HistoricTotals>('historic-totals', { yearGroupId, testId, schoolYear });
  expect((await behind('2025')).students.map(({ total, day }) => ({ total, day }))).toEqual([
    { total: 10, day: '2026-01-10' },
    { total: 16, day: '2026-01-10' },
  ]);
  expect((await behind('2024')).students).toEqual([]);
});

test('whoever came and was taken off roll on the day of the test counts in its school year', async () => {
  const testId = await newTest();
  const { maths: subjectId, setC: setId, students } = school.ids;
  const admin = await school.as('admin');
  const guest = { subjectId, setId, admissionNo: 'guest', name: 'Guest, Gus', dateOfBirth: null };
  const { studentId } = await admin.done('AddStudent', guest);
  for (const one of [studentId, students['C3']]) await enter(leader, [{ studentId: one, testId, is: one === studentId ? 12 : 8 }]);
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId, place: 'off-roll' }] });
  expect(await testOf(testId)).toMatchObject({ averages: [{ n: 1 }], historic: [{ n: 2, mean: 50 }], undated: 0 });
});

test('a total is above its maximum by one of its marks, and is said of every average that it is in', async () => {
  const testId = await newTest();
  const marks = { ...marksFile(testId, { A1: [1, 9, 1], A2: [5, 4, 5] }), fileName };
  const { entryId, commandId } = await leader.done('UploadMarks', marks);
  await leader.done('UndoCommand', { entryId, commandId });
  const admin = await school.as('admin');
  const { questions } = await admin.ask<AssessmentContents>('assessment', { testId });
  const lowered = questions.map(({ questionId, topic }, place) => ({ questionId, topic, marksAvailable: [5, 6, 9][place] }));
  await admin.done('EditQuestions', { testId, questions: lowered });
  await leader.done('RedoCommand', { entryId, commandId, anyway: true });
  const open = { contested: 0, aboveMaximum: 1 };
  const { completed } = await leader.ask<ClassHome>('class-home', { setId: school.ids.setA });
  expect(completed.find((one) => one.testId === testId)).toMatchObject({ average: { n: 2, open }, all: { n: 2, open } });
  expect(await testOf(testId)).toMatchObject({ averages: [{ n: 2, open }] });
});

test('whoever is removed takes their results out of every figure, and an undo brings them back', async () => {
  const testId = await newTest();
  const { year: yearGroupId, setC: setId, maths: subjectId, students } = school.ids;
  await leader.done('UploadMarks', {
    ...marksFile(testId, { C1: [5, 10, 5], C2: [0, 4, 1], C3: [1, 0, 0] }, [setId]),
    fileName,
    satOn: '2026-01-10',
  });
  const shown = async () => {
    const { completed } = await leader.ask<ClassHome>('class-home', { setId });
    const { all } = await leader.ask<QuestionAnalysis>('question-analysis', { testId, yearGroupId });
    const ofAll = completed.find((one) => one.testId === testId);
    return {
      years: (await testOf(testId))?.historic.map(({ n, mean }) => [n, Math.round(mean)]),
      all: [ofAll?.all?.n, Math.round(ofAll?.all?.mean ?? -1)],
      analysed: [all.n, all.mean],
      call: await (await leader.send(`/api/teacher/17?TestID=${testId}`)).json(),
    };
  };
  const before = await shown();
  const admin = await school.as('admin');
  const { commandId } = await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['C1'], place: 'removed' }] });
  expect(await shown()).toMatchObject({ years: [[2, 15]], all: [2, 15], analysed: [2, 3] });
  await admin.done('UndoRosterChange', { subjectId, commandId });
  expect(await shown()).toEqual(before);
});

test('beside the score: standing in this cohort; of nine with a prior there is no line', async () => {
  const { yearGroupId, task, terminalExamId, testIds, gradeProfileId, students } = await openExample(school);
  expect(await leader.ask<ResidualsAnswer>('residuals', { yearGroupId })).toMatchObject({ taskId: null, line: null, students: [] });
  const { taskId } = await leader.done('CreateFeedbackTask', { ...task, teacherInput: false });
  await leader.done('RankTask', { taskId, terminalExamId, testIds });
  const answer = await leader.ask<ResidualsAnswer>('residuals', { yearGroupId });
  expect(answer).toMatchObject({ taskId, line: null, sets: [] });
  const of = (surname: string) => answer.students.find(({ studentId }) => studentId === students[surname]);
  // Scores 81.89 73.68 63.20 56.19 50.80 43.34 39.65 35.02 35.02 16.91: mean 49.57, SD 18.67.
  expect([of('Clark'), of('Jones')]).toMatchObject([
    { residual: null, standardised: 126, percentile: 95 },
    { residual: null, standardised: 88, percentile: 20 },
  ]);
  expect((await teacherA.query('residuals', { yearGroupId })).status).toBe(200);
  // Whoever is left out of the task is not there to be compared with.
  await leader.done('AssignGrades', { taskId, gradeProfileId });
  const exempt = { studentId: students['Clark'], ranking: null, score: null, grade: null, exempt: true };
  await leader.done('DecideResults', { taskId, rows: [exempt] });
  const others = (await leader.ask<ResidualsAnswer>('residuals', { yearGroupId })).students;
  expect([others.length, others.some(({ studentId }) => studentId === students['Clark'])]).toEqual([9, false]);
});
