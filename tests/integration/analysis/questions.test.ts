import { beforeAll, expect, test } from 'vitest';
import type { QuestionAnalysis, QuestionStudents } from '../../../api/analysis/tests.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader, teacherA } = await schoolOfFile('leader', 'teacherA');
const { marksFile, upload } = marksIn(() => school);

/** `mock` has questions of 5, 10 and 5 marks; nobody has a mark for the third. Of A4 only a total is known. */
beforeAll(async () => {
  const { mock: testId, setA, setB } = school.ids;
  const marks = { A1: [5, 4, null], A2: [null, 10, null], A3: [0, 1, null], B1: [5, 5, null] };
  await leader.done('UploadMarks', { ...marksFile(testId, marks, [setA, setB]), fileName });
  await upload(leader, testId, { A4: [12] });
  // What was taken back is nobody without marks.
  const { entryId, commandId } = await leader.done('UploadMarks', { ...marksFile(testId, { B2: [1, 1, 1] }, [setB]), fileName });
  await leader.done('UndoCommand', { entryId, commandId });
});

const analysis = (who = leader, more: object = {}) =>
  who.ask<QuestionAnalysis>('question-analysis', { testId: school.ids.mock, yearGroupId: school.ids.year, ...more });

test('everybody, the year group and each class: shares, distribution, and nothing about so few students that they would not show', async () => {
  const { all, ofYear, sets, questions } = await analysis();
  expect(questions.map(({ number, max, reliability }) => [number, max, reliability])).toEqual([
    [1, 5, null],
    [2, 10, null],
    [3, 5, null],
  ]);
  expect(all).toMatchObject({ n: 4, k: 2, evidence: 'none', mean: 7.5, alpha: null, leftOut: { absent: 0, exempt: 0, noMarks: 1 } });
  expect(ofYear).toMatchObject({ n: 4, leftOut: { noMarks: 8 } });
  expect(sets.map(({ name, n, leftOut }) => [name, n, leftOut.noMarks])).toEqual([
    ['11A', 3, 1],
    ['11B', 1, 3],
    ['11C', 0, 4],
  ]);
  // A1 5, A2 nothing, A3 0 of 5; the third question has no figure.
  expect(sets[0]?.questions).toEqual([
    {
      facility: expect.closeTo(1 / 3, 9) as unknown,
      discrimination: null,
      zero: expect.closeTo(2 / 3, 9) as unknown,
      full: expect.closeTo(1 / 3, 9) as unknown,
      distribution: [
        [0, 2],
        [5, 1],
      ],
      alphaIfDeleted: null,
    },
    expect.objectContaining({ facility: 0.5 }),
    null,
  ]);
});

test('teachers see their own classes, and of the others the year as a whole', async () => {
  const { sets, ofYear } = await analysis(teacherA);
  expect([sets.map(({ name }) => name), ofYear.n]).toEqual([['11A'], 4]);
  expect((await analysis(teacherA, { setId: school.ids.setA })).sets).toHaveLength(1);
  const other = await teacherA.query('question-analysis', {
    testId: school.ids.mock,
    yearGroupId: school.ids.year,
    setId: school.ids.setB,
  });
  expect([other.status, other.body.title]).toEqual([403, 'You see your own classes only.']);
});

test('the students behind a question, with how they did in the others', async () => {
  const { mock: testId, questions, setA: setId, year: yearGroupId } = school.ids;
  const ask = { testId, questionId: questions[0] };
  const { students } = await teacherA.ask<QuestionStudents>('question-students', { ...ask, setId });
  expect(students.map(({ name, mark, rest, open }) => [name, mark, rest, open])).toEqual([
    ['A1, Student', 5, 0.4, false],
    ['A2, Student', null, 1, false],
    ['A3, Student', 0, 0.1, false],
  ]);
  const ofYear = await leader.ask<QuestionStudents>('question-students', { ...ask, yearGroupId });
  expect(ofYear.students).toHaveLength(4);
  expect((await teacherA.query('question-students', { ...ask, yearGroupId })).status).toBe(403);
  expect((await leader.query('question-students', { ...ask, questionId: testId, setId })).body.title).toBe('There is no such question.');
});
