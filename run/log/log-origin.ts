import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { parseAddress } from '../../events/store/eventstoredb/address.ts';
import type { Recognised, Recognition } from '../../events/store/guarded.ts';
import { IDENTITY_STREAM, identityOf, newIdentity } from '../../events/store/identity.ts';
import { LogMissing, StoreUnavailable, WrongExpectedRevision, WrongLog, type EventStore } from '../../events/store/port.ts';
import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { migration } from '../../events/store/postgres/migration.ts';
import { isUuid } from '../../events/uuid.ts';
import { openLog } from './log.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../database/with-client.ts';

export const migrateLogOrigin = migration('1835102830', new URL('log-origin.sql', import.meta.url));

/** What knows the log: the database of the read models, and the data directory, which stays when that database is lost. */
export type Keeper = {
  readonly sql: Pick<pg.Pool, 'query'>;
  readonly dataDir?: string | undefined;
  /** Where the log is, for people. */
  readonly place: string;
};

/**
 * Tells the log that belongs here from any other, so that a missing setting, an emptied server or a restored backup is never taken for the
 * school.
 *
 * It is the same log if it has the identity that is kept here, and holds the newest event that the read models have applied: identity alone
 * would not do, because a backup has it too. The event may have another position, if the log was moved as a whole. Everything else is a
 * wrong log, until an operator accepts it (`log accept`).
 */
export const logOrigin = (keeper: Keeper): Recognition => {
  let last: Known | undefined;
  return {
    async recognise(log) {
      try {
        last = await knownTo(keeper);
      } catch (error) {
        // The log may be there while the database is away: it is compared with what was known before.
        if (!isDatabaseAway(error)) throw error;
        if (!last) throw new StoreUnavailable('the database that knows the log cannot be reached', { cause: error });
      }
      const found = await compare(keeper.sql, last, log);
      if (found.is === 'wrong') throw new WrongLog(sentence(last, found));
      return found.is;
    },

    begin: (log) => begin(keeper, log),
  };
};

/**
 * Refuses to start with a wrong log: people would see an empty or an old school, and write into it. An old log without an identity gets one
 * here; an empty one only with its first event.
 *
 * @throws StartError
 */
export const requireSameLog = (settings: Whereabouts, databaseUrl: string): Promise<void> =>
  looking(settings, databaseUrl, async (keeper, store) => {
    const known = await knownTo(keeper);
    const found = await compare(keeper.sql, known, store);
    if (found.is === 'wrong') throw new StartError(refusal(known, found, keeper.place));
    if (found.isEmpty) await record(keeper, known.logId ?? null);
    else await begin(keeper, store);
  });

/** Records that the log is accepted. Returns false if there is nothing to accept, because it is the log that belongs here. */
export const acceptOrigin = (
  settings: Whereabouts,
  databaseUrl: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<boolean> =>
  looking(settings, databaseUrl, async (keeper, store) => {
    const found = await compare(keeper.sql, await knownTo(keeper), store);
    if (found.is !== 'wrong') return false;
    await keeper.sql.query(
      'insert into operations.log_origin (place, missing, by, reason, log_id, given_up) values ($1, $2, $3, $4, $5, $6)',
      [keeper.place, found.missing ?? null, by, reason, found.logId ?? null, await missingIn(keeper.sql, store)],
    );
    await keepInDataDir(keeper, found.logId);
    return true;
  });

/**
 * Whether this installation has had no other log than this one, which nobody has written into: only such a log may get a demo school. An
 * empty log in the place of a lost one is not new.
 */
export const isFirstLog = async (sql: Keeper['sql'], log: Pick<EventStore, 'read'>): Promise<boolean> => {
  const { rows } = await sql.query(
    `select from operations.log_origin where missing is not null or log_id is distinct from $1::uuid and log_id is not null
     union all
     select from proof.heads where school_id <> '00000000-0000-0000-0000-000000000000'
     limit 1`,
    [(await identityOf(log)) ?? null],
  );
  return rows.length === 0;
};

/** For people, without a password. */
export const placeOf = ({ eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>): string =>
  eventStoreUrl === undefined ? 'PostgreSQL' : `the EventStoreDB ${parseAddress(eventStoreUrl).label}`;

type Whereabouts = Pick<Settings, 'eventStoreUrl'> & Partial<Pick<Settings, 'dataDir'>>;

// What is known

type Known = {
  /** Where the log was. */
  readonly place: string | undefined;
  /** The identity of the log that belongs here; undefined: not known yet. */
  readonly logId: string | undefined;
  /** The data directory knows an identity that the database never had: one of them is new here, or another installation's. */
  readonly isFromDataDir: boolean;
  /** The newest event that the served read models have applied, of those that no operator has given up by accepting a log without them. */
  readonly newest: { readonly position: bigint; readonly id: string } | undefined;
};

const knownTo = async ({ sql, dataDir }: Keeper): Promise<Known> => {
  const origin = await sql.query<{ place: string; missing: string | null; logId: string | null; all: (string | null)[] }>(
    `select place, missing, log_id as "logId", (select array_agg(log_id) from operations.log_origin) as all
       from operations.log_origin order by number desc limit 1`,
  );
  const [row] = origin.rows;
  const inDataDir = await idInDataDir(dataDir);
  const isFromDataDir = inDataDir !== undefined && !row?.all.includes(inDataDir);
  return {
    place: row?.place,
    logId: isFromDataDir ? inDataDir : (row?.logId ?? undefined),
    isFromDataDir,
    newest: await newestEvent(sql),
  };
};

const newestEvent = async (sql: Keeper['sql']): Promise<Known['newest']> => {
  if (!(await exists(sql, 'read.checkpoint'))) return undefined;
  const { rows } = await sql.query<{ position: string; id: string }>(
    `select c.position, c.event_id as id
       from read.version v join read.checkpoint c using (projection, version, generation)
      where v.serving and not v.stale and c.partition = 'all' and c.event_id is not null
        and not exists (select from operations.log_origin o where o.missing = c.event_id or c.event_id = any (o.given_up))
      order by c.position desc
      limit 1`,
  );
  return rows[0] && { position: BigInt(rows[0].position), id: rows[0].id };
};

// Comparing

type Look = Parameters<Recognition['recognise']>[0];

type Found =
  | { readonly is: Recognised; readonly isEmpty: boolean }
  | {
      readonly is: 'wrong';
      /** what is there instead, as the end of a sentence */
      readonly what: string;
      readonly isEmpty: boolean;
      readonly logId?: string | undefined;
      /** The newest known event, if it is not there. */
      readonly missing?: string | undefined;
    };

const compare = async (sql: Keeper['sql'], known: Known, log: Look): Promise<Found> => {
  const { newest } = known;
  try {
    const logId = await identityOf(log);
    const place = newest ? await whereIs(sql, newest, log) : 'same';
    if (place !== 'nowhere' && (known.logId === undefined || known.logId === logId)) {
      return { is: place, isEmpty: logId === undefined && newest === undefined && (await log.head()) === 0n };
    }
    const isEmpty = logId === undefined && (await log.head()) === 0n;
    const missing = place === 'nowhere' ? newest?.id : undefined;
    return { is: 'wrong', what: whatIs({ isEmpty, logId, missing }, known), isEmpty, logId, missing };
  } catch (error) {
    if (!(error instanceof LogMissing) || (known.logId === undefined && newest === undefined)) throw error;
    return { is: 'wrong', what: 'its tables are gone', isEmpty: true, missing: newest?.id };
  }
};

const whatIs = (
  { isEmpty, logId, missing }: { isEmpty: boolean; logId?: string | undefined; missing?: string | undefined },
  known: Known,
) => {
  if (isEmpty) return 'the log that answers is empty';
  if (logId !== undefined && known.logId !== undefined && logId !== known.logId) return `the log that answers is the log ${logId}`;
  if (logId === undefined && known.logId !== undefined)
    return 'the log that answers has no identity: it is another one, or of a time before logs had one';
  return `the log that answers does not have the newest event known here (${missing}): it is another one, or an earlier state of it`;
};

/** `moved`: in a log that was copied as a whole, the event is in the same stream at the same revision. */
const whereIs = async (
  sql: Keeper['sql'],
  { position, id }: { position: bigint; id: string },
  log: Look,
): Promise<Recognised | 'nowhere'> => {
  if ((await log.eventAt(position))?.id === id) return 'same';
  if (!(await exists(sql, 'read.history'))) return 'nowhere';
  const { rows } = await sql.query<{ stream: string; revision: string }>('select stream, revision from read.history where event_id = $1', [
    id,
  ]);
  for (const { stream, revision } of rows)
    for await (const event of log.read(stream, BigInt(revision))) return event.id === id ? 'moved' : 'nowhere';
  return 'nowhere';
};

const expectation = ({ logId, newest, isFromDataDir }: Known): string => {
  if (isFromDataDir) return `DATA_DIR belongs to the log ${logId}`;
  const event = newest ? ` with the event ${newest.id}` : '';
  return logId === undefined
    ? `expected was the log that the read models were filled from,${event}`
    : `expected was the log ${logId}${event}`;
};

/** Public, in /api/health: without names of servers. */
const sentence = (known: Known, { what }: { readonly what: string }): string =>
  `This is not the log that belongs here: ${expectation(known)}, but ${what}. ` +
  'Nothing can be stored, and what is shown stays as it was. Bring the right log back; or, to use this one instead: ' +
  'npm run marktrail -- log accept --reason "why"';

const refusal = (known: Known, { what, isEmpty, missing }: Found & { is: 'wrong' }, place: string): string => {
  const from = known.isFromDataDir
    ? `DATA_DIR belongs to the log ${known.logId}`
    : known.place === undefined
      ? 'The read models here were filled from a log with events'
      : `The read models here were filled from ${known.place}`;
  const now = isEmpty
    ? `the log in ${place} is empty`
    : missing === undefined
      ? what.replace('the log that answers', `the log in ${place}`)
      : `their newest event is not in the log in ${place}`;
  return `${from}, and ${now}: ${HINT}`;
};

const HINT = 'check EVENTSTORE_URL. Nothing was changed. To use this log instead: npm run marktrail -- log accept --reason "why"';

// Keeping

/** Several processes may do this at the same time: one identity wins, and all keep that. */
const begin = async (keeper: Keeper, log: Pick<EventStore, 'read' | 'append'>): Promise<void> => {
  if ((await identityOf(log)) === undefined) {
    await log.append(IDENTITY_STREAM, [newIdentity(new Date())], 'none').catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    });
  }
  const logId = await identityOf(log);
  if (logId === undefined) throw new StoreUnavailable('the log did not keep its identity');
  await record(keeper, logId);
  await keepInDataDir(keeper, logId);
};

const record = async ({ sql, place }: Keeper, logId: string | null): Promise<void> => {
  await sql.query(
    `insert into operations.log_origin (place, log_id)
     select $1, $2::uuid
      where not exists (
        select from (select place, log_id from operations.log_origin order by number desc limit 1) as last
         where last.place = $1 and last.log_id is not distinct from $2::uuid
      )`,
    [place, logId],
  );
};

const fileIn = (dataDir: string): string => join(dataDir, 'log-id');

const idInDataDir = async (dataDir: string | undefined): Promise<string | undefined> => {
  if (dataDir === undefined) return undefined;
  const text = (await readFile(fileIn(dataDir), 'utf8').catch(() => '')).trim();
  return isUuid(text) ? text : undefined;
};

/** Not where there is no data directory: with a database and keys of its own an installation needs none. */
const keepInDataDir = async ({ dataDir }: Keeper, logId: string | undefined): Promise<void> => {
  if (dataDir === undefined || (await idInDataDir(dataDir)) === logId) return;
  const keeping = logId === undefined ? rm(fileIn(dataDir), { force: true }) : writeFile(fileIn(dataDir), `${logId}\n`);
  await keeping.catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
};

/** The last events of the read models that are not in the log. */
const missingIn = async (sql: Keeper['sql'], log: Pick<EventStore, 'eventAt'>): Promise<string[]> => {
  if (!(await exists(sql, 'read.checkpoint'))) return [];
  const { rows } = await sql.query<{ position: string; id: string }>(
    `select distinct position, event_id as id from read.checkpoint where partition = 'all' and event_id is not null`,
  );
  const missing = new Set<string>();
  for (const { position, id } of rows) if ((await log.eventAt(BigInt(position)))?.id !== id) missing.add(id);
  return [...missing];
};

const exists = async (sql: Keeper['sql'], relation: string): Promise<boolean> =>
  (await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [relation])).rows[0]?.there === true;

const looking = async <Result>(
  settings: Whereabouts,
  databaseUrl: string,
  work: (keeper: Keeper, store: EventStore) => Promise<Result>,
): Promise<Result> => {
  const store = await openLog({ eventStoreUrl: settings.eventStoreUrl, databaseUrl });
  try {
    return await withClient(databaseUrl, (client) => work({ sql: client, dataDir: settings.dataDir, place: placeOf(settings) }, store));
  } catch (error) {
    throw error instanceof StoreUnavailable ? new StartError(`${error.message}: the log is needed to start.`) : error;
  } finally {
    await store.close();
  }
};
