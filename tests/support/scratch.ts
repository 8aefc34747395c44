import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterIn } from '../../run/postgres/cluster.ts';
import { endLeftover } from '../../run/postgres/leftover.ts';

const GIB = 1024 ** 3;
const MEMORY = '/dev/shm';
const PREFIX = 'marktrail-test-';

/**
 * Where the databases of tests lie. In memory where there is plenty: those of a run are some 100,000 small files, and to make and remove
 * them on a disk took PostgreSQL half of its time.
 */
const place: string = hasRoomInMemory() ? MEMORY : tmpdir();

/** A directory for a database, which the database's own user can reach. `rmSync` it when done; what a killed run leaves is swept by the next. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  chmodSync(directory, 0o711);
  return directory;
}

/** What killed test runs left behind: the name holds the process that made it. */
export async function sweepLeftovers(): Promise<void> {
  for (const name of readdirSync(place)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const directory = join(place, name);
    try {
      await endLeftover(clusterIn(directory));
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // It belongs to another user: his to sweep.
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
