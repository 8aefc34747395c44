import { defineConfig } from 'vitest/config';

const everything = 'tests/**/*.test.{ts,tsx}';
const browser = 'tests/browser/**/*.test.ts';
/** No processes, no database, no changed environment: they can share one process. */
const pure = [
  'tests/domain/**/*.test.ts',
  'tests/ui/**/*.test.{ts,tsx}',
  'tests/proof/tree.test.ts',
  'tests/codec/{columnar,golden,json,parts,personal,tags}.test.ts',
];

export default defineConfig({
  test: {
    // One process per file, because files stop servers, change the environment, or crash.
    pool: 'forks',
    // For shared machines: on a quiet one no test takes a quarter of this.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // Waits end as soon as the condition holds: immediately, or after seconds on a busy machine.
    expect: { poll: { timeout: 45_000, interval: 20 } },
    // Once for both projects.
    globalSetup: ['tests/support/global-setup.ts'],
    // On a shared machine a test may time out: `.ci/run` retries it once, and reports that.
    retry: Number(process.env['TEST_RETRY'] ?? 0),
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: pure, isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'product',
          // Tests mostly wait for PostgreSQL and for other processes.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: [everything],
          exclude: [browser, ...pure],
        },
      },
      {
        extends: true,
        test: {
          // After the others. While a page works, its server and its test wait, so two at a time use two processors. Not more, because a
          // page that waits for a processor looks as if it hangs.
          name: 'browser',
          include: [browser],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
