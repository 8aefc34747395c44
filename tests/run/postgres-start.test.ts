import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeAccess } from '../../run/postgres/cluster.ts';
import { startPostgres } from '../../run/postgres/server.ts';
import { scratchDirectory } from '../support/scratch.ts';

test('a database that does not start says why it does not this time, also where PostgreSQL calls that no error', async () => {
  const directory = scratchDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'postgres'));
  writeFileSync(join(directory, 'postgres/PG_VERSION'), '18\n');
  writeAccess(directory, { port: 0, superuserPassword: '', ownerPassword: '', readerPassword: '' });
  writeFileSync(join(directory, 'postgres.log'), 'FATAL:  the database system is starting up\n');
  await expect(startPostgres({ directory })).rejects.toThrow(/does not start: .*could not access the server configuration file/);
});
