import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificate.ts';
import { Door } from './door.ts';
import { Faults } from './faults.ts';
import { Writer } from './store/writer.ts';
import type { Credentials } from './wire/admission.ts';
import { startServices, type Services } from './wire/services.ts';

export type EventStoreOptions = {
  /** on 127.0.0.1; default any that is free */
  port?: number;
  /** path of a socket in the file system, instead of a port */
  socket?: string;
  /** where the log survives a killed process; without, it lives in memory */
  directory?: string;
  /** it demands these, and encrypts; by itself it is an insecure server, which ignores any */
  credentials?: Credentials;
  /** default 23.10.6 */
  serverVersion?: string;
};

/** Stands in for a single EventStoreDB 23.10.6, insecure unless it demands credentials, on its wire protocol. */
export interface EventStoreServer {
  /** for `EVENTSTORE_URL` */
  readonly url: string;
  readonly faults: Faults;
  /** events in the log, those of the server's own among them */
  readonly size: number;
  /** Resets every connection; the server goes on. */
  cut(): void;
  /** Gone, as after SIGKILL: connections are reset, new ones refused. The log stays. */
  stop(): Promise<void>;
  /** There again on the same port, with the same log and without what a server keeps in memory only. */
  restart(): Promise<void>;
}

export const startEventStore = async (options: EventStoreOptions = {}): Promise<EventStoreServer> => {
  const { directory, socket, credentials, serverVersion = '23.10.6' } = options;
  const secured = credentials && secure(credentials);
  const faults = new Faults();
  let writer = new Writer(directory);
  let port = options.port ?? 0;
  let open: { door: Door; services: Services } | undefined;

  const start = async () => {
    const services = startServices({ writer, faults, version: serverVersion, cut: (peer) => door.cut(peer) }, credentials);
    const door = new Door(services.welcome, secured);
    port = await door.listen(socket === undefined ? { port } : { path: socket });
    open = { door, services };
  };
  const stop = async () => {
    const { door, services } = open ?? {};
    open = undefined;
    // The connections first: a call that is ended in order says so to the client.
    await door?.close();
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
    cut: () => open?.door.cut(),
    stop,
    async restart() {
      if (open) await stop();
      if (directory !== undefined) writer = new Writer(directory);
      else writer.resume();
      await start();
    },
  };
};

/** A certificate of its own, and what the address says about it: clients only send credentials over TLS. */
const secure = ({ username, password }: Credentials) => {
  const { key, cert } = selfSigned();
  const directory = mkdtempSync(join(tmpdir(), 'eventstore-ca-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'ca.pem');
  writeFileSync(file, cert);
  const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  return { key, cert, login, options: `tls=true&tlsCAFile=${encodeURIComponent(file)}` };
};
