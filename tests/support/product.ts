import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { app } from '../../api/http/app.ts';
import type { AppOptions } from '../../api/http/app.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Backend, BackendOptions } from '../../run/backend.ts';
import { cheapPasswords } from './cheap-log-ins.ts';
import { strictAnswers } from './strict-answers.ts';
import { openBackend } from '../../run/backend.ts';

export const ORIGIN = 'http://marktrail.test';
/** in hex */
export const MASTER_KEY = 'a'.repeat(64);
export const SIGNING_KEY = 'b'.repeat(64);

/** A running product without a listening port: read models, commands, HTTP. Several can share one database, like processes. */
export type Product = {
  readonly backend: Backend;
  readonly fetch: (request: Request, from?: string | object) => Promise<Response>;
  /** All routes, by method and pattern. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
};

export type ProductOptions = Partial<
  Pick<
    AppOptions,
    'heartbeatMs' | 'heldMs' | 'hstsSubdomains' | 'metricsToken' | 'mostConnections' | 'publicUrl' | 'serveApp' | 'site' | 'trustedProxies'
  >
> &
  Partial<Pick<BackendOptions, 'asOfTerms' | 'readModelAdmins' | 'idle' | 'oidc' | 'passwords' | 'readerDatabaseUrl' | 'role' | 'tell'>> & {
    /** The log, if it is not in the database. */
    readonly store?: (databaseUrl: string) => Promise<EventStore>;
    readonly eventStoreUrl?: string;
    /** Kept when the product closes; by default it is removed. */
    readonly headsFile?: string;
    /** Where to send mail; omitted: none is sent. */
    readonly smtpUrl?: string;
    readonly forgettingsFile?: string;
  };

/** The log-in of queries on a test database, made by the first product that is opened there. */
export const readerUrl = (databaseUrl: string): string => {
  const url = new URL(databaseUrl);
  [url.username, url.password] = ['test_reader_login', 'reads only'];
  return url.href;
};

/** `readerDatabaseUrl`: if it is the owner's, queries have no log-in of their own. */
export const openProduct = async (
  databaseUrl: string,
  {
    publicUrl = ORIGIN,
    asOfTerms,
    readModelAdmins = [],
    idle,
    store,
    eventStoreUrl,
    headsFile,
    forgettingsFile,
    smtpUrl,
    oidc,
    passwords = cheapPasswords,
    role = 'all',
    readerDatabaseUrl = readerUrl(databaseUrl),
    tell = () => undefined,
    ...options
  }: ProductOptions = {},
): Promise<Product> => {
  const stopping = new AbortController();
  let closed: Promise<void> | undefined;
  const ownFile = join(tmpdir(), `marktrail-heads-${randomUUID()}.ndjson`);
  const backend = await openBackend({
    databaseUrl,
    readerDatabaseUrl: readerDatabaseUrl === databaseUrl ? undefined : readerDatabaseUrl,
    ...(store ? { store: await store(databaseUrl) } : {}),
    eventStoreUrl,
    dataDir: '/nowhere',
    masterKey: MASTER_KEY,
    signingKey: SIGNING_KEY,
    headsFile: headsFile ?? ownFile,
    forgettingsFile: forgettingsFile ?? `${ownFile}.forgettings`,
    publicUrl,
    role,
    readModelAdmins,
    ...(asOfTerms === undefined ? {} : { asOfTerms }),
    ...(idle === undefined ? {} : { idle }),
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    ...(oidc === undefined ? {} : { oidc }),
    robotPrefix: '0',
    // A file's first log-ins, all at once, would make one each. Tests that hold requests back at a lock need four.
    connections: 4,
    passwords,
    tell,
  });
  if (smtpUrl !== undefined) backend.auth.mail.start();
  const http = app({
    ...backend,
    serveApp: () => undefined,
    // A test asks again at once.
    heldMs: { health: 0, metrics: 0 },
    ...options,
    tell,
    positions: () => backend.progress.positions(),
    onCommitted: (listener) => backend.progress.onCommitted(listener),
    waitFor: (models, position, timeoutMs) => backend.progress.waitFor(models, position, timeoutMs),
    publicUrl,
    stopping: stopping.signal,
    log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }),
  });
  const strict = strictAnswers(http);
  return {
    backend,
    routes: http.routes,
    fetch: async (request, from = '127.0.0.1') =>
      strict(request, await http.fetch(request, typeof from === 'string' ? { incoming: { socket: { remoteAddress: from } } } : from)),
    close: () =>
      (closed ??= (async () => {
        stopping.abort();
        await backend.close();
        await Promise.all([ownFile, `${ownFile}.forgettings`].map((file) => rm(file, { force: true })));
      })()),
  };
};
