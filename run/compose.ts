import { Hono } from 'hono';
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

/** Puts store, codec, engine, pipeline and HTTP together. The database is migrated. Errors: StartError. */
export async function compose(settings: Settings, databaseUrl: string, { progress, stopping }: Surroundings): Promise<Composition> {
  void settings;
  void databaseUrl;
  void progress;
  void stopping;
  const serveApp = appServer();
  const http = new Hono();
  http.get('/api/health', (c) => c.json({ status: 'ok' }));
  http.all('/api/*', (c) =>
    c.json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' }, 404, {
      'Content-Type': 'application/problem+json',
    }),
  );
  http.all('*', (c) => serveApp(c.req.raw) ?? c.text('Not found', 404));
  return { fetch: (request) => http.fetch(request), welcome: [], close: async () => undefined };
}
