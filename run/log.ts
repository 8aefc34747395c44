import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../events/store/port.ts';
import { postgresStore } from '../events/store/postgres.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { withClient } from './with-client.ts';

/** The log of this Marktrail: the EventStoreDB that EVENTSTORE_URL names, else the PostgreSQL that holds everything. */
export const openLog = async ({
  eventStoreUrl,
  databaseUrl,
}: {
  eventStoreUrl?: string | undefined;
  databaseUrl: string;
}): Promise<EventStore> =>
  eventStoreUrl === undefined
    ? postgresStore({ connectionString: databaseUrl })
    : (await eventStoreDb()).eventStoreDbStore({ url: eventStoreUrl });

/**
 * Looks, before anything is changed, whether the EventStoreDB can be used; without EVENTSTORE_URL there is nothing to look for.
 *
 * One that answers that it is still starting is waited for, up to a minute and with a line that says so: after a power cut both start at
 * once. One that nobody listens for is not: whoever restarts services does that better.
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
    for (let told = false; ; told = true) {
      try {
        await store.head();
        return;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const isStarting = error.cause instanceof EventStoreStarting && performance.now() < giveUpAt;
        if (!isStarting) throw new StartError(`${error.message}: check EVENTSTORE_URL${hint(eventStoreUrl)}.`);
        if (!told) tell(`Waiting for the event store: ${error.message}`);
        await pause(500);
      }
    }
  } finally {
    await store.close();
  }
};

/**
 * A log with events that nobody looks at any more is a setting that went wrong: read models would be emptied for an EventStoreDB that
 * holds nothing yet.
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
    'The PostgreSQL holds a log with events, and the EventStoreDB holds none: copy the log first (npm run marktrail -- log), or leave EVENTSTORE_URL out.',
  );
};

const holdsLog = (databaseUrl: string): Promise<boolean> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('log.events') is not null as there`);
    return rows[0]?.there === true && (await client.query('select from log.events limit 1')).rows.length > 0;
  });

/** A server without TLS that is asked for it looks like one that is not there. */
const hint = (eventStoreUrl: string): string =>
  /^unix:|tls=false/i.test(eventStoreUrl) ? '' : ', which asks for TLS as long as it does not say ?tls=false';

const STARTING_MS = 60_000;

/** Loaded where it is used: it takes 30 MB and a quarter of a second, which a school on PostgreSQL need not pay. */
const eventStoreDb = () => import('../events/store/eventstoredb.ts');
