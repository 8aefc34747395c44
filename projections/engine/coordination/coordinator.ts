import type pg from 'pg';
import type { BuildId } from '../building/build.ts';
import { BUILDS_CHANNEL } from '../building/bookkeeping.ts';
import { enginePool, withClient } from '../database.ts';
import { beat, release, type Beaten } from './lease.ts';
import { isTransient, sentence, type BuildInstance } from '../subscription/instance.ts';
import type { Projection } from '../projection.ts';
import { sweep } from '../building/schema.ts';
import { recordTrouble } from '../announcing/status.ts';

export type CoordinatorOptions = {
  readonly databaseUrl: string;
  readonly schema: string;
  readonly holder: string;
  readonly projections: readonly Projection[];
  readonly tell: (line: string) => void;
  /** Called when another process has done something to the builds, or the connection was lost. */
  readonly onNews: () => void;
};

/**
 * Coordinates this engine with others: leases, errors, and tables that are no longer needed. Uses separate connections, so that a heartbeat
 * never waits for a batch. That of the heartbeats is always there, as a sign of life, and listens.
 */
export class Coordinator {
  readonly #options: CoordinatorOptions;
  readonly #beats: pg.Pool;
  readonly #pool: pg.Pool;
  #isSweepDue = true;
  #areAllServed = false;
  #sweptAt = -Infinity;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    const { databaseUrl, holder, onNews } = options;
    this.#pool = enginePool(databaseUrl, holder, { max: 1 });
    this.#beats = enginePool(databaseUrl, holder, {
      max: 1,
      idleTimeoutMillis: 0,
      async onConnect(client) {
        client.on('notification', onNews).on('end', onNews);
        await client.query(`listen ${BUILDS_CHANNEL}`);
      },
    });
  }

  /** Sends a heartbeat, and returns what is there. */
  async beat(isSteady: boolean): Promise<Beaten> {
    const { schema, holder, projections } = this.#options;
    const beaten = await withClient(this.#beats, (client) => beat(client, schema, holder, projections, { isSteady }));
    this.#areAllServed = beaten.areAllServed;
    return beaten;
  }

  /** Records changed errors of these instances in the database, for other processes. */
  async report(instances: readonly BuildInstance[]): Promise<void> {
    const news = instances.filter((instance) => instance.recordedError !== (instance.error ?? null));
    if (news.length === 0) return;
    await withClient(this.#pool, async (client) => {
      for (const instance of news) {
        instance.recordedError = instance.error ?? null;
        const trouble = instance.recordedError === null ? null : { error: instance.recordedError, eventId: instance.stoppedAt };
        await recordTrouble(client, this.#options.schema, instance, trouble);
      }
    });
  }

  /** Marks that there are tables to drop. */
  sweepSoon(): void {
    this.#isSweepDue = true;
  }

  /** Drops unused tables, now and then also those of processes that died. Tables that a reader still uses are dropped later. */
  async sweep(): Promise<void> {
    if (!this.#isSweepDue && (this.#areAllServed || performance.now() < this.#sweptAt + SWEEP_MS)) return;
    this.#isSweepDue = false;
    this.#sweptAt = performance.now();
    const { schema, projections, tell } = this.#options;
    const keeps = (build: BuildId): boolean => projections.some(({ name, version }) => name === build.name && version === build.version);
    await withClient(this.#pool, (client) => sweep(client, schema, projections, keeps)).catch((error: unknown) => {
      this.#isSweepDue = true;
      if (!isTransient(error)) tell(`Unused tables of read models cannot be dropped: ${sentence(error)}`);
    });
  }

  /** Releases the leases, so that others can take over at once. */
  async leave({ hasBegun }: { readonly hasBegun: boolean }): Promise<void> {
    const { schema, holder } = this.#options;
    // If the database is away, the leases expire.
    if (hasBegun) await withClient(this.#pool, (client) => release(client, schema, holder)).catch(() => undefined);
    await Promise.all([this.#beats.end(), this.#pool.end()]);
  }
}

const SWEEP_MS = 60_000;
