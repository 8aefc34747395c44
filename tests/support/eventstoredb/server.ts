import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificate.ts';
import { Listener } from './listener.ts';
import { Faults } from './faults.ts';
import { Writer } from './store/writer.ts';
import type { Credentials } from './wire/admission.ts';
import { startServices, type Services } from './wire/services.ts';

export type EventStoreOptions = {
  /** on 127.0.0.1; default: any free port */
  port?: number;
  /** path of a Unix socket, instead of a port */
  socket?: string;
  /** stores the log so that it survives a killed process; omitted: in memory */
  directory?: string;
  /** requires these and uses TLS; by default the server is insecure and ignores credentials */
  credentials?: Credentials;
  /** default 23.10.6 */
  serverVersion?: string;
};

/** Stands in for a single EventStoreDB 23.10.6 on its wire protocol; insecure unless it requires credentials. */
export interface EventStoreServer {
  /** for `EVENTSTORE_URL` */
  readonly url: string;
  readonly faults: Faults;
  /** events in the log, including the server's own */
  readonly size: number;
  /** Resets every connection; the server keeps running. */
  cut(): void;
  /** Like SIGKILL: connections are reset and new ones refused. The log stays. */
  stop(): Promise<void>;
  /** Restarts on the same port with the same log, without what a server keeps only in memory. */
  restart(): Promise<void>;
}

export const startEventStore = async (options: EventStoreOptions = {}): Promise<EventStoreServer> => {
  const { directory, socket, credentials, serverVersion = '23.10.6' } = options;
  const secured = credentials && secure(credentials);
  const faults = new Faults();
  let writer = new Writer(directory);
  let port = options.port ?? 0;
  let open: { listener: Listener; services: Services } | undefined;

  const start = async () => {
    const services = startServices({ writer, faults, version: serverVersion, cut: (peer) => listener.cut(peer) }, credentials);
    const listener = new Listener(services.welcome, secured);
    port = await listener.listen(socket === undefined ? { port } : { path: socket });
    open = { listener, services };
  };
  const stop = async () => {
    const { listener, services } = open ?? {};
    open = undefined;
    // Connections first: a call that ends in order would be visible to the client.
    await listener?.close();
    services?.stop();
    if (directory !== undefined) writer.close();
    else writer.commit();
  };

  await start();
  return {
    url: socket === undefined ? `esdb://${secured?.login ?? ''}127.0.0.1:${port}?${secured?.options ?? 'tls=false'}` : `unix:${socket}`,
    faults,
    get size() {
      return writer.committed;
    },
    cut: () => open?.listener.cut(),
    stop,
    async restart() {
      if (open) await stop();
      if (directory !== undefined) writer = new Writer(directory);
      else writer.resume();
      await start();
    },
  };
};

/** A self-signed certificate and the matching address parameters: clients only send credentials over TLS. */
const secure = ({ username, password }: Credentials) => {
  const { key, cert } = selfSigned();
  const directory = mkdtempSync(join(tmpdir(), 'eventstore-ca-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'ca.pem');
  writeFileSync(file, cert);
  const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  return { key, cert, login, options: `tls=true&tlsCAFile=${encodeURIComponent(file)}` };
};
