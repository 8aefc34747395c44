import type pg from 'pg';
import type { EventStore, Position } from '../../../events/store/port.ts';
import { EVERYTHING } from '../announcing/announcement.ts';
import { isSameBuild } from '../building/build.ts';
import { checkpointsOf, START } from '../building/checkpoint.ts';
import { makeLateIndexes, withoutLateIndexes } from '../building/late-indexes.ts';
import { withClient } from '../database.ts';
import type { BatchProcessor } from './batch-processor.ts';
import { laggingAt, lowest, type BuildInstance } from './instance.ts';
import { moveTo } from './advance.ts';
import { whyAnotherLog } from './same-log.ts';
import { skippedIds } from './skips.ts';
import { batchesIn, pagesAfter, type Batch } from './batch.ts';
import type { Folded } from './ahead.ts';
import { allOf } from './storing.ts';

export type CatchUpProgress = {
  /** progress between the start and the head of the log, 0 to 1 */
  readonly fraction: number;
  /** events handled so far */
  readonly events: number;
  /** why it is waiting, if it is; a sentence */
  readonly trouble?: string;
};

export type CatchUpOptions = {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly store: EventStore;
  readonly processor: BatchProcessor;
  /** The position of the running builds; undefined if there are none: then the end of the log is the goal. */
  readonly others: () => Position | undefined;
  /** Called for each instance that has reached `others`, synchronously after the comparison. */
  readonly reached: (instance: BuildInstance) => void;
  readonly onProgress: (progress: CatchUpProgress) => void;
  /** Whether the instance still belongs to this catch-up: it may have stopped and been restarted by another one. */
  readonly isOurs: (instance: BuildInstance) => boolean;
  readonly signal: AbortSignal;
};

/**
 * Reloads checkpoints and skipped events from the database.
 *
 * @returns `here`: instances that can continue; `gone`: without a checkpoint; `elsewhere`: built from another log, with the reason
 */
export const reload = async (
  { pool, schema, store }: Pick<CatchUpOptions, 'pool' | 'schema' | 'store'>,
  group: readonly BuildInstance[],
): Promise<{ here: BuildInstance[]; gone: BuildInstance[]; elsewhere: { instance: BuildInstance; why: string }[] }> => {
  const found = {
    here: new Array<BuildInstance>(),
    gone: new Array<BuildInstance>(),
    elsewhere: new Array<{ instance: BuildInstance; why: string }>(),
  };
  if (group.length === 0) return found;
  const [checkpoints, skipped] = await withClient(
    pool,
    async (client) => [await checkpointsOf(client, schema, group), await skippedIds(client)] as const,
  );
  for (const instance of group) {
    const checkpoint = checkpoints.find((row) => isSameBuild(row, instance));
    if (!checkpoint) {
      found.gone.push(instance);
      continue;
    }
    moveTo(instance, checkpoint.position);
    instance.skipped = skipped.get(instance.name) ?? new Set();
    const why = await whyAnotherLog(store, checkpoint);
    if (why === undefined) found.here.push(instance);
    else found.elsewhere.push({ instance, why });
  }
  return found;
};

/**
 * Reads the log to its end for builds whose indexes for queries are still missing, and makes these. So it costs no more to fill a build
 * than its rows and their keys do; what was appended meanwhile is left to `readUp`.
 */
export const fillBare = async (options: Omit<CatchUpOptions, 'others' | 'reached'>, group: readonly BuildInstance[]): Promise<void> => {
  const { pool, schema, isOurs, signal } = options;
  const isBare = await withClient(pool, (client) => withoutLateIndexes(client, schema, group));
  const bare = group.filter(isBare);
  if (bare.length === 0) return;
  const filled = new Set<BuildInstance>();
  const isFilling = (instance: BuildInstance): boolean => isOurs(instance) && !filled.has(instance);
  await readUp({ ...options, others: () => undefined, isOurs: isFilling, reached: (instance) => void filled.add(instance) }, group);
  if (signal.aborted) return;
  const left = bare.filter(isOurs);
  await allOf(left.map((instance) => withClient(pool, (client) => makeLateIndexes(client, schema, instance.projection, instance))));
};

/** Reads the log for all of them in one pass, until each has reached the others or is no longer catching up. */
export const readUp = async (options: CatchUpOptions, group: readonly BuildInstance[]): Promise<void> => {
  const { store, processor, others, reached, onProgress, isOurs, signal } = options;
  const [from, head] = [lowest(group), await store.head()];
  let events = 0;
  onProgress({ fraction: head > from ? 0 : 1, events });
  for (let catchingUp = group.filter(isOurs); catchingUp.length > 0; catchingUp = catchingUp.filter(isOurs)) {
    const after = lowest(catchingUp);
    const batches = batchesIn(pagesAfter(store, after), after);
    const process = async (batch: Batch, ahead: Folded | undefined): Promise<void> => {
      const before = catchingUp.map(({ position }) => position);
      await processor.process(laggingAt(catchingUp, batch), batch, [EVERYTHING], ahead);
      catchingUp.forEach((instance, i) => {
        if (isOurs(instance) && instance.position !== before[i]) moved(instance, batch.events.length);
      });
      events += batch.events.length;
      if (head > from) onProgress({ fraction: Math.min(1, Number(batch.position - from) / Number(head - from)), events });
      const goal = others();
      for (const instance of catchingUp) if (goal !== undefined && isOurs(instance) && instance.position >= goal) reached(instance);
    };
    let processing = Promise.resolve();
    let ahead: Folded | undefined;
    try {
      for await (const batch of readAhead(batches, (coming) => processor.decodeAhead(laggingAt(catchingUp, coming), coming))) {
        // Folded while the one before is stored, whose rows are then taken from memory.
        if (!ahead) await processing;
        const folded = await processor.foldAhead(laggingAt(catchingUp, batch), batch, ahead);
        await processing;
        ahead = ahead?.isStored === false ? undefined : folded;
        catchingUp = catchingUp.filter(isOurs);
        if (signal.aborted || catchingUp.length === 0) return;
        processing = process(batch, ahead);
        // Reaches whoever waits for it above, or at the end.
        processing.catch(() => undefined);
      }
    } finally {
      await processing;
    }
    if (signal.aborted) return;
    for (const instance of catchingUp) if (isOurs(instance) && instance.position >= (others() ?? START)) reached(instance);
  }
};

const moved = (instance: BuildInstance, events: number): void => {
  instance.attempts = 0;
  instance.lag = Math.max(0, instance.lag - events);
};

/** The same items, prefetching the next one. `come`: called as soon as it is there. */
async function* readAhead<Item>(items: AsyncGenerator<Item>, come: (item: Item) => void): AsyncGenerator<Item> {
  const fetch = async (): Promise<IteratorResult<Item>> => {
    const next = await items.next();
    if (next.done !== true) come(next.value);
    return next;
  };
  let coming = fetch();
  try {
    for (;;) {
      const next = await coming;
      if (next.done === true) return;
      coming = fetch();
      // Awaited above, unless the consumer stops before.
      coming.catch(() => undefined);
      yield next.value;
    }
  } finally {
    await items.return(undefined).catch(() => undefined);
  }
}
