import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { MarkColumn } from '../../events/codec/columnar.ts';
import { digestOf } from '../../events/marks/mark-digest.ts';
import type { Rows } from '../engine/projection.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import { type EntryEvent, isEntry, type Recorded, type UndoEvent } from './events.ts';
import type { results, saves } from './tables.ts';

export type Save = Row<typeof saves>;

/** The row of a command, as its event makes it. */
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
    columns: columns.map((column) => {
      const { test_id, item_id, kind } = itemOf(column);
      return [test_id, item_id, kind] as const;
    }),
    undone: false,
    undone_by: null,
  };
};

const NOTHING_SAID = { confirmed: 0, digest: null };

/** Which cells it may write. */
export const extentOf = ({ data: { marks } }: EntryEvent): Extent => ({
  test_ids: testsOf(marks.columns),
  student_ids: marks.students,
  columns: marks.columns,
  hasAttendance: marks.columns.some(({ cell }) => cell === 'attendance'),
});
type Extent = {
  readonly test_ids: readonly string[];
  readonly student_ids: readonly string[];
  readonly columns: readonly unknown[];
  readonly hasAttendance: boolean;
};

const testsOf = (columns: readonly MarkColumn[]): readonly string[] =>
  columns.length === 1 ? [columns[0]!.testId] : [...new Set(columns.map(({ testId }) => testId))];

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
export const itemOf = ({ cell, testId, questionId }: MarkColumn): Item => ({
  test_id: testId,
  item_id: questionId ?? testId,
  kind: kinds[cell],
});
const kinds = { total: 't', mark: 'm', attendance: 'a' } as const;
export type Item = Pick<Key<typeof results>, 'test_id' | 'item_id' | 'kind'>;
