import type { PoolClient } from 'pg';
import pg from 'pg';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { Queue } from './queue.ts';

/** Somebody else had the turn all the time that was waited for it. */
export class TurnNotComing extends Error {
  override readonly name = 'TurnNotComing';
}

/** How long one waits for his turn, and how long somebody may have it of whom nothing is heard. */
const WAIT_MS = 5_000;
const SILENT_MS = 30_000;

/**
 * Work that is done one after the other by all processes on one database, as each has to see what came of the one before.
 *
 * A turn is an advisory lock of a transaction that does nothing else, on a connection that work never needs: who waits here stands in nobody's
 * way. The lock goes with the transaction, so a process that dies or loses its connection gives its turn away, and one that hangs loses it
 * after SILENT_MS. What it still appends then stands beside what others decided: a second thing of one name, which can be renamed.
 */
export class Turns {
  readonly #queue = new Queue();
  readonly #pool: pg.Pool;

  constructor({ databaseUrl }: { readonly databaseUrl: string }) {
    this.#pool = steadyPool({
      connectionString: databaseUrl,
      max: 4,
      application_name: 'marktrail turns',
      keepAlive: true,
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: 2 * WAIT_MS,
    });
  }

  /** @throws TurnNotComing, or what says that the database is away: nothing was begun */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    // In turn within the process first: one connection for a name, however many want it.
    return this.#queue.run(name, async () => {
      const client = await this.#locked(name);
      try {
        return await work();
      } finally {
        await handBack(client);
      }
    });
  }

  async #locked(name: string): Promise<PoolClient> {
    const client = await this.#pool.connect();
    try {
      await client.query(`begin; set local lock_timeout = ${WAIT_MS}; set local idle_in_transaction_session_timeout = ${SILENT_MS}`);
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`marktrail turn: ${name}`]);
      return client;
    } catch (error) {
      client.release(true);
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) throw new TurnNotComing(name, { cause: error });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** A connection that was lost took the lock with it, and what was done meanwhile is done. */
const handBack = async (client: PoolClient): Promise<void> => {
  try {
    await client.query('commit');
    client.release();
  } catch {
    client.release(true);
  }
};
