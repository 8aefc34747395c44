import type { Away } from '../../contract/attendance.ts';
import { MAX_LABEL, MAX_TESTS } from '../../contract/limits.ts';
import { blanks, duplicates, markOf, notNumeric, tooLong } from '../../contract/csv/checks.ts';
import type { Template } from '../../contract/csv/template.ts';
import { parseWith } from '../../contract/csv/template.ts';

export const totalsColumns = ['StudentID', 'LastFirst', ...Array.from({ length: MAX_TESTS }, (_, index) => `Test ${index + 1}`)];

export type TotalsRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** Test 1 to Test 6; null: nothing entered */
  readonly totals: readonly (number | null)[];
  /** by column, where its author has said so of a word */
  readonly away?: ReadonlyMap<number, Away>;
};
export type ParsedTotals = {
  /** Includes students without any total, who are not entered. */
  readonly rows: readonly TotalsRow[];
  /** How many tests the file is about: the last Test column with a total in it, 0 to 6. */
  readonly tests: number;
};

/** A totals upload: StudentID, LastFirst, Test 1 to Test 6. */
export const totalsTemplate: Template<ParsedTotals> = {
  columns: totalsColumns,
  read: (lines, away) => {
    const wrong =
      notNumeric(lines, totalsColumns, 2) ??
      blanks(lines, totalsColumns, ['StudentID']) ??
      tooLong(lines, totalsColumns, longest) ??
      duplicates(lines);
    if (wrong) return wrong;
    const rows = lines.map(({ line, cells: [admissionNo = '', name = '', ...totals] }) => ({
      line,
      admissionNo,
      name,
      totals: totals.map((text) => markOf(text) ?? null),
      ...awayOf(away?.get(line)),
    }));
    return { ok: true, rows, tests: lastUsed(rows.map((row) => totalsOf(row))) };
  },
};
/** By test, from 0. */
const awayOf = (cells: ReadonlyMap<number, Away> | undefined): Pick<TotalsRow, 'away'> =>
  cells ? { away: new Map([...cells].map(([column, is]) => [column - 2, is])) } : {};

/** What a row says of each test, as uploads take it. */
export const totalsOf = ({ totals, away }: TotalsRow): (number | Away | null)[] => totals.map((total, test) => away?.get(test) ?? total);

export const parseTotals = parseWith(totalsTemplate);

/** A StudentID may be longer than any in a school: whoever has it is listed with those that cannot be found. */
export const longest = { StudentID: MAX_LABEL, LastFirst: MAX_LABEL };

/** How many columns there are up to the last one that anybody has a mark in. */
export const lastUsed = (rows: readonly (readonly (number | Away | null)[])[]): number =>
  rows.reduce((last, marks) => Math.max(last, marks.findLastIndex((mark) => mark !== null) + 1), 0);
