import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { app } from '../../api/http/app.ts';
import type { AppOptions } from '../../api/http/app.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Backend, BackendOptions } from '../../run/backend.ts';
import { openBackend } from '../../run/backend.ts';

export const ORIGIN = 'http://marktrail.test';
/** in hex */
export const MASTER_KEY = 'a'.repeat(64);
export const SIGNING_KEY = 'b'.repeat(64);

/** A running product without its port: read models, commands, HTTP. Several may stand on one database, as processes do. */
export type Product = { readonly backend: Backend; readonly fetch: (request: Request) => Promise<Response>; close(): Promise<void> };

export type ProductOptions = Partial<Pick<AppOptions, 'heartbeatMs' | 'publicUrl'>> &
  Pick<BackendOptions, 'asOfTerms'> & {
    /** The log, where it is not the database itself. */
    readonly store?: (databaseUrl: string) => Promise<EventStore>;
  };

export const openProduct = async (
  databaseUrl: string,
  { publicUrl = ORIGIN, asOfTerms, store, ...options }: ProductOptions = {},
): Promise<Product> => {
  const stopping = new AbortController();
  const headsFile = join(tmpdir(), `marktrail-heads-${randomUUID()}.ndjson`);
  const backend = await openBackend({
    databaseUrl,
    ...(store ? { store: await store(databaseUrl) } : {}),
    dataDir: '/nowhere',
    masterKey: MASTER_KEY,
    signingKey: SIGNING_KEY,
    headsFile,
    publicUrl,
    role: 'all',
    ...(asOfTerms === undefined ? {} : { asOfTerms }),
    tell: () => undefined,
  });
  const http = app({
    ...backend,
    ...options,
    onCommitted: (listener) => backend.progress.onCommitted(listener),
    waitFor: (models, position, timeoutMs) => backend.progress.waitFor(models, position, timeoutMs),
    publicUrl,
    serveApp: () => undefined,
    stopping: stopping.signal,
    log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
  });
  return {
    backend,
    fetch: async (request) => http.fetch(request),
    async close() {
      stopping.abort();
      await backend.close();
      await rm(headsFile, { force: true });
    },
  };
};
