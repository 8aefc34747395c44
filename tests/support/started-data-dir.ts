import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { readAccess, writeAccess } from '../../run/postgres/cluster.ts';
import { madeOnce } from './made-once.ts';
import { temporaryDataDir, type DataDir } from './marktrail.ts';

/** A copy of what a first start left: for all tests that are not about first starts. */
export async function startedDataDir({ demo }: { readonly demo: boolean }): Promise<DataDir> {
  const directory = temporaryDataDir();
  // As root the cluster belongs to another user, and so has its copy to.
  const made = await madeOnce(demo ? 'demoDataDir' : 'emptyDataDir');
  if (process.platform === 'win32') cpSync(made, directory.path, { recursive: true });
  else execFileSync('cp', ['-a', `${made}/.`, directory.path]);
  // Several start at once: each looks for a port of its own.
  writeAccess(directory.path, { ...readAccess(directory.path)!, port: 0 });
  return directory;
}
