import pg from 'pg';
import { isInUse, markClosed, markOpen, openDataDir } from './data-dir.ts';
import { migrate } from './migrations.ts';
import { startPostgres, urlOfRunningServer } from '../postgres/server.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import type { Lifecycle } from '../lifecycle.ts';

/**
 * Opens and migrates the database of this process; returns the owner's connection string. The embedded one runs as long as the process.
 */
export async function openDatabase(settings: Settings, lifecycle: Lifecycle): Promise<string> {
  const url = settings.databaseUrl ?? (await startEmbedded(settings, lifecycle));
  await requireReachable(url);
  await migrate(url, { log: settings.eventStoreUrl === undefined });
  return url;
}

/**
 * The same for a command that may run next to a Marktrail: uses the running one's database, else starts one for as long as the command
 * takes.
 */
export async function reachDatabase(settings: Settings, lifecycle: Lifecycle): Promise<string> {
  if (settings.databaseUrl === undefined && isInUse(settings.dataDir)) {
    const url = urlOfRunningServer(settings.dataDir);
    if (url) return url;
  }
  if (settings.databaseUrl === undefined) {
    const dataDir = await openDataDir(settings.dataDir);
    lifecycle.onEnd(() => dataDir.release());
  }
  return openDatabase(settings, lifecycle);
}

async function startEmbedded(settings: Settings, lifecycle: Lifecycle): Promise<string> {
  markOpen(settings.dataDir);
  const server = await startPostgres({ directory: settings.dataDir });
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

/** A wrong address is refused at once; a server that has much to do, or has only just started, may take long to answer. */
const ANSWERS_WITHIN_MS = 60_000;

async function requireReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWERS_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartError(
      `The PostgreSQL ${host}${pathname} cannot be used (${(error as Error).message || (error as { code?: string }).code}): check DATABASE_URL.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
