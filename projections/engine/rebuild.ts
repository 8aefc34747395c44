import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { ClientBase } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../events/store/port.ts';
import type { Decode } from './subscription/advance.ts';
import { EVERYTHING } from './announcing/announcement.ts';
import { Announcer } from './announcing/announcer.ts';
import { compareTables, type Comparison } from './building/compare.ts';
import { enginePool, withClient } from './database.ts';
import { announceAll, BatchProcessor } from './subscription/batch-processor.ts';
import { readUp, type CatchUpProgress } from './subscription/catch-up.ts';
import { BEAT_MS, release, renew } from './coordination/lease.ts';
import { laggingAt, isCatchingUp, isTransient, lowest, newInstance, sentence, type BuildInstance } from './subscription/instance.ts';
import type { Progress } from './announcing/progress.ts';
import type { Projection } from './projection.ts';
import { countGrown } from './building/counting.ts';
import { makeLateIndexes } from './building/late-indexes.ts';
import { begin, discard, prepare, sweep } from './building/schema.ts';
import { holdServing, serve, servingBuild, type ServingBuild } from './building/serving.ts';
import { skippedIds } from './subscription/skips.ts';
import { batchesIn, pagesAfter } from './subscription/batch.ts';
import { allOf } from './subscription/storing.ts';

export type RebuildOptions = {
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly decode: Decode;
  readonly projections: readonly Projection[];
  /** gets the announcements for other processes; it need not be started */
  readonly progress: Progress;
  readonly schema?: string;
  readonly onProgress?: (progress: CatchUpProgress) => void;
  readonly signal?: AbortSignal;
  /** prints a line for the operator */
  readonly tell?: (line: string) => void;
};

/** A rebuild failed or was cancelled; the served build is unchanged. */
export class RebuildFailed extends Error {
  override readonly name = 'RebuildFailed';
}

/**
 * Rebuilds read models from the beginning of the log in new tables, with or without a running product; then one transaction switches to
 * them. Meanwhile the old ones are served and kept up to date. If it is killed, any running projector finishes it, or the next start.
 *
 * @param compared compares the new tables with the old ones before the switch, at the same position of the log
 * @throws RebuildFailed if another rebuild is in progress, an event cannot be applied, or the signal aborts
 */
export const rebuild = async (options: RebuildOptions, { compared = false } = {}): Promise<Comparison[]> =>
  inTablesOfTheirOwn(options, { shadow: false }, async (newTables) => {
    const comparisons = compared ? await newTables.compare() : [];
    await newTables.show();
    return comparisons;
  });

/** Rebuilds only to compare the new tables with the served ones; then they are dropped, also if it is killed. */
export const compare = (options: RebuildOptions): Promise<Comparison[]> =>
  inTablesOfTheirOwn(options, { shadow: true }, (newTables) => newTables.compare());

const inTablesOfTheirOwn = async <Result>(
  options: RebuildOptions,
  { shadow }: { readonly shadow: boolean },
  work: (newTables: FreshTables) => Promise<Result>,
): Promise<Result> => {
  const newTables = new FreshTables(options);
  try {
    await newTables.begin(shadow);
    return await work(newTables);
  } finally {
    await newTables.end();
  }
};

class FreshTables {
  readonly #options: Required<RebuildOptions>;
  readonly #holder = randomUUID();
  readonly #pool: pg.Pool;
  readonly #announcer: Announcer;
  readonly #processor: BatchProcessor;
  readonly #instances: BuildInstance[] = [];
  #heart: NodeJS.Timeout | undefined;

  constructor(options: RebuildOptions) {
    this.#options = {
      schema: 'read',
      onProgress: () => undefined,
      signal: new AbortController().signal,
      tell: () => undefined,
      ...options,
    };
    const { databaseUrl, schema, decode, progress, tell } = this.#options;
    this.#pool = enginePool(databaseUrl, this.#holder, { max: 5 });
    this.#announcer = new Announcer(this.#pool, progress);
    const stop = (instance: BuildInstance, why: string): void => {
      instance.state = 'stopped';
      instance.error = why;
    };
    this.#processor = new BatchProcessor({
      pool: this.#pool,
      schema,
      decode,
      announcer: this.#announcer,
      onStop: (instance, error) => stop(instance, sentence(error)),
      onRetired: (instance) => stop(instance, 'its tables were removed'),
      tell,
    });
  }

  async begin(shadow: boolean): Promise<void> {
    const { projections, schema } = this.#options;
    this.#heart = setInterval(() => void this.#beat(), BEAT_MS);
    await withClient(this.#pool, (client) => prepare(client, schema, projections));
    // Drops the tables of a killed comparison.
    await this.#sweep();
    await withClient(this.#pool, async (client) => {
      const skipped = await skippedIds(client);
      for (const projection of projections) {
        const reason = `The read model ${projection.name} is rebuilt: somebody has asked for it.`;
        const build = await begin(client, schema, projection, { reason, holder: this.#holder, shadow });
        if (!build) throw new RebuildFailed(`The read model ${projection.name} is already being rebuilt.`);
        this.#instances.push({ ...newInstance(projection, schema, build), skipped: skipped.get(projection.name) ?? new Set() });
      }
    });
  }

  /** Switches each one as soon as it has reached the served build, which is kept up to date meanwhile. */
  async show(): Promise<void> {
    const { schema } = this.#options;
    await this.#readUp();
    const makeIndexes = (instance: BuildInstance): Promise<void> =>
      this.#untilDone(async (client) => {
        await makeLateIndexes(client, schema, instance.projection, instance);
        await countGrown(client, schema, [instance]);
        return true;
      });
    await allOf(this.#instances.map(makeIndexes));
    for (const instance of this.#instances) {
      await this.#untilDone((client) =>
        serve(client, schema, instance.projection, instance, (position) => this.#reach(instance, position)),
      );
      announceAll(this.#announcer, [instance]);
    }
    await this.#sweep();
  }

  /** Tries again while a reader is in the way, or the database is away. */
  async #untilDone(work: (client: ClientBase) => Promise<boolean>): Promise<void> {
    for (;;) {
      this.#check();
      const isDone = await withClient(this.#pool, work).catch((error: unknown) => {
        if (isTransient(error)) return false;
        throw error;
      });
      if (isDone) return;
    }
  }

  /** Tables that readers still use are dropped later by a projector. */
  async #sweep(): Promise<void> {
    const { projections, schema } = this.#options;
    await withClient(this.#pool, (client) => sweep(client, schema, projections, () => true)).catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });
  }

  async compare(): Promise<Comparison[]> {
    const { schema } = this.#options;
    const served: ServingBuild[] = [];
    await withClient(this.#pool, async (client) => {
      for (const { name } of this.#instances) served.push(...[(await servingBuild(client, schema, name)) ?? []].flat());
    });
    await this.#readTo(this.#instances, lowest(served));
    const comparisons: Comparison[] = [];
    for (const instance of this.#instances) comparisons.push(...(await this.#compareOne(instance)));
    return comparisons;
  }

  async end(): Promise<void> {
    const { schema } = this.#options;
    clearInterval(this.#heart);
    await this.#announcer.end();
    // Builds that are already served stay.
    for (const instance of this.#instances) {
      const drop = (): Promise<void> => withClient(this.#pool, (client) => discard(client, schema, instance));
      // A projector that took this process for hung has ended its connections. Without any database a projector finishes the build later.
      await drop()
        .catch(drop)
        .catch(() => undefined);
    }
    await withClient(this.#pool, (client) => release(client, schema, this.#holder)).catch(() => undefined);
    await this.#pool.end();
  }

  /** Locks the served build until the new rows have reached the same position; then a snapshot shows both at that position. */
  async #compareOne(instance: BuildInstance): Promise<Comparison[]> {
    const { schema } = this.#options;
    const { name } = instance;
    const before = await withClient(this.#pool, (client) => servingBuild(client, schema, name));
    if (before) await this.#readTo([instance], before.position);
    return withClient(this.#pool, async (fence) => {
      await fence.query('begin');
      const served = await holdServing(fence, schema, name);
      if (!served || served.version !== instance.version || served.stale)
        throw new RebuildFailed(`The served read model ${name} is of another version or another log: there is nothing to compare.`);
      await this.#reach(instance, served.position);
      if (instance.position !== served.position) throw new RebuildFailed(`The served read model ${name} is behind: try again.`);
      return withClient(this.#pool, async (reading) => {
        await reading.query('begin isolation level repeatable read read only; select');
        await fence.query('rollback');
        const comparisons = await compareTables(reading, schema, instance.projection, served.generation, instance.generation);
        await reading.query('rollback');
        return comparisons;
      });
    });
  }

  /** Reads to the end of the log. */
  async #readUp(): Promise<void> {
    const { store, schema, signal, onProgress } = this.#options;
    for (const instance of this.#instances) instance.state = 'filling';
    const reached = (instance: BuildInstance): void => void (instance.state = 'running');
    const others = (): undefined => undefined;
    await readUp(
      { pool: this.#pool, schema, store, processor: this.#processor, signal, onProgress, others, isOurs: isCatchingUp, reached },
      this.#instances,
    );
    this.#check();
  }

  /** @throws RebuildFailed if the log ends before the position: it is not the log that the served build comes from */
  async #reach(instance: BuildInstance, position: Position): Promise<void> {
    await this.#readTo([instance], position);
    const head = await this.#options.store.head();
    if (instance.position >= position || head >= position) return;
    throw new RebuildFailed(
      `The served read model ${instance.name} has reached position ${position}, but the log ends at ${head}: it is not the log that the read ` +
        'model was filled from, or an earlier state of it. Nothing was changed. Bring the right log back, or accept this one: ' +
        'npm run marktrail -- log accept --reason "why"',
    );
  }

  async #readTo(instances: readonly BuildInstance[], position: Position): Promise<void> {
    const { store, onProgress } = this.#options;
    const from = lowest(instances);
    let events = 0;
    for await (const batch of batchesIn(upTo(position, pagesAfter(store, from)), from)) {
      await this.#processor.process(laggingAt(instances, batch), batch, [EVERYTHING]);
      this.#check();
      events += batch.events.length;
      onProgress({ fraction: Number(batch.position - from) / Number(position - from), events });
    }
  }

  #check(): void {
    if (this.#options.signal.aborted) throw new RebuildFailed('The rebuild was cancelled; the served read models are unchanged.');
    const stopped = this.#instances.find(({ error }) => error !== undefined);
    if (stopped) throw new RebuildFailed(`The read model ${stopped.name} cannot be rebuilt: ${stopped.error}`);
  }

  async #beat(): Promise<void> {
    await withClient(this.#pool, (client) => renew(client, this.#options.schema, this.#holder, this.#instances)).catch(() => undefined);
  }
}

async function* upTo(position: Position, pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const page of pages) {
    const wanted = page.filter((event) => event.position <= position);
    yield wanted;
    if (wanted.length < page.length) return;
  }
}
