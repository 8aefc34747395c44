import { Door } from './door.ts';
import { Faults } from './faults.ts';
import { Writer } from './store/writer.ts';
import { startServices, type Services } from './wire/services.ts';

export type EventStoreOptions = {
  /** on 127.0.0.1; default any that is free */
  port?: number;
  /** path of a socket in the file system, instead of a port */
  socket?: string;
  /** where the log survives a killed process; without, it lives in memory */
  directory?: string;
  /** default 23.10.6 */
  serverVersion?: string;
};

/** Stands in for a single, insecure EventStoreDB 23.10.6, on its wire protocol. */
export interface EventStoreServer {
  /** for `EVENTSTORE_URL` */
  readonly url: string;
  readonly faults: Faults;
  /** Resets every connection; the server goes on. */
  cut(): void;
  /** Gone, as after SIGKILL: connections are reset, new ones refused. The log stays. */
  stop(): Promise<void>;
  /** There again on the same port, with the same log and without what a server keeps in memory only. */
  restart(): Promise<void>;
}

export const startEventStore = async (options: EventStoreOptions = {}): Promise<EventStoreServer> => {
  const { directory, socket, serverVersion = '23.10.6' } = options;
  const faults = new Faults();
  let writer = new Writer(directory);
  let port = options.port ?? 0;
  let open: { door: Door; services: Services } | undefined;

  const start = async () => {
    const services = startServices({ writer, faults, version: serverVersion, cut: (peer) => door.cut(peer) });
    const door = new Door(services.welcome);
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
    url: socket === undefined ? `esdb://127.0.0.1:${port}?tls=false` : `unix:${socket}`,
    faults,
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
