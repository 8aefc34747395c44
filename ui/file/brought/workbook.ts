import type { CsvLine } from '#api/contract/csv/table';
import { textOf } from '#api/contract/csv/table';
import { unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';

/** The sheets of an Excel file, or why it cannot be read, in a sentence. Cells are texts, as in a CSV file. */
export type Workbook = { readonly ok: true; readonly sheets: readonly WorkbookSheet[] } | { readonly ok: false; readonly why: string };
/** Rows that hold anything, numbered as Excel numbers them. */
export type WorkbookSheet = { readonly name: string; readonly rows: readonly CsvLine[] };

/** Bytes when unpacked: more than any class, year or school needs. */
const MOST_UNPACKED = 100 * 1024 * 1024;
const MOST_PARTS = 2_000;

/** Reads the values of an Excel file (.xlsx); nothing in it is run. */
export const workbookOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<Workbook> => {
  const why = unreadable(bytes);
  if (why !== undefined) return { ok: false, why };
  try {
    const sheets = await readWorkbook(bytes.buffer, { parseNumber: numberText });
    const read = sheets.map(({ sheet, data }) => ({ name: sheet, rows: rowsOf(data) }));
    return { ok: true, sheets: read.filter(({ rows }, at) => rows.length > 0 || (at === 0 && read.every((one) => one.rows.length === 0))) };
  } catch {
    return { ok: false, why: sentences.broken };
  }
};

export const sentences = {
  old: 'This workbook has the old format of Excel (.xls). Open it, and save it as “Excel workbook (.xlsx)” or “CSV UTF-8”.',
  locked: 'This workbook is protected by a password. Save it without one, or save the sheet as “CSV UTF-8”.',
  macros: 'This workbook holds macros. Save it as “Excel workbook (.xlsx)” without them, or save the sheet as “CSV UTF-8”.',
  broken: 'This Excel file cannot be read. Open it, and save it again as “Excel workbook (.xlsx)” or “CSV UTF-8”.',
  large: 'Unpacked, this workbook is larger than 100 MB. Save the sheet alone as “CSV UTF-8”.',
} as const;

const unreadable = (bytes: Uint8Array): string | undefined => {
  if (startsWith(bytes, OLE)) return holds(bytes, 'EncryptedPackage') ? sentences.locked : sentences.old;
  if (!startsWith(bytes, ZIP)) return sentences.broken;
  const parts: { readonly name: string; readonly originalSize: number }[] = [];
  try {
    // Looks at the table of contents alone.
    unzipSync(bytes, { filter: (part) => parts.push(part) < 0 });
  } catch {
    return sentences.broken;
  }
  if (parts.length > MOST_PARTS || parts.reduce((sum, { originalSize }) => sum + originalSize, 0) > MOST_UNPACKED) return sentences.large;
  if (parts.some(({ name }) => /vbaProject\.bin$|\/macrosheets\//i.test(name))) return sentences.macros;
  return parts.some(({ name }) => name === 'xl/workbook.xml') ? undefined : sentences.broken;
};

const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const ZIP = [0x50, 0x4b];
const startsWith = (bytes: Uint8Array, beginning: readonly number[]): boolean => beginning.every((code, at) => bytes[at] === code);
/** In UTF-16, as names stand in such a file. */
const holds = (bytes: Uint8Array, name: string): boolean => new TextDecoder('utf-16le').decode(bytes).includes(name);

/** 1.234567890123456E15 is 1234567890123456. */
const numberText = (written: string): string =>
  /e/i.test(written) ? Number(written).toLocaleString('en-GB', { useGrouping: false, maximumFractionDigits: 15 }) : written;

type Value = string | number | boolean | Date | null;

const rowsOf = (data: readonly (readonly unknown[])[]): readonly CsvLine[] =>
  data.flatMap((row, at) => {
    const cells = row.map((cell) => textOfCell(cell as Value));
    return cells.some((cell) => cell !== '') ? [{ line: at + 1, cells }] : [];
  });

const textOfCell = (cell: Value): string => {
  if (cell === null) return '';
  // A date has no time zone there; the library makes it midnight in UTC.
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return textOf(typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell));
};
