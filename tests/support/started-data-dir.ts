import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { readAccess, writeAccess } from '../../run/postgres/cluster.ts';
import { madeOnce } from './made-once.ts';
import { temporaryDataDir, type DataDir } from './marktrail.ts';
import { demoDatabase, type TestDatabase } from './postgres.ts';

/** A copy of the data directory after a first start, for tests that are not about first starts. */
export async function startedDataDir({ demo }: { readonly demo: boolean }): Promise<DataDir> {
  const directory = copyOf(await madeOnce(demo ? 'demoDataDir' : 'emptyDataDir'));
  // Tests start in parallel, so each chooses its own port.
  writeAccess(directory.path, { ...readAccess(directory.path)!, port: 0 });
  return directory;
}

/**
 * The demo school on a database of its own in the server that all tests share, which takes no start of another PostgreSQL. `past`: as its
 * users get it, and not as `buildSchoolWithoutPast` describes.
 */
export async function demoSchool({ past = false } = {}): Promise<{ readonly dataDir: DataDir; readonly database: TestDatabase }> {
  const made = past ? 'demoSchoolWithPast' : 'demoSchool';
  const [database, { dataDir }] = await Promise.all([demoDatabase(made), madeOnce(made)]);
  return { dataDir: copyOf(dataDir), database };
}

function copyOf(made: string): DataDir {
  const directory = temporaryDataDir();
  // When started as root, an embedded cluster belongs to another user; keep that owner for the copy.
  if (process.platform === 'win32') cpSync(made, directory.path, { recursive: true });
  else execFileSync('cp', ['-a', `${made}/.`, directory.path]);
  return directory;
}
