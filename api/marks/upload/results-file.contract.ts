import type { Away } from '../../contract/attendance.ts';
import { MAX_QUESTIONS } from '../../contract/limits.ts';
import { blanks, duplicates, markOf, notNumeric, tooLong } from '../../contract/csv/checks.ts';
import type { Template } from '../../contract/csv/template.ts';
import { parseWith } from '../../contract/csv/template.ts';
import { lastUsed, longest } from './totals-file.contract.ts';

export const resultsColumns = ['StudentID', 'LastFirst', ...Array.from({ length: MAX_QUESTIONS }, (_, index) => `Q${index + 1}`)];

export type ResultsRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** marks[i]: of question i + 1, up to the last question that anybody has a mark in; null: nothing entered */
  readonly marks: readonly (number | null)[];
  /** if its author has said so of the words in the row */
  readonly away?: Away;
};
export type ParsedResults = {
  /** Includes students without any mark, who are not entered. */
  readonly rows: readonly ResultsRow[];
  /** How many questions the file is about: the length of every row's `marks`, 0 to 50. */
  readonly questions: number;
};

/** A results upload: StudentID, LastFirst, Q1 to Q50. */
export const resultsTemplate: Template<ParsedResults> = {
  columns: resultsColumns,
  read: (lines, away) => {
    const wrong =
      notNumeric(lines, resultsColumns, 2) ??
      blanks(lines, resultsColumns, ['StudentID']) ??
      tooLong(lines, resultsColumns, longest) ??
      duplicates(lines);
    if (wrong) return wrong;
    const rows = lines.map(({ line, cells: [admissionNo = '', name = '', ...marks] }) => ({
      line,
      admissionNo,
      name,
      marks: marks.map((text) => markOf(text) ?? null),
    }));
    const questions = lastUsed(rows.map(({ marks }) => marks));
    return {
      ok: true,
      rows: rows.map((row) => ({ ...row, marks: row.marks.slice(0, questions), ...awayOf(away?.get(row.line)) })),
      questions,
    };
  },
};

const awayOf = (cells: ReadonlyMap<number, Away> | undefined): Pick<ResultsRow, 'away'> => {
  const [is] = cells?.values() ?? [];
  return is === undefined ? {} : { away: is };
};

export const parseResults = parseWith(resultsTemplate);
