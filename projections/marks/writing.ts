import { idIn } from '../../events/aggregate.ts';
import type { MarkValue } from '../../events/codec/columnar.ts';
import type { Cell } from '../../events/marks/cell.ts';
import { emptyCell, reading, withChange, withRedone, withUndone } from '../../events/marks/cell.ts';
import { decodeCell, encodeCell, encodeChanged, isOfUpload } from '../../events/marks/cell-text.ts';
import type { Rows } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import { cellsOfSave, eachCell, madeBy, saidBy, saveOf, type Save } from './cells.ts';
import type { EntryEvent, Recorded, RosterEvent, UndoEvent } from './events.ts';
import { changePaper, SheetChanges } from './sheets.ts';
import { changeSubmission } from './submissions.ts';
import { markbook, papers, results, saves, submissions, tallies } from './tables.ts';

const tables = { results, markbook, papers, saves, submissions, tallies };
type Known = Rows<typeof tables>;

/** Changes cells, sheets, tallies, papers, saves and submissions as an event says. */
export const change = (event: Exclude<Recorded, RosterEvent>, rows: Known): void => {
  const school_id = event.metadata.schoolId;
  switch (event.type) {
    case 'AssessmentCreated':
      rows.papers.put({ school_id, test_id: idIn(event.stream), subject_id: event.data.subjectId, question_ids: [], maxima: [] });
      break;
    case 'QuestionsUploaded':
    case 'QuestionsEdited':
      changePaper(rows, school_id, idIn(event.stream), event.data.questions);
      break;
    case 'TotalsUploaded':
    case 'MarksUploaded':
    case 'MarksEntered':
    case 'MarkDecided':
      putSave(event, write(event, rows), rows);
      break;
    case 'SubmissionSaved':
    case 'SubmissionConfirmed':
    case 'SubmissionReopened':
      changeSubmission(event, rows);
      break;
    case 'StaffAccountForgotten':
      for (const save of rows.saves.where('account_id', event.data.accountId)) rows.saves.put(emptied(saves, save));
      break;
    case 'CommandUndone':
    case 'CommandRedone': {
      const isUndone = event.type === 'CommandUndone';
      const save = rows.saves.get({ school_id, command_id: event.data.commandId });
      if (!save) break;
      turn(event, save, rows);
      rows.saves.put({ ...save, undone: isUndone, undone_by: isUndone ? event.metadata.actor.accountId : null });
      break;
    }
  }
};

/** A large event comes in parts, which add up; what it says is the same in each. */
const putSave = (event: EntryEvent, confirmed: number, rows: Known): void => {
  const before = event.part && event.part.from > 0 ? rows.saves.get(madeBy(event)) : undefined;
  const digest = before ? before.digest : saidBy(event);
  rows.saves.put(saveOf(event, { confirmed: (before?.confirmed ?? 0) + confirmed, digest }));
};

/** @returns how many of the cells held the value already */
const write = (event: EntryEvent, rows: Known): number => {
  const source = { event: event.id, command: event.metadata.commandId, entry: idIn(event.stream) };
  const sheets = new SheetChanges(rows);
  const firstOf = (value: MarkValue): Content => contentOf(withChange(emptyCell, { ...source, is: value, was: [] }));
  // A file creates many cells with few different values: the content of a new cell is computed once per value.
  const first = event.data.marks.students.length === 1 ? firstOf : oncePerValue(firstOf);
  let confirmed = 0;
  eachCell(event, (key, value, seen) => {
    const before = rows.results.get(key);
    if (before && !before.contested && (before.mark ?? before.attendance) === value) confirmed += 1;
    if (!before && seen.length === 0) return putCell(rows, sheets, key, before, first(value));
    const cell = withChange(decodeCell(before?.cell), { ...source, is: value, was: seen });
    putCell(rows, sheets, key, before, contentOf(cell, before && encodeChanged(before.cell, cell)));
  });
  sheets.put();
  return confirmed;
};

const oncePerValue = (contentOfOne: (value: MarkValue) => Content): typeof contentOfOne => {
  const contents = new Map<MarkValue, Content>();
  return (value) => {
    let content = contents.get(value);
    if (!content) contents.set(value, (content = contentOfOne(value)));
    return content;
  };
};

const turn = (event: UndoEvent, save: Save, rows: Known): void => {
  const turned = event.type === 'CommandUndone' ? withUndone : withRedone;
  const sheets = new SheetChanges(rows);
  for (const key of cellsOfSave(save, event)) {
    const before = rows.results.get(key);
    const cell = decodeCell(before?.cell);
    const after = turned(cell, save.command_id);
    if (after !== cell) putCell(rows, sheets, key, before, contentOf(after));
  }
  sheets.put();
};

type Result = Row<typeof results>;
type Content = Omit<Result, keyof Key<typeof results>>;

const putCell = (
  rows: Known,
  sheets: SheetChanges,
  { school_id, test_id, student_id, kind, item_id }: Key<typeof results>,
  before: Result | undefined,
  { mark, attendance, contested, uploaded, cell }: Content,
): void => {
  const row = { school_id, test_id, student_id, kind, item_id, mark, attendance, contested, uploaded, cell };
  rows.results.put(row);
  sheets.add(before, row);
};

/** The row content of a cell with these changes. `cell`: their encoding. */
const contentOf = (history: Cell, cell = encodeCell(history)): Content => {
  const now = reading(history);
  const value = now.state === 'empty' ? null : now.value;
  const counting = now.state === 'contested' ? now.changes[0] : now.state === 'counts' ? now.change : undefined;
  return {
    mark: typeof value === 'number' ? value : null,
    attendance: typeof value === 'string' && value !== 'cleared' ? value : null,
    contested: now.state === 'contested',
    uploaded: counting !== undefined && isOfUpload(counting),
    cell,
  };
};
