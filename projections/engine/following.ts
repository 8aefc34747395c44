import { StoreUnavailable, type EventStore, type Position } from '../../events/store/port.ts';
import { START } from './checkpoint.ts';
import type { Feeder } from './feeder.ts';
import { behind, type Member } from './member.ts';
import type { Progress } from './progress.ts';
import { slicesOf, type Slice } from './slice.ts';

export type FollowingOptions = {
  readonly store: EventStore;
  readonly feeder: Feeder;
  readonly progress: Progress;
  /** Those who are fed by it, now. */
  readonly runners: () => readonly Member[];
  readonly onSlice: (slice: Slice) => void;
  readonly signal: AbortSignal;
};

/** The subscription that all running builds share. */
export class Following {
  readonly #options: FollowingOptions;
  /** Position up to which it has taken slices: whoever has come that far may join. Undefined while there is no subscription. */
  taken: Position | undefined;
  /** events that were handed over and are not applied yet */
  pending = 0;
  live = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /**
   * Feeds the runners, until there are none.
   *
   * @param from where the furthest of them stands: whoever stands before it must read up by himself
   * @throws StoreUnavailable, DatabaseUnavailable, CheckpointMoved
   */
  async run(from: Position): Promise<void> {
    const { store, progress, runners, signal } = this.#options;
    let after = from;
    this.taken = after;
    try {
      for await (const batch of store.subscribe(after === START ? 'start' : after, { signal })) {
        this.pending = batch.events.length;
        for (const slice of slicesOf(batch, after)) {
          await this.#take(slice);
          after = slice.position;
          this.pending -= slice.events.length;
          if (signal.aborted || runners().length === 0) return;
        }
        this.live = batch.live;
        // What is written meanwhile is one transaction: one for each save would cost more than the saves.
        if (batch.live && batch.events.length > 0) await progress.untilWanted(BREATH_MS);
      }
    } finally {
      this.taken = undefined;
      this.live = false;
      this.pending = 0;
    }
    if (!signal.aborted) throw new StoreUnavailable('the subscription has ended');
  }

  async #take(slice: Slice): Promise<void> {
    const { feeder, runners, onSlice } = this.#options;
    const group = behind(runners(), slice);
    this.taken = slice.position;
    onSlice(slice);
    await feeder.feed(group, slice);
  }
}

/** Between two transactions for what is just being written, unless somebody waits to read it. Nobody who looks at a screen notices. */
const BREATH_MS = 120;
