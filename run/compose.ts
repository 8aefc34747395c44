import { pino } from 'pino';
import { app } from '../api/http/app.ts';
import { openBackend } from './backend.ts';
import { demoIsHalfBuilt, demoSchool, demoWelcome } from './demo/demo.ts';
import type { Fetch } from './http-server.ts';
import type { Settings } from './settings.ts';
import { appServer } from './static.ts';

/** The product, put together and ready to answer. */
export interface Composition {
  readonly fetch: Fetch;
  /** What the console says once all is ready, below the address: who can log in, and what to try. */
  readonly welcome: readonly string[];
  /** Called when no request is under way any more: ends projector, writers and connections. */
  close(): Promise<void>;
}

export interface Surroundings {
  /** A line on the console about something that takes its time. */
  readonly progress: (line: string) => void;
  /** Aborted when the process is told to stop: live streams end, loops stop. */
  readonly stopping: AbortSignal;
}

/** Puts backend and HTTP together. The database is migrated. Errors: StartError. */
export async function compose(settings: Settings, databaseUrl: string, { progress: tell, stopping }: Surroundings): Promise<Composition> {
  const backend = await openBackend({ ...settings, databaseUrl, asOfTerms: { schemas: settings.asOfSchemas }, tell });
  const isEmpty = (await backend.store.head()) === 0n;
  if (settings.demo && (isEmpty || (await demoIsHalfBuilt(backend)))) await demoSchool(backend, tell);
  if (settings.role !== 'projector') backend.door.mail.start();
  const http = app({
    ...backend,
    onCommitted: (listener) => backend.progress.onCommitted(listener),
    waitFor: (models, position, timeoutMs) => backend.progress.waitFor(models, position, timeoutMs),
    publicUrl: settings.publicUrl,
    site: settings.site,
    serveApp: appServer(),
    stopping,
    log: pino({ level: settings.logLevel }),
  });
  return {
    fetch: (request, environment) => http.fetch(request, environment),
    welcome: settings.demo ? demoWelcome : isEmpty ? [EMPTY] : [],
    close: () => backend.close(),
  };
}

const EMPTY = 'There is no school yet: npm run marktrail -- school create';
