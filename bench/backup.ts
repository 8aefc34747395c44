/** A backup, written and read back, against `COPY ... TO STDOUT` of the same tables with nothing done to what comes. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { makeBackup } from '../run/backup/backup.ts';
import { copyOut } from '../run/backup/copy.ts';
import { storedTables } from '../run/backup/tables.ts';
import { readSettings } from '../run/settings.ts';
import { compared, type Figure, inTurn } from './figures.ts';
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
