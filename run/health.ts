import type { Pool } from 'pg';
import type { Health, ReadModelHealth } from '../api/http/routes/health.ts';
import { StoreUnavailable, WrongLog, type EventStore } from '../events/store/port.ts';
import { troubleWith } from '../events/store/postgres/away.ts';
import { sayable } from '../events/store/postgres/without-values.ts';
import { withTimeout } from '../events/async/timeout.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { Projection } from '../projections/engine/projection.ts';
import { skips } from '../projections/engine/subscription/skips.ts';
import { ledger } from '../projections/ledger/ledger.ts';
import { signedBeyond } from '../projections/ledger/signer.ts';
import { heldFor } from '../api/common/held-for.ts';
import { backupState } from './backup/last-backup.ts';
import { diskState, roomIn, writingToDatabase, writingToDataDir } from './checks/disk.ts';
import { failedRequests } from './checks/failed-requests.ts';
import { type Finding, minuteOf } from './checks/finding.ts';
import { checksState } from './checks/schedule.ts';
import { signedMore } from './log/compare-log.ts';
import { buildStatuses, lagsAt, type BuildStatus, type Lag } from '../projections/engine/announcing/status.ts';

export type Parts = {
  readonly pool: Pool;
  readonly store: EventStore;
  /** what this program knows */
  readonly projections: readonly Projection[];
  /** Undefined: this process does not project. */
  readonly engine?: Engine;
  /** Sentences about what could be better although nothing is wrong. */
  readonly notes?: readonly string[];
  /** Whose disk is looked at. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** BACKUP_EVERY, if backups are made by themselves. */
  readonly backupEvery?: number | undefined;
  /** Other things that are wrong in this process, as sentences. */
  readonly concerns?: () => readonly string[];
  /** Prints a line on the console: why a connection was lost. */
  readonly tell: (line: string) => void;
};

/**
 * What is wrong, in sentences, within some seconds. The state of the read models is taken from the database, whichever process projects
 * them.
 *
 * The answer is public, so no sentence contains the text of an error, which may name servers, schools and people. Errors of read models are
 * shown by `marktrail projections status` and on the console, errors of connections on the console.
 *
 * `down`: no request can be answered, because the database of read models and identities is away; or the log is not the one that belongs
 * here: then the read models are still shown, nothing is stored, and an operator must decide. `degraded`: people can read and sign in, but
 * the log is away (nothing can be stored) or a read model has stopped (its data becomes outdated).
 */
export const healthCheck = (parts: Parts): (() => Promise<Health>) => {
  const reported = new Map<string, string | undefined>();
  const tellOnce = (what: string, error: string | undefined): void => {
    if (error !== undefined && reported.get(what) !== error) parts.tell(`${what}: ${error}`);
    reported.set(what, error);
  };
  const checks = checksOf(parts);
  return () => healthOf(parts, checks, tellOnce);
};

/** `ofDatabase`: left out while that is away. */
type Check = { readonly ofDatabase: boolean; readonly look: () => Promise<Finding | readonly Finding[]> };

/** What is looked at each time, besides the log and the read models. */
const checksOf = ({ pool, dataDir, databaseUrl, backupEvery }: Parts): readonly Check[] => [
  { ofDatabase: true, look: () => roomIn(pool, { dataDir, databaseUrl }).then(diskState) },
  { ofDatabase: true, look: heldFor(WRITING_MS, () => writingToDatabase({ pool })) },
  { ofDatabase: false, look: heldFor(WRITING_MS, () => writingToDataDir({ dataDir })) },
  { ofDatabase: false, look: async () => failedRequests() },
  { ofDatabase: true, look: () => backupState(pool, backupEvery) },
  { ofDatabase: true, look: () => checksState(pool) },
];

/** Health may be asked for each second. */
const WRITING_MS = 10_000;

const healthOf = async (
  { pool, store, projections, engine, notes = [], concerns = () => [] }: Parts,
  checks: readonly Check[],
  tellOnce: (what: string, error: string | undefined) => void,
): Promise<Health> => {
  const ofLog = withinAll(LOG_MS);
  const [database, log] = await Promise.allSettled([answered(buildStatuses(pool)), ofLog(store.head())]);
  const reading = engine?.status().log;
  tellOnce('The database cannot be used', database.status === 'rejected' ? sentence(database.reason) : undefined);
  tellOnce('The log cannot be used', log.status === 'rejected' ? sentence(log.reason) : undefined);
  tellOnce('Reading the log is interrupted', log.status === 'fulfilled' ? reading?.error : undefined);

  const problems: string[] = [];
  if (database.status === 'rejected')
    problems.push(`${sentenceOf(troubleWith('the database', database.reason))}, so nothing can be shown. ${ON_THE_CONSOLE}`);
  const wrong = log.status === 'rejected' && log.reason instanceof WrongLog ? log.reason : undefined;
  if (wrong) problems.push(wrong.message);
  else if (log.status === 'rejected')
    problems.push(`${sentenceOf(troubleWith('the log', log.reason))}, so nothing can be stored. ${ON_THE_CONSOLE}`);
  else if (reading?.error !== undefined) problems.push(`Reading the log is interrupted, and is tried again. ${ON_THE_CONSOLE}`);

  const statuses = database.status === 'fulfilled' ? database.value : [];
  const head = log.status === 'fulfilled' ? log.value : undefined;
  const positions = statuses.map(({ position }) => position);
  const lags = head === undefined ? undefined : await ofLog(lagsAt(store, head, positions)).catch(() => undefined);
  const builds = statuses.map((build) => readModel(build, lags?.get(build.position)));
  for (const build of builds) problems.push(...troubleOf(build));
  if (builds.some(({ name, serving, position }) => serving && name === ledger.name && position === String(head))) {
    const beyond = await answered(signedBeyond(pool)).catch(() => undefined);
    if (beyond) problems.push(signedMore(beyond));
  }
  if (database.status === 'fulfilled') problems.push(...projections.flatMap((projection) => misfit(projection, builds)));
  problems.push(...concerns());
  if (database.status === 'fulfilled') problems.push(...(await answered(clockOff(pool)).catch(() => [])));
  if (head !== undefined) problems.push(...(await ofLog(datedAhead(store, head)).catch(() => [])));
  const due = checks.filter(({ ofDatabase }) => !ofDatabase || database.status === 'fulfilled');
  const findings = (await Promise.all(due.map(({ look }) => answered(look()).catch((): Finding => ({}))))).flat();
  problems.push(...findings.flatMap(({ problem }) => problem ?? []));
  const acts = builds.length === 0 ? [] : await answered(skips(pool)).catch(() => []);
  return {
    status: database.status === 'rejected' || wrong ? 'down' : problems.length === 0 ? 'ok' : 'degraded',
    problems,
    notes,
    facts: findings.flatMap(({ fact }) => fact ?? []),
    database: database.status === 'fulfilled',
    log: log.status === 'fulfilled',
    head: head === undefined ? null : String(head),
    ...(reading ? { reading: { state: reading.state } } : {}),
    projections: builds,
    // Without the reason, which may be about people: `marktrail projections status` shows it.
    skipped: acts.map(({ projection, eventId, at }) => ({ projection, eventId, at })),
  };
};

/** Times in the log come from the servers' clocks. They are compared with the database's, which all processes share. */
const clockOff = async (pool: Pool): Promise<string[]> => {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const after = Date.now();
  const now = rows[0]?.now.getTime() ?? before;
  // The answer may have been slow.
  const [ahead, late] = [before - now, now - after];
  if (Math.max(ahead, late) < MOST_OFF_MS) return [];
  return [
    `The clock of this server is ${spanOf(Math.max(ahead, late))} ${ahead > 0 ? 'ahead of' : 'behind'} the database's: set it. ` +
      'What is stored meanwhile carries wrong times; its order is right.',
  ];
};

/** The newest event reveals another process whose clock is ahead. */
const datedAhead = async (store: EventStore, head: bigint): Promise<string[]> => {
  const event = head > 0n ? await store.eventAt(head) : undefined;
  const ahead = event ? Date.parse(timeOf(event.metadata) ?? '') - Date.now() : 0;
  return ahead > MOST_OFF_MS
    ? [`The newest event in the log is dated ${spanOf(ahead)} ahead of this server's clock: set the clocks of all servers.`]
    : [];
};

const MOST_OFF_MS = 60_000;

const timeOf = (metadata: string): string | undefined => {
  const value: unknown = JSON.parse(metadata);
  return typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'string' ? value.at : undefined;
};

const spanOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
};

const sentenceOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ON_THE_CONSOLE = 'The error is on the console of the server.';

const troubleOf = ({ name, state, serving, lagSeconds }: ReadModelHealth): string[] => {
  if (state === 'stopped') {
    const since = lagSeconds === undefined ? '' : ` of ${minuteOf(new Date(Date.now() - lagSeconds * 1_000))}`;
    return [
      `The read model ${name} has stopped at an event${since}, ${serving ? 'so its data becomes outdated' : 'and is not shown yet'}. ` +
        'It retries by itself. For the event and the error: npm run marktrail -- projections status',
    ];
  }
  if (state === 'waiting') return [`No process updates the read model ${name}: start a projector.`];
  if (state === 'stale') return [`The read model ${name} still shows another log, and is being rebuilt.`];
  return [];
};

const misfit = ({ name, version }: Projection, builds: readonly ReadModelHealth[]): string[] => {
  const served = builds.find((build) => build.name === name && build.serving);
  if (!served) return [`The read model ${name} does not exist: start a projector.`];
  return served.version === version
    ? []
    : [`The read model ${name} is served in version ${served.version}, but this program needs version ${version}.`];
};

const readModel = ({ name, version, generation, state, serving, position }: BuildStatus, lag: Lag | undefined): ReadModelHealth => ({
  name,
  version,
  generation,
  state,
  serving,
  position: String(position),
  ...(lag && { lag: lag.events, lagOrMore: lag.orMore, lagSeconds: lag.seconds }),
});

const ANSWER_MS = 4_000;
/** For all questions to the log together, so that an operator soon learns that it is silent. */
const LOG_MS = 1_500;

/** Limits several consecutive questions to `ms` together. */
const withinAll = (ms: number) => {
  const until = performance.now() + ms;
  return <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    withTimeout(Math.max(0, until - performance.now()), answer, () => new StoreUnavailable(`no answer from the event log within ${ms} ms`));
};

const answered = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  withTimeout(ANSWER_MS, answer, () => new Error(`no answer within ${ANSWER_MS} ms`));

const sentence = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentence).join(', ');
  return sayable(error);
};
