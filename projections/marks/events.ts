import type { assessmentEvents } from '../../events/assessments/assessment.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { entryEvents } from '../../events/marks/entry.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import type { rosterEvents } from '../../events/students/roster.ts';
import type { submissionEvents } from '../../events/marks/submission.ts';
import type { undoEvents } from '../../events/marks/undo.ts';
import type { InPart, RecordedReadEvent } from '../engine/projection.ts';

/** The events that the read model of marks handles. */
export type ResultsEvent = ReadEventOf<
  typeof entryEvents &
    typeof undoEvents &
    typeof submissionEvents &
    Pick<typeof assessmentEvents, 'AssessmentCreated' | 'QuestionsUploaded' | 'QuestionsEdited'> &
    Pick<typeof staffEvents, 'StaffAccountForgotten'> &
    Omit<typeof rosterEvents, 'StudentCorrected' | 'StudentForgotten'>
>;
export type Recorded = InPart<RecordedReadEvent<ResultsEvent>>;

export type EntryEvent = Extract<Recorded, { type: 'TotalsUploaded' | 'MarksUploaded' | 'MarksEntered' | 'MarkDecided' }>;
export type UndoEvent = Extract<Recorded, { type: 'CommandUndone' | 'CommandRedone' }>;
export type PaperEvent = Extract<Recorded, { type: 'AssessmentCreated' | 'QuestionsUploaded' | 'QuestionsEdited' }>;
/** A student's own marks. */
export type SubmissionEvent = Extract<Recorded, { type: 'SubmissionSaved' | 'SubmissionConfirmed' | 'SubmissionReopened' }>;
/** Who is in which class. */
export type RosterEvent = Exclude<Recorded, EntryEvent | UndoEvent | PaperEvent | SubmissionEvent | ForgottenEvent>;
/** Removes the names of the author's files. */
export type ForgottenEvent = Extract<Recorded, { type: 'StaffAccountForgotten' }>;

export const isUndo = (event: Recorded): event is UndoEvent => event.type === 'CommandUndone' || event.type === 'CommandRedone';
export const isRepaper = (event: Recorded): event is Exclude<PaperEvent, { type: 'AssessmentCreated' }> =>
  event.type === 'QuestionsUploaded' || event.type === 'QuestionsEdited';
export const isPaper = (event: Recorded): event is PaperEvent => event.type === 'AssessmentCreated' || isRepaper(event);
export const isForgetting = (event: Recorded): event is ForgottenEvent => event.type === 'StaffAccountForgotten';
export const isSubmission = (event: Recorded): event is SubmissionEvent =>
  event.type === 'SubmissionSaved' || event.type === 'SubmissionConfirmed' || event.type === 'SubmissionReopened';
export const isRoster = (event: Recorded): event is RosterEvent =>
  !isUndo(event) && !isPaper(event) && !isForgetting(event) && !isSubmission(event) && !isEntry(event);
export const isEntry = (event: Recorded): event is EntryEvent =>
  event.type === 'TotalsUploaded' || event.type === 'MarksUploaded' || event.type === 'MarksEntered' || event.type === 'MarkDecided';
