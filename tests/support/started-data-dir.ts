import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { readAccess, writeAccess } from '../../run/postgres/cluster.ts';
import { madeOnce } from './made-once.ts';
import { temporaryDataDir, type DataDir } from './marktrail.ts';

/** A copy of the data directory after a first start, for tests that are not about first starts. */
export async function startedDataDir({ demo }: { readonly demo: boolean }): Promise<DataDir> {
  const directory = temporaryDataDir();
  // When started as root, the cluster belongs to another user; keep that owner for the copy.
  const made = await madeOnce(demo ? 'demoDataDir' : 'emptyDataDir');
  if (process.platform === 'win32') cpSync(made, directory.path, { recursive: true });
  else execFileSync('cp', ['-a', `${made}/.`, directory.path]);
  // Tests start in parallel, so each chooses its own port.
  writeAccess(directory.path, { ...readAccess(directory.path)!, port: 0 });
  return directory;
}
