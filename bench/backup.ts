/** A backup, written and read back, against `COPY ... TO STDOUT` of the same tables with nothing done to what comes. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeBackup } from '../run/backup/backup.ts';
import { copyOut } from '../run/backup/copy.ts';
import { storedTables } from '../run/backup/tables.ts';
import { readSettings } from '../run/settings.ts';
import { compared, type Figure, inTurn, median } from './figures.ts';
import { gridsOf, type Typing } from './typing.ts';
import { seconds, SAVES } from './verify.ts';

/** In a separate database. */
export const backupFigures = async (
  databaseUrl: string,
  dataDir: string,
  { events, rounds }: { events: number; rounds: number },
): Promise<Figure[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(SAVES, [randomUUID(), events]);
    await client.query('vacuum analyze log.events');
    const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    const path = join(dataDir, 'bench.backup');
    const pairs = await inTurn(
      rounds,
      async () => {
        await rm(path, { force: true });
        return seconds(async () => void (await makeBackup({ settings, databaseUrl, path, stopping: new AbortController().signal })));
      },
      () =>
        seconds(async () => {
          for (const { name, columns } of await storedTables(client))
            for await (const _ of copyOut(client, `copy ${name} (${columns.join(', ')}) to stdout`));
        }),
    );
    return [compared('a backup, s, against COPY TO STDOUT of the same tables', pairs, { is: '<=', than: 3 })];
  } finally {
    await client.end();
  }
};

/** Saves of four people, a second apart, while one backup after the other is made, against the same without. */
export const besideBackupFigure = async (
  { product, generator, school, cookies }: Typing,
  { databaseUrl, dataDir, rounds }: { databaseUrl: string; dataDir: string; rounds: number },
): Promise<Figure> => {
  const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  const saves = async (): Promise<number> => {
    const typists = gridsOf(school, cookies.slice(0, 4), school.typing.tests.length - 1);
    return median((await generator.run({ url: product.url, typists, ms: 5_000, thinkMs: 1_000 })).latencies);
  };
  const beside = async (): Promise<number> => {
    const stopping = new AbortController();
    const path = join(dataDir, 'bench.backup');
    const backups = (async () => {
      while (!stopping.signal.aborted) {
        await rm(path, { force: true });
        await makeBackup({ settings, databaseUrl, path, stopping: stopping.signal });
      }
    })().catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    const ms = await saves().finally(() => stopping.abort());
    await backups;
    return ms;
  };
  return compared('a save beside a backup, ms (median), against without one', await inTurn(rounds, beside, saves), { is: '<=', than: 1.5 });
};
