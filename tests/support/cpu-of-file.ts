import { afterAll } from 'vitest';
import { ownCpu } from './cpu.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of the file's process, and of the processes that it started. */
    cpu?: number;
  }
}

/** What was counted at the end of the file before, in a process that takes one file after the other. */
const spent = Symbol.for('marktrail CPU spent');

/** Vitest's setup file: runs around each test file, and outside its own hooks. */
// Vitest wants a pattern here, and there is nothing in it.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, file) => {
  const before = Number(Reflect.get(globalThis, spent) ?? 0);
  const now = ownCpu();
  Reflect.set(globalThis, spent, now);
  file.meta.cpu = now - before;
});
