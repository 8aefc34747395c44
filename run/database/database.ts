import { Socket } from 'node:net';
import pg from 'pg';
import { isInUse, markClosed, markOpen, openDataDir } from './data-dir.ts';
import { type PostgresServer, startPostgres, urlOfRunningServer } from '../postgres/server.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { BACKOFF, pause, waitBefore } from '../../events/async/backoff.ts';
import { sayable } from '../../events/store/postgres/without-values.ts';
import { migrateIdentity } from '../../api/auth/identity/housekeeping.ts';
import { migrateJobs } from '../../api/pipeline/jobs.ts';
import { migrateSchoolYears } from '../../api/school/school-year/school-years.ts';
import { migrateErrors } from '../../api/security/error-log.ts';
import { migrateMail } from '../../api/mail/outbox.ts';
import { migrateSecurityLog } from '../../api/security/security-log.ts';
import { migrateKeys } from '../../events/codec/keys.ts';
import { migrateHeads } from '../../events/proof/heads.ts';
import { migrateLog } from '../../events/store/postgres.ts';
import type { Migration } from '../../events/store/postgres/migration.ts';
import { isRestoring } from '../backup/restoring.ts';
import { migrateBackups } from '../backup/backup.ts';
import { migrateChecks } from '../checks/finding.ts';
import { migrateLogOrigin } from '../log/log-origin.ts';
import { withClient } from '../with-client.ts';

/**
 * Opens and migrates the database of this process; returns the owner's connection string. The embedded one runs as long as the process.
 */
export async function openDatabase(settings: Settings, lifecycle: Lifecycle, { toRestore = false } = {}): Promise<string> {
  const url = settings.databaseUrl ?? (await startEmbedded(settings, lifecycle));
  await requireReachable(url, lifecycle.stopping);
  if (!toRestore) await requireWholeRestore(url);
  await migrate(url, { log: settings.eventStoreUrl === undefined });
  return url;
}

/**
 * The same for a command that may run next to a Marktrail: uses the running one's database, else starts one for as long as the command
 * takes.
 */
export async function reachDatabase(settings: Settings, lifecycle: Lifecycle, { toRestore = false } = {}): Promise<string> {
  if (settings.databaseUrl === undefined && isInUse(settings.dataDir)) return await untilItRuns(settings.dataDir, lifecycle.stopping);
  if (settings.databaseUrl === undefined) {
    const dataDir = await openDataDir(settings.dataDir);
    lifecycle.onEnd(() => dataDir.release());
  }
  return openDatabase(settings, lifecycle, { toRestore });
}

/** The database of a Marktrail that may still be starting: until then it does not answer, or has no role or database yet. @throws StartError */
async function untilItRuns(dataDir: string, stopping: AbortSignal): Promise<string> {
  const last = Date.now() + ANSWERS_WITHIN_MS;
  for (let isTold = false; ; isTold = true) {
    try {
      const url = urlOfRunningServer(dataDir) ?? '';
      await withClient(url, async () => undefined);
      return url;
    } catch (error) {
      if (Date.now() > last || !isInUse(dataDir))
        throw new StartError(`The database of the Marktrail in ${dataDir} does not answer (${sayable(error)}): run the command again.`);
    }
    // Not on the standard output, where a command may be writing a file.
    if (!isTold) console.error('The Marktrail here is starting: waiting for its database ...');
    await pause(200, stopping);
    stopping.throwIfAborted();
  }
}

/** What a restore that was ended halfway has left is never started. @throws StartError */
async function requireWholeRestore(url: string): Promise<void> {
  if (await withClient(url, isRestoring))
    throw new StartError('A restore was not finished here, so there is nothing to start: run the same restore again.');
}

async function startEmbedded(settings: Settings, lifecycle: Lifecycle): Promise<string> {
  markOpen(settings.dataDir);
  // Not on the standard output, where a command may be writing a file.
  const server = await startPostgres({ directory: settings.dataDir, tell: console.error });
  const kept = keepRunning(server, settings.dataDir, lifecycle.stopping);
  lifecycle.onEnd(async () => {
    await kept;
    if (await server.stop()) markClosed(settings.dataDir);
  });
  return server.ownerUrl();
}

/** Starts it again whenever it has ended by itself, later each time unless it has run for a while. Ends when the process is to stop. */
async function keepRunning(server: PostgresServer, dataDir: string, stopping: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((stop) => stopping.addEventListener('abort', () => stop(undefined), { once: true }));
  for (let attempt = 1; ; attempt++) {
    const since = Date.now();
    const lastWords = await Promise.race([server.exited(), stopped]);
    if (stopping.aborted) return;
    if (Date.now() - since > STEADY_MS) attempt = 1;
    console.error(
      `The database stopped unexpectedly, and is started again${lastWords ? `: ${lastWords}` : ''} (more in ${dataDir}/postgres.log)`,
    );
    await pause(waitBefore(attempt, BACKOFF), stopping);
    if (stopping.aborted) return;
    await server.startAgain().then(
      () => console.error('The database runs again.'),
      (error: unknown) => console.error(sayable(error)),
    );
  }
}
const STEADY_MS = 60_000;

/** A wrong address is refused at once; a server that is busy or has only just started may take long to answer. */
const ANSWERS_WITHIN_MS = 60_000;
const NOTICE_AFTER_MS = 10_000;

/** @throws StartError; also, silently, if the process is asked to stop meanwhile */
async function requireReachable(url: string, stopping: AbortSignal): Promise<void> {
  const { host, pathname } = new URL(url);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    stream: () => new Socket({ signal: stopping }),
  });
  client.on('error', () => undefined);
  // Not on the standard output, where a command may be writing a file.
  const saying = setTimeout(() => console.error(`Waiting for an answer of the PostgreSQL ${host}${pathname} ...`), NOTICE_AFTER_MS);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(
      `The PostgreSQL ${host}${pathname} cannot be used (${(error as Error).message || (error as { code?: string }).code}): check DATABASE_URL.`,
    );
  } finally {
    clearTimeout(saying);
    await client.end().catch(() => undefined);
  }
}

/**
 * Brings the database at `url` (connection string of the owner) up to date. The projection engine makes its tables itself.
 *
 * @param log false: the log is in an EventStoreDB
 */
export async function migrate(url: string, { log = true } = {}): Promise<void> {
  await withClient(url, async (client) => {
    for (const step of steps) if (log || step !== migrateLog) await step(client);
  });
}

/** In this order. */
const steps: readonly Migration[] = [
  migrateLog,
  migrateKeys,
  migrateHeads,
  migrateLogOrigin,
  migrateIdentity,
  migrateMail,
  migrateErrors,
  migrateSecurityLog,
  migrateBackups,
  migrateJobs,
  migrateSchoolYears,
  migrateChecks,
];
