import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { idIn } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event, upcaster } from '../codec/event.ts';
import { id } from '../fields.ts';

/** `max`: the maximum that the mark was checked against; of a mark that was kept when the paper changed, at least the mark. */
const ownMark = z.strictObject({ questionId: id, mark: z.int().min(0), max: z.int().min(1) });
const entered = z.strictObject({ subjectId: id, ownMarks: z.array(ownMark) });
const reopened = z.strictObject({ subjectId: id });
/** `total`: of what was confirmed by then; null: it was not recorded. */
const reopenedAt = reopened.extend({ total: z.int().min(0).nullable() });

/**
 * Storage contract of `submission-{schoolId}.{testId}.{studentId}`: the marks that a student enters for an assessment. All of them each
 * time: what is not in the list is not entered, or not confirmed.
 */
export const submissionEvents = {
  /** Kept, and still the student's alone. */
  SubmissionSaved: event(1, entered),
  /** These count where staff have entered nothing, until the next confirmation. */
  SubmissionConfirmed: event(1, entered),
  /** The student may change and confirm once more, by their own wish or by that of staff. What was confirmed counts meanwhile. */
  SubmissionReopened: event(2, reopenedAt, { 1: upcaster(reopened, reopenedAt, (data) => ({ ...data, total: null })) }),
};

export type SubmissionEvent = EventOf<typeof submissionEvents>;
export type OwnMarks = ReadonlyMap<string, number>;
export type Submission = {
  status: 'none' | 'saved' | 'confirmed' | 'reopened';
  /**
   * What was saved or confirmed last, by question. A confirmation names every question of its paper; what was saved for one that was taken
   * off before is still there, for when it comes back.
   */
  marks: OwnMarks;
  /** What was confirmed last. */
  confirmed: OwnMarks;
};

export const submission: Aggregate<Submission, SubmissionEvent> = {
  category: 'submission',
  initial: () => ({ status: 'none', marks: new Map(), confirmed: new Map() }),
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'SubmissionSaved':
        return { ...state, status: state.status === 'none' ? 'saved' : state.status, marks: byQuestion(data.ownMarks) };
      case 'SubmissionConfirmed': {
        const confirmed = byQuestion(data.ownMarks);
        return { status: 'confirmed', marks: new Map([...state.marks, ...confirmed]), confirmed };
      }
      case 'SubmissionReopened':
        return { ...state, status: 'reopened' };
    }
  },
};

const byQuestion = (marks: readonly z.infer<typeof ownMark>[]): OwnMarks =>
  new Map(marks.map(({ questionId, mark }) => [questionId, mark]));

/** The id of a submission in its stream's name. */
export const submissionId = (testId: string, studentId: string): string => `${testId}.${studentId}`;

/** Whose marks in which assessment the events of this stream are. */
export const submissionIn = (stream: string): { readonly testId: string; readonly studentId: string } => {
  const [testId = '', studentId = ''] = idIn(stream).split('.');
  return { testId, studentId };
};
