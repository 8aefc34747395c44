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

/** The names of events, and the test for one of them. */
const kindOf = <const Names extends readonly Recorded['type'][]>(...names: Names) => ({
  names,
  has: (event: Recorded): event is Extract<Recorded, { type: Names[number] }> => names.includes(event.type),
});
type EventIn<Kind extends { readonly names: readonly string[] }> = Extract<Recorded, { type: Kind['names'][number] }>;

const entries = kindOf('TotalsUploaded', 'MarksUploaded', 'MarksEntered', 'MarkDecided');
const undos = kindOf('CommandUndone', 'CommandRedone');
const repapers = kindOf('QuestionsUploaded', 'QuestionsEdited');
const papers = kindOf('AssessmentCreated', ...repapers.names);
/** A student's own marks. */
const submissions = kindOf('SubmissionSaved', 'SubmissionConfirmed', 'SubmissionReopened');
/** Removes the names of the author's files. */
const forgettings = kindOf('StaffAccountForgotten');
/** Who is in which class. */
const rosters = kindOf(
  'StudentAdded',
  'StudentsImported',
  'StudentEnrolled',
  'StudentMoved',
  'StudentTakenOffRoll',
  'StudentRemoved',
  'RosterCommandUndone',
);

export type EntryEvent = EventIn<typeof entries>;
export type UndoEvent = EventIn<typeof undos>;
export type SubmissionEvent = EventIn<typeof submissions>;
export type RosterEvent = EventIn<typeof rosters>;
export const [isEntry, isUndo, isRepaper, isPaper] = [entries.has, undos.has, repapers.has, papers.has];
export const [isSubmission, isForgetting, isRoster] = [submissions.has, forgettings.has, rosters.has];

export const handled = [entries, undos, papers, submissions, forgettings, rosters].flatMap(
  ({ names }): readonly Recorded['type'][] => names,
);
