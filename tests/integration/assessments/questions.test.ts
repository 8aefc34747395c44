import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import type { Problem } from '../../../api/contract/problem.ts';
import type { AssessmentContents } from '../../../api/assessments/assessments.contract.ts';
import { fileName, marksIn } from '../../support/marks.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, leader } = await schoolOfFile('admin', 'leader');
afterEach(() => void vi.useRealTimers());

const { marksFile } = marksIn(() => school);

const file = (...topics: readonly string[]) => topics.map((topic, index) => ({ number: index + 1, topic, marksAvailable: 5 }));
const contents = (testId: string) => admin.ask<AssessmentContents>('assessment', { testId });
/** The marks of a student by topic: 'Algebra 3'. */
const marksOf = async (testId: string, admissionNo: string) => {
  const { rows } = await admin.ask<{ rows: readonly (readonly (string | number | null)[])[] }>('export-results', { testId });
  const marks = rows.find(([id]) => id === admissionNo)?.slice(2) ?? [];
  return (await contents(testId)).questions.map(({ topic }, index) => `${topic} ${marks[index] ?? '-'}`);
};

/** A paper with marks of two students for Algebra, Ratio and Shape. */
const marked = async (name: string) => {
  const { testId = '' } = await admin.done('CreateAssessment', { subjectId: school.ids.maths, name });
  await admin.done('UploadQuestions', { testId, questions: file('Algebra', 'Ratio', 'Shape') });
  await leader.done('UploadMarks', { ...marksFile(testId, { A1: [1, 2, 3], A2: [4, 5, 0] }), fileName });
  const { questions } = await contents(testId);
  const idOf = (topic: string) => questions.find((one) => one.topic === topic)?.questionId ?? '';
  return { testId, idOf };
};

const asked = async (testId: string, questions: ReturnType<typeof file>): Promise<Problem> => {
  const before = await school.backend.store.head();
  const { status, body } = await admin.command('UploadQuestions', { testId, questions });
  expect([status, body.code]).toEqual([409, 'answers-needed']);
  expect(await school.backend.store.head()).toBe(before);
  return body;
};

describe('a file that brings other questions where there are marks', () => {
  test('in another order changes nothing until it is said which question is which, and then no mark changes its topic', async () => {
    const { testId, idOf } = await marked('In another order');
    const { asks } = await asked(testId, file('Shape', 'Algebra', 'Ratio'));
    expect(asks?.questions?.map(({ number, was, likely }) => [number, was?.topic, was?.marks, likely])).toEqual([
      [1, 'Algebra', 2, idOf('Shape')],
      [2, 'Ratio', 2, idOf('Algebra')],
      [3, 'Shape', 2, idOf('Ratio')],
    ]);
    const answers = asks?.questions?.map(({ number, likely }) => ({ number, questionId: likely }));
    await admin.done('UploadQuestions', { testId, questions: file('Shape', 'Algebra', 'Ratio'), answers });
    expect(await marksOf(testId, '00A1')).toEqual(['Shape 3', 'Algebra 1', 'Ratio 2']);
  });

  test('another question starts without marks; undo brings back the old one with its own', async () => {
    const { testId, idOf } = await marked('Another question');
    await asked(testId, file('Algebra', 'Vectors', 'Shape'));
    const answers = [{ number: 2, questionId: null }];
    const { commandId } = await admin.done('UploadQuestions', { testId, questions: file('Algebra', 'Vectors', 'Shape'), answers });
    expect(await marksOf(testId, '00A1')).toEqual(['Algebra 1', 'Vectors -', 'Shape 3']);
    expect((await contents(testId)).removed).toMatchObject([
      { questionId: idOf('Ratio'), number: 2, topic: 'Ratio', marks: 2, removedAt: expect.stringMatching(/^20/) },
    ]);
    await admin.done('UndoQuestions', { testId, commandId });
    expect(await marksOf(testId, '00A1')).toEqual(['Algebra 1', 'Ratio 2', 'Shape 3']);
    expect((await contents(testId)).removed).toEqual([]);
  });

  test('a removed one whose number returns is offered with its marks, and is not revived by another topic', async () => {
    const { testId, idOf } = await marked('One that returns');
    await admin.done('UploadQuestions', { testId, questions: file('Algebra', 'Ratio') });
    const { asks } = await asked(testId, file('Algebra', 'Ratio', 'Vectors'));
    expect(asks?.questions).toMatchObject([{ number: 3, was: null, likely: null, mayBe: [{ questionId: idOf('Shape'), marks: 2 }] }]);
    const vectors = { testId, questions: file('Algebra', 'Ratio', 'Vectors'), answers: [{ number: 3, questionId: null }] };
    const { commandId } = await admin.done('UploadQuestions', vectors);
    expect(await marksOf(testId, '00A1')).toEqual(['Algebra 1', 'Ratio 2', 'Vectors -']);
    await admin.done('UndoQuestions', { testId, commandId });
    const shape = { testId, questions: file('Algebra', 'Ratio', 'Shape'), answers: [{ number: 3, questionId: idOf('Shape') }] };
    await admin.done('UploadQuestions', shape);
    expect(await marksOf(testId, '00A1')).toEqual(['Algebra 1', 'Ratio 2', 'Shape 3']);
  });

  test('answers of an old preview are refused where somebody else has changed the questions meanwhile', async () => {
    const { testId, idOf } = await marked('An old preview');
    const was = (await contents(testId)).questions.map(({ questionId, topic, marksAvailable }) => ({ questionId, topic, marksAvailable }));
    const edited = ['Ratio', 'Algebra', 'Shape'].map((topic) => ({ questionId: idOf(topic), topic, marksAvailable: 5 }));
    await admin.done('EditQuestions', { testId, questions: edited });
    const answers = [{ number: 1, questionId: idOf('Algebra') }];
    const old = { testId, questions: file('Vectors', 'Ratio', 'Shape'), answers };
    expect((await admin.command('UploadQuestions', { ...old, was })).status).toBe(412);
    // Without what was seen, the questions that the answers do not speak of are asked about.
    const { status, body } = await admin.command('UploadQuestions', old);
    expect([status, body.asks?.questions?.map(({ number }) => number)]).toEqual([409, [2]]);
  });

  test('mappings stay with the question', async () => {
    const { testId, idOf } = await marked('With mappings');
    const { maths: subjectId } = school.ids;
    const { schemes } = await admin.ask<{ schemes: readonly { topics: readonly { schemeTopicId: string }[] }[] }>('mappings', {
      subjectId,
    });
    const schemeTopicId = schemes.flatMap(({ topics }) => topics)[0]?.schemeTopicId;
    await admin.done('AllocatePrerequisites', { subjectId, changes: [{ schemeTopicId, questionIds: [idOf('Ratio')] }] });
    const { asks } = await asked(testId, file('Ratio', 'Algebra', 'Shape'));
    const answers = asks?.questions?.map(({ number, likely }) => ({ number, questionId: likely }));
    await admin.done('UploadQuestions', { testId, questions: file('Ratio', 'Algebra', 'Shape'), answers });
    expect((await contents(testId)).questions).toMatchObject([
      { topic: 'Ratio', number: 1, marks: 2, mappings: 1 },
      { topic: 'Algebra', number: 2, marks: 2, mappings: 0 },
      { topic: 'Shape' },
    ]);
  });
});

test('a marks file that was checked before the questions were put in another order is not stored', async () => {
  const { testId, idOf } = await marked('Checked before');
  const marks = marksFile(testId, { A3: [5, 0, 1] });
  const { questionIds } = await leader.ask<UploadPreview>('preview-marks', marks);
  expect(questionIds).toEqual(['Algebra', 'Ratio', 'Shape'].map(idOf));
  const edited = ['Shape', 'Algebra', 'Ratio'].map((topic) => ({ questionId: idOf(topic), topic, marksAvailable: 5 }));
  await admin.done('EditQuestions', { testId, questions: edited });

  const { status, body } = await leader.command('UploadMarks', { ...marks, fileName, questionIds }, { key: randomUUID() });
  expect([status, body.code]).toEqual([412, 'precondition-failed']);
  expect(body.title).toBe('The questions of this assessment were changed since you checked the file. Check it again.');
  const again = await leader.ask<UploadPreview>('preview-marks', marks);
  expect(await leader.done('UploadMarks', { ...marks, fileName, questionIds: again.questionIds })).toMatchObject({ stored: 3 });
  expect(await marksOf(testId, '00A3')).toEqual(['Shape 5', 'Algebra 0', 'Ratio 1']);
});

describe('whether marks were entered since, before questions are put back, is what the order of the log says', () => {
  const HOUR = 3_600_000;
  const began = Date.now();
  /** With a clock that is ahead of, or behind, that of the other processes. */
  const withClock = async <Result>(ahead: number, act: () => Promise<Result>): Promise<Result> => {
    vi.useFakeTimers({ toFake: ['Date'], now: began + ahead });
    const result = await act();
    vi.useRealTimers();
    return result;
  };
  const another = (testId: string) => () =>
    admin.done('UploadQuestions', { testId, questions: file('Vectors', 'Ratio', 'Shape'), answers: [{ number: 1, questionId: null }] });
  const typed = (testId: string, student: string) => async () =>
    leader.done('UploadMarks', { ...marksFile(testId, { [student]: [1, null, null] }), fileName });

  test('marks that came after the questions keep them, though their clock says earlier', async () => {
    const { testId } = await marked('Typed after, said earlier');
    const { commandId } = await withClock(HOUR, another(testId));
    await withClock(-HOUR, typed(testId, 'A1'));
    const { status, body } = await admin.command('UndoQuestions', { testId, commandId });
    expect([status, body.title]).toEqual([409, expect.stringContaining('for questions that the earlier paper does not have (question 1)')]);
    expect(await marksOf(testId, '00A1')).toEqual(['Vectors 1', 'Ratio 2', 'Shape 3']);
  });

  test('marks that came before are those of the earlier paper, though their clock says later', async () => {
    const { testId, idOf } = await marked('Typed before, said later');
    await withClock(HOUR, typed(testId, 'A2'));
    // The same question with another topic: its marks are those that were there before.
    const answers = [{ number: 1, questionId: idOf('Algebra') }];
    const { commandId } = await withClock(-HOUR, () =>
      admin.done('UploadQuestions', { testId, questions: file('Equations', 'Ratio', 'Shape'), answers }),
    );
    await admin.done('UndoQuestions', { testId, commandId });
    expect(await marksOf(testId, '00A2')).toEqual(['Algebra 1', 'Ratio 5', 'Shape 0']);
  });
});
