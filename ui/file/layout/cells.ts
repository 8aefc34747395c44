/** What single cells of a table are, and most of a column. */
import type { Rows } from './target.ts';

export const isNumber = (text: string): boolean => /^[+-]?\d+(?:[.,]\d+)?$/u.test(text);
export const hasLetter = (text: string): boolean => /\p{L}/u.test(text);
export const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text);
export const numberIn = (text: string): number | undefined => (/^\d{1,4}(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined);

export const columnIn = (rows: Rows, column: number): readonly string[] =>
  rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
export const most = (cells: readonly string[], is: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(is).length * 2 > cells.length;
