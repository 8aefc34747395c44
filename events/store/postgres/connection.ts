import pg from 'pg';
import { StoreUnavailable } from '../port.ts';
import { within } from '../within.ts';
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
 * The log is read by its indexes only. A plan is kept for as long as a connection, and one that was made while the log was small
 * would otherwise read the whole table long after it has grown. So it may as well be kept from the first call on, for whatever values:
 * planned again for each, an append takes twice the time.
 *
 * A call that nobody waits for any more must not hold the lock for ever: the server ends it after twice the time that we wait ourselves,
 * so that it is always our time-out that speaks first.
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
 * A connection of one's own, with `sql` done. Its owner ends it.
 *
 * @param onLost told that the connection is gone, perhaps more than once
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

/** Ends a connection that may be broken already: that it could not be ended well is no news, and must not end the process. */
export const hangUp = async (client: pg.Client): Promise<void> => {
  await client.end().catch(() => undefined);
};

/** Connections for reading. One that breaks while idle is replaced at the next read. */
export const connectionPool = (reach: Reach): pg.Pool =>
  steadyPool({
    ...config(reach),
    query_timeout: reach.timeoutMs,
    max: 4,
    onConnect: (client) => client.query(session(reach.timeoutMs)),
  });

/** Sends the statement to a connection that nobody shares, and gives up on it after `timeoutMs`. The caller then ends the connection. */
export const ask = async <Row extends pg.QueryResultRow>(client: pg.Client, query: pg.QueryConfig, timeoutMs: number): Promise<Row[]> =>
  (await within(timeoutMs, client.query<Row>(query), () => new Silent(timeoutMs))).rows;

/** The server took a statement and said nothing. */
class Silent extends Error {
  constructor(timeoutMs: number) {
    super(`no answer from the event log within ${timeoutMs} ms`);
  }
}

/** The server answered that it did not do it, so its transaction is undone. A connection that ends (08, 57P, XX) says nothing of the kind. */
export const isRefusal = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(08|57P|XX)/.test(error.code ?? '');

/** The error that a caller gets when nothing was written: ours for a crooked value or a missing table, else that the store is not there. */
export const unavailable = (error: unknown): Error =>
  error instanceof pg.DatabaseError && /^(22|23|42)/.test(error.code ?? '')
    ? error
    : new StoreUnavailable('the event log cannot be reached', { cause: error });
