import { NECESSARY } from '../site/consent.ts';
import { answerOf } from './database.ts';

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
  /** A draft, or of a block each by its key. */
  readonly is?: Readonly<Record<string, unknown>>;
  /** The author took it back. */
  readonly isGone?: true;
};

type Kept = Omit<Earlier, 'is'> & { readonly is: unknown };

/** As the tables are made anew. */
export const takeInEarlier = async (transaction: IDBTransaction): Promise<void> => {
  transaction.addEventListener('complete', () => {
    for (const name of journals()) localStorage.removeItem(name);
  });
  const [drafts, batches] = [transaction.objectStore('drafts'), transaction.objectStore('batches')];
  const now = Date.now();
  const [typed, sent] = await Promise.all([drafts, batches].map((table) => answerOf<readonly Earlier[]>(table.getAll())));
  drafts.clear();
  for (const { accountId, key, at = now, is } of newest([...(typed ?? []), ...journalled()])) drafts.put({ accountId, key, is, at });
  for (const row of sent ?? []) if (row.at === undefined) batches.put({ ...row, at: now });
};

/** One row for each draft, as it was typed last. Of one moment, what was taken back is older than a block, and a block than a single draft. */
const newest = (rows: readonly Earlier[]): readonly Kept[] => {
  const last = new Map<string, Kept>();
  const rank = ({ key, isGone }: Earlier) => (isGone ? 0 : isBlock(key) ? 1 : 2);
  for (const row of rows.toSorted(
    (one, other) => (one.order ?? 0) - (other.order ?? 0) || rank(one) - rank(other) || (one.key < other.key ? -1 : 1),
  ))
    for (const [key, is] of isBlock(row.key) ? Object.entries(row.is ?? {}) : [[row.key, row.is] as const])
      last.set(`${row.accountId} ${key}`, { ...row, key, is });
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
