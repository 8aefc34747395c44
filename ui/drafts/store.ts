import { replaceEqualDeep } from '@tanstack/react-query';
import type { Draft, DraftState } from './drafts.ts';
import { discarded, merged, NO_DRAFTS, typed, uncertain, withDrafts, withoutChanged } from './drafts.ts';
import type { OutboxOptions } from './outbox.ts';
import { Outbox } from './outbox.ts';
import type { PageDrafts, Seen } from './seen.ts';
import { isUnchanged, newPage, reported, retyped, seenOf } from './seen.ts';

/** Where the drafts of one person are kept. Several tabs may share it; each call is one transaction. Rejects if it cannot keep them. */
export type DraftStorage<Value, Saw, Input> = {
  /** Sets drafts; undefined removes one. Nothing is read before it: a keystroke is on its way at once, though its page be left. */
  put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): Promise<void>;
  /** Replaces what is kept by what `step` makes of it, and answers that. A step that answers what it was given only reads. */
  change(step: (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>): Promise<DraftState<Value, Saw, Input>>;
  /** Calls the listener when another tab has changed something. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
};

type Changes<Value, Saw> = Readonly<Record<string, Draft<Value, Saw> | undefined>>;

/**
 * One person's drafts, by record or cell. A keystroke is in memory at once and kept by the browser soon after. A browser that refuses or is
 * full stops nobody from typing: until it keeps drafts again, only this page holds what is typed.
 */
export class DraftStore<Value, Saw, Input> {
  readonly #storage: DraftStorage<Value, Saw, Input> | undefined;
  readonly #outbox: Outbox<Value, Saw, Input>;
  readonly save: Outbox<Value, Saw, Input>['save'];
  readonly takeBack: Outbox<Value, Saw, Input>['takeBack'];
  readonly resume: Outbox<Value, Saw, Input>['resume'];
  readonly #listeners = new Set<() => void>();
  /** Typed here and not kept yet: newer than what is read meanwhile. */
  readonly #unwritten = new Map<string, Draft<Value, Saw> | undefined>();
  #page: PageDrafts<Value, Saw, Input>;
  #seen: Seen<Value, Saw, Input>;
  /** What the browser keeps, as far as this page knows. */
  #kept: DraftState<Value, Saw, Input> = NO_DRAFTS;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param storage undefined: only this page holds them */
  constructor(storage: DraftStorage<Value, Saw, Input> | undefined, options: OutboxOptions<Value, Saw>) {
    this.#storage = storage;
    this.#page = newPage(storage !== undefined);
    this.#seen = seenOf(this.#page);
    this.#outbox = new Outbox(
      {
        state: () => this.#page,
        change: (step, isQuiet) => this.#change(step, isQuiet),
        report: (keys, outcome) => {
          this.#set(reported(this.#page, keys, outcome));
          if (outcome) this.#notify();
          else setTimeout(() => this.#notify());
        },
      },
      options,
    );
    this.save = this.#outbox.save;
    this.takeBack = this.#outbox.takeBack;
    this.resume = this.#outbox.resume;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly seen = (): Seen<Value, Saw, Input> => this.#seen;

  /** Reads what is kept, and follows other tabs until the returned function is called. */
  open(): () => void {
    const leave = this.#storage?.subscribe(() => void this.#change());
    void this.#change();
    return () => {
      leave?.();
      clearTimeout(this.#retry);
    };
  }

  /** `saw`: what is stored now; a draft that is there already keeps what its author saw first. */
  type(changes: Readonly<Record<string, Draft<Value, Saw>>>): void {
    this.put(Object.fromEntries(Object.entries(changes).map(([key, draft]) => [key, typed(this.#page.drafts[key], draft)])));
  }

  /** Drafts as they are given: based on what is stored now, as their author has seen it, or as they were before; undefined: there is none. */
  put(changes: Changes<Value, Saw>): void {
    this.#set({ ...withDrafts(this.#page, changes), ...retyped(this.#page, changes) });
    this.#notify();
    void this.#keep(changes);
  }

  discard(keys: readonly string[]): void {
    this.put(Object.fromEntries(keys.map((key) => [key, undefined])));
    if (uncertain(this.#page, keys).length > 0) void this.#change((state) => discarded(state, keys));
  }

  /** Whether the server can be reached. */
  offline(isOffline: boolean): void {
    this.#set({ isOffline });
    this.#notify();
  }

  /** Writes what is typed; where that fails, only this page holds it. */
  async #keep(changes: Changes<Value, Saw>): Promise<void> {
    if (!this.#storage || !this.#page.isKept) return;
    for (const [key, draft] of Object.entries(changes)) this.#unwritten.set(key, draft);
    try {
      await this.#storage.put(changes);
    } catch {
      return this.#lose();
    }
    this.#kept = withDrafts(this.#kept, changes);
    for (const [key, draft] of Object.entries(changes)) if (this.#unwritten.get(key) === draft) this.#unwritten.delete(key);
  }

  /** Without a step: reads. `isQuiet`: a report follows at once. */
  async #change(step: Step<Value, Saw, Input> = (state) => state, isQuiet = false): Promise<void> {
    let after: DraftState<Value, Saw, Input> | undefined;
    if (this.#storage && this.#page.isKept)
      try {
        after = this.#kept = await this.#storage.change(step);
      } catch {
        this.#lose();
      }
    // Where nothing is kept any more, what the page knows is all there is.
    const now = after && this.#page.isKept ? withDrafts(after, Object.fromEntries(this.#unwritten)) : step(this.#page);
    // What has not changed is the same object, so that components need not look again.
    const [drafts, batches] = [replaceEqualDeep(this.#page.drafts, now.drafts), replaceEqualDeep(this.#page.batches, now.batches)];
    this.#set({ drafts, batches, isOpen: true });
    if (!isQuiet) this.#notify();
    this.#outbox.standIn();
  }

  #lose(): void {
    if (!this.#page.isKept) return;
    this.#unwritten.clear();
    this.#set({ isKept: false });
    this.#notify();
    this.#tryLater(SHORTEST);
  }

  #tryLater(pause: number): void {
    this.#retry = setTimeout(() => void this.#keepAgain(pause), pause);
  }

  /**
   * Writes what has become of the drafts meanwhile to where they are kept: otherwise what has been stored or discarded since would come back
   * with the next page, as if it had just been typed. Where nothing can be added, at least those drafts are removed there.
   */
  async #keepAgain(pause: number): Promise<void> {
    const now = this.#page;
    const isAll = await this.#rewrite(now);
    if (!isAll) await this.#rewrite(withoutChanged(this.#kept, now));
    // Something was typed meanwhile: once more.
    if (!isAll || now.drafts !== this.#page.drafts || now.batches !== this.#page.batches)
      return this.#tryLater(isAll ? pause : Math.min(LONGEST, pause * 2));
    this.#set({ isKept: true });
    return this.#change();
  }

  async #rewrite(now: DraftState<Value, Saw, Input>): Promise<boolean> {
    const before = this.#kept;
    const after = await this.#storage?.change((state) => merged(state, before, now)).catch(() => undefined);
    if (after) this.#kept = now;
    return after !== undefined;
  }

  #set(changes: Partial<PageDrafts<Value, Saw, Input>>): void {
    this.#page = { ...this.#page, ...changes };
  }

  /** Notifies of changes only: a component may show some thousand cells. */
  #notify(): void {
    if (isUnchanged(this.#page, this.#seen)) return;
    this.#seen = seenOf(this.#page);
    for (const listener of this.#listeners) listener();
  }
}

type Step<Value, Saw, Input> = (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>;

/** ms until a browser that has failed to keep drafts is asked again: the first wait, and the longest. */
const SHORTEST = 500;
const LONGEST = 30_000;
