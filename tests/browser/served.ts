import { migrate } from '../../run/database/database.ts';
import { listen } from '../../run/http/http-server.ts';
import { readSettings } from '../../run/settings.ts';
import { startMarktrail } from '../support/marktrail.ts';

/** A product that answers a browser. */
export type Served = {
  readonly address: string;
  /** Without good-byes, as a power cut does. Only a process of its own. */
  kill(): Promise<void>;
  close(): Promise<unknown>;
};

/** Each worker serves at one port, file after file: to a browser it is one site, whose scripts it has read already. */
let port = 0;

/** In this process, whose code is warm. `settings`: as of `npm start`, with a DATABASE_URL. */
export const served = async (settings: Readonly<Record<string, string>>): Promise<Served> => {
  const http = await listen({ port, host: '127.0.0.1' }).catch(() => listen({ port: 0, host: '127.0.0.1' }));
  ({ port } = http);
  const all = readSettings({ LOG_LEVEL: 'fatal', ...settings, PORT: String(port) });
  const databaseUrl = all.databaseUrl ?? '';
  await migrate(databaseUrl, { log: all.eventStoreUrl === undefined });
  const { compose } = await import('../../run/http/compose.ts');
  const stopping = new AbortController();
  const marktrail = await compose(all, databaseUrl, { progress: () => undefined, stopping: stopping.signal });
  http.answerWith(marktrail.fetch);
  return {
    address: all.publicUrl,
    kill: () => Promise.reject(new Error('Only a process of its own can be killed.')),
    async close() {
      stopping.abort();
      await http.close();
      await marktrail.close();
    },
  };
};

/** In a process of its own, which can be killed, and which may bring its own PostgreSQL. */
export const servedApart = async (settings: Readonly<Record<string, string>>): Promise<Served> => {
  const server = startMarktrail(settings);
  const end = (signal: NodeJS.Signals) => {
    server.process.kill(signal);
    return server.ended;
  };
  return { address: await server.ready, kill: async () => void (await end('SIGKILL')), close: () => end('SIGTERM') };
};
