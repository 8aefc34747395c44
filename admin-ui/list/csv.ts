import type { CsvCell } from '#api/contract/csv/write';
import { csvText } from '#api/contract/csv/write';
import { saveFile } from '../../ui/file/save-file.ts';

export type CsvColumn<Row> = { readonly label: string; readonly value: (record: Row) => CsvCell };

/** Saves a table as CSV for spreadsheets: with a byte order mark, and with formulas escaped. */
export const downloadCsv = (fileName: string, columns: readonly string[], rows: readonly (readonly CsvCell[])[]): void =>
  saveFile(fileName, csvText(columns, rows, { mark: true }), 'text/csv;charset=utf-8');
