import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { isEventStoreAddress, parseAddress, WrongAddress } from '../../events/store/eventstoredb/address.ts';
import { migrateLog } from '../../events/store/postgres.ts';
import { fileSource, fileTarget, streamTarget } from '../../events/transfer/file.ts';
import type { LogSource, LogTarget } from '../../events/transfer/log.ts';
import { postgresLog, runningSessions } from '../../events/transfer/postgres.ts';
import { storeLog } from '../../events/transfer/store.ts';
import type { CommandContext } from '../command.ts';
import { openLog, requireEventStore } from './log.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';

/** How a location is written on the command line. */
export const LOCATIONS = 'here (the log of this installation), postgres://..., esdb://..., a file, or - for standard input or output';

/** Where a log is read from. Errors: StartError. */
export const sourceAt = async (location: string, context: CommandContext): Promise<LogSource> => {
  if (location === '-') return standardInput(context);
  if (location === 'here') return ownLog(context);
  switch (kindOf(location)) {
    case 'file':
      return fileSource(location);
    case 'event store':
      return eventStoreLog(location);
    case 'database': {
      const name = await reachable(location);
      const { rows } = await connected(location, (client) =>
        client.query<{ log: string | null }>(`select to_regclass('log.events') as log`),
      );
      if (!rows[0]?.log) throw new StartError(`${name} has no Marktrail log.`);
      return postgresLog(location, name);
    }
  }
};

/**
 * Where a log is written to. No Marktrail may run there; an EventStoreDB does not show that, so there conflicting revisions and reading
 * back reveal it. Errors: StartError.
 */
export const targetAt = async (location: string, context: CommandContext): Promise<LogTarget> => {
  if (location === '-') return streamTarget(process.stdout, 'the standard output');
  if (location === 'here') {
    await refuseWhileRunning(await context.database(), OWN);
    return ownLog(context);
  }
  switch (kindOf(location)) {
    case 'file':
      return fileTarget(location);
    case 'event store':
      return eventStoreLog(location);
    case 'database': {
      const name = await reachable(location);
      await refuseWhileRunning(location, name);
      await connected(location, migrateLog);
      return postgresLog(location, name);
    }
  }
};

const OWN = 'the log of this installation';

const ownLog = async (context: CommandContext): Promise<LogTarget> => {
  const { eventStoreUrl } = context.settings;
  return eventStoreUrl === undefined ? postgresLog(await context.database(), OWN) : eventStoreLog(eventStoreUrl, OWN);
};

const eventStoreLog = async (url: string, name = parseAddress(url).label): Promise<LogTarget> => {
  await requireEventStore({ eventStoreUrl: url }, console.error);
  return storeLog(await openLog({ eventStoreUrl: url, databaseUrl: '' }), name);
};

const refuseWhileRunning = async (url: string, name: string): Promise<void> => {
  if ((await runningSessions(url)) > 0) throw new StartError(`A Marktrail is running on ${name}: stop it first. Nothing was changed.`);
};

/** Neither a relative path nor `C:\log.ndjson` is a URL. */
const kindOf = (location: string): 'file' | 'database' | 'event store' => {
  if (!/^[a-z+]{2,}:/i.test(location)) return 'file';
  if (isEventStoreAddress(location)) {
    try {
      parseAddress(location);
      return 'event store';
    } catch (error) {
      if (error instanceof WrongAddress) throw new StartError(`The address of the log is invalid: ${error.message}.`);
      throw error;
    }
  }
  if (!URL.canParse(location)) throw new StartError(`The address of the log is invalid: expected ${LOCATIONS}.`);
  const { protocol } = new URL(location);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new StartError(`${protocol}//... is not a place of a log: expected ${LOCATIONS}.`);
  return 'database';
};

/** The address without its password, if PostgreSQL can be reached there. */
const reachable = async (url: string): Promise<string> => {
  const { host, pathname } = new URL(url);
  try {
    await connected(url, (client) => client.query('select'));
  } catch (error) {
    throw new StartError(`The PostgreSQL ${host}${pathname} cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return `postgres://${host}${pathname}`;
};

const connected = <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withClient({ connectionString: url, application_name: 'marktrail transfer', connectionTimeoutMillis: 10_000 }, work);

/** Stored in a file first, so that all of it can be checked before anything is copied. */
const standardInput = async ({ stopping }: CommandContext): Promise<LogSource> => {
  const directory = await mkdtemp(join(tmpdir(), 'marktrail-import-'));
  const path = join(directory, 'log.ndjson');
  const close = () => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal: stopping });
  } catch (error) {
    await close();
    throw error;
  }
  return { ...fileSource(path), name: 'the standard input', close };
};
