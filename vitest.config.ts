import { defineConfig } from 'vitest/config';

const everything = 'tests/**/*.test.{ts,tsx}';
const browser = 'tests/browser/**/*.test.ts';

export default defineConfig({
  test: {
    // A process per file: a file may stop servers, change the environment, or die.
    pool: 'forks',
    // For machines that are shared with others: on a quiet one no test takes a quarter of it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // What a test waits for comes when it comes: on a busy machine after seconds, otherwise at once.
    expect: { poll: { timeout: 45_000, interval: 20 } },
    // Once for both projects.
    globalSetup: ['tests/support/global-setup.ts'],
    // On a machine that is shared with others a test may lose a race against the clock: `.ci/run` tries it once more, and the report says so.
    retry: Number(process.env['TEST_RETRY'] ?? 0),
    projects: [
      {
        extends: true,
        test: {
          name: 'product',
          // Most of a file's time goes by waiting for PostgreSQL and for other processes.
          maxWorkers: 2,
          include: [everything],
          exclude: [browser],
        },
      },
      {
        extends: true,
        test: {
          // After the others. While one page works, its server and its test wait: two at a time fill two processors, and no more, because a
          // page that waits for the processor looks like a page that hangs.
          name: 'browser',
          include: [browser],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
