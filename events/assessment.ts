import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './codec/event.ts';
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
   * The whole paper each time. A question keeps its id as long as its number; one that is no longer in the list is hidden with its marks,
   * and comes back with them under its old id.
   */
  QuestionsUploaded: event(1, z.strictObject({ questions: z.array(question) })),
};

export type AssessmentEvent = EventOf<typeof assessmentEvents>;
export type Assessment = {
  subjectId: string | undefined;
  name: string;
  visible: boolean;
  questions: readonly Question[];
  /** Every question that ever was on the paper: number -> id. */
  everAsked: Map<number, string>;
};

export const maxMark = (questions: readonly { marksAvailable: number }[]): number =>
  questions.reduce((sum, { marksAvailable }) => sum + marksAvailable, 0);

export const assessment: Aggregate<Assessment, AssessmentEvent> = {
  category: 'assessment',
  initial: () => ({ subjectId: undefined, name: '', visible: false, questions: [], everAsked: new Map() }),
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
      case 'QuestionsUploaded':
        for (const { number, questionId } of event.data.questions) state.everAsked.set(number, questionId);
        return { ...state, questions: event.data.questions };
    }
  },
};
