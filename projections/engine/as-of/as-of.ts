import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { steadyPool } from '../../../events/store/postgres/pool.ts';
import { START } from '../building/checkpoint.ts';
import { DatabaseUnavailable, withClient } from '../database.ts';
import type { Projection } from '../projection.ts';
import { Reader, type Ask } from '../reader.ts';
import { pause } from '../../../events/async/backoff.ts';
import { AsOfBusy, AsOfFilling, type Filling } from './busy.ts';
import { compareSchool, type Compared } from './compare-school.ts';
import { fill, type FillOptions, type FillProgress } from './fill.ts';
import {
  areFilled,
  claim,
  fillingOf,
  hold,
  lockOverdue,
  markEmpty,
  markFilling,
  unlock,
  type Claim,
  type Content,
  type Terms,
} from './leases.ts';
import { areThere, emptyTables, prepareLeases, schemaOf, shapeOfAll } from './places.ts';
import { forgetTurns } from './queue.ts';
import { type Patience, patienceOf, untilOver, untilStopped } from './patience.ts';
import type { Cut } from './school-events.ts';

export type AsOfOptions = FillOptions &
  Terms & {
    /** of the owner of the read models */
    readonly databaseUrl: string;
    /** of the log-in of queries; by default the owner's */
    readonly readerDatabaseUrl?: string | undefined;
    /** Fulfilled when the index has reached the head of the log. */
    readonly upToDate: () => Promise<void>;
    /** Number of the newest forgetting whose keys are no longer in any cache. */
    readonly forgettings: () => Promise<string>;
    /** ms that a query waits for its schema; filling continues, so that a later query finds it filled */
    readonly patienceMs?: number;
  };

export type AsOfView = {
  readonly schoolId: string;
  readonly accountId: string;
  readonly moment: string;
  readonly fillingMs?: number | undefined;
};

/** `upTo`: the last event that the result includes; undefined: the moment was before the school's first event. */
export type AsOfAnswer<Result> = { readonly result: Result; readonly upTo: Cut | undefined };

/**
 * The read models of a school as of an earlier moment: the same projections fold its events up to then into one of a few schemas, which the
 * same queries read. A schema keeps its contents while they are in use.
 */
export class AsOf {
  readonly #options: AsOfOptions;
  readonly #pool: Pool;
  readonly #shape: string;
  readonly #readers = new Map<number, Reader>();
  readonly #stopping = new AbortController();
  /** fillings in progress in this process, by content */
  readonly #fillings = new Map<string, Promise<void>>();
  /** who waits for a schema in this process */
  #places: Place[] = [];
  #sweeping: NodeJS.Timeout | undefined;
  /** Something may be in the schemas that has to be removed before long. */
  #isInUse = true;
  #swept: Promise<void> = Promise.resolve();
  #prepared: Promise<void> | undefined;

  constructor(options: AsOfOptions) {
    this.#options = options;
    this.#pool = asOfPool(options.databaseUrl, options.schemas);
    this.#shape = shapeOfAll(options.projections);
    this.#sweepLater();
  }

  /** Seldom where all are empty: what another process fills, that one empties, unless it dies. */
  #sweepLater(): void {
    clearTimeout(this.#sweeping);
    if (this.#signal.aborted) return;
    const tidyMs = Math.max(100, Math.min(MOST_TIDY_MS, this.#options.idleMs / 4));
    this.#sweeping = setTimeout(() => void this.#sweepRegularly(), this.#isInUse ? tidyMs : tidyMs * SELDOM).unref();
  }

  async #sweepRegularly(): Promise<void> {
    this.#isInUse = false;
    this.#isInUse = (await this.sweep().catch(() => true)) || this.#isInUse;
    this.#sweepLater();
  }

  /**
   * Runs `work` as the reader of the school at the moment, an ISO instant. `accountId`: the account, which should not occupy two schemas.
   * `fillingMs`: how long to wait for a schema that is being filled; by default as long as for any other.
   *
   * @throws AsOfFilling after `fillingMs`, AsOfBusy, DatabaseUnavailable, and errors of the log, the codec and `work`
   */
  async read<Result>(
    { schoolId, accountId, moment, fillingMs }: AsOfView,
    work: (ask: Ask) => Promise<Result>,
  ): Promise<AsOfAnswer<Result>> {
    await (this.#prepared ??= this.#prepare());
    await this.#options.upToDate();
    const upTo = await withClient(this.#pool, (client) => this.#options.index.cut(queries(client), schoolId, moment));
    const content: Content = {
      schoolId,
      position: upTo?.position ?? START,
      eventId: upTo?.eventId ?? null,
      shape: this.#shape,
      forgettings: await this.#options.forgettings(),
    };
    const patience = patienceOf(this.#options.patienceMs ?? PATIENCE_MS, fillingMs);
    for (;;) {
      const slot = await this.#filled(content, accountId, patience);
      const done = await this.#reader(slot).readAs(schoolId, async (ask) =>
        (await hold(ask, slot, content)) ? { result: await work(ask) } : undefined,
      );
      if (done) return { ...done, upTo };
      // Another process has taken the schema in the meantime.
      await pause(A_MOMENT_MS, patience.over);
    }
  }

  /**
   * Compares what is shown of a school with a fold of its events (compare-school.ts), in one of the schemas.
   *
   * @param projections those to compare
   * @throws AsOfBusy, DatabaseUnavailable, and errors of the log and the codec
   */
  async compare(
    { schoolId, accountId }: Pick<AsOfView, 'schoolId' | 'accountId'>,
    projections: readonly Projection[],
    onProgress: FillProgress['onProgress'],
  ): Promise<Compared[]> {
    await (this.#prepared ??= this.#prepare());
    await this.#options.upToDate();
    const forgettings = await this.#options.forgettings();
    // Nobody else asks for it.
    const content: Content = { schoolId, position: START, eventId: randomUUID(), shape: '', forgettings };
    const patience = patienceOf(this.#options.patienceMs ?? PATIENCE_MS, undefined);
    for (;;) {
      const compared = await withOwn(this.#pool, async (client) => {
        const found = await claim(client, content, accountId, this.#options);
        if (found.kind !== 'fill') return undefined;
        const options = { ...this.#options, projections };
        const comparing = compareSchool(client, found.slot, schoolId, options, { signal: this.#signal, onProgress });
        const result = await untilStopped(comparing, this.#signal);
        // What was there before is nobody's any more.
        await emptyTables(client, found.slot);
        await markEmpty(client, found.slot);
        await unlock(client, found.slot);
        return result;
      });
      if (compared && (await this.#options.forgettings()) === forgettings) return compared;
      if (compared) throw new AsOfBusy('Somebody was forgotten meanwhile. Compare again.', A_WHILE_MS);
      if (patience.over.aborted) throw othersLook(A_WHILE_MS);
      await pause(A_POLL_MS, patience.over);
    }
  }

  /**
   * Empties expired schemas. Also runs regularly, never concurrently, because a second run would skip a schema that the first has locked
   * but not yet emptied. A new process also cleans up after one that died.
   *
   * @returns whether anything is left
   */
  sweep(): Promise<boolean> {
    const sweeping = this.#swept.then(() => this.#sweepNow());
    this.#swept = sweeping.then(
      () => undefined,
      () => undefined,
    );
    return sweeping;
  }

  async #sweepNow(): Promise<boolean> {
    const forgettings = await this.#options.forgettings();
    return withOwn(this.#pool, async (client) => {
      if (!(await areThere(client))) return false;
      await forgetTurns(client);
      for (;;) {
        const slot = await lockOverdue(client, forgettings, this.#options);
        if (slot === undefined) return areFilled(client);
        await client.query('begin');
        await emptyTables(client, slot);
        await markEmpty(client, slot);
        await client.query('commit');
        await unlock(client, slot);
      }
    });
  }

  /** Aborts fillings, so that their schemas are available to others at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#sweeping);
    await Promise.allSettled([...this.#fillings.values(), this.#swept]);
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
    await this.#pool.end();
  }

  async #prepare(): Promise<void> {
    try {
      await withClient(this.#pool, prepareLeases);
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  /** A schema with this content, filled by this or another process. */
  async #filled(content: Content, accountId: string, patience: Patience): Promise<number> {
    const key = JSON.stringify([content.schoolId, String(content.position), content.forgettings]);
    let place: Place | undefined;
    try {
      for (;;) {
        const under = this.#fillings.get(key);
        let isElsewhere = false;
        if (under) await untilOver(under, patience.filling);
        else {
          const found = await this.#claim(content, accountId, key);
          if (found.kind === 'filled') return found.slot;
          isElsewhere = found.kind === 'filling elsewhere';
          if (isElsewhere) await pause(A_MOMENT_MS * 5, patience.filling);
          if (found.kind === 'taken') {
            if (found.forMs > patience.leftMs()) throw othersLook(found.forMs);
            place ??= this.#takePlace(content.schoolId, accountId, found.forMs);
            await pause(Math.min(found.forMs, A_POLL_MS), patience.over);
          }
        }
        if (patience.isTold && patience.filling.aborted && (isElsewhere || this.#fillings.has(key))) throw await this.#filling(content);
        if (!patience.over.aborted) continue;
        if (place) throw othersLook(A_WHILE_MS);
        throw new AsOfBusy('That moment is still being prepared. Try again in a few seconds.', A_WHILE_MS);
      }
    } finally {
      place?.leave();
    }
  }

  async #filling(content: Content): Promise<AsOfFilling> {
    return new AsOfFilling(await withClient(this.#pool, (client) => fillingOf(client, content)));
  }

  /** Each place in the queue queries the database several times a second, so there are few, also for each school and account. */
  #takePlace(schoolId: string, accountId: string, forMs: number): Place {
    const ofSchool = this.#places.filter((one) => one.schoolId === schoolId);
    const ofAccount = ofSchool.filter((one) => one.accountId === accountId);
    if (this.#places.length >= MOST_WAITING || ofSchool.length >= MOST_OF_SCHOOL || ofAccount.length >= MOST_OF_ACCOUNT)
      throw othersLook(Math.max(forMs, A_WHILE_MS));
    const place = {
      schoolId,
      accountId,
      leave: () => {
        this.#places = this.#places.filter((one) => one !== place);
      },
    };
    this.#places.push(place);
    return place;
  }

  /** Claims a schema, and starts filling it if necessary. */
  async #claim(content: Content, accountId: string, key: string): Promise<Claim> {
    if (!this.#isInUse) {
      this.#isInUse = true;
      this.#sweepLater();
    }
    const claiming = Promise.withResolvers<Claim>();
    const filling = withOwn(this.#pool, async (client) => {
      const found = await claim(client, content, accountId, this.#options);
      if (found.kind === 'fill') this.#fillings.set(key, filling);
      claiming.resolve(found);
      if (found.kind === 'fill') {
        const onProgress = (filling: Filling): Promise<void> => withClient(this.#pool, (other) => markFilling(other, found.slot, filling));
        await untilStopped(fill(client, found, content, this.#options, { signal: this.#signal, onProgress }), this.#signal);
      }
    });
    filling.catch(claiming.reject).finally(() => {
      if (this.#fillings.get(key) === filling) this.#fillings.delete(key);
    });
    return claiming.promise;
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }

  #reader(slot: number): Reader {
    const reader =
      this.#readers.get(slot) ??
      new Reader({ databaseUrl: this.#options.readerDatabaseUrl ?? this.#options.databaseUrl, schema: schemaOf(slot), connections: 4 });
    this.#readers.set(slot, reader);
    return reader;
  }
}

const PATIENCE_MS = 20_000;
/** The name of a forgotten person may remain in an unused schema for this long, plus the lifetime of a cached key. */
const MOST_TIDY_MS = 15_000;
/** So many times longer while all are empty: what a process that died has left behind. */
const SELDOM = 8;
const A_MOMENT_MS = 20;
/** How often somebody in the queue looks whether it is their turn. */
const A_POLL_MS = 250;
const MOST_WAITING = 32;
const MOST_OF_SCHOOL = 8;
/** A page sends several queries about the same moment at once. */
const MOST_OF_ACCOUNT = 4;
/** `retryAfter` for a query whose patience is over. */
const A_WHILE_MS = 5_000;

/** A place in the queue. */
type Place = { readonly schoolId: string; readonly accountId: string; readonly leave: () => void };

const othersLook = (forMs: number): AsOfBusy => new AsOfBusy('Others are looking at other moments just now. Try again in a moment.', forMs);

const queries =
  (client: ClientBase) =>
  async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;

/** Like `withClient`, but after an error the connection is closed, which releases its session locks. */
const withOwn = async <Result>(pool: Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
};

/** The owner's connections, which use indexes as the engine's do. The server ends a connection that falls silent during a filling. */
const asOfPool = (databaseUrl: string, schemas: number): Pool =>
  steadyPool({
    connectionString: databaseUrl,
    max: schemas + 4,
    application_name: 'marktrail as-of',
    options:
      '-c search_path=read -c synchronous_commit=off -c timezone=UTC -c datestyle=ISO -c jit=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  });
