import Papa from 'papaparse';
import { MAX_UPLOAD_ROWS } from '../limits.ts';
import type { ChosenFile, CsvRefusal } from './file.ts';
import { fileMessages, refused, refusedUnread } from './file.ts';
import type { Decoded, Encoding } from './text.ts';
import { decodeText } from './text.ts';
import { FORMULA } from './write.ts';

/** A row as the file has it: trimmed texts. */
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
 * The rows of a CSV file below its header, their cells in the order of the columns asked for. Refuses a wrong header, and a value to the
 * right of the last heading (an unquoted comma has shifted the row).
 */
export const readTable = (
  file: ChosenFile,
  header: Header,
  message: string = fileMessages.wrongTemplate,
): { ok: true; lines: readonly CsvLine[] } | CsvRefusal => {
  const read = readText(file, message);
  if (!read.ok) return read;
  const separator = separators.find((one) => header(headOf(read.text, one)));
  if (separator === undefined) return refused(message);
  const rows = rowsOf(read, separator, message);
  return rows.ok ? below(rows.rows, header, message) : rows;
};

/**
 * All rows of a CSV file that hold anything, titles and header among them. `header`: with the separator of values for which it fits; left
 * out, or if it fits with none, with the one that makes most columns. `encoding`: if it is not Unicode.
 */
export const readRows = (
  file: ChosenFile,
  header: Header,
  encoding?: Encoding,
): { ok: true; rows: readonly CsvLine[]; encoding: (Decoded & { ok: true })['encoding'] } | CsvRefusal => {
  const read = readText(file, fileMessages.wrongTemplate, encoding);
  if (!read.ok) return read;
  const separator = separators.find((one) => header(headOf(read.text, one))) ?? widest(read.text);
  const rows = rowsOf(read, separator, fileMessages.wrongTemplate);
  return rows.ok ? { ok: true, rows: rows.rows, encoding: read.encoding } : rows;
};

/** The rows below a header that is the first of them. */
export const below = (
  rows: readonly CsvLine[],
  header: Header,
  message: string = fileMessages.wrongTemplate,
): { ok: true; lines: readonly CsvLine[] } | CsvRefusal => {
  const names = withoutBlankEnd(rows[0]?.cells ?? []);
  const places = header(names);
  if (!places) return refused(message);
  const shifted = rows.find(({ cells }) => cells.slice(names.length).some(isFilled));
  if (shifted)
    return refused(
      message,
      `Line ${shifted.line} has more values than the header has names. Text with a comma must be in quotation marks.`,
    );
  const lines = rows.slice(1).map(({ line, cells }) => ({ line, cells: places.map((place) => cells[place] ?? '') }));
  if (lines.length > MAX_UPLOAD_ROWS) return refused(fileMessages.tooManyRows(MAX_UPLOAD_ROWS));
  return lines.length === 0 ? refused(fileMessages.noRows) : { ok: true, lines };
};

type Text = { readonly ok: true; readonly text: string; readonly encoding: (Decoded & { ok: true })['encoding']; readonly above: number };

/** `above`: line breaks before it, above which there is nothing, or the line by which spreadsheets name the separator. */
const readText = (file: ChosenFile, message: string, encoding?: Encoding): Text | CsvRefusal => {
  const unread = refusedUnread({ name: file.name, type: file.type, size: file.bytes.byteLength }, message);
  if (unread) return unread;
  const read = decodeText(file.bytes, encoding);
  if (!read.ok) return refused(message, read.nul === undefined ? fileMessages.notCsv : fileMessages.nul(read.nul));
  if (read.text.trim() === '') return refused(message, fileMessages.empty);
  const above = ABOVE_THE_HEADER.exec(read.text)?.[0] ?? '';
  return { ...read, text: read.text.slice(above.length), above: breaksIn(above) };
};

/** Blank lines, and the line by which spreadsheets name the separator. */
const ABOVE_THE_HEADER = /^\n*(sep=.\n\n*)?/i;
/** The first one that fits the header is used. */
const separators = [',', ';', '\t', '|'];
/** In characters; our longest header has 210. */
const LONGEST_HEADER = 4096;

/** Where parsing stops, so that rubbish is refused early: a full file, and the blank rows that a spreadsheet may leave. */
const MOST_LINES = 5 * MAX_UPLOAD_ROWS;
/** Titles, headings, maxima, totals and a footer around the rows of a full file. */
const MOST_BESIDE = 50;

const asText = (delimiter: string) => ({ delimiter, newline: '\n', header: false, dynamicTyping: false, skipEmptyLines: false }) as const;

/** Looks at the first row before a whole file of rubbish is parsed. */
const headOf = (text: string, separator: string): readonly string[] =>
  withoutBlankEnd(Papa.parse<string[]>(text.slice(0, LONGEST_HEADER), { ...asText(separator), preview: 1 }).data[0] ?? []);

/** The separator that makes most cells of the first rows. */
const widest = (text: string): string => {
  const cells = (separator: string): number =>
    Papa.parse<string[]>(text.slice(0, 4 * LONGEST_HEADER), { ...asText(separator), preview: 40 }).data.reduce(
      (sum, row) => sum + row.length,
      0,
    );
  return separators.reduce((best, one) => (cells(one) > cells(best) ? one : best));
};

/**
 * Every value is text: 00123 stays 00123. Accepts what spreadsheets write: semicolons instead of commas (Excel in many countries) or tabs
 * (Excel's Unicode Text); a first line such as `sep=;`; empty columns at the end; rows that end early; blank rows, which are skipped. Refuses
 * quotation marks that are not closed.
 */
const rowsOf = ({ text, above }: Text, separator: string, message: string): { ok: true; rows: readonly CsvLine[] } | CsvRefusal => {
  const { data, errors } = Papa.parse<string[]>(text, { ...asText(separator), preview: MOST_LINES });
  const malformed = errors[0];
  const rows: CsvLine[] = [];
  let line = above + 1;
  for (const [index, row] of data.entries()) {
    if (index === malformed?.row) return refused(message, `A quotation mark on line ${line} is not closed, or appears inside quoted text.`);
    if (row.some(isFilled)) rows.push({ line, cells: row.map(textOf) });
    line += 1 + row.reduce((breaks, cell) => breaks + breaksIn(cell), 0);
  }
  return rows.length > MAX_UPLOAD_ROWS + MOST_BESIDE || data.length >= MOST_LINES
    ? refused(fileMessages.tooManyRows(MAX_UPLOAD_ROWS))
    : { ok: true, rows };
};

const isFilled = (cell: string): boolean => cell.trim() !== '';

const withoutBlankEnd = (row: readonly string[]): readonly string[] => row.slice(0, row.findLastIndex(isFilled) + 1);

/**
 * On one line, and without what keeps a spreadsheet from reading it as something else: the apostrophe that `csvText` puts before formulas,
 * the one by which people make a number a text, and `="00123"`.
 */
export const textOf = (cell: string): string => {
  const text = cell.trim();
  const formula = /^=\s*"((?:[^"]|"")*)"$/.exec(text)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  return (/^['’](?=\d)/.test(text) || (text.startsWith("'") && FORMULA.test(text.slice(1))) ? text.slice(1) : text).replace(
    /\s*\n\s*/g,
    ' ',
  );
};

const breaksIn = (cell: string): number => (cell.includes('\n') ? cell.split('\n').length - 1 : 0);
