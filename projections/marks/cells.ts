import { type MarkValue, seenIn } from '../../events/codec/columnar.ts';
import type { Key } from '../engine/tables/table.ts';
import { type EntryEvent, isEntry, isPaper, isRepaper, isRoster, isSubmission, isUndo, type Recorded, type UndoEvent } from './events.ts';
import { itemOf, type Save } from './saves.ts';
import type { results } from './tables.ts';

/** The students of an event in this chunk. */
export const studentsOf = ({ part }: Recorded, students: readonly string[]): readonly string[] =>
  part ? students.slice(part.from, part.to) : students;

/** Every cell that the save may have written; including a few that it did not write does no harm. */
export const cellsOfSave = (save: Save, undo: UndoEvent): Key<typeof results>[] => {
  const { school_id, columns } = save;
  return studentsOf(undo, save.student_ids).flatMap((student_id) =>
    columns.map(([test_id, item_id, kind]) => ({ school_id, test_id, student_id, kind, item_id })),
  );
};

/** Calls `work` for each cell that the event writes, in the order of keys, with the value and the values that its author saw. */
export const eachCell = (
  event: EntryEvent,
  work: (key: Key<typeof results>, value: MarkValue, seen: readonly MarkValue[]) => void,
): void => {
  const { columns, students, is, was } = event.data.marks;
  const school_id = event.metadata.schoolId;
  const items = columns.map(itemOf);
  const { from, to } = event.part ?? { from: 0, to: students.length };
  for (let row = from; row < Math.min(to, students.length); row++) {
    const student_id = students[row] ?? '';
    const values = is[row] ?? [];
    for (let column = 0; column < items.length; column++) {
      const { test_id, item_id, kind } = items[column]!;
      const value = values[column] ?? null;
      if (value !== null) work({ school_id, test_id, student_id, kind, item_id }, value, seenIn(was?.[row]?.[column]));
    }
  }
};

/**
 * The number of cells per chunk, which are all in memory with their changes. New questions affect every mark of their test, so they are a
 * separate chunk.
 */
const MOST_CELLS = 4096;

/** A large event is split into parts with some of its students each. */
export const chunksOf = (events: readonly Recorded[], saveOfUndo: (undo: UndoEvent) => Save | undefined): Recorded[][] => {
  const chunks: Recorded[][] = [];
  let room = 0;
  const take = (event: Recorded, cells: number): void => {
    if (cells > room || chunks.length === 0) {
      chunks.push([]);
      room = MOST_CELLS;
    }
    chunks.at(-1)?.push(event);
    room -= cells;
  };
  for (const event of events) {
    if (isPaper(event) || isRoster(event)) {
      take(event, isRepaper(event) ? MOST_CELLS : 1);
      continue;
    }
    const [students, columns] = extentOf(event, saveOfUndo);
    const inPart = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, columns)));
    if (students <= inPart) take(event, students * columns);
    else for (let from = 0; from < students; from += inPart) take({ ...event, part: { from, to: from + inPart } }, inPart * columns);
  }
  return chunks;
};

const extentOf = (event: Recorded, saveOfUndo: (undo: UndoEvent) => Save | undefined): readonly [students: number, columns: number] => {
  if (isEntry(event)) return [event.data.marks.students.length, event.data.marks.columns.length];
  // All of a student's cells are loaded: they are compared with what the student confirms.
  if (isSubmission(event)) return [1, MOST_OF_A_STUDENT];
  const save = isUndo(event) ? saveOfUndo(event) : undefined;
  return save ? [save.student_ids.length, save.columns.length] : [0, 0];
};

/** A paper has 50 questions at most. */
const MOST_OF_A_STUDENT = 64;
