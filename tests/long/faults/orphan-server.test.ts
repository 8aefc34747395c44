import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPostgres } from '../../../run/postgres/server.ts';
import type { DataDir } from '../../support/marktrail.ts';
import { startedDataDir } from '../../support/started-data-dir.ts';

/** What a killed database leaves behind must not stop the next start, and must not be started over either. */
let dataDir: DataDir;
beforeEach(async () => {
  dataDir = await startedDataDir({ demo: false });
});
afterEach(() => dataDir.remove());

const start = () => startPostgres({ directory: dataDir.path });
const pidFile = () => join(dataDir.path, 'postgres/postmaster.pid');
const databaseProcess = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

test('a database that was killed while it worked is started when its last process has noticed, and has what it had answered', async () => {
  const first = await start();
  const [client, busy] = [new pg.Client({ connectionString: first.ownerUrl() }), new pg.Client({ connectionString: first.ownerUrl() })];
  for (const one of [client, busy]) {
    one.on('error', () => undefined);
    await one.connect();
  }
  await client.query('create table kept (n int); insert into kept values (1)');
  // It looks up when it has counted: some seconds after its server was killed.
  const counted = busy.query('select count(*) from generate_series(1, 15000000)').then(
    () => 'answered',
    () => 'ended',
  );
  await client.query(`select pg_sleep(0.05)`);
  process.kill(databaseProcess(), 'SIGKILL');
  await first.exited();

  const second = await start();
  expect(await Promise.race([counted, Promise.resolve('still counting')])).not.toBe('still counting');
  const again = new pg.Client({ connectionString: second.ownerUrl() });
  await again.connect();
  expect((await again.query('select n from kept')).rows).toEqual([{ n: 1 }]);
  await again.end();
  await second.stop();
});

test.skipIf(process.platform === 'win32')(
  'the number of a killed database whose exit code nobody fetches does not stop a start',
  async () => {
    await (await start()).stop();
    // sleep never waits for the child that it took over from the shell.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 100'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [number] = (await once(parent.stdout, 'data')) as [Buffer];
    writeFileSync(pidFile(), `${number.toString().trim()}\n${join(dataDir.path, 'postgres')}\n`);
    try {
      await (await start()).stop();
    } finally {
      parent.kill();
    }
  },
);
