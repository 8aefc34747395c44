/** (g) A subscription catching up, against reading the same rows page by page over one connection. */
import pg from 'pg';
import { postgresStore } from '../events/store/postgres.ts';
import { compared, type Figure, inTurn } from './figures.ts';
import { loadLog } from './history/load.ts';
import { typingIn } from './history/marks.ts';
import { schoolOf } from './history/school.ts';

export const subscriptionFigure = async (
  databaseUrl: string,
  dataDir: string,
  { events, rounds }: { readonly events: number; readonly rounds: number },
): Promise<Figure> => {
  const school = schoolOf(1);
  await loadLog(databaseUrl, dataDir, typingIn([school], events));
  const store = postgresStore({ connectionString: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl, types: { getTypeParser: () => (text: string) => text } });
  await client.connect();
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
  try {
    const pairs = await inTurn(
      rounds,
      () => perSecond(events, () => subscribed(store, events)),
      () => perSecond(events, () => read(client, events)),
    );
    return compared(`subscription: events/s while catching up (${events} events), against reading the rows`, pairs, {
      is: '>=',
      than: 0.5,
    });
  } finally {
    await client.end();
    await store.close();
  }
};

const subscribed = async (store: ReturnType<typeof postgresStore>, wanted: number): Promise<void> => {
  const enough = new AbortController();
  let seen = 0;
  for await (const { events, live } of store.subscribe('start', { signal: enough.signal })) {
    seen += events.length;
    if (seen >= wanted) break;
    if (live) throw new Error(`the log holds ${seen} events only`);
  }
  enough.abort();
};

const read = async (client: pg.Client, wanted: number): Promise<void> => {
  let after = '0';
  for (let seen = 0; seen < wanted;) {
    const { rows } = await client.query<{ position: string }>({
      name: 'page',
      text: `select position, stream, revision, id, type, data, metadata from log.events where position > $1 order by position limit 2000`,
      values: [after],
    });
    if (rows.length === 0) throw new Error(`the log holds ${seen} events only`);
    seen += rows.length;
    after = rows.at(-1)!.position;
  }
};

const perSecond = async (events: number, work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return (events * 1000) / (performance.now() - start);
};
