import type { Away } from '../attendance.ts';
import type { ChosenFile, CsvRefusal } from './file.ts';
import type { CsvLine } from './table.ts';
import { exactly, readTable } from './table.ts';

/** By line and column of the template. */
export type AwayCells = ReadonlyMap<number, ReadonlyMap<number, Away>>;

/** A kind of file that is uploaded: its header line, and what its rows say, or why they are refused. */
export type Template<Parsed> = {
  readonly columns: readonly string[];
  /** `away`: cells in which a word stood whose meaning its author has said; they are empty in `lines`. */
  readonly read: (lines: readonly CsvLine[], away?: AwayCells) => (Parsed & { readonly ok: true }) | CsvRefusal;
};

/** A CSV file that has the template's header. */
export const parseWith =
  <Parsed>({ columns, read }: Template<Parsed>) =>
  (file: ChosenFile): (Parsed & { readonly ok: true }) | CsvRefusal => {
    const table = readTable(file, exactly(columns));
    return table.ok ? read(table.lines) : table;
  };
