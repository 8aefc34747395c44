import { describe, expect, test } from 'vitest';
import {
  CreateAssessment,
  DeleteAssessment,
  EditQuestions,
  RenameAssessment,
  RestoreAssessment,
  ShowAssessment,
  UndoQuestions,
  UploadQuestions,
} from '../../../api/assessments/assessment.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const testId = id('mock');
const created: Happened = { type: 'AssessmentCreated', data: { subjectId, name: 'Mock' } };
const asked = (marks: readonly number[]) => marks.map((marksAvailable, index) => ({ number: index + 1, topic: 'Topic', marksAvailable }));
const paper = (marks: readonly number[]): Happened => ({
  type: 'QuestionsUploaded',
  data: { questions: asked(marks).map((question) => ({ questionId: id(`Q${question.number}`), ...question })) },
});
/** Neither marks nor mappings. */
const nothing = { entered: [], held: {} };
const noTest = 'There is no such assessment.';
const taken = 'Assessment name needs to be unique';

const renameAssessment = deciding(RenameAssessment, { testId }, []);
const showAssessment = deciding(ShowAssessment, { testId });
const uploadQuestions = deciding(UploadQuestions, { testId }, nothing);
const restoreAssessment = deciding(RestoreAssessment, { testId }, []);

test('an assessment has a subject, and a name of its own there', () => {
  given([])
    .when(CreateAssessment, { subjectId, name: 'Mock' }, ['Other'])
    .then([{ type: 'AssessmentCreated', data: { subjectId, name: 'Mock' } }]);
  given([]).when(CreateAssessment, { subjectId, name: 'other' }, ['Other']).refused(taken, 'name');
});

test('it is renamed to a name of its own', () => {
  renameAssessment([created], { name: 'Final' }, ['Other']).then([{ type: 'AssessmentRenamed', data: { name: 'Final' } }]);
  renameAssessment([created], { name: 'OTHER' }, ['Other']).refused(taken, 'name');
  renameAssessment([created], { name: 'Mock' }).nothing();
  renameAssessment([], { name: 'Mock' }).refused(noTest);
});

test('it is shown to students and hidden from them', () => {
  showAssessment([created], { visible: true }).then([{ type: 'AssessmentShown', data: {} }]);
  showAssessment([created], { visible: false }).nothing();
  showAssessment([created, { type: 'AssessmentShown', data: {} }], { visible: true }).nothing();
  showAssessment([created, { type: 'AssessmentShown', data: {} }], { visible: false }).then([{ type: 'AssessmentHidden', data: {} }]);
  showAssessment([], { visible: true }).refused(noTest);
});

describe('its questions', () => {
  test('are numbered from 1 without a gap', () => {
    const upload = (numbers: readonly number[]) => ({
      testId,
      questions: numbers.map((number) => ({ number, topic: 'Topic', marksAvailable: 1 })),
    });
    const message = 'Questions are not numbered sequentially. Please check your upload file.';
    uploadQuestions([created], upload([1, 3])).refused(message, 'questions.1.number');
    uploadQuestions([created], upload([2, 1])).refused(message, 'questions.0.number');
    uploadQuestions([created], upload([1, 1])).refused(message, 'questions.1.number');
    uploadQuestions([created], upload([1, 2])).then([
      {
        type: 'QuestionsUploaded',
        data: {
          questions: [1, 2].map((number) => ({ questionId: made(`question-${number}`), number, topic: 'Topic', marksAvailable: 1 })),
        },
      },
    ]);
  });

  test('have a whole number of marks above 0', () => {
    const message = 'Max mark needs to be an integer greater than 0. Please check your upload file.';
    for (const marksAvailable of [0, -1, 1.5])
      uploadQuestions([created], { questions: [{ number: 1, topic: 'Topic', marksAvailable }] }).invalid(message);
  });

  test('keep their ids as long as their numbers, while nothing hangs on them; one that was removed is another when its number returns', () => {
    const ids = (marks: readonly number[], happened: readonly Happened[]) =>
      uploadQuestions(happened, { questions: asked(marks) })
        .events()
        .flatMap((event) => (event.type === 'QuestionsUploaded' ? event.data.questions.map(({ questionId }) => questionId) : []));
    expect(ids([5, 4], [created, paper([5, 10])])).toEqual([id('Q1'), id('Q2')]);
    expect(ids([5, 10, 3], [created, paper([5, 10])])).toEqual([id('Q1'), id('Q2'), made('question-3')]);
    expect(ids([5, 10], [created, paper([5, 10]), paper([5])])).toEqual([id('Q1'), made('question-2')]);
  });

  test('as they are already change nothing', () => {
    uploadQuestions([created, paper([5, 10])], { questions: asked([5, 10]) }).nothing();
    uploadQuestions([created, paper([5, 10])], { questions: asked([5, 10]).map((one) => ({ ...one, topic: 'Other' })) }).events();
    uploadQuestions([created, paper([5, 10])], { questions: asked([5]) }).events();
  });

  test('cannot be worth less than somebody has for them, who is named', () => {
    const entered = [
      { name: 'Ann', questionId: id('Q1'), number: 1, mark: 5 },
      { name: 'Ben', questionId: id('Q2'), number: 2, mark: 9 },
      { name: 'Cem', questionId: null, number: null, mark: 14 },
      { name: 'Dee', questionId: id('Q2'), number: 2, mark: 8 },
    ];
    const refusal = uploadQuestions([created, paper([5, 10])], { questions: asked([5, 8]) }, { entered, held: {} }).refusal();
    expect(refusal).toMatchObject({ code: 'above-maximum', title: 'There are marks above the new maximum: correct them first.' });
    expect(refusal.errors).toEqual([
      { path: 'questions.1.marksAvailable', message: 'Ben: 9 for question 2 is above the maximum of 8' },
      { path: 'questions', message: 'Cem: 14 for the total is above the maximum of 13' },
    ]);
    uploadQuestions([created, paper([5, 10])], { questions: asked([5, 9]) }, { entered, held: {} }).events();
  });

  test('that leave the paper take their marks along', () => {
    const entered = [{ name: 'Ben', questionId: id('Q2'), number: 2, mark: 9 }];
    uploadQuestions([created, paper([5, 10])], { questions: asked([5]) }, { entered, held: {} }).events();
    uploadQuestions(
      [created, paper([5, 10]), paper([5])],
      { questions: asked([5, 8]), answers: [{ number: 2, questionId: id('Q2') }] },
      { entered, held: { [id('Q2')]: { marks: 1, mappings: 0 } } },
    ).refused('There are marks above the new maximum');
  });

  test('belong to an assessment that is there', () => {
    uploadQuestions([], { questions: asked([5]) }).refused(noTest);
  });
});

describe('a file that brings other questions', () => {
  const question = (name: string, number: number, topic: string, marksAvailable = 5) => ({
    questionId: id(name),
    number,
    topic,
    marksAvailable,
  });
  const uploaded = (...questions: ReturnType<typeof question>[]): Happened => ({ type: 'QuestionsUploaded', data: { questions } });
  const [algebra, ratio, shape] = [question('A', 1, 'Algebra'), question('R', 2, 'Ratio'), question('S', 3, 'Shape')];
  const three = uploaded(algebra, ratio, shape);
  const file = (...topics: readonly (string | readonly [string, number])[]) =>
    topics.map((topic, index) => ({
      number: index + 1,
      topic: typeof topic === 'string' ? topic : topic[0],
      marksAvailable: typeof topic === 'string' ? 5 : topic[1],
    }));
  /** So many students have a mark for these questions. */
  const marked = (marks: Readonly<Record<string, number>>) => ({
    entered: [],
    held: Object.fromEntries(Object.entries(marks).map(([name, many]) => [id(name), { marks: many, mappings: 0 }])),
  });
  const upload = (
    happened: readonly Happened[],
    questions: ReturnType<typeof file>,
    facts: object,
    answers: readonly (readonly [number: number, question: string | null])[] = [],
  ) =>
    uploadQuestions(
      [created, ...happened],
      { questions, answers: answers.map(([number, name]) => ({ number, questionId: name === null ? null : id(name) })) },
      facts,
    );
  const named = (refusal: ReturnType<ReturnType<typeof upload>['refusal']>) =>
    refusal.asks?.questions?.map(({ number, mayBe, likely }) => [
      number,
      mayBe.map(({ topic, number: was, marks, removedAt }) => `${topic}, ${removedAt === null ? '' : 'removed '}Q${was}, ${marks} marks`),
      likely,
    ]);

  test('in another order is asked about: no mark moves to another topic by itself', () => {
    const refusal = upload([three], file('Ratio', 'Algebra', 'Shape'), marked({ A: 28, R: 27, S: 28 })).refusal();
    expect(refusal.code).toBe('answers-needed');
    expect(named(refusal)).toEqual([
      [1, ['Algebra, Q1, 28 marks', 'Ratio, Q2, 27 marks'], id('R')],
      [2, ['Ratio, Q2, 27 marks', 'Algebra, Q1, 28 marks'], id('A')],
    ]);
    expect(refusal.errors[0]).toEqual({
      path: 'questions.0',
      message:
        'Question 1 becomes “Ratio” (5). It was “Algebra” (5), with 28 student(s) with marks. Question 2 was “Ratio” (5), with 27 student(s) with marks.',
    });
  });

  test('is taken with the answers: the same question, one that moved, or another', () => {
    const all = marked({ A: 28, R: 27, S: 28 });
    upload([three], file('Ratio', 'Algebra', 'Shape'), all, [
      [1, 'R'],
      [2, 'A'],
    ]).then([uploaded(question('R', 1, 'Ratio'), question('A', 2, 'Algebra'), shape)]);
    upload([three], file('Algebra', 'Proportion', 'Shape'), all, [[2, 'R']]).then([
      uploaded(algebra, question('R', 2, 'Proportion'), shape),
    ]);
    upload([three], file('Algebra', 'Vectors', 'Shape'), all, [[2, null]]).then([
      uploaded(algebra, { ...question('', 2, 'Vectors'), questionId: made('question-2') }, shape),
    ]);
  });

  test('is asked only where marks or mappings hang on what it changes', () => {
    upload([three], file('Vectors', 'Ratio', ['Shape', 7]), marked({ R: 28 })).events();
    expect(upload([three], file('Algebra', ['Ratio', 6], 'Shape'), marked({ R: 28 })).refusal().asks?.questions).toMatchObject([
      { number: 2, likely: id('R'), needed: true },
    ]);
    const mapped = { entered: [], held: { [id('A')]: { marks: 0, mappings: 2 } } };
    expect(named(upload([three], file('Vectors', 'Ratio', 'Shape'), mapped).refusal())).toEqual([[1, ['Algebra, Q1, 0 marks'], null]]);
  });

  test('finds a question with marks under its new number, also where nothing hung on what stood there', () => {
    expect(named(upload([three], file('Shape', 'Algebra', 'Ratio', 'Vectors'), marked({ A: 28 })).refusal())).toEqual([
      [1, ['Algebra, Q1, 28 marks'], null],
      [2, ['Ratio, Q2, 0 marks', 'Algebra, Q1, 28 marks'], id('A')],
    ]);
  });

  test('is asked whether a removed question with marks returns; a new one starts without', () => {
    const two = [three, uploaded(algebra, ratio)];
    const refusal = upload(two, file('Algebra', 'Ratio', 'Vectors'), marked({ A: 28, S: 27 })).refusal();
    expect(named(refusal)).toEqual([[3, ['Shape, removed Q3, 27 marks'], null]]);
    upload(two, file('Algebra', 'Ratio', 'Vectors'), marked({ A: 28, S: 27 }), [[3, null]]).then([
      uploaded(algebra, ratio, { ...question('', 3, 'Vectors'), questionId: made('question-3') }),
    ]);
    upload(two, file('Algebra', 'Ratio', 'Shape'), marked({ A: 28, S: 27 }), [[3, 'S']]).then([three]);
    upload(two, file('Algebra', 'Ratio', 'Shape'), marked({ A: 28 })).then([
      uploaded(algebra, ratio, { ...question('', 3, 'Shape'), questionId: made('question-3') }),
    ]);
  });

  test('is offered the question that left last first, where two of its topic have left', () => {
    const [first, second] = [question('S1', 3, 'Shape'), question('S2', 3, 'Shape')];
    const left = [uploaded(algebra, ratio, first), uploaded(algebra, ratio), uploaded(algebra, ratio, second), uploaded(algebra, ratio)];
    const refusal = upload(left, file('Algebra', 'Ratio', 'Shape'), marked({ S1: 28, S2: 27 })).refusal();
    expect(named(refusal)).toEqual([[3, ['Shape, removed Q3, 27 marks', 'Shape, removed Q3, 28 marks'], id('S2')]]);
    const both = [uploaded(algebra, first, second), uploaded(algebra)];
    expect(named(upload(both, file('Algebra', 'Shape'), marked({ S1: 28, S2: 27 })).refusal())).toEqual([
      [2, ['Shape, removed Q3, 28 marks', 'Shape, removed Q3, 27 marks'], id('S1')],
    ]);
  });

  test('cannot give one question two numbers, nor a number a question of elsewhere', () => {
    const all = marked({ A: 28, R: 27, S: 28 });
    upload([three], file('Ratio', 'Vectors', 'Shape'), all, [
      [1, 'R'],
      [2, 'R'],
    ]).refused('One question cannot have two numbers.', 'answers.1.questionId');
    upload([three], file('Vectors', 'Ratio', 'Shape'), all, [[1, 'R']]).refused(
      'One question cannot have two numbers.',
      'answers.0.questionId',
    );
    upload([three], file('Algebra', 'Ratio', 'Shape'), all, [[1, 'Z']]).refused('This question is not one of this assessment.');
    upload([three], file('Algebra', 'Ratio', 'Shape'), all, [[4, 'A']]).refused('Answer once for each number of the file.');
    // Its question has left meanwhile, or never was: the list says what there is now.
    expect(named(upload([three], file('Vectors', 'Ratio', 'Shape'), all, [[1, 'Z']]).refusal())).toEqual([
      [1, ['Algebra, Q1, 28 marks'], null],
    ]);
  });

  test('is undone with the questions and marks that it hid', () => {
    const commandId = id('upload');
    const other = uploaded(algebra, { ...question('', 2, 'Vectors'), questionId: made('question-2') }, shape);
    given([created, three, { ...other, commandId }])
      .when(UndoQuestions, { testId, commandId }, { entered: [], markedSince: [] })
      .then([{ type: 'QuestionsEdited', data: three.data as never }]);
  });
});

describe('questions that are edited', () => {
  const on = (...names: string[]) => names.map((name) => ({ questionId: id(name), topic: 'Topic', marksAvailable: 5 }));
  const numbered = (...names: string[]) => on(...names).map((question, index) => ({ ...question, number: index + 1 }));
  const three: Happened = { type: 'QuestionsUploaded', data: { questions: numbered('A', 'B', 'C') } };
  const edited = (...names: string[]): Happened => ({ type: 'QuestionsEdited', data: { questions: numbered(...names) } });
  const edit = (happened: readonly Happened[], questions: readonly object[], more: object = {}, entered: readonly object[] = []) =>
    given([created, three, ...happened]).when(EditQuestions, { testId, questions, ...more }, entered);

  test('take their ids along, and with them their marks, wherever they are put', () => {
    edit([], on('C', 'A', 'B')).then([edited('C', 'A', 'B')]);
    edit([], on('A', 'B', 'C')).nothing();
    edit([], on('A', 'C')).then([edited('A', 'C')]);
    edit([], [...on('A'), { questionId: null, topic: 'New', marksAvailable: 2 }]).then([
      {
        type: 'QuestionsEdited',
        data: { questions: [...numbered('A'), { questionId: made('question-2'), number: 2, topic: 'New', marksAvailable: 2 }] },
      },
    ]);
  });

  test('that left the paper come back by their ids', () => {
    edit([edited('A', 'C')], on('A', 'B', 'C')).then([edited('A', 'B', 'C')]);
    edit([], on('A', 'Z')).refused('This question is not one of this assessment.', 'questions.1.questionId');
    edit([], on('A', 'A')).refused('This question is not one of this assessment.', 'questions.1.questionId');
  });

  test('leave no id twice on a paper that is uploaded afterwards', () => {
    const uploaded = uploadQuestions([created, three, edited('A', 'C')], { questions: asked([5, 5, 5]) }).events();
    expect(uploaded).toMatchObject([
      { data: { questions: [{ questionId: id('A') }, { questionId: id('C') }, { questionId: made('question-3') }] } },
    ]);
  });

  test('of somebody else meanwhile are not overwritten', () => {
    edit([], on('B', 'A', 'C'), { was: on('A', 'B', 'C') }).events();
    edit([edited('A', 'C')], on('B', 'A', 'C'), { was: on('A', 'B', 'C') }).refused('Somebody else changed these questions');
  });

  test('cannot be worth less than somebody has for them, wherever they stand now', () => {
    const refusal = edit([], [...on('C', 'A'), { questionId: id('B'), topic: 'Topic', marksAvailable: 3 }], {}, [
      { name: 'Ben', questionId: id('B'), number: 2, mark: 4 },
    ]).refusal();
    expect(refusal.errors).toEqual([{ path: 'questions.2.marksAvailable', message: 'Ben: 4 for question 3 is above the maximum of 3' }]);
  });

  test.each([
    [{ topic: 'Topic', marksAvailable: 1.5 }, 'The value must be an integer number'],
    [{ topic: 'Topic', marksAvailable: 'x' }, 'The value must be an integer number'],
    [{ topic: 'Topic', marksAvailable: 0 }, 'The value must be greater than zero'],
    [{ topic: ' ', marksAvailable: 1 }, 'Required.'],
  ])('have a topic and whole marks: %j', (question, message) => {
    edit([], [{ questionId: null, ...question }]).invalid(message);
  });
});

describe('an assessment that is deleted', () => {
  const deleted: Happened = { type: 'AssessmentDeleted', data: {} };

  test('is not there any more, until it is restored', () => {
    given([created]).when(DeleteAssessment, { testId }).then([deleted]);
    given([created, deleted]).when(DeleteAssessment, { testId }).nothing();
    renameAssessment([created, deleted], { name: 'Final' }).refused(noTest);
    restoreAssessment([created, deleted]).then([{ type: 'AssessmentRestored', data: {} }]);
    restoreAssessment([created]).nothing();
    renameAssessment([created, deleted, { type: 'AssessmentRestored', data: {} }], { name: 'Final' }).events();
  });

  test('does not come back beside another one of its name', () => {
    restoreAssessment([created, deleted], {}, ['mock']).refused('There is another assessment called Mock now');
  });
});

describe('questions that are taken back', () => {
  const commandId = id('upload');
  const before = paper([5, 10]);
  const asks = (topics: readonly string[]) =>
    topics.map((topic, index) => ({ questionId: id(`Q${index + 1}`), number: index + 1, topic, marksAvailable: 10 }));
  const upload: Happened = { type: 'QuestionsUploaded', data: { questions: asks(['Topic', 'Ratio', 'Shape']) }, commandId };
  const happened = [created, before, upload];
  const undo = { testId, commandId };
  const undoQuestions = deciding(UndoQuestions, undo, { entered: [], markedSince: [] });
  const marked = (...questions: readonly string[]) => ({ entered: [], markedSince: questions });

  test('are what they were before, with the marks of that time', () => {
    undoQuestions(happened, {}, marked()).then([{ type: 'QuestionsEdited', data: before.data as never }]);
    undoQuestions([created, { ...upload }]).then([{ type: 'QuestionsEdited', data: { questions: [] } }]);
  });
  test('stay where marks were entered since for what would be another question, or none', () => {
    undoQuestions(happened, {}, marked(id('Q2'))).refused(
      'Marks have been entered since for questions that the earlier paper does not have (question 2)',
    );
    undoQuestions(happened, {}, marked(id('Q3'))).refused('(question 3)');
    // Its topic is the same in both.
    undoQuestions(happened, {}, marked(id('Q1'))).events();
    undoQuestions(happened, {}, { entered: [{ name: 'Ann', questionId: id('Q1'), number: 1, mark: 9 }], markedSince: [] }).refused(
      'There are marks above the new maximum: correct them first.',
    );
  });
  test('stay where somebody changed them again', () => {
    undoQuestions([...happened, paper([5])]).refused('These questions were changed again since: edit them instead.');
    undoQuestions([...happened, { type: 'AssessmentDeleted', data: {} }]).refused(noTest);
  });
  test('of a file are refused where somebody changed them after the file was looked at', () => {
    const was = [{ questionId: id('Q1'), topic: 'Topic', marksAvailable: 5 }];
    uploadQuestions([created, paper([5, 10])], { questions: asked([5]), was }).refused(
      'Somebody else changed these questions while you were editing them.',
    );
    uploadQuestions([created, paper([5])], { questions: asked([5, 10]), was }).events();
  });
});
