import type { assessmentEvents } from '../../events/assessment.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { entryEvents } from '../../events/entry.ts';
import type { undoEvents } from '../../events/undo.ts';
import type { InPart, RecordedReadEvent } from '../engine/projection.ts';

/** What the read model of marks takes. */
export type ResultsEvent = ReadEventOf<
  typeof entryEvents & typeof undoEvents & Pick<typeof assessmentEvents, 'AssessmentCreated' | 'QuestionsUploaded'>
>;
export type Recorded = InPart<RecordedReadEvent<ResultsEvent>>;

export type EntryEvent = Extract<Recorded, { type: 'TotalsUploaded' | 'MarksUploaded' | 'MarksEntered' | 'MarkDecided' }>;
export type UndoEvent = Extract<Recorded, { type: 'CommandUndone' | 'CommandRedone' }>;
export type PaperEvent = Extract<Recorded, { type: 'AssessmentCreated' | 'QuestionsUploaded' }>;

export const isUndo = (event: Recorded): event is UndoEvent => event.type === 'CommandUndone' || event.type === 'CommandRedone';
export const isPaper = (event: Recorded): event is PaperEvent => event.type === 'AssessmentCreated' || event.type === 'QuestionsUploaded';
export const isEntry = (event: Recorded): event is EntryEvent => !isUndo(event) && !isPaper(event);
