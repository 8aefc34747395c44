import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { copyLog } from '../../../events/transfer/copy.ts';
import { fileSource, fileTarget } from '../../../events/transfer/file.ts';
import { postgresLog } from '../../../events/transfer/postgres.ts';
import { storeLog } from '../../../events/transfer/store.ts';
import { temporaryDataDir } from '../../support/marktrail.ts';
import { testDatabase } from '../../support/postgres.ts';
import { contents, filled } from '../../transfer/logs.ts';

test.each(['a database', 'a file'])('a copy into %s, killed again and again, goes on', async (where) => {
  const [from, database, directory] = [await testDatabase(), await testDatabase(), temporaryDataDir()];
  const source = postgresLog(from.url, 'the source');
  const path = join(directory.path, 'log.ndjson');
  const to = where === 'a file' ? path : database.url;
  await copyLog(storeLog(await filled(3000), 'the memory'), source);
  // Killed when it says that it has come so far; then it is a little further, and never at the same place twice.
  for (const events of [1, 600, 1300, 2000, 2999]) {
    const victim = spawn(process.execPath, [join(import.meta.dirname, 'victim.ts'), from.url, to], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(victim.stdout))
      if (line.startsWith('copy') && Number(line.split(' ')[1]) > events) victim.kill('SIGKILL');
  }
  rmSync(path, { force: true });
  const last = where === 'a file' ? fileTarget(path) : postgresLog(to, 'the target');
  expect(await copyLog(source, last)).toMatchObject({ events: 3000 });
  expect(await contents(where === 'a file' ? fileSource(path) : last)).toEqual(await contents(source));
  await Promise.all([source.close?.(), last.close?.()]);
  await Promise.all([from.drop(), database.drop()]);
  directory.remove();
});
