import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/**
 * A directory for a database, accessible to the database's own user. `rmSync` it when done; the next run sweeps what a killed run leaves.
 */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  chmodSync(directory, 0o711);
  return directory;
}

/** Removes what killed test runs left behind: the name contains the id of the process that made it. */
export async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(place)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const directory = join(place, name);
    try {
      await stopOrphanServer(clusterIn(directory));
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
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
