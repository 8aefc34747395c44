import type pg from 'pg';
import { advance, decodedFor, worksOf, type Decode, type Decoded } from './advance.ts';
import { foldAhead, type Folded } from './ahead.ts';
import { EVERYTHING, type Announcement } from '../announcing/announcement.ts';
import type { Announcer } from '../announcing/announcer.ts';
import { Retired, START } from '../building/checkpoint.ts';
import { withClient } from '../database.ts';
import { isTransient, sentence, type BuildInstance } from './instance.ts';
import { halves, type Batch } from './batch.ts';
import { schoolOf } from '../../../events/store/port.ts';

export type BatchProcessorOptions = {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly decode: Decode;
  readonly announcer: Announcer;
  /** Called for an instance that cannot apply an event; everything before the event is applied. */
  readonly onStop: (instance: BuildInstance, error: Error, lag: number) => void;
  /** Called for an instance whose tables are gone. */
  readonly onRetired: (instance: BuildInstance) => void;
  /** prints a line for the operator */
  readonly tell: (line: string) => void;
};

/**
 * Applies batches of the log to groups of builds, in one transaction for the group. If that fails, each build is tried by itself, and a
 * failing one stops exactly at the event that it cannot apply.
 */
export class BatchProcessor {
  readonly #options: BatchProcessorOptions;
  readonly #decoded = new WeakMap<Batch, Decoded>();
  /** why a batch could not be folded ahead, a sentence */
  readonly #notAhead = new WeakMap<Batch, string>();
  #isTold = false;

  constructor(options: BatchProcessorOptions) {
    this.#options = options;
  }

  /** Begins to decode a batch while the one before is being stored: `process` goes on from there. */
  decodeAhead(group: readonly BuildInstance[], batch: Batch): void {
    const decoded = decodedFor(group, batch, this.#options.decode);
    // Reaches whoever processes the batch.
    decoded.catch(() => undefined);
    this.#decoded.set(batch, decoded);
  }

  /**
   * Loads and folds a batch while the one before is being stored: for `process`.
   *
   * @param before the one before, where its result is not committed yet
   * @returns undefined where that is impossible or fails: then `process` does all of it, and reports what failed here if nothing else is wrong
   */
  async foldAhead(group: readonly BuildInstance[], batch: Batch, before: Folded | undefined): Promise<Folded | undefined> {
    // Only a locked checkpoint makes certain that its tables are empty.
    if (group.some(({ position }) => position === START)) return undefined;
    try {
      const works = worksOf(group, batch, await (this.#decoded.get(batch) ?? decodedFor(group, batch, this.#options.decode)));
      return await withClient(this.#options.pool, (client) => foldAhead(client, works, before));
    } catch (error) {
      if (!isTransient(error)) this.#notAhead.set(batch, sentence(error));
      return undefined;
    }
  }

  /**
   * @param channels announced instead of the projections' own: they are being filled
   * @param ahead the batch, if it was folded already
   * @throws transient errors only: see `isTransient`
   */
  async process(group: readonly BuildInstance[], batch: Batch, channels?: readonly string[], ahead?: Folded): Promise<void> {
    try {
      await this.#advance(group, batch, channels, ahead);
      this.#tellOnce(this.#notAhead.get(batch));
    } catch (error) {
      if (isTransient(error)) throw error;
      for (const instance of group) await this.#alone(instance, batch, channels);
    }
  }

  /** Reports, once, a fault that would otherwise only show as slowness: nothing is wrong with the batch. */
  #tellOnce(why: string | undefined): void {
    if (why === undefined || this.#isTold) return;
    this.#isTold = true;
    this.#options.tell(`The read models may catch up more slowly: what comes next could not be folded ahead (${why})`);
  }

  async #alone(instance: BuildInstance, batch: Batch, channels?: readonly string[]): Promise<void> {
    try {
      await this.#stepwise(instance, batch, channels);
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof Retired) return this.#options.onRetired(instance);
      const lag = batch.events.filter(({ position }) => position > instance.position).length;
      this.#options.onStop(instance, error instanceof Error ? error : new Error(String(error)), lag);
    }
  }

  /** Bisects the batch: applies everything before the event that cannot be applied, and throws at that one. */
  async #stepwise(instance: BuildInstance, batch: Batch, channels?: readonly string[]): Promise<void> {
    try {
      await this.#advance([instance], batch, channels);
    } catch (error) {
      if (isTransient(error) || error instanceof Retired) throw error;
      const parts = halves(batch);
      if (!parts) throw new PoisonEvent(batch, error);
      for (const part of parts) await this.#stepwise(instance, part, channels);
    }
  }

  async #advance(group: readonly BuildInstance[], batch: Batch, channels?: readonly string[], ahead?: Folded): Promise<void> {
    if (group.length === 0) return;
    const { pool, schema, decode, announcer } = this.#options;
    const decoded = this.#decoded.get(batch);
    // If it fails, the halves of the batch are decoded one by one.
    this.#decoded.delete(batch);
    const how = { isFilling: channels !== undefined, ahead, ...(decoded && { decoded }) };
    const changes = await withClient(pool, (client) => advance(client, schema, group, batch, decode, how));
    const served = group.filter(({ serving }) => serving);
    if (served.length === 0) return;
    if (served.some(({ isUnannounced }) => isUnannounced)) return announceAll(announcer, served);
    announcer.announce({
      reached: reachedBy(served),
      changes: channels ? schoolsOf(batch).map((schoolId) => ({ schoolId, channels })) : changes,
    });
  }
}

const schoolsOf = ({ events }: Batch): string[] => [...new Set(events.map(({ stream }) => schoolOf(stream)))];

/** Announces that everything may have changed up to the positions of these builds, which are served. */
export const announceAll = (announcer: Announcer, served: readonly BuildInstance[]): void => {
  for (const instance of served) instance.isUnannounced = false;
  announcer.announce({ reached: reachedBy(served), changes: [{ schoolId: EVERYTHING, channels: [EVERYTHING] }] });
};

const reachedBy = (served: readonly BuildInstance[]): Announcement['reached'] =>
  new Map(served.map(({ name, version, generation, position }) => [name, { build: [version, generation, 0], position }]));

/** An event that a projection cannot apply. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly eventId: string;
  constructor(batch: Batch, cause: unknown) {
    super(`it cannot apply the event ${batch.events[0]?.type} ${batch.lastId}: ${sentence(cause)}`, { cause });
    this.eventId = batch.lastId;
  }
}
