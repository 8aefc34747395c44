/** A cell of a table of marks, counted from 0. */
export type Place = { readonly row: number; readonly column: number };
export type Edit = { readonly place: Place; readonly text: string };
export type Size = { readonly rows: number; readonly columns: number };

/** Whole rows and columns, both ends included. */
export type Block = { readonly top: number; readonly left: number; readonly bottom: number; readonly right: number };

/** What is selected: from the cell that is typed into to the opposite corner. */
export type Selection = {
  readonly active: Place;
  readonly to: Place;
  /** The column in which a line of entry began: Enter returns to it, in the next row. */
  readonly start: number;
};

export const at = (place: Place, start = place.column): Selection => ({ active: place, to: place, start });

export const blockOf = ({ active, to }: Selection): Block => ({
  top: Math.min(active.row, to.row),
  left: Math.min(active.column, to.column),
  bottom: Math.max(active.row, to.row),
  right: Math.max(active.column, to.column),
});

/** Its cells, row by row. */
export const placesIn = ({ top, left, bottom, right }: Block): readonly Place[] =>
  Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (_unused, column) => ({ row: top + row, column: left + column })),
  ).flat();

/** The nearest place in the table. */
export const inside = ({ row, column }: Place, { rows, columns }: Size): Place => ({
  row: Math.max(0, Math.min(rows - 1, row)),
  column: Math.max(0, Math.min(columns - 1, column)),
});

/** A selection in a table that may have become smaller. */
export const fitted = ({ active, to, start }: Selection, size: Size): Selection => ({
  active: inside(active, size),
  to: inside(to, size),
  start: Math.max(0, Math.min(size.columns - 1, start)),
});

/** The first row of a block into those below it; a block of one row is filled from the row above it. An empty cell fills nothing. */
export const filledDown = ({ top, left, bottom, right }: Block, textAt: (place: Place) => string): readonly Edit[] => {
  const from = top === bottom ? top - 1 : top;
  if (from < 0) return [];
  const edits: Edit[] = [];
  for (let row = from + 1; row <= bottom; row++)
    for (let column_ = left; column_ <= right; column_++) {
      const text = textAt({ row: from, column: column_ });
      if (text !== '') edits.push({ place: { row, column: column_ }, text });
    }
  return edits;
};
