import type { Block, Place, Size } from './place.ts';

export type Edit = { readonly place: Place; readonly text: string };

export type Pasted = {
  readonly edits: readonly Edit[];
  /** Cells with a text that have no place: below or right of the table, or of somebody who is not in it. */
  readonly outside: number;
  /** Names, or ids, in front of the marks, that are not in the table. */
  readonly strangers: readonly string[];
  /** The rows were found by the names in front of them. */
  readonly byName: boolean;
  /** What the cells are now. */
  readonly block: Block | undefined;
};

/**
 * Pastes a copied block from a place on; a single cell fills a larger selection. An empty cell of the block says nothing: what is in the
 * table stays. Names or ids in front of the marks say whose rows they are (`rowOf`); a heading above them is left out.
 */
export const pasted = (
  copied: readonly (readonly string[])[],
  into: Block,
  size: Size,
  rowOf: (name: string) => number | undefined,
): Pasted => {
  const one = copied.length === 1 && copied[0]?.length === 1 ? copied[0][0] : undefined;
  const cells = (one === undefined ? copied : filledWith(one, into)).map((row) => row.map(clean));
  const labels = labelColumns(cells, rowOf);
  const isNamed = labels > 0 && cells.some((row) => found(row, labels, rowOf) !== undefined);
  const edits: Edit[] = [];
  const strangers: string[] = [];
  let outside = 0;
  let line = 0;
  for (const row of cells) {
    const marks = row.slice(labels);
    if (row === cells[0] && isHeading(row, labels, rowOf)) continue;
    const target = isNamed ? found(row, labels, rowOf) : into.top + line++;
    const isStranger = isNamed && target === undefined;
    if (isStranger && row.some((cell) => cell !== '')) strangers.push(row.slice(0, labels).find((cell) => cell !== '') ?? '');
    for (const [index, text] of marks.entries()) {
      const column = into.left + index;
      if (text === '') continue;
      if (target === undefined || target >= size.rows || column >= size.columns) outside++;
      else edits.push({ place: { row: target, column }, text });
    }
  }
  return { edits, outside, strangers, byName: isNamed, block: around(edits) };
};

const clean = (text: string): string => text.replaceAll('\u00A0', ' ').trim();

const filledWith = (text: string, { top, left, bottom, right }: Block): readonly (readonly string[])[] =>
  Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => text));

const isNumber = (text: string): boolean => /^[+-]?\d+([.,]\d+)?$/u.test(text);

/**
 * Columns before the marks: names and ids. Marks begin with the first column that holds a number, unless its numbers are ids of students,
 * with their names beside them. One column alone holds marks, whatever they are.
 */
const labelColumns = (cells: readonly (readonly string[])[], rowOf: (name: string) => number | undefined): number => {
  const width = Math.max(...cells.map((row) => row.length));
  const first = Array.from({ length: width }, (_, column) => column).find((column) => cells.some((row) => isNumber(row[column] ?? '')));
  if (first === undefined) return 0;
  const isOfIds = cells.some((row) => isNumber(row[first] ?? '') && rowOf(row[first] ?? '') !== undefined);
  const names = cells.map((row) => row[first + 1] ?? '').filter((text) => text !== '');
  return isOfIds && names.length > 0 && names.every((text) => /\p{L}{2}/u.test(text)) ? first + 2 : first;
};

/** The row of the first of these names that is in the table. */
const found = (row: readonly string[], labels: number, rowOf: (name: string) => number | undefined): number | undefined => {
  for (const name of row.slice(0, labels)) {
    const target = name === '' ? undefined : rowOf(name);
    if (target !== undefined) return target;
  }
  return undefined;
};

/** Whether a row has words above the marks, or a word above the names that is nobody's name. */
const isHeading = (row: readonly string[], labels: number, rowOf: (name: string) => number | undefined): boolean =>
  labels > 0 &&
  found(row, labels, rowOf) === undefined &&
  row.slice(labels).every((cell) => !isNumber(cell)) &&
  row.some((cell) => cell !== '');

const around = (edits: readonly Edit[]): Block | undefined => {
  if (edits.length === 0) return undefined;
  const rows = edits.map(({ place }) => place.row);
  const columns = edits.map(({ place }) => place.column);
  return { top: Math.min(...rows), left: Math.min(...columns), bottom: Math.max(...rows), right: Math.max(...columns) };
};

/** The first row of a block into those below it; a block of one row is filled from the row above it. An empty cell fills nothing. */
export const filledDown = ({ top, left, bottom, right }: Block, textAt: (place: Place) => string): readonly Edit[] => {
  const from = top === bottom ? top - 1 : top;
  if (from < 0) return [];
  const edits: Edit[] = [];
  for (let row = from + 1; row <= bottom; row++)
    for (let column = left; column <= right; column++) {
      const text = textAt({ row: from, column });
      if (text !== '') edits.push({ place: { row, column }, text });
    }
  return edits;
};
