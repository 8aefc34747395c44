import { pino } from 'pino';
import { app, projectorApp } from '../../api/http/app.ts';
import { isUnused } from '../../events/store/identity.ts';
import { projections } from '../../projections/all.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import { openBackend } from '../backend.ts';
import { openDecodedLog } from '../log/decoded-log.ts';
import { healthCheck } from '../health.ts';
import { openProjector } from '../projector.ts';
import { demoSchool, holdsDemoSchool, maySetUpDemo } from '../demo/demo.ts';
import { demoWelcome } from '../demo/people.ts';
import type { Fetch } from './http-server.ts';
import { readerUrlOf } from '../database/reader-log-in.ts';
import type { Settings } from '../settings.ts';
import { appServer } from './static.ts';

/** The complete product, ready to serve requests. */
export interface Composition {
  readonly fetch: Fetch;
  /** Printed on the console below the address once everything is ready: who can log in, and what to try. */
  readonly welcome: readonly string[];
  /** Ends projector, writers and connections. Called after the last request. */
  close(): Promise<void>;
}

export interface Surroundings {
  /** Prints a line on the console about something that takes time. */
  readonly progress: (line: string) => void;
  /** Aborted when the process is told to stop: live streams end, loops stop. */
  readonly stopping: AbortSignal;
}

/** Puts backend and HTTP together. The database is migrated. Errors: StartError. */
export async function compose(settings: Settings, databaseUrl: string, { progress: tell, stopping }: Surroundings): Promise<Composition> {
  if (settings.role === 'projector') return composeProjector(settings, databaseUrl, tell);
  const log = pino({ level: settings.logLevel });
  const backend = await openBackend({
    ...settings,
    lines: log,
    databaseUrl,
    readerDatabaseUrl: readerUrlOf(settings),
    asOfTerms: { schemas: settings.asOfSchemas },
    tell,
    stopping,
  });
  const isEmpty = await isUnused(backend.store);
  const mayHaveDemo = await maySetUpDemo(backend);
  if (settings.production && (await holdsDemoSchool(backend)))
    tell('Use another DATA_DIR for a real school: this one has the demo school, whose passwords are public.');
  if (settings.demo && mayHaveDemo) await demoSchool(backend, tell);
  const { mail } = backend.auth;
  mail.start();
  // Another process may have invited somebody, and died or ended since.
  backend.progress.onCommitted(({ changes }) => changes.some(({ channels }) => channels.includes('staff')) && mail.look());
  const http = app({
    ...backend,
    positions: () => backend.progress.positions(),
    onCommitted: (listener) => backend.progress.onCommitted(listener),
    waitFor: (models, position, timeoutMs) => backend.progress.waitFor(models, position, timeoutMs),
    publicUrl: settings.publicUrl,
    hstsSubdomains: settings.hstsSubdomains,
    trustedProxies: settings.trustedProxies,
    metricsToken: settings.metricsToken,
    tell,
    site: { ...settings.site, ...(settings.oidc && { social: { name: settings.oidc.name } }) },
    serveApp: appServer(),
    stopping,
    log,
  });
  return {
    fetch: (request, environment) => http.fetch(request, environment),
    // Not if the log holds other schools only.
    welcome: settings.demo && (await holdsDemoSchool(backend)) ? demoWelcome : isEmpty ? [EMPTY] : settings.demoAsked ? [NO_DEMO] : [],
    close: () => backend.close(),
  };
}

/** Answers at once, to report its state while it fills. An error that prevents filling ends the process. */
async function composeProjector(settings: Settings, databaseUrl: string, tell: (line: string) => void): Promise<Composition> {
  const log = await openDecodedLog({ ...settings, databaseUrl });
  const progress = new Progress({ databaseUrl });
  const projector = openProjector({ ...settings, databaseUrl, log, progress, tell });
  void projector.ready.then(() => tell('The read models have caught up with the log.'));
  const http = projectorApp({
    ...settings,
    health: healthCheck({
      pool: log.pool,
      store: log.store,
      projections,
      engine: projector.engine,
      dataDir: settings.dataDir,
      databaseUrl,
      backupEvery: settings.backupDir === undefined ? undefined : settings.backupEvery,
      concerns: projector.concerns,
      tell,
    }),
  });
  return {
    fetch: (request, environment) => http.fetch(request, environment),
    welcome: ['It projects: it answers /api/health and /api/metrics only.'],
    async close() {
      await projector.close();
      await log.close();
    },
  };
}

const NO_DEMO = 'DEMO does nothing here: the log holds events already, and a demo school is only built in a new one.';
const EMPTY = 'There is no school yet: npm run marktrail -- school create';
