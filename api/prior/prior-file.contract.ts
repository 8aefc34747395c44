import { MAX_LABEL } from '../contract/limits.ts';
import { blame, blanks, duplicates, tooLong } from '../contract/csv/checks.ts';
import type { CsvRefusal } from '../contract/csv/file.ts';
import type { Template } from '../contract/csv/template.ts';
import { parseWith } from '../contract/csv/template.ts';
import { pointed, priorMessages, wrongPriorScore } from './prior-score.contract.ts';

export const priorColumns = ['StudentID', 'LastFirst', 'Grade'];

export type PriorRow = {
  readonly line: number;
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** as it stands in the file */
  readonly score: string;
};
/** Students without a grade are not among the rows. */
export type ParsedPrior = { readonly rows: readonly PriorRow[]; readonly blank: number };

/** A file of prior data: StudentID, LastFirst, Grade. */
export const priorTemplate: Template<ParsedPrior> = {
  columns: priorColumns,
  read: (lines) => {
    const wrong =
      withHow(
        blame(
          priorMessages.wrongFile,
          lines,
          priorColumns,
          (text, column) => column === 2 && text !== '' && wrongPriorScore(text) !== undefined,
        ),
      ) ??
      blanks(lines, priorColumns, ['StudentID']) ??
      tooLong(lines, priorColumns, { StudentID: MAX_LABEL, LastFirst: MAX_LABEL }) ??
      duplicates(lines);
    if (wrong) return wrong;
    const rows = lines.map(({ line, cells: [admissionNo = '', name = '', score = ''] }) => ({ line, admissionNo, name, score }));
    const graded = rows.filter(({ score }) => score !== '');
    return { ok: true, rows: graded, blank: rows.length - graded.length };
  },
};
export const parsePrior = parseWith(priorTemplate);

/** Adds how one of the wrong cells should be written. */
const withHow = (wrong: CsvRefusal | undefined): CsvRefusal | undefined => {
  const [how] = wrong?.problems.flatMap(({ value }) => pointed(value)) ?? [];
  return wrong && how !== undefined ? { ...wrong, detail: [wrong.detail, `${how}.`].filter(Boolean).join(' ') } : wrong;
};
