import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

export interface Lock {
  release(): void;
}

/**
 * The lock that a file stands for, undefined where somebody else has it. It is SQLite's on an empty database: the system's own file lock on
 * every platform, which dies with its process, and which child processes do not inherit.
 */
export function tryLock(file: string): Lock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch {
    database.close();
    return undefined;
  }
}

/** The same, waiting for whoever has it. */
export async function lockWithin(milliseconds: number, file: string): Promise<Lock | undefined> {
  for (const deadline = Date.now() + milliseconds; ; await delay(50)) {
    const lock = tryLock(file);
    if (lock || Date.now() > deadline) return lock;
  }
}
