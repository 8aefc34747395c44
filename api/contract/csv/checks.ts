/** Checks shared by several kinds of files. Each returns what to tell the user; undefined: no problem. */
import { messages } from '../limits.ts';
import type { CsvRefusal, FileProblem } from './file.ts';
import { fileMessages, refused } from './file.ts';
import type { CsvLine } from './table.ts';

/**
 * A mark or total: a whole number from 0, or null where the cell is empty. Undefined: anything else. `20.0` is whole, and so is `20,0`, as
 * Excel writes it by country; `1.000` and `1,000` might be one or a thousand.
 */
export const markOf = (text: string): number | null | undefined => {
  if (text === '') return null;
  return /^\d{1,9}([.,]0{1,2})?$/.test(text) ? Number.parseInt(text, 10) : undefined;
};

/** Every cell from column `first` on that holds no mark. */
export const notNumeric = (lines: readonly CsvLine[], columns: readonly string[], first: number): CsvRefusal | undefined =>
  blame(messages.nonNumeric, lines, columns, (text, column) => column >= first && markOf(text) === undefined);

/** Every cell of these columns that is empty. */
export const blanks = (lines: readonly CsvLine[], columns: readonly string[], required: readonly string[]): CsvRefusal | undefined => {
  const isBlank = (text: string, column: number) => text === '' && required.includes(columns[column] ?? '');
  const problems = cellsWhere(lines, columns, isBlank);
  const names = required.filter((column) => problems.some((problem) => problem.column === column));
  return names.length > 0
    ? refused(fileMessages.blanks(names), `See ${linesText(problems.map(({ line }) => line))}.`, problems)
    : undefined;
};

/** Every row whose StudentID (the first cell) occurs in another row too, ignoring case. */
export const duplicates = (lines: readonly CsvLine[]): CsvRefusal | undefined => {
  const byId = new Map<string, CsvLine[]>();
  for (const line of lines) {
    const id = (line.cells[0] ?? '').normalize('NFC').toLowerCase();
    const same = byId.get(id);
    if (same) same.push(line);
    else byId.set(id, [line]);
  }
  byId.delete('');
  const repeated = [...byId.values()].filter((same) => same.length > 1);
  if (repeated.length === 0) return undefined;
  const named = (same: readonly CsvLine[]) => [...new Set(same.map(({ cells: [id = '', name = ''] }) => `${name} (${id})`))].join(', ');
  const detail = repeated.map((same) => `${named(same)}: ${linesText(same.map(({ line }) => line))}`).join('; ');
  const problems = repeated.flat().map(({ line, cells }) => ({ line, column: 'StudentID', value: cells[0] ?? '' }));
  return refused(
    fileMessages.duplicateIds,
    `${detail}.`,
    problems.sort((one, other) => one.line - other.line),
  );
};

/** Every cell that is too long for its column: the columns have been moved, or the file is of another kind. */
export const tooLong = (
  lines: readonly CsvLine[],
  columns: readonly string[],
  longest: Readonly<Record<string, number>>,
  message: string = fileMessages.wrongTemplate,
): CsvRefusal | undefined => {
  // In characters, as the schemas count: one outside the basic plane is two in `length`.
  const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most;
  const problems = cellsWhere(lines, columns, (text, column) => isLonger(text, longest[columns[column] ?? ''] ?? Infinity));
  const bounds = Object.entries(longest).filter(([name]) => problems.some(({ column }) => column === name));
  const most = bounds.map(([name, length]) => `${name} has at most ${length} characters`).join(', ');
  return problems.length > 0 ? refused(message, `${most}. ${cellsText(problems)}`, problems) : undefined;
};

/** Refuses the file if any cell is wrong, and lists all of them. */
export const blame = (
  message: string,
  lines: readonly CsvLine[],
  columns: readonly string[],
  isWrong: (text: string, column: number, row: number) => boolean,
): CsvRefusal | undefined => {
  const problems = cellsWhere(lines, columns, isWrong);
  return problems.length > 0 ? refused(message, cellsText(problems), problems) : undefined;
};

const cellsWhere = (
  lines: readonly CsvLine[],
  columns: readonly string[],
  isWrong: (text: string, column: number, row: number) => boolean,
): readonly FileProblem[] =>
  lines.flatMap(({ line, cells }, row) =>
    cells.flatMap((value, index) => (isWrong(value, index, row) ? [{ line, column: columns[index] ?? '', value }] : [])),
  );

/** 'Line 4, Test 1: "abs"; ...', the first few; the whole list is in `problems`. */
export const cellsText = (problems: readonly FileProblem[]): string => {
  const first = problems
    .slice(0, SHOWN)
    .map(({ line, column, value }) => `line ${line}, ${column}: "${shortened(value)}"`)
    .join('; ');
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
  return `See ${first}${more}.`;
};

const linesText = (lines: readonly number[]): string => {
  const distinct = [...new Set(lines)];
  const more = distinct.length > SHOWN ? ` and ${distinct.length - SHOWN} more` : '';
  return `line${distinct.length > 1 ? 's' : ''} ${distinct.slice(0, SHOWN).join(', ')}${more}`;
};

const shortened = (value: string): string => (value.length > 40 ? `${value.slice(0, 39)}…` : value);

const SHOWN = 5;
