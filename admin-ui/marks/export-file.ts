import type { ExportTable } from '#api/marks/export.contract';
import { textOf } from '#api/contract/csv/table';
import { saveFile } from '../../ui/file/save-file.ts';
import { downloadCsv } from '../list/csv.ts';

/** For a spreadsheet, or for anything else that reads a table. */
export const saveAsCsv = ({ columns, rows }: ExportTable): void => downloadCsv('data_download.csv', columns, rows);

/** For Excel, which leaves the zeros of a StudentID alone: texts stay texts, also when they are edited there. */
export const saveAsExcel = async (table: ExportTable): Promise<void> => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  saveFile('data_download.xlsx', await exportedWorkbook(table), type);
};

/** The first row has the columns, as our uploads read them. */
export const exportedWorkbook = async ({ columns, rows }: ExportTable): Promise<Blob> => {
  const { excelFile } = await import('../../ui/file/excel-file.ts');
  const cells = rows.map((row) => columns.map((_, at) => readAgain(row[at] ?? null)));
  const widths = columns.map((column, at) => (at === 1 ? 32 : Math.max(12, column.length + 2)));
  return excelFile('Data download', [{ name: 'data_download', widths, rows: [[...columns], ...cells], frozen: { rows: 1, columns: 0 } }]);
};

/** Reading takes an apostrophe away, and what a spreadsheet writes around a text. */
const readAgain = (cell: string | number | null): string | number | null =>
  typeof cell === 'string' && textOf(cell) !== cell ? `'${cell}` : cell;
