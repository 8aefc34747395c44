import { type MarkValue, seenIn } from '../../events/codec/columnar.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import { type EntryEvent, isEntry, isPaper, isRepaper, isRoster, isSubmission, isUndo, type Recorded, type UndoEvent } from './events.ts';
import type { results, saves } from './tables.ts';
import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { MarkColumn } from '../../events/codec/columnar.ts';
import { digestOf } from '../../events/marks/mark-digest.ts';
import type { Rows } from '../engine/projection.ts';

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
    const [students, columns] = sizeOf(event, saveOfUndo);
    const inPart = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, columns)));
    if (students <= inPart) take(event, students * columns);
    else for (let from = 0; from < students; from += inPart) take({ ...event, part: { from, to: from + inPart } }, inPart * columns);
  }
  return chunks;
};

const sizeOf = (event: Recorded, saveOfUndo: (undo: UndoEvent) => Save | undefined): readonly [students: number, columns: number] => {
  if (isEntry(event)) return [event.data.marks.students.length, event.data.marks.columns.length];
  // All of a student's cells are loaded: they are compared with what the student confirms.
  if (isSubmission(event)) return [1, MOST_OF_A_STUDENT];
  const save = isUndo(event) ? saveOfUndo(event) : undefined;
  return save ? [save.student_ids.length, save.columns.length] : [0, 0];
};

/** A paper has 50 questions at most. */
const MOST_OF_A_STUDENT = 64;

export type Save = Row<typeof saves>;

export const saveOf = (event: EntryEvent, { confirmed, digest }: Pick<Save, 'confirmed' | 'digest'> = NOTHING_SAID): Save => {
  const { columns, students, is } = event.data.marks;
  const { commandId, actor, at, typedAt, schoolId } = event.metadata;
  return {
    school_id: schoolId,
    command_id: commandId,
    entry_id: idIn(event.stream),
    subject_id: event.data.subjectId,
    kind: saveKinds[event.type],
    account_id: actor.accountId,
    position: event.position,
    at,
    typed_at: typedAt ?? null,
    file_name: 'about' in event.data ? (unlessForgotten(event.data.about)?.fileName ?? null) : null,
    cells: is.reduce((sum, row) => sum + row.reduce<number>((cells, value) => cells + Number(value !== null), 0), 0),
    confirmed,
    digest,
    sat_on: 'about' in event.data ? (event.data.satOn ?? null) : null,
    test_ids: testsOf(columns),
    student_ids: students,
    columns: columnsOf(columns),
    undone: false,
    undone_by: null,
  };
};

const NOTHING_SAID = { confirmed: 0, digest: null };

/** Which cells it may write. */
export const extentOf = ({ data: { marks } }: EntryEvent): Extent => ({
  test_ids: testsOf(marks.columns),
  student_ids: marks.students,
  columns: columnsOf(marks.columns),
  hasAttendance: marks.columns.some(({ cell }) => cell === 'attendance'),
});
type Extent = {
  readonly test_ids: readonly string[];
  readonly student_ids: readonly string[];
  readonly columns: Save['columns'];
  readonly hasAttendance: boolean;
};

const testsOf = (columns: readonly MarkColumn[]): readonly string[] =>
  columns.length === 1 ? [columns[0]!.testId] : [...new Set(columns.map(({ testId }) => testId))];

const columnsOf = (columns: readonly MarkColumn[]): Save['columns'] =>
  columns.map((column) => {
    const { test_id, item_id, kind } = itemOf(column);
    return [test_id, item_id, kind] as const;
  });

const saveKinds = { TotalsUploaded: 'totals', MarksUploaded: 'marks', MarksEntered: 'typed', MarkDecided: 'decided' } as const;

/** What an upload says, to recognise its repetition; null: not an upload. */
export const saidBy = (event: EntryEvent): string | null => ('about' in event.data ? digestOf(event.data.marks) : null);

/** Finds the save that an undo event refers to, which may be among these events. */
export const savesBefore = (
  events: readonly Recorded[],
  rows: Pick<Rows<{ saves: typeof saves }>, 'saves'>,
): ((undo: UndoEvent) => Save | undefined) => {
  // Nearly always there is none to undo.
  let done: ReadonlyMap<string, EntryEvent> | undefined;
  return ({ data: { commandId }, metadata: { schoolId } }) => {
    done ??= new Map(events.filter(isEntry).map((event) => [event.metadata.commandId, event]));
    const event = done.get(commandId);
    return rows.saves.get({ school_id: schoolId, command_id: commandId }) ?? (event && saveOf(event));
  };
};

export const undoneBy = ({ metadata, data }: UndoEvent): Key<typeof saves> => ({
  school_id: metadata.schoolId,
  command_id: data.commandId,
});

export const madeBy = ({ metadata }: EntryEvent): Key<typeof saves> => ({ school_id: metadata.schoolId, command_id: metadata.commandId });

/** The test and item of a column of marks. */
const itemOf = ({ cell, testId, questionId }: MarkColumn): Item => ({
  test_id: testId,
  item_id: questionId ?? testId,
  kind: kinds[cell],
});
const kinds = { total: 't', mark: 'm', attendance: 'a' } as const;
export type Item = Pick<Key<typeof results>, 'test_id' | 'item_id' | 'kind'>;
