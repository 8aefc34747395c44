import type { Draft, Kept } from './drafts.ts';
import { brought, NOTHING, withDrafts, withoutChanged } from './drafts.ts';
import type { Keep } from './keep.ts';

/**
 * Where drafts are kept, also while that place refuses or is full, which stops nobody from typing: until it keeps again, this page alone
 * holds what is typed.
 */
export class SteadyKeep<Value, Saw, Input> {
  readonly #place: Keep<Value, Saw, Input>;
  /** What is in there, as far as this page knows. */
  #inPlace: Kept<Value, Saw, Input> = NOTHING;
  /** What this page alone holds; undefined: it is kept. */
  #held: Kept<Value, Saw, Input> | undefined;
  readonly #told: (error?: unknown) => void;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = SHORTEST;

  /** `told`: it is not kept any more, because of an error, or is again. */
  constructor(place: Keep<Value, Saw, Input>, told: (error?: unknown) => void) {
    this.#place = place;
    this.#told = told;
  }

  /** Whether it outlasts this page. */
  get isKept(): boolean {
    return this.#held === undefined;
  }

  async read(): Promise<Kept<Value, Saw, Input>> {
    await this.#try(async () => this.#takeIn(await this.#place.read()));
    return this.#held ?? this.#inPlace;
  }

  /** Sets drafts, or removes them: undefined. */
  async put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): Promise<void> {
    await this.#try(async () => {
      await this.#place.put(changes);
      this.#inPlace = withDrafts(this.#inPlace, changes);
    });
    if (this.#held) this.#held = withDrafts(this.#held, changes);
  }

  /** Replaces what is kept by what `step` makes of it, and answers that. Where keeping fails, `step` is called once more. */
  async change(step: (kept: Kept<Value, Saw, Input>) => Kept<Value, Saw, Input>): Promise<Kept<Value, Saw, Input>> {
    let after: Kept<Value, Saw, Input> | undefined;
    const isDone = await this.#try(async () => {
      await this.#place.change((kept) => {
        after = step(kept);
        return after;
      });
      if (after) this.#takeIn(after);
    });
    if (isDone && !after) return this.read();
    if (this.#held && !isDone) this.#held = step(this.#held);
    return this.#held ?? this.#inPlace;
  }

  /** Another tab has changed something. Returns a function that ends it. */
  subscribe(listener: () => void): () => void {
    const leave = this.#place.subscribe(listener);
    return () => {
      leave();
      clearTimeout(this.#retry);
      this.#retry = undefined;
    };
  }

  /** Answers whether it was done where drafts are kept. */
  async #try(act: () => Promise<void>): Promise<boolean> {
    try {
      if (this.#held) return false;
      await act();
      return true;
    } catch (error) {
      const isNew = this.#held === undefined;
      this.#held ??= this.#inPlace;
      if (isNew) this.#told(error);
      return false;
    } finally {
      if (this.#held) this.#tryLater();
    }
  }

  /** What was begun there before this page alone held anything may end later. */
  #takeIn(kept: Kept<Value, Saw, Input>): void {
    if (this.#held) this.#held = brought(kept, this.#inPlace, this.#held);
    this.#inPlace = kept;
  }

  #tryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      void this.#keepAgain();
    }, this.#pause);
  }

  /**
   * Brings what has become of the drafts meanwhile to where they are kept: otherwise what has been stored or discarded since would come back
   * with the next page, as if it had just been typed. Where nothing can be added, at least that is removed.
   */
  async #keepAgain(): Promise<void> {
    const [before, now] = [this.#inPlace, this.#held];
    if (!now) return;
    try {
      await this.#place.change((kept) => brought(kept, before, now));
      this.#inPlace = now;
    } catch {
      this.#pause = Math.min(LONGEST, this.#pause * 2);
      const left = withoutChanged(before, now);
      await this.#place
        .change((kept) => brought(kept, before, left))
        .then(
          () => {
            this.#inPlace = left;
          },
          () => undefined,
        );
      return this.#tryLater();
    }
    // Typed meanwhile: once more.
    if (this.#held !== now) return this.#tryLater();
    this.#held = undefined;
    this.#pause = SHORTEST;
    this.#told();
  }
}

/** ms until a browser that has failed to keep drafts is asked again: at first, and at most. */
const SHORTEST = 500;
const LONGEST = 30_000;
