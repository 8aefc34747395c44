import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lockWithin, tryLock } from './data-dir-lock.ts';
import { StartError } from '../start-error.ts';

/** How this Marktrail lays out its data directory. Raise it with a step that brings an older one up to date. */
const FORMAT = 1;

export interface DataDir {
  readonly path: string;
  /** Records the address of this Marktrail, for others that find the directory in use. */
  announce(address: string): void;
  release(): void;
}

/**
 * Opens the data directory, creating it if it is missing, and keeps every other Marktrail out until `release` or the
 * end of this process, however it ends.
 *
 * Errors: StartError when it cannot be written, was made by a newer Marktrail, or is in use.
 */
export async function openDataDir(path: string): Promise<DataDir> {
  try {
    // Under root the database runs as another user, who must be able to pass through.
    makeDirectory(resolve(path), process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with DATA_DIR=...`);
  }
  refuseNewer(path);
  // Another Marktrail that was just stopped may still be finishing.
  const lock = await lockWithin(3_000, lockOf(path));
  if (!lock) {
    throw new StartError(
      `DATA_DIR ${path} is in use by the Marktrail ${whoRuns(path)}: stop that one, or choose another with DATA_DIR=... and PORT=...`,
    );
  }
  rmSync(join(path, 'running'), { force: true });
  writeFileSync(join(path, 'version'), `${FORMAT}\n`);
  return {
    path,
    announce: (address) => writeFileSync(join(path, 'running'), `on ${address} (process ${process.pid})\n`),
    release() {
      rmSync(join(path, 'running'), { force: true });
      lock.release();
    },
  };
}

/**
 * The file `state` tells people and scripts whether the directory may be copied: it begins with `open` from before the database in it starts
 * until it has stopped, and with `closed` afterwards.
 */
export const markOpen = (path: string): void =>
  writeFileSync(
    stateIn(path),
    `open since ${now()}: do not copy it while Marktrail runs. If none runs, the last one was killed: start it once and stop it first.\n`,
  );
export const markClosed = (path: string): void =>
  writeFileSync(stateIn(path), `closed cleanly on ${now()}: it may be copied until Marktrail starts again.\n`);
const stateIn = (path: string): string => join(path, 'state');
const now = (): string => new Date().toISOString();

/** Creates missing parents too. Node's own `recursive` loops for ever where nothing can be created, as in /proc. */
function makeDirectory(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another start was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Whether a Marktrail runs on this data directory right now. */
export function isInUse(path: string): boolean {
  if (!existsSync(lockOf(path))) return false;
  const lock = tryLock(lockOf(path));
  lock?.release();
  return lock === undefined;
}

const lockOf = (path: string): string => join(path, 'lock');

function whoRuns(path: string): string {
  const file = join(path, 'running');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'that is starting there';
}

function refuseNewer(path: string): void {
  const file = join(path, 'version');
  if (!existsSync(file)) return;
  const format = Number(readFileSync(file, 'utf8'));
  if (!Number.isInteger(format)) throw new StartError(`${file} does not contain a number: restore it from a backup.`);
  if (format > FORMAT) {
    throw new StartError(
      `DATA_DIR ${path} was made by a newer Marktrail (data format ${format}, this one knows ${FORMAT}): update Marktrail, or choose another with DATA_DIR=...`,
    );
  }
}
