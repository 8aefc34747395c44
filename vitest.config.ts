import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './tests/support/file-order.ts';
import { limit } from './tests/support/limits.ts';
import { rounds } from './tests/support/rounds.ts';

const browser = ['tests/{,long/}browser/**/*.test.ts'];
const pages = ['tests/{,long/}pages/**/*.test.ts'];
/** They start and kill processes, change the environment, or crash. */
const alone = ['tests/{,long/}{store,faults,run,transfer}/**/*.test.ts', 'tests/{,long/}browser/*-on-eventstoredb.test.ts'];
/** `npm test` leaves them to `npm run test:all`. */
const long = process.env['TEST_LONG'] === undefined ? ['tests/long/**'] : [];

export default defineConfig({
  test: {
    pool: 'forks',
    // More of them would take each other's caches: a quarter of the processors' time, and waits that end by chance.
    maxWorkers: availableParallelism(),
    testTimeout: long.length > 0 ? limit.test : rounds(limit.longTest),
    hookTimeout: limit.test,
    teardownTimeout: limit.wait,
    expect: { poll: { timeout: limit.wait, interval: 50 } },
    sequence: { sequencer: FileOrder },
    // Once for all projects.
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/cpu-of-file.ts'],
    // On a shared machine a test may time out: `.ci/run` retries it once, and reports that.
    retry: Number(process.env['TEST_RETRY'] ?? 0),
    projects: [
      // One process per file.
      { extends: true, test: { name: 'processes', include: alone, exclude: long } },
      // Each worker takes one file after the other, so that the browser's client, or the product, is loaded once and not by each file.
      { extends: true, test: { name: 'browser', include: browser, exclude: [...alone, ...long], isolate: false } },
      {
        extends: true,
        test: { name: 'shared', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...browser, ...pages, ...alone, ...long], isolate: false },
      },
      // They have a window, which nobody else must find: in a project of their own.
      {
        extends: true,
        // As react-admin, which Node loads, finds it: else there would be two routers.
        ssr: { resolve: { conditions: ['module-sync', 'node'] } },
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'pages',
          include: pages,
          exclude: long,
          isolate: false,
          // React as it is built for browsers, which is faster than the one for its developers.
          env: { NODE_ENV: 'production' },
        },
      },
    ],
  },
});
