import Papa from 'papaparse';
import { MAX_UPLOAD_ROWS } from '../limits.ts';
import type { ChosenFile, CsvRefusal } from './file.ts';
import { fileMessages, refused, refusedUnread } from './file.ts';
import { decodeText } from './text.ts';
import { FORMULA } from './write.ts';

/** A row as the file has it: trimmed texts in the order of the columns asked for. */
export type CsvLine = {
  /** where the row begins in the file, counted from 1 as an editor does */
  readonly line: number;
  readonly cells: readonly string[];
};

/** Finds the columns in a header: their places, or undefined where the header is not the one asked for. */
export type Header = (header: readonly string[]) => readonly number[] | undefined;

/** Exactly these columns in this order. */
export const exactly =
  (columns: readonly string[]): Header =>
  (header) =>
    header.length === columns.length && columns.every((column, index) => header[index] === column)
      ? columns.map((_, index) => index)
      : undefined;

/** These columns among others, in any order. */
export const among =
  (columns: readonly string[]): Header =>
  (header) => {
    const places = columns.map((column) => header.indexOf(column));
    return places.includes(-1) ? undefined : places;
  };

/**
 * The rows of a CSV file. Every value is text: 00123 stays 00123.
 *
 * Accepts what spreadsheets write: semicolons instead of commas (Excel in many countries) or tabs (Excel's Unicode Text); a first line such
 * as `sep=;`; empty columns at the end; rows that end early; blank rows, which are skipped. Refuses a wrong header, a value to the right of
 * the last heading (an unquoted comma has shifted the row), and quotation marks that are not closed.
 */
export const readTable = (
  file: ChosenFile,
  header: Header,
  message: string = fileMessages.wrongTemplate,
): { ok: true; lines: readonly CsvLine[] } | CsvRefusal => {
  const unread = refusedUnread({ name: file.name, type: file.type, size: file.bytes.byteLength }, message);
  if (unread) return unread;
  const decoded = decodeText(file.bytes);
  if (!decoded.ok) return refused(message, fileMessages.notCsv);
  if (decoded.text.trim() === '') return refused(message, fileMessages.empty);

  const above = ABOVE_THE_HEADER.exec(decoded.text)?.[0] ?? '';
  const text = decoded.text.slice(above.length);
  for (const separator of separators) {
    // Checks the first row before a whole file of rubbish is parsed.
    const first = Papa.parse<string[]>(text.slice(0, LONGEST_HEADER), { ...asText(separator), preview: 1 }).data[0] ?? [];
    const names = withoutBlankEnd(first);
    const places = header(names);
    if (places) return linesOf(text, separator, breaksIn(above), { places, width: names.length }, message);
  }
  return refused(message);
};

/** Blank lines, and the line by which spreadsheets name the separator. */
const ABOVE_THE_HEADER = /^\n*(sep=.\n\n*)?/i;
/** The first one that fits the header is used. */
const separators = [',', ';', '\t'];
/** In characters; our longest header has 210. */
const LONGEST_HEADER = 4096;

/** Where parsing stops, so that rubbish is refused early: a full file, and the blank rows that a spreadsheet may leave. */
const MOST_LINES = 5 * MAX_UPLOAD_ROWS;

const asText = (delimiter: string) => ({ delimiter, newline: '\n', header: false, dynamicTyping: false, skipEmptyLines: false }) as const;

const linesOf = (
  text: string,
  separator: string,
  breaksBefore: number,
  header: { readonly places: readonly number[]; readonly width: number },
  message: string,
): { ok: true; lines: readonly CsvLine[] } | CsvRefusal => {
  const { data, errors } = Papa.parse<string[]>(text, { ...asText(separator), preview: MOST_LINES });
  const malformed = errors[0];
  const lines: CsvLine[] = [];
  let line = breaksBefore + 1;
  for (const [index, row] of data.entries()) {
    if (index === malformed?.row) return refused(message, `A quotation mark on line ${line} is not closed, or appears inside quoted text.`);
    if (row.slice(header.width).some(isFilled)) {
      return refused(message, `Line ${line} has more values than the header has names. Text with a comma must be in quotation marks.`);
    }
    if (index > 0 && row.some(isFilled)) lines.push({ line, cells: header.places.map((place) => textOf(row[place] ?? '')) });
    line += 1 + row.reduce((breaks, cell) => breaks + breaksIn(cell), 0);
  }
  if (lines.length > MAX_UPLOAD_ROWS || data.length >= MOST_LINES) return refused(fileMessages.tooManyRows(MAX_UPLOAD_ROWS));
  if (lines.length === 0) return refused(fileMessages.noRows);
  return { ok: true, lines };
};

const isFilled = (cell: string): boolean => cell.trim() !== '';

const withoutBlankEnd = (row: readonly string[]): readonly string[] => row.slice(0, row.findLastIndex(isFilled) + 1);

/** On one line, and without the apostrophe that `csvText` puts before formulas. */
const textOf = (cell: string): string => {
  const text = cell.trim();
  return (text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text).replace(/\s*\n\s*/g, ' ');
};

const breaksIn = (cell: string): number => (cell.includes('\n') ? cell.split('\n').length - 1 : 0);
