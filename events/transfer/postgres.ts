import pg from 'pg';
import { StoreUnavailable } from '../store/port.ts';
import type { RecordedEvent } from '../store/port.ts';
import { types } from '../store/postgres/connection.ts';
import { TransferError, type LogTarget } from './log.ts';
import { inPortions } from './portions.ts';

/** The log in PostgreSQL, read as one stream of rows and written in portions, each all or nothing. */
export const postgresLog = (connectionString: string, name: string): LogTarget => {
  let writer: Promise<pg.Client> | undefined;
  return {
    name,

    events: () => streamEvents(connectionString),

    async append(events, after) {
      const client = await (writer ??= connect(connectionString));
      try {
        await client.query(TAKE, [
          after?.id ?? null,
          events.map(({ stream }) => stream),
          events.map(({ revision }) => revision),
          events.map(({ id }) => id),
          events.map(({ type }) => type),
          events.map(({ data }) => data),
          events.map(({ metadata }) => metadata),
        ]);
      } catch (error) {
        // Another writer is active, or an event is invalid (its id is no uuid, its data no JSON).
        if (error instanceof pg.DatabaseError && /^(MT001|MT002|23505|22...)$/.test(error.code ?? ''))
          throw new TransferError(`${name} rejects the events: ${error.message}.`);
        throw error;
      }
    },

    async close() {
      await (await writer)?.end();
    },
  };
};

/** The number of sessions of a Marktrail that runs on this database: a copy must not write to it at the same time. */
export const runningSessions = async (connectionString: string): Promise<number> => {
  const client = await connect(connectionString);
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'marktrail%' and application_name <> $1`,
      [APPLICATION],
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
};

/**
 * All events by one statement.
 *
 * @throws StoreUnavailable
 */
export async function* streamEvents(connectionString: string): AsyncGenerator<readonly RecordedEvent[]> {
  const client = await connect(connectionString);
  try {
    await client.query('set enable_seqscan = off');
    yield* inPortions<RecordedEvent>(client, (take) =>
      new pg.Query<RecordedEvent>(ALL).on('row', (event) => take(event, event.data.length + event.metadata.length)),
    );
  } catch (error) {
    throw new StoreUnavailable('the event log cannot be read to its end', { cause: error });
  } finally {
    await client.end();
  }
}

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString,
    types,
    keepAlive: true,
    application_name: APPLICATION,
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new StoreUnavailable('the event log cannot be reached', { cause: error });
  }
};

const APPLICATION = 'marktrail transfer';

const ALL = 'select position, stream, revision, id, type, data, metadata from log.events order by position';
const TAKE = 'select log.take($1, $2, $3, $4, $5, $6, $7)';
