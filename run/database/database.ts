import { Socket } from 'node:net';
import pg from 'pg';
import { isInUse, markClosed, markOpen, openDataDir } from './data-dir.ts';
import { startPostgres, urlOfRunningServer } from '../postgres/server.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { migrateIdentity } from '../../api/auth/identity/housekeeping.ts';
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
  if (settings.databaseUrl === undefined && isInUse(settings.dataDir)) {
    const url = urlOfRunningServer(settings.dataDir);
    if (url) return url;
  }
  if (settings.databaseUrl === undefined) {
    const dataDir = await openDataDir(settings.dataDir);
    lifecycle.onEnd(() => dataDir.release());
  }
  return openDatabase(settings, lifecycle, { toRestore });
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
  lifecycle.onEnd(async () => {
    if (await server.stop()) markClosed(settings.dataDir);
  });
  void server.exited.then(() => {
    if (lifecycle.stopping.aborted) return;
    console.error(`The database stopped unexpectedly: see ${settings.dataDir}/postgres.log.`);
    void lifecycle.end(1);
  });
  return server.ownerUrl();
}

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
  migrateChecks,
];
