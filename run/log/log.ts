import { setTimeout as pause } from 'node:timers/promises';
import type { Recognition } from '../../events/store/circuit-breaker.ts';
import type { EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';

/**
 * The log of this Marktrail: in the EventStoreDB of EVENTSTORE_URL, else in PostgreSQL.
 *
 * @param recognise compares the log behind each new connection to an EventStoreDB
 */
export const openLog = async ({
  eventStoreUrl,
  databaseUrl,
  recognise,
}: {
  eventStoreUrl?: string | undefined;
  databaseUrl: string;
  recognise?: Recognition['recognise'];
}): Promise<EventStore> =>
  eventStoreUrl === undefined
    ? postgresStore({ connectionString: databaseUrl })
    : (await eventStoreDb()).eventStoreDbStore({ url: eventStoreUrl, ...(recognise && { recognise }) });

/**
 * Checks, before anything is changed, that the EventStoreDB can be used. Does nothing without EVENTSTORE_URL.
 *
 * Waits up to a minute, with a line on the console, for one that answers that it is still starting, because after a power cut both start
 * together. It does not wait for one that cannot be reached: service managers are better at that.
 *
 * @throws StartError with one line, without the password
 */
export const requireEventStore = async (
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
  tell: (line: string) => void,
): Promise<void> => {
  if (eventStoreUrl === undefined) return;
  const { eventStoreDbStore, EventStoreStarting } = await eventStoreDb();
  const store = eventStoreDbStore({ url: eventStoreUrl });
  const giveUpAt = performance.now() + STARTING_MS;
  try {
    for (let isNotified = false; ; isNotified = true) {
      try {
        await store.head();
        return;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const isStarting = error.cause instanceof EventStoreStarting && performance.now() < giveUpAt;
        if (!isStarting) throw new StartError(`${error.message}: check EVENTSTORE_URL${hint(eventStoreUrl)}.`);
        if (!isNotified) tell(`Waiting for the event store: ${error.message}`);
        await pause(500);
      }
    }
  } finally {
    await store.close();
  }
};

/**
 * Refuses to switch to an empty EventStoreDB while PostgreSQL holds a log with events: the read models would be emptied.
 *
 * @throws StartError
 */
export const requireNoLogLeftBehind = async (settings: Pick<Settings, 'eventStoreUrl'>, databaseUrl: string): Promise<void> => {
  if (settings.eventStoreUrl === undefined || !(await holdsLog(databaseUrl))) return;
  const store = await openLog({ ...settings, databaseUrl });
  try {
    if ((await store.head()) > 0n) return;
  } finally {
    await store.close();
  }
  throw new StartError(
    'PostgreSQL has a log with events, and the EventStoreDB is empty: copy the log first (npm run marktrail -- log copy), or unset EVENTSTORE_URL.',
  );
};

const holdsLog = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('log.events') is not null as there`);
    return rows[0]?.there === true && (await client.query('select from log.events limit 1')).rows.length > 0;
  });

/** A server without TLS looks unreachable to a client that uses TLS. */
const hint = (eventStoreUrl: string): string =>
  /^unix:|tls=false/i.test(eventStoreUrl) ? '' : ', which uses TLS unless it says ?tls=false';

const STARTING_MS = 60_000;

/** Loaded on demand: it takes 30 MB and a quarter of a second, which installations on PostgreSQL do not need. */
const eventStoreDb = () => import('../../events/store/eventstoredb.ts');
