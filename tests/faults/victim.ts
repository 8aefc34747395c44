import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres, urlOfRunningServer, type PostgresServer } from '../../run/postgres/server.ts';
import { MarksByFold } from '../support/fold-check.ts';
import { startMarktrail, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { startedDataDir } from '../support/started-data-dir.ts';
import { until } from '../support/until.ts';

/** What dies. A killed server leaves its embedded database running, for the next start to end. */
export type Fault = 'server' | 'server, its own database goes on' | 'server and database';

/**
 * Milliseconds after sending (below 0: before it); or as soon as the log tells that it has grown; or while the database works on the
 * append, which then outlives its server; or on its second append, of those that go out in parts.
 */
export type Moment = number | 'being written' | 'being written, second part' | 'written';

/**
 * A Marktrail with the demo school, to be killed and started again on the same data.
 *
 * For the fault `server` it stands on a database of the test's own, because that starts sooner; for the others it is started as a user
 * does, with the embedded one.
 */
export class Victim {
  readonly #dataDir: DataDir;
  #database: PostgresServer | undefined;
  #marktrail: StartedMarktrail | undefined;
  #fault: Fault | undefined;

  private constructor(dataDir: DataDir) {
    this.#dataDir = dataDir;
  }

  static async open(): Promise<Victim> {
    return new Victim(await startedDataDir({ demo: true }));
  }

  /** The address of a server that stands on the database that the fault needs. */
  async running(fault: Fault): Promise<string> {
    if (this.#marktrail && (this.#fault === 'server') === (fault === 'server')) return this.#marktrail.ready;
    await this.#stop();
    return this.start(fault);
  }

  async start(fault: Fault): Promise<string> {
    this.#fault = fault;
    if (fault === 'server') this.#database ??= await startPostgres({ directory: this.#dataDir.path });
    else await this.#stopDatabase();
    this.#marktrail = this.another();
    return this.#marktrail.ready;
  }

  /** Another server on the same database. The caller ends it. */
  another(): StartedMarktrail {
    const database = this.#database ? { DATABASE_URL: this.#database.ownerUrl() } : {};
    return startMarktrail({ DATA_DIR: this.#dataDir.path, DEMO: 'yes', ...database }, ['--without-apps']);
  }

  /** SIGKILL; fulfilled when it is dead. */
  async kill(fault: Fault): Promise<void> {
    const pidFile = join(this.#dataDir.path, 'postgres/postmaster.pid');
    if (fault === 'server and database') process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
    this.#marktrail?.process.kill('SIGKILL');
    await this.#marktrail?.ended;
  }

  /** Kills at the moment. `send` is told after how many milliseconds to send. */
  async killAt<Sent>(moment: Moment, fault: Fault, send: (delay: number) => Sent): Promise<Sent> {
    if (typeof moment === 'number') {
      const sent = send(Math.max(0, -moment));
      await pause(Math.max(0, moment));
      await this.kill(fault);
      return sent;
    }
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const told = new Promise((resolve) => client.once('notification', resolve));
    await client.query(moment === 'written' ? 'listen marktrail_log' : `select pg_advisory_lock(${LOCK_OF_THE_LOG})`);
    const sent = send(0);
    const query: Query = (sql, values) => client.query(sql, values ? [...values] : []);
    await (moment === 'written' ? told : appendsWaiting(query, 1));
    if (moment === 'being written, second part') {
      // Who asks for the lock while the first append runs comes before the second one.
      await query(`select pg_advisory_unlock(${LOCK_OF_THE_LOG}); select pg_advisory_lock(${LOCK_OF_THE_LOG})`);
      await appendsWaiting(query, 1);
    }
    const holder = fault === 'server and database' && moment !== 'written' ? await this.#frozen(query) : undefined;
    await this.kill(fault);
    await holder?.end();
    await client.end().catch(() => undefined);
    return sent;
  }

  /** The lock is held until whoever waits for it is dead: in a database that dies, its holder may be the first to notice, and give it free. */
  async #frozen(query: Query): Promise<{ end(): Promise<void> }> {
    const holder = Number((await query('select pg_backend_pid() as pid')).rows[0]?.pid);
    const waiting = await query('select pid from pg_locks where objid = $1 and not granted', [LOCK_OF_THE_LOG]);
    process.kill(holder, 'SIGSTOP');
    return {
      async end() {
        await until(() => waiting.rows.every(({ pid }) => !isAlive(Number(pid))));
        process.kill(holder, 'SIGKILL');
      },
    };
  }

  /** Looks into the database from outside. */
  async looking(work: (query: Query, fold: MarksByFold) => Promise<void>): Promise<void> {
    const fold = await MarksByFold.open({ databaseUrl: this.#databaseUrl, dataDir: this.#dataDir.path });
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      await work((sql, values) => client.query(sql, values ? [...values] : []), fold);
    } finally {
      await client.end();
      await fold.close();
    }
  }

  output(): string {
    return this.#marktrail?.output() ?? '';
  }

  async end(): Promise<void> {
    await this.#stop();
    await this.#stopDatabase();
    // What the last killed server left is ended by who takes its place.
    await (await startPostgres({ directory: this.#dataDir.path })).stop();
    this.#dataDir.remove();
  }

  get #databaseUrl(): string {
    return urlOfRunningServer(this.#dataDir.path) ?? '';
  }

  async #stop(): Promise<void> {
    this.#marktrail?.process.kill('SIGTERM');
    await this.#marktrail?.ended;
  }

  async #stopDatabase(): Promise<void> {
    await this.#database?.stop();
    this.#database = undefined;
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

export type Query = (sql: string, values?: readonly unknown[]) => Promise<pg.QueryResult>;

/** Of log.append in postgres.sql: held by somebody else, every append waits. */
export const LOCK_OF_THE_LOG = 1_835_102_827;

export async function appendsWaiting(query: Query, count: number): Promise<void> {
  const waiting = async () =>
    (await query(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [LOCK_OF_THE_LOG])).rowCount;
  await until(async () => (await waiting()) === count);
}

/** Where in the log the events of the command stand, parts of events aside. */
export const eventsOf = async (query: Query, commandId: string): Promise<string[]> =>
  (await query(`select position from log.events where metadata ->> 'commandId' = $1 and type <> 'Part'`, [commandId])).rows.map(
    ({ position }) => position,
  );
