import { StoreUnavailable, type EventStore, type Position } from '../../../events/store/port.ts';
import { START } from '../building/checkpoint.ts';
import type { BatchProcessor } from './batch-processor.ts';
import { laggingAt, type BuildInstance } from './instance.ts';
import type { Progress } from '../announcing/progress.ts';
import { batchesOf, type Batch } from './batch.ts';

export type FollowingOptions = {
  readonly store: EventStore;
  readonly processor: BatchProcessor;
  readonly progress: Progress;
  /** The currently running instances. */
  readonly runners: () => readonly BuildInstance[];
  readonly onBatch: (batch: Batch) => void;
  readonly onStored: () => void;
  readonly signal: AbortSignal;
};

/** The subscription that all running builds share. */
export class Following {
  readonly #options: FollowingOptions;
  /** Position up to which it has taken batches: instances that have reached it may join. Undefined while there is no subscription. */
  position: Position | undefined;
  /** number of events that were received but not applied yet */
  pending = 0;
  live = false;
  /** It has applied everything at least once since `run` began. */
  wasLive = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /**
   * Applies new events to the running instances, until there are none.
   *
   * @param from the highest position of these instances; those behind it must catch up separately first
   * @throws StoreUnavailable, DatabaseUnavailable, CheckpointMoved
   */
  async run(from: Position): Promise<void> {
    const { store, progress, runners, signal } = this.#options;
    let after = from;
    this.position = after;
    this.wasLive = false;
    try {
      for await (const received of store.subscribe(after === START ? 'start' : after, { signal })) {
        this.pending = received.events.length;
        for (const batch of batchesOf(received, after)) {
          await this.#take(batch);
          after = batch.position;
          this.pending -= batch.events.length;
          if (signal.aborted || runners().length === 0) return;
        }
        this.live = received.live;
        this.wasLive ||= received.live;
        // Events that arrive meanwhile share a transaction: one for each save would cost more than the saves.
        if (received.live && received.events.length > 0) await progress.untilWanted(BREATH_MS);
      }
    } finally {
      this.position = undefined;
      this.live = false;
      this.pending = 0;
    }
    if (!signal.aborted) throw new StoreUnavailable('the subscription has ended');
  }

  async #take(batch: Batch): Promise<void> {
    const { processor, runners, onBatch } = this.#options;
    const group = laggingAt(runners(), batch);
    this.position = batch.position;
    onBatch(batch);
    await processor.process(group, batch);
    this.#options.onStored();
  }
}

/** Pause between two transactions while people are writing, unless somebody waits to read. Not noticeable on a screen. */
const BREATH_MS = 120;
