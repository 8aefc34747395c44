import { StoreUnavailable, type EventStore, type Position } from '../../../events/store/port.ts';
import { START } from '../building/checkpoint.ts';
import type { Feeder } from './batch-processor.ts';
import { behind, type Member } from '../coordination/instance.ts';
import type { Progress } from '../progress.ts';
import { slicesOf, type Slice } from './batch.ts';

export type FollowingOptions = {
  readonly store: EventStore;
  readonly feeder: Feeder;
  readonly progress: Progress;
  /** The currently running members. */
  readonly runners: () => readonly Member[];
  readonly onSlice: (slice: Slice) => void;
  readonly signal: AbortSignal;
};

/** The subscription that all running builds share. */
export class Following {
  readonly #options: FollowingOptions;
  /** Position up to which it has taken slices: members that have reached it may join. Undefined while there is no subscription. */
  taken: Position | undefined;
  /** number of events that were received but not applied yet */
  pending = 0;
  live = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /**
   * Applies new events to the running members, until there are none.
   *
   * @param from the highest position of these members; those behind it must catch up separately first
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
        // Events that arrive meanwhile share a transaction: one for each save would cost more than the saves.
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

/** Pause between two transactions while people are writing, unless somebody waits to read. Not noticeable on a screen. */
const BREATH_MS = 120;
