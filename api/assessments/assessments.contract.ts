/** Requests and responses about assessments and their questions. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { nothing, record } from '../contract/answer.ts';
import { id, label, line, ruled } from '../contract/fields.ts';
import { MAX_MARK, MAX_QUESTIONS, MAX_TOPIC } from '../contract/limits.ts';
import { NOT_WHOLE, REQUIRED, wrongCount } from '../contract/rules.ts';
import { heldQuestion } from '../contract/questions.ts';

export const NOT_SEQUENTIAL = 'Questions are not numbered sequentially. Please check your upload file.';
export const TOO_MANY_QUESTIONS = `An assessment has ${MAX_QUESTIONS} questions at most.`;
const questionMark = z
  .int('Max mark needs to be an integer greater than 0. Please check your upload file.')
  .min(1, 'Max mark needs to be an integer greater than 0. Please check your upload file.')
  .max(MAX_MARK);
const questionTopic = line.min(1, REQUIRED).max(MAX_TOPIC);
/** The questions when the form was opened or the file was previewed: refused if somebody else has changed them since. */
const paperSeen = z.array(z.strictObject({ questionId: id, topic: z.string(), marksAvailable: z.int() })).optional();
export const uploadQuestions = z.strictObject({
  testId: id,
  questions: z
    .array(z.strictObject({ number: z.int(), topic: questionTopic, marksAvailable: questionMark }))
    .min(1)
    .max(MAX_QUESTIONS, TOO_MANY_QUESTIONS),
  was: paperSeen,
  /**
   * Which question the file means under a number that it changes: the same, one that moved, a removed one that returns (its id); null: another,
   * new one without marks, while the old one is hidden with its marks. Needed where marks or mappings hang on it, else `answers-needed`.
   */
  answers: z
    .array(z.strictObject({ number: z.int(), questionId: id.nullable() }))
    .max(MAX_QUESTIONS)
    .default([]),
});

const markAvailable = ruled(z.number(NOT_WHOLE).max(MAX_MARK, `The value must not be greater than ${MAX_MARK}`), wrongCount).meta({
  type: 'integer',
  minimum: 1,
});
/** A question of a form, in their new order: the first is question 1. */
const editedQuestion = z.strictObject({ questionId: id.nullable(), topic: questionTopic, marksAvailable: markAvailable });
export const editQuestions = z.strictObject({
  testId: id,
  /**
   * All questions. One keeps its marks whatever of it changes; a removed one brings them back; one without an id is new and has none. One
   * that is left out is hidden with its marks.
   */
  questions: z.array(editedQuestion).max(MAX_QUESTIONS, TOO_MANY_QUESTIONS),
  was: paperSeen,
});
/**
 * Some of its questions, whatever others there are. One with an id keeps its marks whatever of it changes, one without is new. `number`: where
 * it comes among the others; left out: where it is, a new one last. Those in `remove` are hidden with their marks.
 */
export const saveQuestions = z.strictObject({
  testId: id,
  save: z
    .array(
      z.strictObject({
        questionId: id.nullable(),
        number: z.int().min(1).max(MAX_QUESTIONS).optional(),
        topic: questionTopic.optional(),
        marksAvailable: markAvailable.optional(),
      }),
    )
    .max(MAX_QUESTIONS, TOO_MANY_QUESTIONS)
    .default([]),
  remove: z.array(id).max(MAX_QUESTIONS).default([]),
});
/** `commandId`: from the response to the upload or edit of the questions. */
export const undoQuestions = z.strictObject({ testId: id, commandId: id });

const assessmentContents = z.object({
  testId: id,
  name: z.string(),
  visible: z.boolean(),
  max: z.int().nullable(),
  sets: z.array(z.string()).describe('Names of the sets with this assessment.'),
  students: z.int().describe('Number of students with a total or marks.'),
  questions: z.array(heldQuestion).describe('Those on the paper.'),
  removed: z.array(heldQuestion).describe('Removed ones with marks or mappings, which can be brought back; the newest first.'),
});
export type AssessmentContents = Answer<typeof assessmentContents>;

const questionsChanged = z.object({ changed: z.boolean(), commandId: id.describe('For undoing it.') });

export const assessmentCommands = {
  CreateAssessment: { input: z.strictObject({ subjectId: id, name: label }), result: z.object({ testId: id }) },
  RenameAssessment: { input: z.strictObject({ testId: id, name: label }), result: nothing },
  ShowAssessment: { input: z.strictObject({ testId: id, visible: z.boolean() }), result: nothing },
  UploadQuestions: { input: uploadQuestions, result: questionsChanged },
  EditQuestions: { input: editQuestions, result: questionsChanged },
  SaveQuestions: { input: saveQuestions, result: z.object({ questionIds: z.array(id).describe('Of those that were sent to be saved.') }) },
  UndoQuestions: { input: undoQuestions, result: nothing },
  DeleteAssessment: { input: z.strictObject({ testId: id }), result: nothing },
  RestoreAssessment: { input: z.strictObject({ testId: id }), result: nothing },
};

const questions = z.object({
  tests: z.array(
    z.object({
      testId: id,
      questions: z.array(z.object({ questionId: id, number: z.int(), topic: z.string(), marksAvailable: z.int() })),
    }),
  ),
});
export type Questions = Answer<typeof questions>;

export const assessmentQueries = {
  questions: { input: z.object({ subjectId: id }), answer: questions },
  assessment: { input: z.object({ testId: id }), answer: assessmentContents },
};

export const assessmentRecords = {
  assessments: record({
    subjectId: id,
    name: z.string(),
    visible: z.boolean(),
    max: z.int().nullable(),
    questions: z.int(),
  }),
};
