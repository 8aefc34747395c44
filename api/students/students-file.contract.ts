import { dateOf } from '../contract/dates.ts';
import { blame, blanks, duplicates, tooLong } from '../contract/csv/checks.ts';
import type { Template } from '../contract/csv/template.ts';
import { parseWith } from '../contract/csv/template.ts';

export const studentColumns = ['StudentID', 'Name', 'Set', 'DoB'];

export type StudentRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  readonly set: string;
  /** YYYY-MM-DD; null: unknown */
  readonly dateOfBirth: string | null;
};

export const wrongDate = 'Check date input column. Should be of the form DD/MM/YYYY';

/** A student upload: StudentID, Name, Set, DoB. A date of birth may be empty: it stays unknown. */
export const studentsTemplate: Template<{ readonly rows: readonly StudentRow[] }> = {
  columns: studentColumns,
  read: (lines) => {
    const wrong =
      duplicates(lines) ??
      blanks(lines, studentColumns, ['StudentID', 'Name', 'Set']) ??
      tooLong(lines, studentColumns, { StudentID: 20, Name: 50, Set: 200 }) ??
      blame(wrongDate, lines, studentColumns, (text, column) => column === 3 && dateOf(text) === undefined);
    if (wrong) return wrong;
    const rows = lines.map(({ line, cells: [admissionNo = '', name = '', set = '', date = ''] }) => ({
      line,
      admissionNo,
      name,
      set,
      dateOfBirth: dateOf(date) ?? null,
    }));
    return { ok: true, rows };
  },
};
export const parseStudents = parseWith(studentsTemplate);
