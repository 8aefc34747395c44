import type { PoolClient } from 'pg';
import pg from 'pg';
import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { Queue } from '../../events/async/queue.ts';

/** The lock was not free within WAIT_MS. */
export class LockNotAvailable extends Error {
  override readonly name = 'LockNotAvailable';
}

/** How long a process waits for a lock, and how long a silent process keeps it. */
const WAIT_MS = 5_000;
const SILENT_MS = 30_000;
const MOST_CONNECTIONS = 4;

/**
 * Locks for work that all processes on one database do one after the other, because each must see the result of the one before.
 *
 * Each lock is held by a transaction that does nothing else, on a connection of its own, so waiting for it blocks nothing else. The lock
 * ends with the transaction: a process that dies or loses its connection gives it up, and one that hangs loses it after SILENT_MS. If that
 * process still appends later, there may be two things with one name, and one can be renamed.
 */
export class AdvisoryLocks {
  readonly #queue = new Queue();
  readonly #pool: pg.Pool;

  constructor({ databaseUrl }: { readonly databaseUrl: string }) {
    this.#pool = steadyPool({
      connectionString: databaseUrl,
      max: MOST_CONNECTIONS,
      application_name: 'marktrail turns',
      keepAlive: true,
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: 2 * WAIT_MS,
    });
  }

  /** @throws LockNotAvailable, or an error that says that the database is away: nothing was done */
  async hold<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    // Queued within the process first, so that each name needs one connection at most.
    return this.#queue.run(name, async () => {
      const client = await this.#locked(name);
      try {
        return await work();
      } finally {
        await handBack(client);
      }
    });
  }

  /** A connection that was lost while nobody used it is only noticed now: then another one is taken. */
  async #locked(name: string): Promise<PoolClient> {
    const begun = performance.now();
    for (let lost = 0; ; lost++) {
      const client = await this.#pool.connect();
      try {
        await client.query(`begin; set local lock_timeout = ${WAIT_MS}; set local idle_in_transaction_session_timeout = ${SILENT_MS}`);
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`marktrail turn: ${name}`]);
        return client;
      } catch (error) {
        client.release(true);
        if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) throw new LockNotAvailable(name, { cause: error });
        if (!isDatabaseAway(error) || lost >= MOST_CONNECTIONS || performance.now() - begun > WAIT_MS) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** If the connection was lost, the lock is released already, and the work is done. */
const handBack = async (client: PoolClient): Promise<void> => {
  try {
    await client.query('commit');
    client.release();
  } catch {
    client.release(true);
  }
};
