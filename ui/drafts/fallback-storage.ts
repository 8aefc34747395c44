import type { DraftStorage } from './draft-storage.ts';
import { memoryStorage } from './draft-storage.ts';
import type { DraftState } from './drafts.ts';
import { merged, NO_DRAFTS, withDrafts, withoutChanged } from './drafts.ts';

type Page<Value, Saw, Input> = {
  /** Everything that the page knows, with what is still being written. */
  readonly latest: () => DraftState<Value, Saw, Input>;
  /** What is kept may have changed: in another tab, or as it is kept again. */
  readonly onChanged: () => Promise<void>;
  /** The browser does not keep drafts, or has stopped: they last as long as the page. */
  readonly onFallback: () => void;
};

/**
 * A browser that refuses or is full stops nobody from typing: until it keeps drafts again, only this page holds what is typed, and what has
 * become of it meanwhile is then written to where it is kept.
 */
export class FallbackStorage<Value, Saw, Input> {
  /** Where drafts are kept now: as asked for, or, after that has failed, in memory. */
  #now: DraftStorage<Value, Saw, Input>;
  readonly #primary: DraftStorage<Value, Saw, Input>;
  /** What is in `#primary`, as far as this page knows. */
  #inPrimary: DraftState<Value, Saw, Input> = NO_DRAFTS;
  readonly #page: Page<Value, Saw, Input>;
  /** What is being done in `#now`. */
  #acting = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = SHORTEST;
  #isKept = true;
  #leave = () => {};

  constructor(primary: DraftStorage<Value, Saw, Input>, page: Page<Value, Saw, Input>) {
    this.#primary = this.#watched(primary);
    this.#now = this.#primary;
    this.#page = page;
  }

  /** Whether what is typed outlasts this page. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Follows other tabs until the returned function is called. */
  open(): () => void {
    this.#follow();
    return () => {
      this.#leave();
      clearTimeout(this.#retry);
      this.#retry = undefined;
    };
  }

  /** Does something where drafts are kept, a second time in memory if that fails. What it answers is to be taken in before it ends. */
  async act(act: (storage: DraftStorage<Value, Saw, Input>) => Promise<void>): Promise<void> {
    const storage = this.#now;
    this.#acting++;
    try {
      await act(storage);
    } catch {
      if (storage === this.#now) {
        this.#leave();
        this.#now = memoryStorage(this.#page.latest())();
        this.#isKept = false;
        this.#page.onFallback();
      }
      await act(this.#now);
    } finally {
      this.#acting--;
    }
    if (!this.#isKept) this.#tryLater();
  }

  #follow(): void {
    this.#leave = this.#now.subscribe(() => void this.#page.onChanged());
  }

  /** Notes what is in it. */
  #watched(primary: DraftStorage<Value, Saw, Input>): DraftStorage<Value, Saw, Input> {
    return {
      read: async () => (this.#inPrimary = await primary.read()),
      put: async (changes) => {
        await primary.put(changes);
        this.#inPrimary = withDrafts(this.#inPrimary, changes);
      },
      change: async (step) => {
        let after: DraftState<Value, Saw, Input> | undefined;
        await primary.change((state) => (after = step(state)));
        if (after) this.#inPrimary = after;
      },
      subscribe: (listener) => primary.subscribe(listener),
    };
  }

  #tryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      void this.#returnToPrimary();
    }, this.#pause);
  }

  /**
   * Writes what has become of the drafts meanwhile to where they are kept: otherwise what has been stored or discarded since would come back
   * with the next page, as if it had just been typed. Where nothing can be added, at least those drafts are removed there.
   */
  async #returnToPrimary(): Promise<void> {
    const [before, now] = [this.#inPrimary, this.#page.latest()];
    try {
      await this.#primary.change((state) => merged(state, before, now));
      this.#inPrimary = now;
    } catch {
      this.#pause = Math.min(LONGEST, this.#pause * 2);
      const left = withoutChanged(before, now);
      await this.#primary
        .change((state) => merged(state, before, left))
        .then(
          () => {
            this.#inPrimary = left;
          },
          () => undefined,
        );
      return this.#tryLater();
    }
    // Something was typed meanwhile, or is on its way from memory to memory: try once more.
    if (this.#acting > 0 || this.#page.latest() !== now) return this.#tryLater();
    this.#now = this.#primary;
    this.#pause = SHORTEST;
    this.#isKept = true;
    this.#follow();
    return this.#page.onChanged();
  }
}

/** ms until a browser that has failed to keep drafts is asked again: the first wait, and the longest. */
const SHORTEST = 500;
const LONGEST = 30_000;
