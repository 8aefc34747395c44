import { Journal } from './journal.ts';
import { Store, type Appended, type Entry } from './store.ts';

/** Events from index `from` up to, not including, `to` of the log. */
export type Committed = (from: number, to: number) => void;

/**
 * Commits in groups: all appends of one turn of the event loop go to the journal in one write and become readable after it. Between an
 * append and its commit its ids are *in flight*.
 */
export class Writer {
  readonly store: Store;
  /** number of readable events */
  committed: number;
  readonly #journal: Journal | undefined;
  readonly #listeners = new Set<Committed>();
  #entries: Entry[] = [];
  #waiting: (() => void)[] = [];
  #commitDue = false;

  /** @param directory stores the log so that it survives the process; omitted: in memory */
  constructor(directory?: string) {
    this.store = new Store((entry) => this.#entries.push(entry));
    this.#journal = directory === undefined ? undefined : new Journal(directory);
    for (const entry of this.#journal?.entries() ?? []) this.store.replay(entry);
    if (this.store.log.events.length === 0) this.store.begin();
    else this.store.resume();
    this.committed = 0;
    this.commit();
  }

  /** Restarts on the same data. */
  resume(): void {
    this.commit();
    this.store.resume();
    this.commit();
  }

  /** Resolves when the append is committed; undefined: it repeats one that is in flight, and is not answered. */
  async done(appended: Appended): Promise<Appended | undefined> {
    if (appended.kind === 'appended' && appended.recognised && appended.end > this.committed) return undefined;
    if (this.#entries.length > 0) await this.#nextCommit();
    return appended;
  }

  onCommit(listener: Committed): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  commit(): void {
    this.#commitDue = false;
    const [entries, waiting] = [this.#entries, this.#waiting];
    [this.#entries, this.#waiting] = [[], []];
    this.#journal?.write(entries);
    const from = this.committed;
    this.committed = this.store.log.events.length;
    for (const answer of waiting) answer();
    if (this.committed > from) for (const listener of this.#listeners) listener(from, this.committed);
  }

  close(): void {
    this.commit();
    this.#journal?.close();
  }

  #nextCommit(): Promise<void> {
    if (!this.#commitDue) setImmediate(() => this.commit());
    this.#commitDue = true;
    return new Promise((committed) => this.#waiting.push(committed));
  }
}
