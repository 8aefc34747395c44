import type pg from 'pg';
import type { EventStore, Position } from '../../../events/store/port.ts';
import { EVERYTHING } from '../coordination/announcement.ts';
import { isSameBuild } from '../building/build.ts';
import { checkpointsOf, START } from '../building/checkpoint.ts';
import { withClient } from '../database.ts';
import type { Feeder } from './batch-processor.ts';
import { behind, lowest, type Member } from '../coordination/instance.ts';
import { whyAnotherLog } from './same-log.ts';
import { skippedIds } from './skips.ts';
import { slicesIn } from './batch.ts';

export type CatchUpProgress = {
  /** progress between the start and the head of the log, 0 to 1 */
  readonly fraction: number;
  /** events handled so far */
  readonly events: number;
  /** why it is waiting, if it is; a sentence */
  readonly trouble?: string;
};

export type FillingOptions = {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly store: EventStore;
  readonly feeder: Feeder;
  /** The position of the running builds; undefined if there are none: then the end of the log is the goal. */
  readonly others: () => Position | undefined;
  /** Called for each member that has reached `others`, synchronously after the comparison. */
  readonly reached: (member: Member) => void;
  readonly onProgress: (progress: CatchUpProgress) => void;
  /** Whether the member still belongs to this filling: it may have stopped and been restarted by another one. */
  readonly isOurs: (member: Member) => boolean;
  readonly signal: AbortSignal;
};

/**
 * Reloads checkpoints and skipped events from the database.
 *
 * @returns `here`: members that can continue; `gone`: without a checkpoint; `elsewhere`: filled from another log, with the reason
 */
export const reload = async (
  { pool, schema, store }: Pick<FillingOptions, 'pool' | 'schema' | 'store'>,
  group: readonly Member[],
): Promise<{ here: Member[]; gone: Member[]; elsewhere: { member: Member; why: string }[] }> => {
  const found = { here: new Array<Member>(), gone: new Array<Member>(), elsewhere: new Array<{ member: Member; why: string }>() };
  if (group.length === 0) return found;
  const [checkpoints, skipped] = await withClient(
    pool,
    async (client) => [await checkpointsOf(client, schema, group), await skippedIds(client)] as const,
  );
  for (const member of group) {
    const checkpoint = checkpoints.find((row) => isSameBuild(row, member));
    if (!checkpoint) {
      found.gone.push(member);
      continue;
    }
    member.position = checkpoint.position;
    member.skipped = skipped.get(member.name) ?? new Set();
    const why = await whyAnotherLog(store, checkpoint);
    if (why === undefined) found.here.push(member);
    else found.elsewhere.push({ member, why });
  }
  return found;
};

/** Reads the log for all of them in one pass, until each has reached the others or is no longer filling. */
export const readUp = async (options: FillingOptions, group: readonly Member[]): Promise<void> => {
  const { store, feeder, others, reached, onProgress, isOurs, signal } = options;
  const [from, head] = [lowest(group), await store.head()];
  let events = 0;
  onProgress({ fraction: head > from ? 0 : 1, events });
  for (let filling = group.filter(isOurs); filling.length > 0; filling = filling.filter(isOurs)) {
    const after = lowest(filling);
    for await (const slice of readAhead(slicesIn(store.readAll(after === START ? 'start' : after), after))) {
      if (signal.aborted) return;
      const before = filling.map(({ position }) => position);
      await feeder.feed(behind(filling, slice), slice, [EVERYTHING]);
      filling.forEach((member, i) => {
        if (isOurs(member) && member.position !== before[i]) moved(member, slice.events.length);
      });
      events += slice.events.length;
      if (head > from) onProgress({ fraction: Math.min(1, Number(slice.position - from) / Number(head - from)), events });
      const goal = others();
      for (const member of filling) if (goal !== undefined && isOurs(member) && member.position >= goal) reached(member);
      filling = filling.filter(isOurs);
      if (filling.length === 0) return;
    }
    if (signal.aborted) return;
    for (const member of filling) if (isOurs(member) && member.position >= (others() ?? START)) reached(member);
  }
};

const moved = (member: Member, events: number): void => {
  member.attempts = 0;
  member.lag = Math.max(0, member.lag - events);
};

/** The same items, prefetching the next one. */
async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let coming = items.next();
  try {
    for (;;) {
      const next = await coming;
      if (next.done === true) return;
      coming = items.next();
      // Awaited above, unless the consumer stops before.
      coming.catch(() => undefined);
      yield next.value;
    }
  } finally {
    await items.return(undefined).catch(() => undefined);
  }
}
