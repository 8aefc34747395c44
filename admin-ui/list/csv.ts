import type { CsvCell } from '#api/contract/csv/write';
import { csvText } from '#api/contract/csv/write';
import { saveFile } from '../../ui/file/save-file.ts';

export type CsvColumn<Row> = { readonly label: string; readonly value: (record: Row) => CsvCell };

type Table = readonly [fileName: string, columns: readonly string[], rows: readonly (readonly CsvCell[])[]];

/** A table as CSV for spreadsheets: with a byte order mark, and with formulas escaped. */
export const csvFile = (...[fileName, columns, rows]: Table): Parameters<typeof saveFile> => [
  fileName,
  csvText(columns, rows, { mark: true }),
  'text/csv;charset=utf-8',
];

/** Of what the server has recorded as handed out, or of nobody's data. */
export const downloadCsv = (...table: Table): void => saveFile(...csvFile(...table));
