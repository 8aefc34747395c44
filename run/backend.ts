import { systemActor } from '../api/actor.ts';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { AccountRequest } from '../api/auth/auth.ts';
import { commandAccess, queryAccess, restAccess } from '../api/access.ts';
import type { CommandName, CommandPipeline, Commands } from '../api/commands.ts';
import { commands, isCommandName } from '../api/commands.ts';
import { admits } from '../api/common/rule.ts';
import { handlers } from '../api/handlers.ts';
import type { StepName } from '../api/history/acts.handler.ts';
import { undoOfStep } from '../api/history/acts.handler.ts';
import { ReadModels } from '../api/history/read-models.ts';
import { HandOuts } from '../api/pipeline/hand-outs.ts';
import { Jobs } from '../api/pipeline/jobs.ts';
import { Lists } from '../api/pipeline/lists.ts';
import { QueryBus } from '../api/pipeline/query-bus.ts';
import { ViewingAs } from '../api/pipeline/view-as.ts';
import type { Queries } from '../api/queries.ts';
import { queries } from '../api/queries.ts';
import type { OurLists } from '../api/resources.ts';
import { resources } from '../api/resources.ts';
import { startSweeping } from '../api/auth/identity/housekeeping.ts';
import type { Sessions } from '../api/auth/log-in/sessions.ts';
import type { AppOptions } from '../api/http/app.ts';
import { Forgetter } from '../api/auth/forgetting.handler.ts';
import { eraseIdentity } from '../api/auth/identity/erase-identity.ts';
import type { AuthOptions } from '../api/http/routes/auth.ts';
import type { ErrorOptions } from '../api/http/routes/errors.ts';
import type { Health } from '../api/http/routes/health.ts';
import type { Passwords } from '../api/auth/password/password-hash.ts';
import { sessionQuery } from '../api/auth/log-in/session-actors.ts';
import type { FactsReaderOptions } from '../api/pipeline/facts-reader.ts';
import type { Lines } from '../api/security/security-log.ts';
import { SchoolYears } from '../api/school/school-year/school-years.ts';
import { Pipeline } from '../api/pipeline/pipeline.ts';
import { AdvisoryLocks } from '../api/pipeline/advisory-locks.ts';
import { sayable } from '../events/store/postgres/without-values.ts';
import { settledForgettings, STALE_AFTER_MS } from '../events/codec/keys.ts';
import type { RecordedEvent } from '../events/registry.ts';
import type { EventStore } from '../events/store/port.ts';
import { accountsProjection } from '../projections/accounts/accounts.ts';
import { askedProjections, projections, projectionsOfAnyMoment } from '../projections/all.ts';
import { AsOf } from '../projections/engine/as-of/as-of.ts';
import type { Terms } from '../projections/engine/as-of/leases.ts';
import { Progress } from '../projections/engine/announcing/progress.ts';
import type { Ask } from '../projections/engine/reader.ts';
import { Reader } from '../projections/engine/reader.ts';
import { rebuild } from '../projections/engine/rebuild.ts';
import { resultsProjection } from '../projections/marks/results.ts';
import { roster } from '../projections/students/roster.ts';
import { structure } from '../projections/school/structure.ts';
import type { RunSql } from '../api/common/facts.ts';
import { openAuth, sweepAll } from './auth.ts';
import { startActing } from './acting.ts';
import { healthCheck } from './health.ts';
import { buildStatuses } from '../projections/engine/announcing/status.ts';
import { isFirstLog } from './log/log-origin.ts';
import { openProjector, untilShown } from './projector.ts';
import { openReaderLogIn } from './database/reader-log-in.ts';
import { schoolIndex } from '../projections/history/school-index.ts';
import type { DecodedLog } from './log/decoded-log.ts';
import { eventsAtPlaces, eventsOfSchool, openDecodedLog } from './log/decoded-log.ts';
import type { Settings } from './settings.ts';

/** Everything but HTTP: the basis of the server, the command line and the demo school. */
export type Backend = Pick<AppOptions, 'social' | 'readModels' | 'schoolYears'> &
  Pick<AuthOptions & ErrorOptions, 'auth' | 'robot' | 'joinCodes' | 'errors'> & {
    readonly store: EventStore;
    readonly sessions: Sessions;
    readonly bus: Commands<AccountRequest>;
    readonly queries: Queries;
    readonly lists: OurLists;
    readonly progress: Progress;
    readonly readAs: FactsReaderOptions['readAs'];
    readonly askAs: FactsReaderOptions['askAs'];
    /** All events of a school, decoded. */
    readonly eventsOf: (schoolId: string) => AsyncIterable<RecordedEvent>;
    readonly health: () => Promise<Health>;
    /** See log-origin.ts. */
    readonly isFirstLog: () => Promise<boolean>;
    /** See `Pipeline.retries`. */
    readonly retries: () => number;
    /** Requests that wait for a connection to the read models. */
    readonly waiting: () => Readonly<Record<'queries' | 'commands', number>>;
    close(): Promise<void>;
  };

export type BackendOptions = Pick<
  Settings,
  'dataDir' | 'masterKey' | 'signingKey' | 'headsFile' | 'forgettingsFile' | 'publicUrl' | 'role'
> &
  Partial<
    Pick<Settings, 'smtpUrl' | 'mailFrom' | 'oidc' | 'idle' | 'securityLogDays' | 'readModelAdmins' | 'backupDir' | 'backupEvery'>
  > & {
    /** See RobotCheck. */
    readonly robotPrefix?: string;
    /** How passwords are stored; by default as `Passwords` does. */
    readonly passwords?: Passwords;
    readonly databaseUrl: string;
    /** The address for the log-in of queries, which is prepared (reader-log-in.ts); by default the owner's. */
    readonly readerDatabaseUrl?: string | undefined;
    readonly eventStoreUrl?: string | undefined;
    /** See DecodedLogOptions. */
    readonly connections?: number;
    /** Used as the log instead of the one that the settings name. */
    readonly store?: EventStore;
    readonly asOfTerms?: Partial<Terms>;
    /** Structured lines about security. */
    readonly lines?: Lines;
    /** Prints a line on the console about something that takes time. */
    readonly tell: (line: string) => void;
    /** Aborted when the process is told to stop: ends the wait for other processes. */
    readonly stopping?: AbortSignal;
  };

/** Puts store, codec, engine and pipeline together, and brings the read models to the head of the log. */
export const openBackend = async (options: BackendOptions): Promise<Backend> => {
  const { databaseUrl, role, tell, stopping = new AbortController().signal } = options;
  const log = await openDecodedLog(options);
  const { pool, masterKey, keys, store, codec } = log;
  const progress = new Progress({ databaseUrl });
  const projector = role === 'api' ? undefined : openProjector({ ...options, log, progress });
  if (projector) await projector.ready;
  else await untilShown(pool, { tell, stopping });
  await progress.start();

  const { readerDatabaseUrl } = options;
  if (readerDatabaseUrl !== undefined) await openReaderLogIn({ databaseUrl, readerDatabaseUrl });
  const reader = new Reader({ databaseUrl: readerDatabaseUrl ?? databaseUrl });
  // A save finds a connection, however many pages are being read.
  const factReader = new Reader({ databaseUrl: readerDatabaseUrl ?? databaseUrl, connections: 4 });
  const readAs: Backend['readAs'] = (schoolId, work) => reader.readAs(schoolId, (ask) => work(askingAs(schoolId, ask)));
  const factsAs: Backend['readAs'] = (schoolId, work) => factReader.readAs(schoolId, (ask) => work(askingAs(schoolId, ask)));
  const askAs: Backend['askAs'] = (schoolId, text, values) => factReader.askAs(schoolId, { text }, [schoolId, ...values]);
  const waitFor: WaitFor = (models, position, timeoutMs) => progress.waitFor(models, position, timeoutMs);
  const asOf = openAsOf(options, log, waitFor);

  const locks = new AdvisoryLocks({ databaseUrl });
  const pipeline = new Pipeline<CommandName>({
    commands,
    access: commandAccess,
    locks,
    store,
    codec,
    keys,
    readAs: factsAs,
    waitFor,
    positions: () => progress.positions(),
    isAbout: (models, type) => projections.some((one) => models.includes(one.name) && (!('on' in one) || one.on.includes(type))),
    askAs,
    sessions: sessionQuery,
  });
  const reached = (position: bigint): Promise<void> => waitFor(['accounts'], position, 5_000);
  const schoolShown = (position: bigint): Promise<void> => waitFor(['structure'], position, 5_000);
  const opened = openAuth({ ...options, pool, masterKey, keys, pipeline, reached, schoolShown });
  const { sessions, mail, security } = opened.auth;
  const reading = {
    readAs,
    readAsOf: <Result>(view: Parameters<typeof asOf.read>[0], work: (query: RunSql) => Promise<Result>) =>
      asOf.read(view, (ask) => work(askingAs(view.schoolId, ask))),
    handOuts: new HandOuts((request) => opened.bus.execute('RecordHandOut', request)),
  };
  const queryBus: Queries = new QueryBus({
    queries,
    access: queryAccess,
    ...reading,
    waitFor,
    positions: () => progress.positions(),
    storedPositions: () => progress.storedPositions(),
    onCommitted: (listener) => progress.onCommitted(listener),
    viewingAs: new ViewingAs({ readAs, recordLook: (request) => opened.bus.execute('LookAtStudent', request) }),
    readLog: (places) => eventsAtPlaces(log, places),
    maySend: (command, actor) => isCommandName(command) && admits(commandAccess[command], actor),
  });
  const stopped = new AbortController();
  const readModels = new ReadModels({
    pool,
    store,
    asOf,
    compared: askedProjections,
    rebuild: async (name, onProgress) => {
      const { decode } = log;
      const projected = { databaseUrl, store, decode, progress: new Progress({ databaseUrl }), signal: stopped.signal };
      await rebuild({
        ...projected,
        projections: projections.filter((one) => one.name === name),
        onProgress: ({ fraction }) => onProgress(fraction),
      });
    },
    rebuilders: options.readModelAdmins ?? [],
  });
  const forgetter = openForgetter(options, { ...opened, log, pipeline, readAs, waitFor, asOf });
  const jobs = new Jobs<StepName>({ pool, keys, pipeline, undo: undoOfStep });
  const schoolYears = new SchoolYears({ pool, keys, pipeline });
  opened.bus.register(
    handlers({
      accounts: opened.accounts,
      forgetter,
      tasks: { ...opened.auth.taskMails, pipeline, shown: (position) => waitFor(TOLD_FROM, position, 5_000) },
      acts: {
        pipeline,
        jobs,
        readNow: async (schoolId, work) => {
          await waitFor(['record', 'structure'], await store.head(), 5_000);
          return readAs(schoolId, work);
        },
      },
      schoolYear: { jobs, schoolYears },
    }),
  );
  await forgetter.goOn(systemActor).catch((error: unknown) => {
    tell(`Somebody was forgotten, and the log does not say so yet; the next start tries again (${sayable(error)}).`);
  });
  const acting = startActing({ jobs, schoolYears, bus: opened.bus, tell });
  await acting.first;
  const sweeping = projector
    ? startSweeping(async () => {
        if (await knowsEveryAccount(pool, store)) await opened.auth.identities.sweep();
        await sweepAll(opened, pool);
      })
    : undefined;
  await sweeping?.first;

  return {
    store,
    sessions,
    ...opened,
    queries: queryBus,
    readModels,
    schoolYears,
    lists: new Lists({ resources, access: restAccess, ...reading }),
    progress,
    readAs,
    askAs,
    eventsOf: (schoolId) => eventsOfSchool({ store, codec }, schoolId),
    health: healthCheck({
      pool,
      store,
      projections,
      tell,
      dataDir: options.dataDir,
      databaseUrl,
      backupEvery: options.backupDir === undefined ? undefined : options.backupEvery,
      notes: readerDatabaseUrl === undefined ? [ONE_LOG_IN] : [],
      ...(projector ? { engine: projector.engine, concerns: projector.concerns } : {}),
    }),
    isFirstLog: () => isFirstLog(pool, store),
    retries: () => pipeline.retries,
    waiting: () => ({ queries: reader.waiting, commands: factReader.waiting }),
    async close() {
      await mail.stop();
      await security.close();
      await sweeping?.stop();
      await acting.stop();
      await projector?.close();
      await progress.stop();
      stopped.abort();
      await asOf.stop();
      await readModels.settled();
      await reader.close();
      await factReader.close();
      await locks.close();
      await log.close();
    },
  };
};

const ONE_LOG_IN = 'Queries use the log-in of DATABASE_URL: READER_DATABASE_URL would give them one of their own, which can only read.';

/** The read models behind mails about feedback tasks. */
const TOLD_FROM = ['structure', 'accounts', 'tasks'] as const;

type WaitFor = FactsReaderOptions['waitFor'];

const openAsOf = (
  { databaseUrl, readerDatabaseUrl, asOfTerms }: BackendOptions,
  { store, decode, pool }: DecodedLog,
  waitFor: WaitFor,
): AsOf =>
  new AsOf({
    ...AS_OF_TERMS,
    ...asOfTerms,
    databaseUrl,
    readerDatabaseUrl,
    store,
    decode,
    projections: projectionsOfAnyMoment,
    index: schoolIndex,
    upToDate: async () => waitFor([schoolIndex.name], await store.head(), 2_000),
    forgettings: () => settledForgettings(pool),
  });

/**
 * A reader keeps a schema for half a minute after each request, for ten seconds if others wait; its rows are removed after some minutes.
 */
const AS_OF_TERMS: Terms = { schemas: 2, keepMs: 30_000, turnMs: 10_000, idleMs: 5 * 60_000 };

type ForgetterParts = Pick<ReturnType<typeof openAuth>, 'auth' | 'bus' | 'around'> & {
  readonly log: DecodedLog;
  readonly pipeline: CommandPipeline;
  readonly readAs: Backend['readAs'];
  readonly waitFor: WaitFor;
  readonly asOf: AsOf;
};

const openForgetter = (
  { dataDir }: BackendOptions,
  { log, auth, bus, around, pipeline, readAs, waitFor, asOf }: ForgetterParts,
): Forgetter => {
  const { pool, store, keys, forgettings } = log;
  return new Forgetter({
    bus,
    around,
    pipeline,
    identities: auth.identities,
    eraseIdentity: eraseIdentity(pool, join(dataDir, 'outbox')),
    keys,
    forgettings,
    readNow: async (schoolId, work) => {
      await waitFor(PERSONAL, await store.head(), 2_000);
      return readAs(schoolId, work);
    },
    shown: (position) => waitFor(PERSONAL, position, 5_000),
    onForgotten: async () => {
      // Until then another process may still have the key, and fill an earlier moment with it.
      await pause(2 * STALE_AFTER_MS + 100);
      await asOf.sweep();
    },
  });
};

/** The read models with personal data. */
const PERSONAL = [roster, accountsProjection, structure, resultsProjection].map(({ name }) => name);

/** Each query has the school's id for its `$1`. */
const askingAs =
  (schoolId: string, ask: Ask): RunSql =>
  (text, values = [], name) =>
    ask({ text, ...(name === undefined ? {} : { name }) }, [schoolId, ...values]);

/**
 * Otherwise a sweep would remove the log-ins of accounts that a stopped read model does not have yet, or that an empty, wrong log lacks.
 */
const knowsEveryAccount = async (pool: pg.Pool, store: EventStore): Promise<boolean> => {
  const accounts = (await buildStatuses(pool)).find(({ name, serving }) => name === accountsProjection.name && serving);
  const head = await store.head();
  return head > 0n && accounts?.state === 'running' && accounts.position >= head;
};
