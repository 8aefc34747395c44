/**
 * Drafts as the rows of a table: one row each, or one row for a block that was typed together. So a pasted class is one write instead of
 * some thousand. Pure. Where several rows hold the same draft, the newest counts, so no row has to be read before another is written, and a
 * keystroke can be written at once.
 */

type Drafts<Of> = Readonly<Record<string, Of>>;

/**
 * `order`: the higher, the newer; rows of earlier versions have none, and are older than all others. Two tabs may write the same order at
 * the same moment: then a single draft is newer than a block, and otherwise the later key is. All tabs decide alike.
 */
type Single<Of> = { readonly key: string; readonly order?: number; readonly is: Of };
type Block<Of> = { readonly key: string; readonly order: number; readonly is: Drafts<Of> };
export type DraftRow<Of> = Single<Of> | Block<Of>;

/** No draft has such a key. Permanent: drafts outlast an upgrade. */
const BLOCK = 'block ';
/** Up to this many drafts are written one by one, so that each can be typed over by itself. */
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

const oldestFirst = <Of>(rows: readonly DraftRow<Of>[]) =>
  rows.toSorted(
    (one, other) =>
      (one.order ?? 0) - (other.order ?? 0) || Number(isBlock(other)) - Number(isBlock(one)) || (one.key < other.key ? -1 : 1),
  );

/** The rows to write for what was typed together. `order`: higher than that of any other row. */
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
 * What to remove and then to write, so that the rows hold `after`, and nothing twice. `after`: made from `draftsIn(rows)`; a draft that has
 * stayed is the same object. A draft that says the same as before (`isSame`) stays as old as it was: another tab may have typed over it
 * since, in a row that is written after this.
 */
export const rewritten = <Of>(
  rows: readonly DraftRow<Of>[],
  after: Drafts<Of>,
  { order, id, isSame }: { readonly order: number; readonly id: string; readonly isSame: (one: Of, other: Of) => boolean },
): Rewriting<Of> => {
  const gone: string[] = [];
  const put: DraftRow<Of>[] = [];
  const held = new Set<string>();
  for (const row of rows) {
    const holds = heldBy(row);
    const left = holds.filter(([key, is]) => after[key] === is);
    for (const [key] of left) held.add(key);
    if (left.length === holds.length) continue;
    if (isBlock(row) && left.length > 0) put.push({ ...row, is: Object.fromEntries(left) });
    else gone.push(row.key);
  }
  const before = new Map(oldestFirst(rows).flatMap((row) => heldBy(row).map(([key, is]) => [key, { is, order: row.order ?? 0 }])));
  const orderOf = ([key, is]: readonly [string, Of]): number => {
    const was = before.get(key);
    return was && isSame(was.is, is) ? was.order : order;
  };
  const added = Map.groupBy(
    Object.entries(after).filter(([key]) => !held.has(key)),
    orderOf,
  );
  return { gone, put: [...put, ...[...added].flatMap(([at, drafts]) => rowsOf(Object.fromEntries(drafts), at, `${id} ${at}`))] };
};

const heldBy = <Of>(row: DraftRow<Of>): readonly (readonly [string, Of])[] => (isBlock(row) ? Object.entries(row.is) : [[row.key, row.is]]);
