import type { DraftRow } from './rows.ts';
import { isBlock } from './rows.ts';

/**
 * What a page that closes has not written to IndexedDB yet. A browser drops what still waits for another transaction when its page goes, even
 * if it was committed, but writes to localStorage at once: the next page, or another tab, takes it from there. It stays a moment, as a rule.
 */
export type Journalled = DraftRow<unknown> & { readonly accountId: string; readonly at?: number };
/** A write that has not ended: rows, and the keys of drafts that it removes. */
export type Unwritten = { readonly rows: readonly Journalled[]; readonly gone: readonly string[] };

/** What is left of writes in their order. */
export const leftOf = (writes: Iterable<Unwritten>): readonly Journalled[] =>
  [...writes].reduce<readonly Journalled[]>((left, { rows, gone }) => [...without(left, new Set(gone)), ...rows], []);

const without = (rows: readonly Journalled[], gone: ReadonlySet<string>): readonly Journalled[] =>
  rows.flatMap((row) => {
    if (!isBlock(row)) return gone.has(row.key) ? [] : [row];
    const left = Object.entries(row.is).filter(([key]) => !gone.has(key));
    return left.length === 0 ? [] : [{ ...row, is: Object.fromEntries(left) }];
  });

/** Call it as the page closes; without rows it removes what was written under this id. Where the browser refuses, they are lost. */
export const writeJournal = (id: string, rows: readonly Journalled[]): void => {
  try {
    if (rows.length > 0) localStorage.setItem(`${PREFIX}${id}`, JSON.stringify(rows));
    else localStorage.removeItem(`${PREFIX}${id}`);
  } catch {
    // Full, or refused.
  }
};

/** What closed pages have left, by the id under which it was written. What is no journal of rows is empty. */
export const readJournals = (): ReadonlyMap<string, readonly Journalled[]> => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return new Map(names.map((name) => [name.slice(PREFIX.length), rowsIn(localStorage.getItem(name) ?? '')]));
  } catch {
    return new Map();
  }
};

/** Removes what closed pages have left of an account. */
export const forgetJournals = (accountId: string): void => {
  for (const [id, rows] of readJournals())
    writeJournal(
      id,
      rows.filter((row) => row.accountId !== accountId),
    );
};

/** Calls the listener when another tab has closed and left something, until the returned function is called. */
export const followJournals = (listener: () => void): (() => void) => {
  const told = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null && key?.startsWith(PREFIX)) listener();
  };
  window.addEventListener('storage', told);
  return () => window.removeEventListener('storage', told);
};

const rowsIn = (text: string): readonly Journalled[] => {
  try {
    const rows = JSON.parse(text) as readonly Partial<Journalled>[];
    return rows.filter(
      (row): row is Journalled => typeof row.accountId === 'string' && typeof row.key === 'string' && row.is !== undefined,
    );
  } catch {
    return [];
  }
};

/** Permanent, as drafts outlast an upgrade. */
const PREFIX = 'marktrail-journal-';
