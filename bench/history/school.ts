/** A school of the demo's size with only what marks need: who sits which test, and who may write. */
import { uuidv5 } from '../../events/codec/ids.ts';
import type { Draft } from './draft.ts';

export type HistorySchool = {
  readonly schoolId: string;
  readonly subjectId: string;
  /** accounts of teachers, by class */
  readonly teachers: readonly string[];
  /** student ids by class */
  readonly classes: readonly (readonly string[])[];
  readonly tests: readonly { readonly testId: string; readonly questionIds: readonly string[] }[];
};

export const STUDENTS = 729;
export const CLASSES = 26;
const MARKS_PER_QUESTION = 4;

/** 729 students in 26 classes; tests of 13 to 50 questions. Deterministic for each `number`. */
export const schoolOf = (number: number, tests = 12): HistorySchool => {
  const schoolId = uuidv5(`school ${number}`, SPACE);
  const id = (name: string): string => uuidv5(name, schoolId);
  return {
    schoolId,
    subjectId: id('subject'),
    teachers: Array.from({ length: CLASSES }, (_, at) => id(`teacher ${at}`)),
    classes: Array.from({ length: CLASSES }, (_, at) => {
      const [from, to] = [at, at + 1].map((border) => Math.round((border * STUDENTS) / CLASSES));
      return Array.from({ length: to! - from! }, (_one, place) => id(`student ${from! + place}`));
    }),
    tests: Array.from({ length: tests }, (_, at) => ({
      testId: id(`test ${at}`),
      questionIds: Array.from({ length: 13 + Math.round((37 * at) / Math.max(1, tests - 1)) }, (_one, question) =>
        id(`test ${at} question ${question}`),
      ),
    })),
  };
};

/** The events of its tests and their questions. */
export function* papersOf({ schoolId, subjectId, tests }: HistorySchool, marksAvailable = MARKS_PER_QUESTION): Generator<Draft> {
  for (const [at, { testId, questionIds }] of tests.entries()) {
    const draft = { schoolId, accountId: schoolId, stream: `assessment-${schoolId}.${testId}` };
    yield { ...draft, event: { type: 'AssessmentCreated', data: { subjectId, name: `Test ${at + 1}` } } };
    const questions = questionIds.map((questionId, place) => ({
      questionId,
      number: place + 1,
      topic: `Topic ${(place % 7) + 1}`,
      marksAvailable,
    }));
    yield { ...draft, event: { type: 'QuestionsUploaded', data: { questions } } };
  }
}

const SPACE = '6b1d9a9e-6d0e-4a53-9d39-5ce1f2f4a0f1';
