import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeAccess } from '../../run/postgres/cluster.ts';
import { startPostgres } from '../../run/postgres/server.ts';
import { startedDataDir } from '../support/started-data-dir.ts';
import { scratchDirectory } from '../support/scratch.ts';

test.runIf(process.getuid?.() === 0)(
  'a data directory that root has copied without its owners starts, and says what was done to it',
  async () => {
    const dataDir = await startedDataDir({ demo: false });
    onTestFinished(() => dataDir.remove());
    execFileSync('chown', ['-R', 'root:root', dataDir.path]);
    const said: string[] = [];
    const start = () => startPostgres({ directory: dataDir.path, durable: false, tell: (line) => said.push(line) });
    for (let one = 0; one < 2; one++) expect(await (await start()).stop()).toBe(true);
    expect(said).toEqual([expect.stringMatching(/ was another user's: it was given to the user postgres/)]);
  },
);

test('a database that does not start says why it does not this time, also where PostgreSQL calls that no error', async () => {
  const directory = scratchDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'postgres'));
  writeFileSync(join(directory, 'postgres/PG_VERSION'), '18\n');
  writeAccess(directory, { port: 0, superuserPassword: '', ownerPassword: '', readerPassword: '' });
  writeFileSync(join(directory, 'postgres.log'), 'FATAL:  the database system is starting up\n');
  await expect(startPostgres({ directory })).rejects.toThrow(/does not start: .*could not access the server configuration file/);
});
