import { MAX_LABEL } from '../contract/limits.ts';
import { blame, blanks, duplicates, tooLong } from '../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal } from '../contract/csv/file.ts';
import { exactly, readTable } from '../contract/csv/table.ts';
import { pointed, priorMessages, wrongPriorScore } from './prior-score.contract.ts';

export const priorColumns = ['StudentID', 'LastFirst', 'Grade'];

export type PriorRow = {
  /** the school's own StudentID, as text */
  readonly admissionNo: string;
  readonly name: string;
  /** as it stands in the file */
  readonly score: string;
};
/** Students without a grade are not among the rows. */
export type ParsedPrior = { readonly ok: true; readonly rows: readonly PriorRow[]; readonly blank: number };

/** A file of prior data: StudentID, LastFirst, Grade. */
export const parsePrior = (file: ChosenFile): ParsedPrior | CsvRefusal => {
  const table = readTable(file, exactly(priorColumns));
  if (!table.ok) return table;
  const wrong =
    withHow(
      blame(
        priorMessages.wrongFile,
        table.lines,
        priorColumns,
        (text, column) => column === 2 && text !== '' && wrongPriorScore(text) !== undefined,
      ),
    ) ??
    blanks(table.lines, priorColumns, ['StudentID']) ??
    tooLong(table.lines, priorColumns, { StudentID: MAX_LABEL, LastFirst: MAX_LABEL }) ??
    duplicates(table.lines);
  if (wrong) return wrong;
  const rows = table.lines.map(({ cells: [admissionNo = '', name = '', score = ''] }) => ({ admissionNo, name, score }));
  const graded = rows.filter(({ score }) => score !== '');
  return { ok: true, rows: graded, blank: rows.length - graded.length };
};

/** After the cells that are wrong: how one of them is to be written. */
const withHow = (wrong: CsvRefusal | undefined): CsvRefusal | undefined => {
  const [how] = wrong?.problems.flatMap(({ value }) => pointed(value)) ?? [];
  return wrong && how !== undefined ? { ...wrong, detail: [wrong.detail, `${how}.`].filter(Boolean).join(' ') } : wrong;
};
