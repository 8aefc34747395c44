import type pg from 'pg';
import { parseAddress } from '../events/store/eventstoredb/address.ts';
import { StoreUnavailable, type EventStore } from '../events/store/port.ts';
import { migration } from '../events/store/postgres/migration.ts';
import { openLog } from './log.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { withClient } from './with-client.ts';

export const migrateLogOrigin = migration('1835102830', new URL('log-origin.sql', import.meta.url));

/**
 * Refuses to start with another log than the one that the read models were filled from, usually an empty one after a setting was lost or
 * mistyped: people would see an empty school and write into it.
 *
 * - The log has the newest event that the read models have applied, at the same or another position: it is the same log, or a copy.
 * - It does not, and the place is the same as before: an earlier state was restored. The engine reports this and fills the read models
 *   again.
 * - It does not, and the place is another one, or the log is empty: refused until an operator accepts it (`log accept`).
 *
 * @throws StartError
 */
export const requireSameLog = async (settings: Pick<Settings, 'eventStoreUrl'>, databaseUrl: string): Promise<void> => {
  await looking(settings, databaseUrl, async (client, store) => {
    const place = placeOf(settings);
    const before = await origin(client);
    const missing = await missingEvent(client, store);
    if (missing !== undefined && !(before?.place === place && before.missing === missing)) {
      const from = before
        ? `The read models here were filled from ${before.place}`
        : 'The read models here were filled from a log with events';
      if ((await store.head()) === 0n) throw new StartError(`${from}, and the log in ${place} is empty: ${HINT}`);
      if (before && before.place !== place) throw new StartError(`${from}, and their newest event is not in the log in ${place}: ${HINT}`);
    }
    if (before?.place !== place) await client.query('insert into operations.log_origin (place) values ($1)', [place]);
  });
};

const HINT = 'check EVENTSTORE_URL. Nothing was changed. To use this log instead: npm run marktrail -- log accept --reason "why"';

/** Records that the log is accepted. Returns false if there is nothing to accept, because the read models were filled from it. */
export const acceptOrigin = (
  settings: Pick<Settings, 'eventStoreUrl'>,
  databaseUrl: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<boolean> =>
  looking(settings, databaseUrl, async (client, store) => {
    const missing = await missingEvent(client, store);
    if (missing === undefined) return false;
    await client.query('insert into operations.log_origin (place, missing, by, reason) values ($1, $2, $3, $4)', [
      placeOf(settings),
      missing,
      by,
      reason,
    ]);
    return true;
  });

/** For people, without a password. */
const placeOf = ({ eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>): string =>
  eventStoreUrl === undefined ? 'PostgreSQL' : `the EventStoreDB ${parseAddress(eventStoreUrl).label}`;

const origin = async (client: pg.Client): Promise<{ place: string; missing: string | null } | undefined> =>
  (
    await client.query<{ place: string; missing: string | null }>(
      'select place, missing from operations.log_origin order by number desc limit 1',
    )
  ).rows[0];

/** The newest event that the served read models have applied, if it is not in the log. */
const missingEvent = async (client: pg.Client, store: EventStore): Promise<string | undefined> => {
  if (!(await exists(client, 'read.checkpoint'))) return undefined;
  const {
    rows: [known],
  } = await client.query<{ position: string; id: string }>(
    `select c.position, c.event_id as id
       from read.version v join read.checkpoint c using (projection, version, generation)
      where v.serving and not v.stale and c.partition = 'all' and c.event_id is not null
      order by c.position desc
      limit 1`,
  );
  if (!known || (await store.eventAt(BigInt(known.position)))?.id === known.id) return undefined;
  return (await isElsewhere(client, store, known.id)) ? undefined : known.id;
};

/** In a copied log the event is in the same stream at the same revision. */
const isElsewhere = async (client: pg.Client, store: EventStore, id: string): Promise<boolean> => {
  if (!(await exists(client, 'read.history'))) return false;
  const { rows } = await client.query<{ stream: string; revision: string }>(
    'select stream, revision from read.history where event_id = $1',
    [id],
  );
  for (const { stream, revision } of rows) for await (const event of store.read(stream, BigInt(revision))) return event.id === id;
  return false;
};

const exists = async (client: pg.Client, relation: string): Promise<boolean> =>
  (await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [relation])).rows[0]?.there === true;

const looking = async <Result>(
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
  databaseUrl: string,
  work: (client: pg.Client, store: EventStore) => Promise<Result>,
): Promise<Result> => {
  const store = await openLog({ eventStoreUrl, databaseUrl });
  try {
    return await withClient(databaseUrl, (client) => work(client, store));
  } catch (error) {
    throw error instanceof StoreUnavailable ? new StartError(`${error.message}: the log is needed to start.`) : error;
  } finally {
    await store.close();
  }
};
