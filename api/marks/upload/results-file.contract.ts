import { MAX_QUESTIONS } from '../../contract/limits.ts';
import { blanks, duplicates, markOf, notNumeric, tooLong } from '../../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal } from '../../contract/csv/file.ts';
import { exactly, readTable } from '../../contract/csv/table.ts';
import { lastUsed, longest } from './totals-file.contract.ts';

export const resultsColumns = ['StudentID', 'LastFirst', ...Array.from({ length: MAX_QUESTIONS }, (_, index) => `Q${index + 1}`)];

export type ResultsRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** marks[i]: of question i + 1, up to the last question that anybody has a mark in; null: nothing entered */
  readonly marks: readonly (number | null)[];
};
export type ParsedResults = {
  readonly ok: true;
  /** Includes students without any mark, who are not entered. */
  readonly rows: readonly ResultsRow[];
  /** How many questions the file is about: the length of every row's `marks`, 0 to 50. */
  readonly questions: number;
};

/** A results upload: StudentID, LastFirst, Q1 to Q50. */
export const parseResults = (file: ChosenFile): ParsedResults | CsvRefusal => {
  const table = readTable(file, exactly(resultsColumns));
  if (!table.ok) return table;
  const wrong =
    notNumeric(table.lines, resultsColumns, 2) ??
    blanks(table.lines, resultsColumns, ['StudentID']) ??
    tooLong(table.lines, resultsColumns, longest) ??
    duplicates(table.lines);
  if (wrong) return wrong;
  const rows = table.lines.map(({ line, cells: [admissionNo = '', name = '', ...marks] }) => ({
    line,
    admissionNo,
    name,
    marks: marks.map((text) => markOf(text) ?? null),
  }));
  const questions = lastUsed(rows.map(({ marks }) => marks));
  return { ok: true, rows: rows.map((row) => ({ ...row, marks: row.marks.slice(0, questions) })), questions };
};
