import { expect, test } from 'vitest';
import { SaveQuestions } from '../../../api/assessments/some-questions.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';

const testId = id('mock');
const created: Happened = { type: 'AssessmentCreated', data: { subjectId: id('maths'), name: 'Mock' } };
const paper = (...topics: readonly string[]): Happened => ({
  type: 'QuestionsUploaded',
  data: { questions: topics.map((topic, index) => ({ questionId: id(topic), number: index + 1, topic, marksAvailable: 2 })) },
});
const there = [created, paper('A', 'B', 'C')];
const saved = (input: object, entered: readonly object[] = [], happened = there) =>
  given(happened)
    .when(SaveQuestions, { testId, ...input }, entered)
    .events()
    .flatMap((event) => (event.type === 'QuestionsEdited' ? event.data.questions : []));
const inOrder = (input: object, happened = there) => saved(input, [], happened).map(({ number, topic }) => `${number} ${topic}`);

test('a question is edited by itself, and keeps its identity wherever it comes', () => {
  expect(saved({ save: [{ questionId: id('B'), topic: 'Beta', marksAvailable: 5 }] })[1]).toEqual({
    questionId: id('B'),
    number: 2,
    topic: 'Beta',
    marksAvailable: 5,
  });
  expect(inOrder({ save: [{ questionId: id('A'), number: 3 }] })).toEqual(['1 B', '2 C', '3 A']);
  expect(inOrder({ save: [{ questionId: id('C'), number: 1 }] })).toEqual(['1 C', '2 A', '3 B']);
  given(there)
    .when(SaveQuestions, { testId, save: [{ questionId: id('B'), number: 2, topic: 'B' }] }, [])
    .nothing();
});

test('a whole paper comes out in the order of its numbers, a new question without one last', () => {
  const rows = ['X', 'Y', 'Z'].map((topic, index) => ({ questionId: null, number: 3 - index, topic, marksAvailable: 1 }));
  expect(inOrder({ save: rows }, [created])).toEqual(['1 Z', '2 Y', '3 X']);
  expect(saved({ save: [{ questionId: null, topic: 'D', marksAvailable: 1 }] })[3]).toEqual({
    questionId: made('question-1'),
    number: 4,
    topic: 'D',
    marksAvailable: 1,
  });
});

test('a removed question comes back with its marks, and a gap closes', () => {
  expect(inOrder({ remove: [id('B')] })).toEqual(['1 A', '2 C']);
  const gone = [...there, paper('A', 'C')];
  expect(inOrder({ save: [{ questionId: id('B'), number: 2 }] }, gone)).toEqual(['1 A', '2 B', '3 C']);
});

test('numbers have no gaps, topic and mark are required, and a maximum stays above what was entered', () => {
  const when = (input: object, entered: readonly object[] = []) => given(there).when(SaveQuestions, { testId, ...input }, entered);
  when({ save: [{ questionId: null, number: 6, topic: 'F', marksAvailable: 1 }] }).refused(
    'Questions are not numbered sequentially. Please check your upload file.',
    'save.0.number',
  );
  when({ save: [{ questionId: null, topic: 'D' }] }).refused('Required.', 'save.0.marksAvailable');
  when({ save: [{ questionId: id('nobody'), topic: 'D' }] }).refused('This question is not one of this assessment.');
  when({ save: [{ questionId: id('A'), marksAvailable: 1 }] }, [{ name: 'Lee', questionId: id('A'), number: 1, mark: 2 }]).refused(
    'There are marks above the new maximum: correct them first.',
  );
});
