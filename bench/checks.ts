/** What the checks at night take of a processor, server and database together, while they go through a large log. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { amcheckIn, damagedIndexes, damagedPages } from '../run/checks/pages.ts';
import { gently } from '../run/checks/rest.ts';
import { checkLog } from '../run/checks/scrub.ts';
import { openDecodedLog } from '../run/log/decoded-log.ts';
import { readSettings } from '../run/settings.ts';
import { type Figure, plain } from './figures.ts';
import { spending } from './processor-time.ts';
import { SAVES } from './verify.ts';

/** In a separate database. `seconds`: how long each is watched. */
export const checkFigures = async (
  { databaseUrl, superuserUrl, dataDir }: { databaseUrl: string; superuserUrl: string; dataDir: string },
  { events, seconds }: { events: number; seconds: number },
): Promise<Figure[]> => {
  const superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  await superuser.query('create extension amcheck; grant execute on all functions in schema public to marktrail');
  await superuser.end();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  const log = await openDecodedLog({ ...settings, databaseUrl });
  try {
    await client.query(SAVES, [randomUUID(), events]);
    await client.query('vacuum analyze log.events');
    const amcheck = (await amcheckIn(client)) ?? '';
    const share = async (what: string, work: (rest: () => Promise<void>, stopping: AbortSignal) => Promise<unknown>): Promise<Figure> => {
      const stopping = AbortSignal.timeout(seconds * 1_000);
      const { spent } = await spending(() =>
        work(gently(stopping), stopping).catch((error: unknown) => {
          if (!stopping.aborted) throw error;
        }),
      );
      return plain(
        `${what} of ${events} events at night: % of a processor`,
        (100 * (spent.cpu ?? Number.NaN)) / spent.wall,
        { is: '<=', than: 10 },
        spent,
      );
    };
    return [
      await share('pages', (rest) => damagedPages(client, amcheck, rest)),
      await share('indexes', (rest) => damagedIndexes(client, amcheck, rest)),
      await share('log verify', (rest, stopping) => checkLog({ settings, databaseUrl, log, client, rest, stopping })),
    ];
  } finally {
    await log.close();
    await client.end();
  }
};
