import type { Writable } from 'node:stream';
import pg from 'pg';
import { steadyPool } from '../../events/store/postgres/pool.ts';
import { READER_ROLE, SCHOOL_SETTING } from './reader-role.ts';

/**
 * A question to the read models. With a `name` it is prepared once per connection: for those that are asked all the time.
 * Write `school_id = $n` into it all the same: row-level security is the second lock, not the first.
 */
export type Question = { readonly name?: string; readonly text: string };
export type Ask = <Row extends object>(question: Question, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Reads the read models as the role that owns nothing, so that PostgreSQL itself keeps the schools apart.
 *
 * Values come as they go into JSON: `date` as YYYY-MM-DD, `timestamptz` as ISO 8601 in UTC, `int8` and `numeric` as numbers.
 */
export class Reader {
  readonly #pool: pg.Pool;

  /** The engine's tables must be there (`Engine.catchUp`): it makes the role. */
  constructor({ databaseUrl, schema = 'read', connections = 8 }: { databaseUrl: string; schema?: string; connections?: number }) {
    this.#pool = steadyPool({
      connectionString: databaseUrl,
      max: connections,
      pipeline: true,
      application_name: 'marktrail reader',
      options: [`role=${READER_ROLE}`, `search_path=${schema}`, ...SESSION].map((setting) => `-c ${setting}`).join(' '),
      types: { getTypeParser: parserOf },
      keepAlive: true,
      // A little more than the statement_timeout: who answers nothing at all is given up.
      connectionTimeoutMillis: 5_000,
      query_timeout: 35_000,
    });
  }

  /**
   * Runs `work` with the eyes of one school. Its questions share a transaction, and each sees the newest committed rows. Opening it, the
   * first question and closing it need two round trips together, and nobody waits for the last.
   */
  async readAs<Result>(schoolId: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    requireSchool(schoolId);
    const client = await this.#pool.connect();
    const ask: Ask = async <Row extends object>({ name, text }: Question, values: readonly unknown[] = []) => {
      const { rows } = await client.query<Row>({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      return rows;
    };
    const end = (): void => {
      client.query('rollback').then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    };
    try {
      const [, result] = await Promise.all(
        inOnePacket(client, () => [client.query(`begin read only; set local ${SCHOOL_SETTING} = '${schoolId}'`), work(ask)] as const),
      );
      return result;
    } finally {
      end();
    }
  }

  /**
   * One question with the eyes of one school, in one round trip and without the two statements of a transaction. A connection keeps the
   * eyes that it had last; it gets others in the same packet, before the question.
   */
  async askAs<Row extends object>(schoolId: string, { name, text }: Question, values: readonly unknown[]): Promise<Row[]> {
    requireSchool(schoolId);
    const client = await this.#pool.connect();
    try {
      const named = name === undefined ? {} : { name };
      const [, { rows }] = await Promise.all(
        inOnePacket(client, () => [this.#look(client, schoolId), client.query<Row>({ text, values: [...values], ...named })] as const),
      );
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** By connection: whose eyes it has outside of a transaction. */
  readonly #eyes = new WeakMap<pg.PoolClient, string>();

  async #look(client: pg.PoolClient, schoolId: string): Promise<void> {
    if (this.#eyes.get(client) === schoolId) return;
    this.#eyes.set(client, schoolId);
    await client.query(`set ${SCHOOL_SETTING} = '${schoolId}'`);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Sends what `ask` writes before it first waits at once: a packet wakes the server, and that is dearer than most questions. */
const inOnePacket = <Result>(client: pg.PoolClient, ask: () => Result): Result => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
};

/**
 * A named question is planned once per connection, and not for each asking (measured: 2 of 2.5 ms). That plan was perhaps made while the
 * tables were small: it goes by indexes all the same.
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
  if (!UUID.test(schoolId)) throw new Error(`"${schoolId}" is no id of a school`);
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { INT8, NUMERIC, DATE, TIMESTAMPTZ } = pg.types.builtins;

/** By the type's oid; null stays null. */
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
