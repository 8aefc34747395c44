import type { CsvCell } from '#contract/csv/write';
import { csvText } from '#contract/csv/write';

export type CsvColumn<Row> = { readonly label: string; readonly value: (record: Row) => CsvCell };

/** Hands a table to the browser as a file that a spreadsheet opens with all its letters, and runs nothing of. */
export const downloadCsv = (fileName: string, columns: readonly string[], rows: readonly (readonly CsvCell[])[]): void => {
  const address = URL.createObjectURL(new Blob([csvText(columns, rows, { mark: true })], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
