import type { ChosenFile, CsvRefusal } from '#api/contract/csv/file';
import { fileMessages, isWorkbook, MAX_FILE_BYTES, refused } from '#api/contract/csv/file';
import type { CsvLine } from '#api/contract/csv/table';
import { exactly, readRows } from '#api/contract/csv/table';
import type { Encoding } from '#api/contract/csv/text';
import { encodings } from '#api/contract/csv/text';
import { MAX_UPLOAD_ROWS } from '#api/contract/limits';

/** What its author has said about a file before it can be read. */
export type Opening = { readonly encoding?: Encoding | undefined; readonly sheet?: string | undefined };

/** The rows of a file. */
export type Opened = {
  readonly ok: true;
  readonly rows: readonly CsvLine[];
  /** If it is not Unicode: how it was read, and some of its texts that show whether that is right. */
  readonly encoding?: { readonly is: Encoding; readonly samples: readonly string[] };
  /** Of a workbook with several sheets: their names, and the one that was read; undefined: it is to be chosen. */
  readonly sheets?: readonly string[];
  readonly sheet?: string | undefined;
};

/** Opens a CSV file or an Excel workbook. `columns`: of the template, by which a sheet or a separator is recognised. */
export const openBytes = async (
  file: ChosenFile,
  columns: readonly string[],
  { encoding, sheet }: Opening,
): Promise<Opened | CsvRefusal> => {
  const { wrongTemplate, tooLarge, noTable, notCsv } = fileMessages;
  if (isWorkbook(file)) {
    if (file.bytes.byteLength > MAX_FILE_BYTES) return refused(wrongTemplate, tooLarge);
    return openWorkbook(file.bytes, columns, sheet);
  }
  const read = readRows(file, exactly(columns), encoding);
  if (!read.ok) return read.detail === notCsv ? { ...read, detail: noTable } : read;
  return { ok: true, rows: read.rows, ...(isOld(read.encoding) ? { encoding: { is: read.encoding, samples: samplesOf(read.rows) } } : {}) };
};

const openWorkbook = async (bytes: Uint8Array, columns: readonly string[], sheetName: string | undefined): Promise<Opened | CsvRefusal> => {
  const { workbookOf } = await import('./workbook.ts');
  const workbook = await workbookOf(Uint8Array.from(bytes));
  if (!workbook.ok) return refused(fileMessages.wrongTemplate, workbook.why);
  const { sheets } = workbook;
  const isTemplate = exactly(columns);
  const [only, another] = sheets;
  const chosen =
    sheets.find(({ name }) => name === sheetName) ?? (another ? sheets.find(({ rows }) => isTemplate(rows[0]?.cells ?? [])) : only);
  if (chosen && chosen.rows.length === 0) return refused(fileMessages.wrongTemplate, fileMessages.empty);
  if (chosen && chosen.rows.length > MAX_UPLOAD_ROWS + 50) return refused(fileMessages.tooManyRows(MAX_UPLOAD_ROWS));
  return { ok: true, rows: chosen?.rows ?? [], ...(another ? { sheets: sheets.map(({ name }) => name), sheet: chosen?.name } : {}) };
};

const isOld = (encoding: string): encoding is Encoding => Object.hasOwn(encodings, encoding);

/** Three texts with letters that another encoding would read otherwise. */
const samplesOf = (rows: readonly CsvLine[]): readonly string[] => {
  const texts = rows.flatMap(({ cells }) => cells.filter((cell) => /[^\0-\x7f]/.test(cell)));
  return [...new Set(texts)].slice(0, 3);
};
