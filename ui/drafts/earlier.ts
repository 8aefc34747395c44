import { NECESSARY } from '../site/consent.ts';

/**
 * What a browser keeps since before this version: goes, with NECESSARY of ui/site/consent.ts, at the first release, when nothing of it waits
 * anywhere any more. A pasted block was one row, the newest row of a draft counted (`order`), and what a closing page could not write, or had
 * taken back, was left in localStorage. Now each draft has one row.
 */
type Earlier = {
  readonly accountId: string;
  readonly key: string;
  readonly order?: number;
  readonly at?: number;
  readonly is?: unknown;
  /** The author took it back. */
  readonly isGone?: true;
};

/** As the tables are made anew. */
export const takeInEarlier = (transaction: IDBTransaction): void => {
  const [drafts, batches] = [transaction.objectStore('drafts'), transaction.objectStore('batches')];
  const now = Date.now();
  const kept: IDBRequest<Earlier[]> = drafts.getAll();
  kept.onsuccess = () => {
    drafts.clear();
    for (const { accountId, key, at = now, is } of newest([...kept.result, ...journalled()])) drafts.put({ accountId, key, is, at });
  };
  const sent: IDBRequest<Earlier[]> = batches.getAll();
  sent.onsuccess = () => {
    for (const row of sent.result) if (row.at === undefined) batches.put({ ...row, at: now });
  };
  transaction.addEventListener('complete', () => {
    for (const name of journals()) localStorage.removeItem(name);
  });
};

/** One row for each draft, as it was typed last. Of one moment, what was taken back is older than a block, and a block than a single draft. */
const newest = (rows: readonly Earlier[]): readonly Earlier[] => {
  const last = new Map<string, Earlier>();
  const rank = ({ key, isGone }: Earlier) => (isGone ? 0 : isBlock(key) ? 1 : 2);
  for (const row of rows.toSorted(
    (one, other) => (one.order ?? 0) - (other.order ?? 0) || rank(one) - rank(other) || (one.key < other.key ? -1 : 1),
  ))
    for (const draft of isBlock(row.key) ? Object.entries(row.is ?? {}).map(([key, is]) => ({ ...row, key, is })) : [row])
      last.set(`${draft.accountId} ${draft.key}`, draft);
  return [...last.values()].filter(({ isGone }) => !isGone);
};

const isBlock = (key: string): boolean => key.startsWith('block ');

/** None where the browser refuses. */
const journals = (): readonly string[] => {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(NECESSARY));
  } catch {
    return [];
  }
};

/** What is no journal is empty. */
const journalled = (): readonly Earlier[] =>
  journals().flatMap((name) => {
    try {
      return (JSON.parse(localStorage.getItem(name) ?? '') as readonly Earlier[]).filter(
        ({ accountId, key, is, isGone }) => typeof accountId === 'string' && typeof key === 'string' && (is !== undefined || isGone),
      );
    } catch {
      return [];
    }
  });
