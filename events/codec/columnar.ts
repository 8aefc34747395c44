/**
 * Changes of marks in columns, as events store them: questions once, and a row of values per student. 300 students with 50 questions take
 * about 100 kB, a twentieth of a list of changes.
 */
import { z } from 'zod';
import { id } from '../fields.ts';

/** What a cell can be set to: a mark or total, or a state. `cleared` is a value of its own. */
export const markValue = z.union([z.int().min(0), z.enum(['cleared', 'sat', 'absent', 'exempt'])]);
export type MarkValue = z.infer<typeof markValue>;

const markColumn = z.strictObject({
  cell: z.enum(['total', 'mark', 'attendance']),
  testId: id,
  /** of a mark */
  questionId: id.optional(),
  /** the maximum that the values of this column were checked against */
  max: z.int().min(0).optional(),
});
export type MarkColumn = z.infer<typeof markColumn>;

/** Storage contract, part of events. */
export const markColumns = z
  .strictObject({
    columns: z.array(markColumn),
    students: z.array(id),
    /** a row per student, a value per column; null: this cell is not changed */
    is: z.array(z.array(markValue.nullable())),
    /**
     * what the author saw in each cell; null: it was empty; a list where it was contested. A row of nulls is null, nothing but nulls is
     * absent.
     */
    was: z.array(z.array(z.union([markValue, z.array(markValue).min(2)]).nullable()).nullable()).optional(),
  })
  .superRefine((data, context) => {
    const message = misshapen(data);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
export type MarkColumns = z.infer<typeof markColumns>;

export type MarkCell = { readonly kind: MarkColumn['cell']; readonly testId: string; readonly questionId?: string };

/** One change of one cell. */
export type MarkChange = {
  readonly studentId: string;
  readonly cell: MarkCell;
  /** the maximum that `is` was checked against */
  readonly max?: number;
  readonly is: MarkValue;
  /** every value that its author saw there; none for an empty cell */
  readonly was: readonly MarkValue[];
};

/**
 * The changes of one command, in columns. Students and columns keep the order in which they first appear.
 *
 * @throws RangeError when a cell is changed twice, or a column was checked against two maxima
 */
export const toColumns = (changes: readonly MarkChange[]): MarkColumns => {
  const columns: MarkColumn[] = [];
  const students = new Map<string, number>();
  const columnOf = columnFinder(columns);
  const places = changes.map(({ studentId, cell, max }) => {
    const row = students.get(studentId) ?? students.size;
    students.set(studentId, row);
    return { row, column: columnOf(cell, max) };
  });

  const rows = <Value>() => Array.from(students, () => new Array<Value | null>(columns.length).fill(null));
  const is = rows<MarkValue>();
  const was = rows<MarkValue | MarkValue[]>();
  changes.forEach((change, index) => {
    const { row, column } = places[index]!;
    if (is[row]![column] !== null) throw new RangeError(`a cell of student ${change.studentId} is changed twice`);
    is[row]![column] = change.is;
    was[row]![column] = change.was.length > 1 ? [...change.was] : (change.was[0] ?? null);
  });

  const rowsSeen = was.map((row) => (row.every((value) => value === null) ? null : row));
  return {
    columns,
    students: [...students.keys()],
    is,
    ...(rowsSeen.every((row) => row === null) ? {} : { was: rowsSeen }),
  };
};

/** The changes that columns of an event stand for, student by student: the reverse of `toColumns`. */
export const fromColumns = ({ columns, students, is, was }: MarkColumns): MarkChange[] => {
  const heads = columns.map(({ cell: kind, testId, questionId, max }) => ({
    cell: questionId === undefined ? { kind, testId } : { kind, testId, questionId },
    max,
  }));
  const changes: MarkChange[] = [];
  students.forEach((studentId, row) => {
    const values = is[row];
    const seenRow = was?.[row];
    heads.forEach(({ cell, max }, column) => {
      const value = values?.[column] ?? null;
      if (value === null) return;
      const before = seenIn(seenRow?.[column]);
      changes.push(max === undefined ? { studentId, cell, is: value, was: before } : { studentId, cell, max, is: value, was: before });
    });
  });
  return changes;
};

/** Finds a cell's column, or adds it. Nested maps, because a composed string key would have to be built and hashed for each change. */
const columnFinder = (columns: MarkColumn[]) => {
  const kinds = new Map<string, Map<string, Map<string | undefined, number>>>();
  return ({ kind, testId, questionId }: MarkCell, max: number | undefined): number => {
    const questions = within(within(kinds, kind), testId);
    let index = questions.get(questionId);
    if (index === undefined) {
      index = columns.length;
      questions.set(questionId, index);
      columns.push({ cell: kind, testId, ...(questionId === undefined ? {} : { questionId }), ...(max === undefined ? {} : { max }) });
    }
    const checked = columns[index]!.max;
    if (checked !== max) throw new RangeError(`${kind} of ${questionId ?? testId} was checked against ${checked} and ${max}`);
    return index;
  };
};

const within = <Key, InnerKey, Value>(outer: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> => {
  const existing = outer.get(key);
  if (existing !== undefined) return existing;
  const inner = new Map<InnerKey, Value>();
  outer.set(key, inner);
  return inner;
};

/** What an author saw in a cell, from a value in `was`. */
export const seenIn = (seen: MarkValue | readonly MarkValue[] | null | undefined): readonly MarkValue[] =>
  seen === null || seen === undefined ? NOTHING : typeof seen === 'object' ? seen : [seen];

const NOTHING: readonly MarkValue[] = Object.freeze([]);

const columnKey = (kind: string, testId: string, questionId: string | undefined): string => `${kind} ${testId} ${questionId ?? ''}`;

/** Checks across fields that are each valid on their own. */
const misshapen = ({ columns, students, is, was }: MarkColumns): string | undefined => {
  if (columns.some(({ cell, questionId }) => (cell === 'mark') !== (questionId !== undefined)))
    return 'a mark, and only a mark, has a question';
  if (new Set(columns.map(({ cell, testId, questionId }) => columnKey(cell, testId, questionId))).size < columns.length)
    return 'a column stands twice';
  if (new Set(students).size < students.length) return 'a student stands twice';
  if (is.length !== students.length || (was !== undefined && was.length !== students.length)) return 'not a row for each student';
  if (is.some(({ length }) => length !== columns.length)) return 'not a value for each column';
  if (was?.some((row) => row !== null && row.length !== columns.length)) return 'not a seen value for each column';
  if (was?.some((row) => row?.every((value) => value === null) === true)) return 'a row of nothing seen is null';
  if (was?.every((row) => row === null) === true) return 'nothing seen at all is absent';
  const attendance = columns.map(({ cell }) => cell === 'attendance');
  if (is.some((row) => row.some((value, column) => value !== null && !fits(value, attendance[column]!))))
    return 'a value of another kind of cell';
  return undefined;
};

/** Marks and totals are numbers, attendance is a state; each can be cleared. */
const fits = (value: MarkValue, attendance: boolean): boolean => value === 'cleared' || (typeof value === 'string') === attendance;
