import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf, Recorded } from './codec/event.ts';
import { event } from './codec/event.ts';
import { id, label } from './fields.ts';

const question = z.strictObject({ questionId: id, number: z.int().min(1), topic: z.string(), marksAvailable: z.int().min(1) });
export type Question = z.infer<typeof question>;

/** Storage contract of `assessment-{schoolId}.{testId}`: an assessment and its questions. Its maximum mark is their sum. */
export const assessmentEvents = {
  AssessmentCreated: event(1, z.strictObject({ subjectId: id, name: label })),
  AssessmentRenamed: event(1, z.strictObject({ name: label })),
  AssessmentShown: event(1, z.strictObject({})),
  AssessmentHidden: event(1, z.strictObject({})),
  /**
   * The complete paper each time. A question keeps its id as long as it keeps its number; one that is no longer in the list is hidden with
   * its marks, and comes back with them under its old id.
   */
  QuestionsUploaded: event(1, z.strictObject({ questions: z.array(question) })),
  /** The complete paper each time, after manual edits: a question keeps its id and marks even if its number changes. */
  QuestionsEdited: event(1, z.strictObject({ questions: z.array(question) })),
  /** Hidden from everybody; its questions and marks are kept. */
  AssessmentDeleted: event(1, z.strictObject({})),
  AssessmentRestored: event(1, z.strictObject({})),
};

export type AssessmentEvent = EventOf<typeof assessmentEvents>;
export type Assessment = {
  subjectId: string | undefined;
  name: string;
  visible: boolean;
  deleted: boolean;
  questions: readonly Question[];
  /** The paper before the last change, with the command and time of that change. */
  before: { readonly questions: readonly Question[]; readonly commandId: string; readonly at: string } | undefined;
  /** The question of each number (number -> id), including questions that have left the paper. A question has one number. */
  everAsked: Map<number, string>;
  /** Every question that was ever on the paper. */
  questionIds: Set<string>;
};

export const maxMark = (questions: readonly { marksAvailable: number }[]): number =>
  questions.reduce((sum, { marksAvailable }) => sum + marksAvailable, 0);

export const assessment: Aggregate<Assessment, Recorded<AssessmentEvent>> = {
  category: 'assessment',
  initial: () => ({
    subjectId: undefined,
    name: '',
    visible: false,
    deleted: false,
    questions: [],
    before: undefined,
    everAsked: new Map(),
    questionIds: new Set(),
  }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'AssessmentCreated':
        return { ...state, ...event.data };
      case 'AssessmentRenamed':
        return { ...state, name: event.data.name };
      case 'AssessmentShown':
        return { ...state, visible: true };
      case 'AssessmentHidden':
        return { ...state, visible: false };
      case 'AssessmentDeleted':
      case 'AssessmentRestored':
        return { ...state, deleted: event.type === 'AssessmentDeleted' };
      case 'QuestionsUploaded':
      case 'QuestionsEdited': {
        const { questions } = event.data;
        const onPaper = new Set(questions.map(({ questionId }) => questionId));
        for (const [number, questionId] of state.everAsked) if (onPaper.has(questionId)) state.everAsked.delete(number);
        for (const { number, questionId } of questions) {
          state.everAsked.set(number, questionId);
          state.questionIds.add(questionId);
        }
        const { commandId, at } = event.metadata;
        return { ...state, questions, before: { questions: state.questions, commandId, at } };
      }
    }
  },
};
