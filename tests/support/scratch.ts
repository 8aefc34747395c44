import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterIn } from '../../run/postgres/cluster.ts';
import { stopOrphanServer } from '../../run/postgres/orphan-server.ts';

const GIB = 1024 ** 3;
const MEMORY = '/dev/shm';
const PREFIX = 'marktrail-test-';

/**
 * Where test databases are stored: in memory if there is enough. A run makes and removes some 100,000 small files, which cost PostgreSQL
 * half of its time on a disk.
 */
const place: string = hasRoomInMemory() ? MEMORY : tmpdir();

/** A directory for a database, accessible to the database's own user. `rmSync` it when done; what a killed run leaves is swept. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  chmodSync(directory, 0o711);
  return directory;
}

/** Removes what killed test runs, and killed test files, left behind: the name contains the id of the process that made it. */
export async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(place)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    // Another user's stays.
    if (!Number.isNaN(pid) && !isAlive(pid)) await removeWithProcesses(join(place, name)).catch(() => undefined);
  }
}

/** Ends whatever works on the directory, and removes it. */
export async function removeWithProcesses(directory: string): Promise<void> {
  await stopOrphanServer(clusterIn(directory));
  // A server on a directory below it, or one that has only begun; and a product, which may be stopped just now.
  for (let left = processesOn(directory); left.length > 0; left = processesOn(directory)) {
    // Of PostgreSQL, its immediate shutdown: its own processes end before it.
    for (const { pid, command } of left) end(pid, /postgres\0-D/.test(command) ? 'SIGQUIT' : 'SIGKILL');
    await pause(10);
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** It may have ended since it was listed. */
function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Those that have it in their settings or arguments. Linux alone tells. */
export function processesOn(directory: string): { readonly pid: number; readonly command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`);
      return command.includes(directory) || textOf(`/proc/${pid}/environ`).includes(directory) ? [{ pid: Number(pid), command }] : [];
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > 6 * GIB;
  } catch {
    return false;
  }
}
