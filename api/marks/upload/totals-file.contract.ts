import { MAX_LABEL, MAX_TESTS } from '../../contract/limits.ts';
import { blanks, duplicates, markOf, notNumeric, tooLong } from '../../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal } from '../../contract/csv/file.ts';
import { exactly, readTable } from '../../contract/csv/table.ts';

export const totalsColumns = ['StudentID', 'LastFirst', ...Array.from({ length: MAX_TESTS }, (_, index) => `Test ${index + 1}`)];

export type TotalsRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** Test 1 to Test 6; null: nothing entered */
  readonly totals: readonly (number | null)[];
};
export type ParsedTotals = {
  readonly ok: true;
  /** Includes students without any total, who are not entered. */
  readonly rows: readonly TotalsRow[];
  /** How many tests the file is about: the last Test column with a total in it, 0 to 6. */
  readonly tests: number;
};

/** A totals upload: StudentID, LastFirst, Test 1 to Test 6. */
export const parseTotals = (file: ChosenFile): ParsedTotals | CsvRefusal => {
  const table = readTable(file, exactly(totalsColumns));
  if (!table.ok) return table;
  const wrong =
    notNumeric(table.lines, totalsColumns, 2) ??
    blanks(table.lines, totalsColumns, ['StudentID']) ??
    tooLong(table.lines, totalsColumns, longest) ??
    duplicates(table.lines);
  if (wrong) return wrong;
  const rows = table.lines.map(({ line, cells: [admissionNo = '', name = '', ...totals] }) => ({
    line,
    admissionNo,
    name,
    totals: totals.map((text) => markOf(text) ?? null),
  }));
  return { ok: true, rows, tests: lastUsed(rows.map(({ totals }) => totals)) };
};

/** A StudentID may be longer than any in a school: whoever has it is listed with those that cannot be found. */
export const longest = { StudentID: MAX_LABEL, LastFirst: MAX_LABEL };

/** How many columns there are up to the last one that anybody has a mark in. */
export const lastUsed = (rows: readonly (readonly (number | null)[])[]): number =>
  rows.reduce((last, marks) => Math.max(last, marks.findLastIndex((mark) => mark !== null) + 1), 0);
