import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

export interface Lock {
  release(): void;
}

/**
 * Locks a file; undefined if another process holds the lock. It is SQLite's lock on an empty database: on every platform the system's file
 * lock, which ends with its process and is not inherited by child processes.
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

/** The same, waiting until the lock is free. */
export async function lockWithin(milliseconds: number, file: string): Promise<Lock | undefined> {
  for (const deadline = Date.now() + milliseconds; ; await delay(50)) {
    const lock = tryLock(file);
    if (lock || Date.now() > deadline) return lock;
  }
}
