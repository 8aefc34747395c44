import type { DraftRow } from './rows.ts';

/**
 * What a page that closes has not written to IndexedDB yet. A browser drops what still waits for another transaction when its page goes, even
 * if it was committed, but writes to localStorage at once: the next page, or another tab, takes it from there. It stays a moment, as a rule.
 */
export type Journalled = DraftRow<unknown> & { readonly accountId: string; readonly at?: number };

/** Call it as the page closes. Where the browser refuses, what was typed in the last moment is lost. */
export const writeJournal = (id: string, rows: readonly Journalled[]): void => {
  try {
    localStorage.setItem(`${PREFIX}${id}`, JSON.stringify(rows));
  } catch {
    // Full, or refused.
  }
};

/** What closed pages have left. `drop` once it is written. */
export const readJournals = (): { readonly rows: readonly Journalled[]; readonly drop: () => void } => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    const rows = names.flatMap((name) => JSON.parse(localStorage.getItem(name) ?? '[]') as readonly Journalled[]);
    return { rows, drop: () => names.forEach((name) => localStorage.removeItem(name)) };
  } catch {
    return { rows: [], drop: () => undefined };
  }
};

/** Calls the listener when another tab has closed and left something, until the returned function is called. */
export const followJournals = (listener: () => void): (() => void) => {
  const told = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null && key?.startsWith(PREFIX)) listener();
  };
  window.addEventListener('storage', told);
  return () => window.removeEventListener('storage', told);
};

/** Permanent, as drafts outlast an upgrade. */
const PREFIX = 'marktrail-journal-';
