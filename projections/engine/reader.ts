import pg from 'pg';
import { FairQueue } from '../../events/async/fair-queue.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { isUuid } from '../../events/uuid.ts';
import { inOnePacket } from './in-one-packet.ts';
import { READER_ROLE, SCHOOL_SETTING } from './reader-role.ts';

/**
 * A query of the read models, with the name `''` if its text is made for one request (events/store/postgres/pool.ts). It must contain `school_id = $n`
 * nevertheless: row-level security is the second lock, not the first.
 */
export type SqlQuery = { readonly name?: string; readonly text: string };
export type Ask = <Row extends object>(query: SqlQuery, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Reads the read models with the reader's role, so that row-level security separates the schools.
 *
 * Values are as in JSON: `date` as YYYY-MM-DD, `timestamptz` as ISO 8601 in UTC, `int8` and `numeric` as numbers.
 */
export class Reader {
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;

  /**
   * The engine must have created tables and role (`Engine.catchUp`).
   *
   * @param databaseUrl of a log-in that has the reader's role. With the owner's, SQL on these connections could also take the owner's rights
   */
  constructor({ databaseUrl, schema = 'read', connections = 8 }: { databaseUrl: string; schema?: string; connections?: number }) {
    this.#queue = new FairQueue({ atOnce: connections, waiting: MOST_WAITING, waitMs: WAIT_MS });
    this.#pool = steadyPool({
      connectionString: databaseUrl,
      max: connections,
      pipeline: true,
      application_name: 'marktrail reader',
      options: [`role=${READER_ROLE}`, `search_path=${schema}`, ...SESSION].map((setting) => `-c ${setting}`).join(' '),
      types: { getTypeParser: parserOf },
      keepAlive: true,
      // A little more than the statement_timeout, for a silent server.
      connectionTimeoutMillis: 5_000,
      query_timeout: 35_000,
    });
  }

  /**
   * Runs `work` as the reader of one school. Its queries share a transaction, and each sees the newest committed rows. Begin, first query
   * and commit take two round trips together, and the caller does not wait for the commit.
   *
   * @throws TooMuchAtOnce
   */
  readAs<Result>(schoolId: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    return this.#queue.run({ group: schoolId }, () => this.#readAs(schoolId, work));
  }

  async #readAs<Result>(schoolId: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    requireSchool(schoolId);
    const client = await this.#pool.connect();
    const ask: Ask = async <Row extends object>({ name, text }: SqlQuery, values: readonly unknown[] = []) => {
      const { rows } = await client.query<Row>({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      return rows;
    };
    // A prepared statement fails for ever once its view has columns of other types: its connection ends with the first failure.
    const end = (failed: boolean): void => {
      client.query('rollback').then(
        () => client.release(failed),
        (error: Error) => client.release(error),
      );
    };
    try {
      const [, result] = await Promise.all(
        inOnePacket(client, () => [client.query(`begin read only; set local ${SCHOOL_SETTING} = '${schoolId}'`), work(ask)] as const),
      );
      end(false);
      return result;
    } catch (error) {
      end(error instanceof pg.DatabaseError);
      throw error;
    }
  }

  /**
   * Runs one query as the reader of one school, in one round trip and without a transaction. A connection keeps the school that it had
   * last; another one is set right before the query. Sending both in one packet brought nothing that could be measured.
   *
   * @throws TooMuchAtOnce
   */
  askAs<Row extends object>(schoolId: string, query: SqlQuery, values: readonly unknown[]): Promise<Row[]> {
    return this.#queue.run({ group: schoolId }, () => this.#askAs<Row>(schoolId, query, values));
  }

  async #askAs<Row extends object>(schoolId: string, { name, text }: SqlQuery, values: readonly unknown[]): Promise<Row[]> {
    requireSchool(schoolId);
    const client = await this.#pool.connect();
    try {
      const named = name === undefined ? {} : { name };
      // Sent one after the other without waiting: the setting applies to the query.
      const [, { rows }] = await Promise.all([
        this.#setSchool(client, schoolId),
        client.query<Row>({ text, values: [...values], ...named }),
      ]);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** How many are waiting for a connection now. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** The school of each connection outside of a transaction. */
  readonly #schools = new WeakMap<pg.PoolClient, string>();

  async #setSchool(client: pg.PoolClient, schoolId: string): Promise<void> {
    if (this.#schools.get(client) === schoolId) return;
    this.#schools.set(client, schoolId);
    await client.query(`set ${SCHOOL_SETTING} = '${schoolId}'`);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** If a thousand pages ask at once, each is answered or refused within this time. */
const WAIT_MS = 5_000;
const MOST_WAITING = 1_000;

/**
 * A query is planned once per connection instead of every time (planning took 2 of 2.5 ms). The plan may have been made while the
 * tables were small, so it must always use indexes.
 */
const SESSION = [
  'default_transaction_read_only=on',
  'statement_timeout=30s',
  'timezone=UTC',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
];

const requireSchool = (schoolId: string): void => {
  if (!isUuid(schoolId)) throw new Error(`"${schoolId}" is no id of a school`);
};

const { INT8, NUMERIC, DATE, TIMESTAMPTZ } = pg.types.builtins;

/** The parser for a type's oid; null stays null. */
const parserOf: typeof pg.types.getTypeParser = (oid, format) => {
  switch (oid) {
    case INT8:
    case NUMERIC:
      return Number;
    case DATE:
      return String;
    case TIMESTAMPTZ:
      return (text: string) => new Date(text).toISOString();
    default:
      return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  }
};
