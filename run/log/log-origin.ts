import { signedBeyond } from '../../projections/ledger/signer.ts';
import { headsInForce } from '../../events/proof/head.ts';
import { storedHeads } from '../../events/proof/heads.ts';
import { parseAddress } from '../../events/store/eventstoredb/address.ts';
import type { Recognition } from '../../events/store/circuit-breaker.ts';
import { IDENTITY_STREAM, identityOf, newIdentity } from '../../events/store/identity.ts';
import { schoolOf, StoreUnavailable, WrongExpectedRevision, WrongLog, type EventStore } from '../../events/store/port.ts';
import { isDatabaseAway, troubleWith } from '../../events/store/postgres/away.ts';
import { migration } from '../../events/store/postgres/migration.ts';
import { compare, refusal, sentence, shorter } from './compare-log.ts';
import {
  keepLogIdInDataDir,
  type KnownLog,
  type LogKeeper,
  missingEvents,
  readKnownLog,
  recordLog,
  relationExists,
} from './log-identity.ts';
import { openLog } from './log.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';

export const migrateLogOrigin = migration('1835102830', new URL('log-origin.sql', import.meta.url));

/**
 * Tells the log that belongs here from any other, so that a missing setting, an emptied server or a restored backup is never taken for the
 * school.
 *
 * It is the same log if it has the identity that is kept here, and holds the newest event that the read models have applied: identity alone
 * would not do, because a backup has it too. The event may have another position, if the log was moved as a whole. Everything else is a
 * wrong log, until an operator accepts it (`log accept`).
 */
export const logOrigin = (keeper: LogKeeper): Recognition => {
  let last: KnownLog | undefined;
  return {
    async recognise(log) {
      try {
        last = await readKnownLog(keeper);
      } catch (error) {
        // The log may be there while the database is away: it is compared with what was known before.
        if (!isDatabaseAway(error)) throw error;
        if (!last) throw new StoreUnavailable(troubleWith('the database that knows the log', error), { cause: error });
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
    const knownLog = await readKnownLog(keeper);
    const found = await compare(keeper.sql, knownLog, store);
    if (found.is === 'wrong') throw new StartError(refusal(knownLog, found, keeper.place));
    await requireSignedEvents(keeper, store, knownLog);
    if (found.isEmpty) await recordLog(keeper, knownLog.logId ?? null);
    else await begin(keeper, store);
  });

/** A restored log may be shorter than its signed heads. Where the ledger is filled, it knows; else the log is counted once, before it is filled. */
const requireSignedEvents = async ({ sql, place }: LogKeeper, log: Pick<EventStore, 'readAll'>, { newest }: KnownLog): Promise<void> => {
  const heads = headsInForce(await storedHeads(sql));
  if (heads.length === 0) return;
  if (newest && (await relationExists(sql, 'read.ledger_trees')) && !(await signedBeyond(sql))) return;
  const sizes = new Map<string, number>();
  for await (const { stream } of log.readAll('start')) {
    const school = schoolOf(stream);
    sizes.set(school, (sizes.get(school) ?? 0) + 1);
  }
  const beyond = heads.find(({ school, size }) => size > (sizes.get(school) ?? 0));
  if (beyond) throw new StartError(shorter(beyond, sizes.get(beyond.school) ?? 0, place));
};

/** Records that the log is accepted. Returns false if there is nothing to accept, because it is the log that belongs here. */
export const acceptOrigin = (
  settings: Whereabouts,
  databaseUrl: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<boolean> =>
  looking(settings, databaseUrl, async (keeper, store) => {
    const found = await compare(keeper.sql, await readKnownLog(keeper), store);
    if (found.is !== 'wrong') return false;
    await keeper.sql.query(
      'insert into operations.log_origin (place, missing, by, reason, log_id, given_up) values ($1, $2, $3, $4, $5, $6)',
      [keeper.place, found.missing ?? null, by, reason, found.logId ?? null, await missingEvents(keeper.sql, store)],
    );
    await keepLogIdInDataDir(keeper, found.logId);
    return true;
  });

/**
 * Whether this installation has never had another log, and nobody has written to this one: only such a log may get a demo school. An empty log
 * in the place of a lost one is not new.
 */
export const isFirstLog = async (sql: LogKeeper['sql'], log: Pick<EventStore, 'read'>): Promise<boolean> => {
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

/** Several processes may do this at the same time: one identity wins, and all keep it. */
const begin = async (keeper: LogKeeper, log: Pick<EventStore, 'read' | 'append'>): Promise<void> => {
  if ((await identityOf(log)) === undefined) {
    await log.append(IDENTITY_STREAM, [newIdentity(new Date())], 'none').catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    });
  }
  const logId = await identityOf(log);
  if (logId === undefined) throw new StoreUnavailable('the log did not keep its identity');
  await recordLog(keeper, logId);
  await keepLogIdInDataDir(keeper, logId);
};

const looking = async <Result>(
  settings: Whereabouts,
  databaseUrl: string,
  work: (keeper: LogKeeper, store: EventStore) => Promise<Result>,
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
