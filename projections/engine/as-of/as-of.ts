import type { ClientBase, Pool } from 'pg';
import { steadyPool } from '../../../events/store/postgres/pool.ts';
import { START } from '../checkpoint.ts';
import { DatabaseUnavailable, withClient } from '../database.ts';
import { Reader, type Ask } from '../reader.ts';
import { pause } from '../backoff.ts';
import { AsOfBusy } from './busy.ts';
import { fill, type FillOptions } from './fill.ts';
import { claim, hold, lockOverdue, markEmpty, unlock, type Claim, type Content, type Terms } from './leases.ts';
import { areThere, emptyTables, prepareLeases, schemaOf, shapeOfAll } from './places.ts';
import type { Cut } from './school-events.ts';

export type AsOfOptions = FillOptions &
  Terms & {
    /** of the owner of the read models */
    readonly databaseUrl: string;
    /** Fulfilled when the index has reached the head of the log. */
    readonly upToDate: () => Promise<void>;
    /** Number of the newest forgetting of a person after which no key of his is left in any cache. */
    readonly forgettings: () => Promise<string>;
    /** ms that a question waits for its schema; the filling goes on, and who asks again later finds it done */
    readonly patienceMs?: number;
  };

/** `upTo`: the last event that the answer knows of; undefined: the moment was before the school's first. */
export type AsOfAnswer<Result> = { readonly result: Result; readonly upTo: Cut | undefined };

/**
 * The read models of a school as they were at an earlier moment: the same projections fold its events until then into one of a few
 * schemas, which questions then read as they read today's. A schema keeps what it holds while it is asked for.
 */
export class AsOf {
  readonly #options: AsOfOptions;
  readonly #pool: Pool;
  readonly #shape: string;
  readonly #readers = new Map<number, Reader>();
  readonly #stopping = new AbortController();
  /** by content: those that this process is filling */
  readonly #fillings = new Map<string, Promise<void>>();
  readonly #sweeping: NodeJS.Timeout;
  #swept: Promise<void> = Promise.resolve();
  #prepared: Promise<void> | undefined;

  constructor(options: AsOfOptions) {
    this.#options = options;
    this.#pool = asOfPool(options.databaseUrl, options.schemas);
    this.#shape = shapeOfAll(options.projections);
    this.#sweeping = setInterval(() => void this.sweep().catch(() => undefined), Math.max(100, Math.min(MOST_TIDY_MS, options.idleMs / 4)));
    this.#sweeping.unref();
  }

  /**
   * Runs `work` with the eyes of the school at the moment, an ISO instant. `asker`: the account, for whom one schema is as good as another.
   *
   * @throws AsOfBusy, DatabaseUnavailable, whatever the log, the codec or `work` throws
   */
  async read<Result>(
    { schoolId, asker, moment }: { readonly schoolId: string; readonly asker: string; readonly moment: string },
    work: (ask: Ask) => Promise<Result>,
  ): Promise<AsOfAnswer<Result>> {
    await (this.#prepared ??= this.#prepare());
    await this.#options.upToDate();
    const upTo = await withClient(this.#pool, (client) => this.#options.index.cut(asking(client), schoolId, moment));
    const content: Content = {
      schoolId,
      position: upTo?.position ?? START,
      eventId: upTo?.eventId ?? null,
      shape: this.#shape,
      forgettings: await this.#options.forgettings(),
    };
    const patience = AbortSignal.timeout(this.#options.patienceMs ?? PATIENCE_MS);
    for (;;) {
      const slot = await this.#filled(content, asker, patience);
      const done = await this.#reader(slot).readAs(schoolId, async (ask) =>
        (await hold(ask, slot, content)) ? { result: await work(ask) } : undefined,
      );
      if (done) return { ...done, upTo };
      // Somebody else took it in this very moment.
      await pause(A_MOMENT_MS, patience);
    }
  }

  /**
   * Frees schemas whose time is over: when this is fulfilled, they are empty. Runs by itself now and then, one after the other, as one would
   * pass what another has locked and not emptied yet; a process that follows one that died cleans up after it.
   */
  sweep(): Promise<void> {
    const sweeping = this.#swept.then(() => this.#sweepNow());
    this.#swept = sweeping.catch(() => undefined);
    return sweeping;
  }

  async #sweepNow(): Promise<void> {
    const forgettings = await this.#options.forgettings();
    await withOwn(this.#pool, async (client) => {
      if (!(await areThere(client))) return;
      for (;;) {
        const slot = await lockOverdue(client, forgettings, this.#options);
        if (slot === undefined) return;
        await client.query('begin');
        await emptyTables(client, slot);
        await markEmpty(client, slot);
        await client.query('commit');
        await unlock(client, slot);
      }
    });
  }

  /** Gives up what is being filled: that schema is free for others at once. */
  async stop(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#stopping.abort();
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

  /** A schema that holds the content, filled here or elsewhere. */
  async #filled(content: Content, asker: string, patience: AbortSignal): Promise<number> {
    const key = JSON.stringify([content.schoolId, String(content.position), content.forgettings]);
    for (;;) {
      if (patience.aborted) throw new AsOfBusy('That moment is still being put together. Try again in a few seconds.', A_WHILE_MS);
      const under = this.#fillings.get(key);
      if (under) await untilOver(under, patience);
      else {
        const found = await this.#claim(content, asker, key);
        if (found.kind === 'filled') return found.slot;
        if (found.kind === 'filling elsewhere') await pause(A_MOMENT_MS * 5, patience);
        if (found.kind === 'taken') {
          if (found.forMs > A_LITTLE_MS)
            throw new AsOfBusy('Others are looking at other moments just now. Try again in a moment.', found.forMs);
          await pause(found.forMs, patience);
        }
      }
    }
  }

  /** Looks for it, and begins to fill it where that is the way. */
  async #claim(content: Content, asker: string, key: string): Promise<Claim> {
    const claiming = Promise.withResolvers<Claim>();
    const filling = withOwn(this.#pool, async (client) => {
      const found = await claim(client, content, asker, this.#options);
      if (found.kind === 'fill') this.#fillings.set(key, filling);
      claiming.resolve(found);
      if (found.kind === 'fill') await untilStopped(fill(client, found, content, this.#options, this.#signal), this.#signal);
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
      this.#readers.get(slot) ?? new Reader({ databaseUrl: this.#options.databaseUrl, schema: schemaOf(slot), connections: 4 });
    this.#readers.set(slot, reader);
    return reader;
  }
}

const PATIENCE_MS = 20_000;
/** So long, and a key's time in a cache, the name of a forgotten person may lie in a schema that nobody asks for. */
const MOST_TIDY_MS = 15_000;
const A_MOMENT_MS = 20;
/** So long a wait for a schema is nothing to be told of. */
const A_LITTLE_MS = 500;
/** What who has lost patience is told to wait. */
const A_WHILE_MS = 5_000;

/** What fails the filling fails who waits for it; what takes too long does not. */
const untilOver = async (filling: Promise<void>, patience: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  patience.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([filling, promise]);
  } finally {
    patience.removeEventListener('abort', stop);
  }
};

/** A log that falls silent does not keep a process from stopping: its connection is closed under the filling, which ends by that. */
const untilStopped = async (filling: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([filling, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    filling.catch(() => undefined);
  }
};

const asking =
  (client: ClientBase) =>
  async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;

/** Like `withClient`; but after an error the connection is closed, and the locks of its session go with it. */
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

/** The owner's connections, which go by indexes as the engine's do. Who falls silent in the middle of a filling is cut off by the server. */
const asOfPool = (databaseUrl: string, schemas: number): Pool =>
  steadyPool({
    connectionString: databaseUrl,
    max: schemas + 4,
    application_name: 'marktrail as-of',
    options:
      '-c search_path=read -c synchronous_commit=off -c timezone=UTC -c datestyle=ISO -c jit=off -c enable_seqscan=off -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  });
