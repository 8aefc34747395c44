import pg from 'pg';
import { LogMissing, StoreUnavailable } from '../port.ts';
import { withTimeout } from '../../async/timeout.ts';
import { troubleWith } from './away.ts';
import { steadyPool } from './pool.ts';

/** Where the log is, and how long one answer may take before the server counts as silent. */
export type Reach = { readonly connectionString: string; readonly timeoutMs: number };

const BOOL = 16;
const INT8 = 20;

/** bigint as bigint; everything else, json and uuid among it, as the text that the server sent. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (oid === INT8) return BigInt;
    if (oid === BOOL) return (text: string) => text === 't';
    return (text: string) => text;
  },
};

/**
 * The log is only read by its indexes: a plan is kept as long as its connection, and one made while the log was small would otherwise scan
 * the whole table long after it has grown. With that, generic plans are safe from the first call; planning each time would double the time
 * of an append.
 *
 * A call whose caller has given up must not hold the lock for ever: the server ends it after twice the caller's time-out, so that the
 * caller's comes first.
 */
const session = (timeoutMs: number) => `
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set plan_cache_mode = force_generic_plan;
  set default_transaction_isolation = 'read committed';
  set statement_timeout = ${timeoutMs * 2};
`;

const config = ({ connectionString, timeoutMs }: Reach): pg.ClientConfig => ({
  connectionString,
  types,
  keepAlive: true,
  application_name: 'marktrail log',
  connectionTimeoutMillis: timeoutMs,
});

/**
 * A dedicated connection on which `sql` has run. The caller ends it.
 *
 * @param onLost called when the connection is gone, perhaps more than once
 */
export const connect = async (reach: Reach, onLost: (error: Error) => void, sql = ''): Promise<pg.Client> => {
  const client = new pg.Client(config(reach));
  client.on('error', onLost);
  client.on('end', () => onLost(new Error('the connection to the event log has ended')));
  try {
    await client.connect();
    await ask(client, { text: session(reach.timeoutMs) + sql }, reach.timeoutMs);
    return client;
  } catch (error) {
    void hangUp(client);
    throw error;
  }
};

/** Ends a connection that may already be broken: errors are ignored. */
export const hangUp = async (client: pg.Client): Promise<void> => {
  await client.end().catch(() => undefined);
};

/** Connections for reading. One that breaks while idle is replaced for the next read. */
export const connectionPool = (reach: Reach): pg.Pool =>
  steadyPool({
    ...config(reach),
    query_timeout: reach.timeoutMs,
    max: 4,
    onConnect: (client) => client.query(session(reach.timeoutMs)),
  });

/** Runs a statement on a dedicated connection, and gives up after `timeoutMs`. The caller must then end the connection. */
export const ask = async <Row extends pg.QueryResultRow>(client: pg.Client, query: pg.QueryConfig, timeoutMs: number): Promise<Row[]> =>
  (await withTimeout(timeoutMs, client.query<Row>(query), () => new Silent(timeoutMs))).rows;

/** The server accepted a statement and did not answer. */
class Silent extends Error {
  constructor(timeoutMs: number) {
    super(`no answer from the event log within ${timeoutMs} ms`);
  }
}

/** The server refused the statement, so its transaction is rolled back. After a broken connection (08, 57P, XX) that is not known. */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(08|57P|XX)/.test(error.code ?? '');

/**
 * The error for the caller when nothing was written: LogMissing without the log's schema, tables or functions, the original for an invalid
 * value, else StoreUnavailable.
 */
export const unavailable = (error: unknown): Error => {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (/^(3F000|42P01|42883)$/.test(code)) return new LogMissing({ cause: error });
  if (error instanceof pg.DatabaseError && /^(22|23|42)/.test(code)) return error;
  return new StoreUnavailable(troubleWith('the event log', error), { cause: error });
};
