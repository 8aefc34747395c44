import { beforeAll, describe, expect, test } from 'vitest';
import type { Breakdown, ClassHome, Predictors } from '../../../api/analysis/analysis.contract.ts';
import type { QuestionAnalysis } from '../../../api/analysis/tests.contract.ts';
import type { Mappings } from '../../../api/assessments/mapping/mapping.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { studentNames } from '../../support/school.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

/**
 * `mock` has questions of 5, 10 and 5 marks. In 11A somebody left a question out (A1), somebody was absent after all (A3), and of somebody
 * only a total is known (A4); in 11B somebody was exempt after all (B3).
 */
const MARKS = { A1: [5, 4, null], A2: [2, 2, 5], A3: [1, 1, 1], B1: [5, 10, 5], B2: [0, 0, 0], B3: [1, 1, 1] };
const { school, leader, teacherA, teacherB } = await schoolOfFile('leader', 'teacherA', 'teacherB');
const { newTest, marksFile, upload, enter } = marksIn(() => school);

beforeAll(async () => {
  const { maths: subjectId, mock: testId, setA, setB, students, questions, schemeTopic: schemeTopicId } = school.ids;
  await leader.done('UploadMarks', { ...marksFile(testId, MARKS, [setA, setB]), fileName, satOn: '2026-01-10' });
  await upload(leader, testId, { A4: [12] });
  const away = (short: string, is: string) => ({ studentId: students[short], testId, attendance: true, is });
  await enter(leader, [away('A3', 'absent'), away('B3', 'exempt')]);
  const admin = await school.as('admin');
  await admin.done('ReplaceTopicTree', { subjectId, title: 'Mathematics', paths: [['Number', 'Fractions'], ['Shape']] });
  const { tree } = await admin.ask<Mappings>('mappings', { subjectId });
  const [number, fractions] = tree?.topics ?? [];
  await leader.done('MapSchemeTopics', { subjectId, changes: [{ schemeTopicId, topicIds: [number?.topicId], was: [] }] });
  await leader.done('MapQuestions', { subjectId, changes: [{ questionId: questions[0], topicIds: [fractions?.topicId], was: [] }] });
  await leader.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId, questionIds: [questions[2]], was: [] }] });
});

const home = (who = leader, set: 'setA' | 'setB' | 'setC' = 'setA') => who.ask<ClassHome>('class-home', { setId: school.ids[set] });
const predictors = (who = leader) => who.ask<Predictors>('progress-predictors', { setId: school.ids.setA });

describe('class home', () => {
  test('an assessment: averages by staff totals, questions by the marks that count, and who is left out of which', async () => {
    const { completed, ...head } = await home();
    expect(head).toMatchObject({ name: '11A', students: 4, thresholds: { red: 0, amber: 40, green: 70 } });
    const [mock] = completed;
    expect(completed).toHaveLength(1);
    expect(mock).toMatchObject({ name: 'Mock', max: 20, day: '2026-01-10' });
    // A2 has 9 of 20, A4 12; A1 has no total, because a question is not marked. Beside them B1 has 20 and B2 0.
    expect(mock?.average).toEqual({ n: 2, mean: 52.5, sd: expect.closeTo(Math.sqrt(2 * 7.5 ** 2), 9) as unknown });
    expect(mock?.all).toEqual({ n: 4, mean: 51.25 });
    expect(mock?.leftOut.map(({ name, why }) => `${name} ${why}`)).toEqual([
      'A1, Student no-total',
      'A3, Student absent',
      'A4, Student no-marks',
    ]);
    // What A1 left out counts 0.
    expect(mock?.questions.map(({ own, all }) => [own.sum, own.n, all.sum, all.n])).toEqual([
      [7, 2, 12, 4],
      [6, 2, 16, 4],
      [5, 2, 10, 4],
    ]);
    const places = (list: readonly { readonly questionId: string }[] = []) =>
      list.map(({ questionId }) => school.ids.questions.indexOf(questionId) + 1);
    const { percentage, comparison } = mock!.targets;
    expect([places(percentage.strengths), places(percentage.weaknesses)]).toEqual([[1, 3], [2]]);
    expect(comparison.strengths.map(({ difference }) => difference)).toEqual([0.1, 0]);
    expect(comparison.weaknesses.map(({ ratio, difference }) => [ratio, difference])).toEqual([[0.3, -0.1]]);
    expect(mock?.reliability).toBeNull();
  });

  test('who is exempt has sat nothing, whatever marks there are of them', async () => {
    const [mock] = (await home(leader, 'setB')).completed;
    expect([mock?.average.n, mock?.questions.map(({ own }) => own.n)]).toEqual([2, [2, 2, 2]]);
    expect(mock?.leftOut.map(({ name, why }) => `${name} ${why}`)).toEqual([
      'B3, Student exempt',
      'B4, Student no-marks',
      'B4, Student no-total',
    ]);
  });

  test('a topic: the questions mapped by hand, and those at or below a pre-requisite', async () => {
    const { topics, prerequisites, scheme } = await home();
    expect(scheme?.name).toBe('Scheme of Mathematics');
    expect(topics).toMatchObject([{ name: 'Algebra', value: 60, rag: 'amber', marks: 12, available: 20, predicted: false }]);
    expect(topics[0]?.questions.map(({ byHand, through, marks, available }) => [byHand, through.length, marks, available])).toEqual([
      [false, 1, 7, 10],
      [true, 0, 5, 10],
    ]);
    expect(prerequisites.map(({ name }) => name)).toEqual(['Number']);
  });

  test('a class of which nobody sat anything has topics without values and no completed assessment', async () => {
    const { topics, completed, tests } = await home(leader, 'setC');
    expect([topics.map(({ value, rag, predicted }) => [value, rag, predicted]), completed, tests]).toEqual([[[null, null, false]], [], []]);
  });

  test('teachers see their own classes only', async () => {
    expect((await home(teacherA)).completed).toHaveLength(1);
    const { status, body } = await teacherB.query('class-home', { setId: school.ids.setA });
    expect([status, body.title]).toEqual([403, 'You see your own classes only.']);
  });

  test('what is contested or above its maximum is said of each figure that rests on it', async () => {
    const { mock: testId, students, questions } = school.ids;
    // Somebody who has not seen the 2 of A2 in Q1.
    const cell = { studentId: students['A2'], testId, questionId: questions[0], is: 4, was: [] };
    const { entryId, commandId } = await enter(teacherA, [cell]);
    const { completed, topics } = await home();
    const open = { contested: 1, aboveMaximum: 0 };
    const [first, second] = completed[0]?.questions ?? [];
    expect([first?.own.open, first?.all.open, second?.own.open, completed[0]?.average.open]).toEqual([open, open, undefined, open]);
    expect([topics[0]?.open, topics[0]?.questions[0]?.open, topics[0]?.questions[1]?.open]).toEqual([open, open, undefined]);
    const { of } = await predictors();
    expect(of.map((one) => one.topics[0]?.open)).toEqual([undefined, open, undefined, undefined]);
    await teacherA.done('UndoCommand', { entryId, commandId });
    expect((await home()).completed[0]?.questions[0]?.own.open).toBeUndefined();
  });
});

describe('progress predictors', () => {
  test('a topic of each student: of the questions that the class was asked, in the tests that the student sat', async () => {
    const { topics, of, schemes } = await predictors(teacherA);
    expect(schemes.map(({ name }) => name)).toEqual(['Scheme of Mathematics']);
    expect(topics.map(({ name, predicted, questions }) => [name, predicted, questions.length])).toEqual([['Algebra', false, 2]]);
    expect(of.map(({ name, topics: [topic] }) => [name, topic && [topic.value, topic.rag, topic.marks, topic.available]])).toEqual([
      ['A1, Student', [50, 'amber', 5, 10]],
      ['A2, Student', [70, 'amber', 7, 10]],
      ['A3, Student', null],
      ['A4, Student', null],
    ]);
  });

  test('the questions behind it, with what was left out', async () => {
    const { setA: setId, students, schemeTopic: schemeTopicId } = school.ids;
    const breakdown = await teacherA.ask<Breakdown>('predictor-questions', { setId, studentId: students['A1'], schemeTopicId });
    expect(breakdown).toMatchObject({ student: 'A1, Student', name: 'Algebra', value: 50, prerequisites: [{ name: 'Number' }] });
    expect(breakdown.questions.map(({ test: of, number, mark, byHand }) => [of, number, mark, byHand])).toEqual([
      ['Mock', 1, 5, false],
      ['Mock', 3, null, true],
    ]);
    const elsewhere = await leader.query('predictor-questions', { setId, studentId: students['B1'], schemeTopicId });
    expect([elsewhere.status, elsewhere.body.title]).toEqual([404, 'There is no such student in this class.']);
  });

  test('a topic without a question of its own is predicted', async () => {
    const { maths: subjectId, schemeTopic: schemeTopicId, questions } = school.ids;
    const allocate = (questionIds: readonly string[], was: readonly string[]) =>
      leader.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId, questionIds, was }] });
    await allocate([], [questions[2] ?? '']);
    expect((await home()).topics).toMatchObject([{ value: 70, rag: 'amber', predicted: true }]);
    expect((await predictors()).topics).toMatchObject([{ predicted: true }]);
    await allocate([questions[2] ?? ''], []);
  });
});

test('a question is as reliable for a claim about a student as its topic', async () => {
  const testId = await newTest();
  const { setA, setB, setC, year: yearGroupId } = school.ids;
  const marks = Object.fromEntries(studentNames.map((short, index) => [short, [index % 6, (2 * index) % 11, index % 4]]));
  await leader.done('UploadMarks', { ...marksFile(testId, marks, [setA, setB, setC]), fileName });
  const analysis = await leader.ask<QuestionAnalysis>('question-analysis', { testId, yearGroupId });
  const about = (await home()).completed.find((one) => one.testId === testId);
  const [topic] = analysis.topics;
  // All three questions are of one topic: it is as reliable as the test.
  expect(topic?.reliability).toBeCloseTo(analysis.all.alpha ?? Number.NaN, 9);
  expect(about?.questions.map(({ reliability }) => reliability)).toEqual([topic?.reliability, topic?.reliability, topic?.reliability]);
  expect(about?.reliability).toBeLessThan(topic?.reliability ?? 0);
});
