import { isAway } from '#api/contract/attendance';
import type { Sheet } from '#api/marks/sheet.contract';
import type { Place } from '../../grid/place.ts';
import type { SheetKey } from '../../../../ui/marks/mark-drafts.ts';
import { attendanceKey } from '../../../../ui/marks/mark-drafts.ts';
import type { Question, Stored } from './cells.ts';
import { wrongMark } from './cells.ts';

/** A student's row as it is shown: what is stored, with what is typed over it. */
export type SheetRow = {
  readonly studentId: string;
  readonly texts: readonly string[];
  /** The marks among them. */
  readonly marks: readonly (number | undefined)[];
  readonly attendance: string;
  readonly sum: number;
  readonly count: number;
};

export type SheetRows = {
  readonly rows: readonly SheetRow[];
  readonly placeOf: ReadonlyMap<string, Place>;
  readonly rowOfAttendance: ReadonlyMap<string, number>;
  readonly questions: readonly Question[];
};

/** The sheet as it is stored. */
export const sheetRowsOf = (
  sheet: Sheet,
  sheetKey: SheetKey,
  questions: readonly Question[],
  keys: readonly (readonly string[])[],
  stored: ReadonlyMap<string, Stored>,
): SheetRows => {
  const placeOf = new Map<string, Place>();
  const rowOfAttendance = new Map<string, number>();
  const rows = sheet.students.map(({ studentId, attendance }, row) => {
    const texts = (keys[row] ?? []).map((key, column) => {
      placeOf.set(key, { row, column });
      return stored.get(key)?.text ?? '';
    });
    rowOfAttendance.set(attendanceKey(sheetKey, studentId), row);
    return rowOf(studentId, texts, attendance.value, questions);
  });
  return { rows, placeOf, rowOfAttendance, questions };
};

/** The rows with what is typed over them. Rows that nothing is typed into are the same objects. */
export const withTyped = (sheetRows: SheetRows, typed: Iterable<readonly [key: string, text: string]>): SheetRows => {
  const changed = new Map<number, { texts: string[]; attendance: string }>();
  const draftOf = (row: number) => {
    const before = sheetRows.rows[row];
    const draft = changed.get(row) ?? { texts: [...(before?.texts ?? [])], attendance: before?.attendance ?? 'sat' };
    changed.set(row, draft);
    return draft;
  };
  for (const [key, text] of typed) {
    const place = sheetRows.placeOf.get(key);
    if (place) draftOf(place.row).texts[place.column] = text;
    const row = sheetRows.rowOfAttendance.get(key);
    if (row !== undefined) draftOf(row).attendance = text;
  }
  if (changed.size === 0) return sheetRows;
  const rows = sheetRows.rows.map((before, row) => {
    const now = changed.get(row);
    return now ? rowOf(before.studentId, now.texts, now.attendance, sheetRows.questions) : before;
  });
  return { ...sheetRows, rows };
};

const rowOf = (studentId: string, texts: readonly string[], attendance: string, questions: readonly Question[]): SheetRow => {
  const marks = texts.map((text, column) => markOf(text, questions[column]?.max ?? 0));
  let [sum, count] = [0, 0];
  for (const mark of marks) {
    if (mark === undefined) continue;
    sum += mark;
    count++;
  }
  return { studentId, texts, marks, attendance, sum, count };
};

const markOf = (text: string, max: number): number | undefined =>
  text.trim() === '' || wrongMark(text, max) !== undefined ? undefined : Number(text);

/** The mean of each column, over those who sat and have a mark; undefined: nobody has. */
export const meansOf = ({ rows, questions }: SheetRows): readonly (number | undefined)[] => {
  const here = rows.filter((row) => !isAway(row.attendance));
  return questions.map((_, column) => {
    let [sum, count] = [0, 0];
    for (const { marks } of here) {
      const mark = marks[column];
      if (mark === undefined) continue;
      sum += mark;
      count++;
    }
    return count === 0 ? undefined : sum / count;
  });
};

/** Cells without a mark, in rows of students who sat and have some marks. */
export const blanksOf = ({ rows }: SheetRows): readonly Place[] =>
  rows.flatMap((row, at) => {
    const empty = row.texts.flatMap((text, column) => (text.trim() === '' ? [{ row: at, column }] : []));
    return isAway(row.attendance) || empty.length === row.texts.length ? [] : empty;
  });

/** The first cell without a text, of somebody who sat; everything is there: the first of all. */
export const firstEmptyOf = ({ rows }: SheetRows): Place => {
  for (const [row, one] of rows.entries()) {
    const column = isAway(one.attendance) ? -1 : one.texts.findIndex((text) => text.trim() === '');
    if (column >= 0) return { row, column };
  }
  return { row: 0, column: 0 };
};

/** How many of those who sat have all their marks, and how many have some. */
export type Progress = { readonly done: number; readonly begun: number; readonly of: number };

export const progressOf = ({ rows, questions }: SheetRows): Progress => {
  const here = rows.filter((row) => !isAway(row.attendance));
  const having = (marks: number) => here.filter(({ count }) => count >= marks).length;
  return { done: having(questions.length), begun: having(1), of: here.length };
};
