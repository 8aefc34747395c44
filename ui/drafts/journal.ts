import { NECESSARY } from '../site/consent.ts';
import type { DraftRow } from './rows.ts';
import { isBlock } from './rows.ts';

/**
 * What a page that closes has not written to IndexedDB yet. A browser drops what still waits for another transaction when its page goes, even
 * if it was committed, but writes to localStorage at once: the next page, or another tab, takes it from there. It stays a moment, as a rule.
 */
export type Journalled = DraftRow<unknown> & { readonly accountId: string; readonly at?: number };
/** A draft that its author took back. `order`: as that of a row. */
export type Removed = { readonly accountId: string; readonly key: string; readonly order: number; readonly isGone: true };
type Entry = Journalled | Removed;
/** A write that has not ended. */
export type Unwritten = { readonly rows: readonly Journalled[]; readonly gone: readonly Removed[] };

export const isRemoved = (entry: Entry): entry is Removed => 'isGone' in entry;

/** What is left of writes in their order. */
export const leftOf = (writes: Iterable<Unwritten>): readonly Entry[] =>
  [...writes].reduce<readonly Entry[]>((left, { rows, gone }) => {
    const keys = new Set(gone.map(({ key }) => key));
    return [...left.flatMap<Entry>((entry) => (isRemoved(entry) ? [entry] : withoutDrafts(entry, keys))), ...gone, ...rows];
  }, []);

/** A row without some of its drafts; none if nothing is left. */
export const withoutDrafts = <Row extends DraftRow<unknown>>(row: Row, gone: ReadonlySet<string>): readonly Row[] => {
  if (!isBlock(row)) return gone.has(row.key) ? [] : [row];
  const left = Object.entries(row.is).filter(([key]) => !gone.has(key));
  return left.length === 0 ? [] : [{ ...row, is: Object.fromEntries(left) }];
};

/** Call it as the page closes; without entries it removes what was written under this id. Where the browser refuses, they are lost. */
export const writeJournal = (id: string, entries: readonly Entry[]): void => {
  try {
    if (entries.length > 0) localStorage.setItem(`${NECESSARY}${id}`, JSON.stringify(entries));
    else localStorage.removeItem(`${NECESSARY}${id}`);
  } catch {
    // Full, or refused.
  }
};

/** What closed pages have left, by the id under which it was written. What is no journal is empty. */
export const readJournals = (): ReadonlyMap<string, readonly Entry[]> => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(NECESSARY));
    return new Map(names.map((name) => [name.slice(NECESSARY.length), entriesIn(localStorage.getItem(name) ?? '')]));
  } catch {
    return new Map();
  }
};

/** Removes what closed pages have left of an account. */
export const forgetJournals = (accountId: string): void => {
  for (const [id, entries] of readJournals())
    writeJournal(
      id,
      entries.filter((entry) => entry.accountId !== accountId),
    );
};

/** Calls the listener when another tab has closed and left something, until the returned function is called. */
export const followJournals = (listener: () => void): (() => void) => {
  const told = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null && key?.startsWith(NECESSARY)) listener();
  };
  window.addEventListener('storage', told);
  return () => window.removeEventListener('storage', told);
};

const entriesIn = (text: string): readonly Entry[] => {
  try {
    return (JSON.parse(text) as readonly Partial<Journalled & Removed>[]).filter(
      (entry): entry is Entry =>
        typeof entry.accountId === 'string' && typeof entry.key === 'string' && (entry.is !== undefined || entry.isGone === true),
    );
  } catch {
    return [];
  }
};
