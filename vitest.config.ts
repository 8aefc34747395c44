import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './tests/support/file-order.ts';

const browser = ['tests/browser/**/*.test.ts'];
/** They start and kill processes, change the environment, or crash. */
const alone = ['tests/{store,faults,run,transfer}/**/*.test.ts', 'tests/browser/*-on-eventstoredb.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // While one waits for PostgreSQL, a page or a process, another one works.
    maxWorkers: 2 * availableParallelism(),
    // Only ends what hangs: within the suite the longest test takes two minutes, and beside other work four and a half.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    // Waits end as soon as the condition holds: immediately, or after seconds on a busy machine.
    expect: { poll: { timeout: 120_000, interval: 20 } },
    sequence: { sequencer: FileOrder },
    // Once for all projects.
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/cpu-of-file.ts'],
    // On a shared machine a test may time out: `.ci/run` retries it once, and reports that.
    retry: Number(process.env['TEST_RETRY'] ?? 0),
    projects: [
      // One process per file.
      { extends: true, test: { name: 'processes', include: alone } },
      // Each worker takes one file after the other, so that the browser's client, or the product, is loaded once and not by each file.
      { extends: true, test: { name: 'browser', include: browser, exclude: alone, isolate: false } },
      {
        extends: true,
        test: { name: 'shared', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...browser, ...alone], isolate: false },
      },
    ],
  },
});
