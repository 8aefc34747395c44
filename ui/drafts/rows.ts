/**
 * Drafts as the rows of a table: one each, or, of those that were typed together, a block of them in one row. A pasted class is one write
 * instead of some thousand. Pure; a row that is written never needs the others to be read first, so that a keystroke can be written at once:
 * where several hold the same draft, the newest counts.
 */

type Drafts<Of> = Readonly<Record<string, Of>>;

/** `order`: the later, the newer; rows of earlier versions have none, and are older than all others. */
type Single<Of> = { readonly key: string; readonly order?: number; readonly is: Of };
type Block<Of> = { readonly key: string; readonly order: number; readonly is: Drafts<Of> };
export type DraftRow<Of> = Single<Of> | Block<Of>;

/** No draft has such a key. Permanent: drafts outlast an upgrade. */
const BLOCK = 'block ';
/** As many drafts are written one by one, so that each can be typed over by itself. */
const FEW = 8;

export const isBlock = <Of>(row: DraftRow<Of>): row is Block<Of> => row.key.startsWith(BLOCK);

/** What the rows hold. */
export const draftsIn = <Of>(rows: readonly DraftRow<Of>[]): Drafts<Of> => {
  const all: Record<string, Of> = {};
  for (const row of oldestFirst(rows))
    if (isBlock(row)) Object.assign(all, row.is);
    else all[row.key] = row.is;
  return all;
};

const oldestFirst = <Of>(rows: readonly DraftRow<Of>[]) => rows.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));

/** The rows to write for what was typed together. `order`: later than that of any row there is. */
export const rowsOf = <Of>(typed: Drafts<Of>, order: number, id: string): readonly DraftRow<Of>[] => {
  const all = Object.entries(typed);
  if (all.length > FEW) return [{ key: `${BLOCK}${id}`, order, is: typed }];
  return all.map(([key, is]) => ({ key, order, is }));
};

export type Rewriting<Of> = {
  /** Keys of rows. */
  readonly gone: readonly string[];
  readonly put: readonly DraftRow<Of>[];
};

/**
 * What to remove and then to write, so that the rows hold `after` and nothing twice. `after`: made of `draftsIn(rows)`; a draft that has
 * stayed is the same object.
 */
export const rewritten = <Of>(rows: readonly DraftRow<Of>[], after: Drafts<Of>, order: number, id: string): Rewriting<Of> => {
  const gone: string[] = [];
  const put: DraftRow<Of>[] = [];
  const held = new Set<string>();
  for (const row of rows) {
    const holds = Object.entries(isBlock(row) ? row.is : { [row.key]: row.is });
    const left = holds.filter(([key, is]) => after[key] === is);
    for (const [key] of left) held.add(key);
    if (left.length === holds.length) continue;
    if (isBlock(row) && left.length > 0) put.push({ ...row, is: Object.fromEntries(left) });
    else gone.push(row.key);
  }
  const added = Object.fromEntries(Object.entries(after).filter(([key]) => !held.has(key)));
  return { gone, put: [...put, ...rowsOf(added, order, id)] };
};
