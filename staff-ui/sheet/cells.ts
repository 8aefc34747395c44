import type { Sheet, SheetCell, SheetStudent } from '#api/marks/sheet.contract';
import { messages } from '#api/contract/limits';
import type { Value } from '#api/marks/marks.contract';
import type { Form } from '../typing/queue.ts';
import { attendanceKey, markKey, totalKey } from '../typing/queue.ts';

/** A sheet is typed into question by question, or (`total`) one total per student. */
export type Kind = 'marks' | 'total';

export type Question = { readonly id: string; readonly name: string; readonly topic?: string; readonly max: number };

/** The columns that are typed into. */
export const questionsOf = ({ questions, max }: Sheet, kind: Kind): readonly Question[] =>
  kind === 'total'
    ? [{ id: 'total', name: 'Total', max: max ?? 0 }]
    : questions.map((question) => ({ id: question.questionId, name: `Q${question.number}`, topic: question.topic, max: question.max }));

/** What the server has of a cell, in the words of the drafts: as text, and as what somebody sees who types over it. */
export type Stored = {
  readonly text: string;
  readonly saw: string;
  /** undefined: it is of attendance. */
  readonly cell: SheetCell | null | undefined;
  /** Only if it is contested. */
  readonly values: readonly Value[] | undefined;
};

export const storedIn = (student: SheetStudent, column: number, kind: Kind): Stored => {
  const cell = kind === 'total' ? student.total : student.cells[column];
  return {
    text: cell?.value === null || cell === null || cell === undefined ? '' : String(cell.value),
    saw: sawText(cell),
    cell,
    values: cell?.values,
  };
};

/** The values of a contested cell, or the one that stands there. A student's own mark is nobody's of the staff. */
const sawText = (cell: SheetCell | null | undefined): string => {
  if (!cell) return '';
  if (cell.values) return cell.values.join(' ');
  return cell.value === null || cell.source === 'student' ? '' : String(cell.value);
};

export const attendanceSeen = ({ attendance: { value, values } }: SheetStudent): string => values?.join(' ') ?? value;

export const keyIn = (form: Form, kind: Kind, studentId: string, questionId: string): string =>
  kind === 'total' ? totalKey(form, studentId) : markKey(form, studentId, questionId);

/** All stored cells of a sheet by key of their drafts. */
export const storedByKey = (sheet: Sheet, form: Form, kind: Kind): ReadonlyMap<string, Stored> => {
  const questions = questionsOf(sheet, kind);
  const all = new Map<string, Stored>();
  for (const student of sheet.students) {
    for (const [column, { id }] of questions.entries()) all.set(keyIn(form, kind, student.studentId, id), storedIn(student, column, kind));
    if (kind === 'marks')
      all.set(attendanceKey(form, student.studentId), {
        text: student.attendance.value,
        saw: attendanceSeen(student),
        cell: undefined,
        values: student.attendance.values,
      });
  }
  return all;
};

/** The specification's message for what is no mark of a question; undefined: it is one, or nothing. */
export const wrongMark = (text: string, max: number): string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (!isWhole(typed)) return messages.manualNotInteger;
  return Number(typed) > max ? messages.manualAbove(max) : undefined;
};

export const isWhole = (text: string): boolean => /^\d{1,9}$/u.test(text);

/** Whether a text may wait on the device: marks may, also mistyped ones, and no names. */
export const mayBeKept = (text: string): boolean => text.length <= 12 && !/\p{L}/u.test(text);

export const valueWords = (value: Value): string => (value === 'cleared' ? 'empty' : String(value));
