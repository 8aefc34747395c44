/** Rows or columns that are seen: `last` is the first one after them. */
export type Seen = { readonly first: number; readonly last: number };

/** Those from `from` to before `to`, and the one `beyond` them that is drawn all the same; -1: none is. */
export const shown = (from: number, to: number, count: number, beyond: number): readonly number[] => {
  const all = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (beyond < 0 || beyond >= count) return all;
  return beyond < from ? [beyond, ...all] : [...all, beyond];
};

/** How many are left out before each that is drawn. */
export const gapsBefore = (drawn: readonly number[]): readonly number[] =>
  drawn.map((one, index) => one - (index === 0 ? 0 : (drawn[index - 1] ?? 0) + 1));

/** How many are left out after the last that is drawn. */
export const gapAfter = (drawn: readonly number[], count: number): number => count - 1 - (drawn.at(-1) ?? -1);
