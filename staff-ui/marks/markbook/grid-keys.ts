/** A cell of the current page, counted from 0. */
export type Place = { readonly row: number; readonly column: number };
export type Size = { readonly rows: number; readonly columns: number };

export type GridAct =
  | { readonly kind: 'go'; readonly to: Place }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'open' };

/** What a key does in the grid; undefined: left to the browser. */
export const actOf = (
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  at: Place,
  { rows, columns }: Size,
): GridAct | undefined => {
  const go = (row: number, column: number): GridAct => ({
    kind: 'go',
    to: { row: Math.min(rows - 1, Math.max(0, row)), column: Math.min(columns - 1, Math.max(0, column)) },
  });
  switch (key) {
    case 'ArrowUp':
      return go(at.row - 1, at.column);
    case 'ArrowDown':
      return go(at.row + 1, at.column);
    case 'ArrowLeft':
      return go(at.row, at.column - 1);
    case 'ArrowRight':
      return go(at.row, at.column + 1);
    case 'Home':
      return go(ctrlKey ? 0 : at.row, 0);
    case 'End':
      return go(ctrlKey ? rows - 1 : at.row, columns - 1);
    case 'PageUp':
      return { kind: 'page', by: -1 };
    case 'PageDown':
      return { kind: 'page', by: 1 };
    case 'Enter':
    case ' ':
      return { kind: 'open' };
    default:
      return undefined;
  }
};
