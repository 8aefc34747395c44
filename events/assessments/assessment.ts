import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf, Recorded } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id, label } from '../fields.ts';

const question = z.strictObject({ questionId: id, number: z.int().min(1), topic: z.string(), marksAvailable: z.int().min(1) });
export type Question = z.infer<typeof question>;

/** Storage contract of `assessment-{schoolId}.{testId}`: an assessment and its questions. Its maximum mark is their sum. */
export const assessmentEvents = {
  AssessmentCreated: event(1, z.strictObject({ subjectId: id, name: label })),
  AssessmentRenamed: event(1, z.strictObject({ name: label })),
  AssessmentShown: event(1, z.strictObject({})),
  AssessmentHidden: event(1, z.strictObject({})),
  /**
   * The complete paper each time. Marks belong to a question's id, whatever its number: one that is no longer in the list is hidden with its
   * marks, and comes back with them where its id is in a later list.
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
  /** The paper before the last change, with the command of that change. */
  before: { readonly questions: readonly Question[]; readonly commandId: string } | undefined;
  /** Questions that have left the paper, as they were last, by id; backwards: the last to leave is the last, and of those the first number. */
  removed: Map<string, Question & { readonly removedAt: string }>;
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
    removed: new Map(),
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
        const { commandId, at } = event.metadata;
        for (const question of state.questions.toReversed()) state.removed.set(question.questionId, { ...question, removedAt: at });
        for (const { questionId } of questions) state.removed.delete(questionId);
        return { ...state, questions, before: { questions: state.questions, commandId } };
      }
    }
  },
};
