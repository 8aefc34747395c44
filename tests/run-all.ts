import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import { root } from '../run/apps.ts';
import { type Lifecycle, runUntilStopped } from '../run/lifecycle.ts';
import { installBrowserIfMissing } from './support/browser.ts';
import { cpuOfChildren } from './support/cpu.ts';
import { sweepLeftovers } from './support/scratch.ts';

/**
 * `npm test`, or what the arguments name of it: files by part of their path (`npm test -- tests/domain`), tests by their words
 * (`npm test -- tests/domain -t clip`). `npm run test:all` takes in `tests/long`, too. Ends with a line of its own, `N passed, N failed`; a file that does not even load counts as one failed. However it is ended, its servers end with it, and what they
 * have stored goes.
 */
const DEAREST = 20;
process.chdir(root);
const {
  values: { all, words },
  positionals: filters,
} = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, words: { type: 'string', short: 't' } },
});
if (all || filters.some((filter) => filter.includes('long'))) process.env['TEST_LONG'] = '1';
const wantsBrowser = filters.length === 0 || filters.some((filter) => /browser|long/u.test(filter));
/** As a shell says of a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

runUntilStopped(
  async (lifecycle) => {
    const { stopping, end } = lifecycle;
    // Whoever read what it says has gone, as `head` does.
    process.stdout.on('error', () => void end(1));
    if (wantsBrowser && globSync('tests/browser/**/*.test.ts').length > 0) {
      installBrowserIfMissing();
      await buildStaleApps(stopping);
    }
    const interrupted = once(stopping, 'abort').then(() => undefined);
    const counts = stopping.aborted ? undefined : await Promise.race([runTests(lifecycle).catch(failedToRun), interrupted]);
    if (counts === undefined) return;
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    void end(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
  },
  { interrupted: INTERRUPTED },
);

type Counts = { readonly passed: number; readonly failed: number };

function failedToRun(error: unknown): Counts {
  console.error(error);
  return { passed: 0, failed: 1 };
}

async function runTests({ onEnd, stopping }: Lifecycle): Promise<Counts | undefined> {
  let shared: ReadonlyMap<string, number> = new Map();
  // Vitest's end is the end of the browser and of PostgreSQL, too.
  const atEnd: Reporter = { onTestRunEnd: () => void (shared = cpuOfChildren()) };
  const vitest = await withoutItsEnds(() =>
    createVitest('test', {
      watch: false,
      run: true,
      reporters: ['default', atEnd],
      ...(words === undefined ? {} : { testNamePattern: words }),
    }),
  );
  onEnd(sweepLeftovers);
  onEnd(async () => {
    // The second time it does not wait for the tests that run.
    if (stopping.aborted) for (const _ of ['ask', 'insist']) void vitest.cancelCurrentRun('keyboard-input').catch(() => undefined);
    await vitest.close();
  });
  if (stopping.aborted) return undefined;
  await vitest.start(filters);
  const modules = vitest.state.getTestModules();
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  if (stopping.aborted) return undefined;
  for (const test of modules.flatMap(testsOf)) {
    if (isNotRun(test)) console.log(test.name);
    // What is retried is looked into all the same.
    const { state, errors = [] } = test.result();
    if (state === 'passed')
      for (const { message, stack = message } of errors)
        console.log(`PASSED LATER: ${test.fullName}\n${stack.split('\n').slice(0, 4).join('\n')}`);
  }
  if (modules.length > DEAREST) printCosts(modules, shared);
  return {
    passed: modules.flatMap(testsOf).filter((test) => test.result().state === 'passed').length,
    failed: modules.reduce((sum, module) => sum + failuresOf(module), errors),
  };
}

/**
 * Where the time of a whole run goes, in processor seconds (0 where Linux does not tell): of a file's own process and of those that it
 * started, by folder and for the dearest files; what all files share is counted apart. Nothing fails by it: it is another on each machine.
 */
function printCosts(modules: readonly TestModule[], shared: ReadonlyMap<string, number>): void {
  const files = modules.map((module) => ({
    name: module.relativeModuleId,
    tests: testsOf(module).length,
    cpu: module.meta().cpu ?? 0,
  }));
  const folders = Map.groupBy(files, ({ name }) => /^tests\/(?:long\/)?[^/]+/u.exec(name)?.[0] ?? name);
  const { user, system } = process.cpuUsage();
  const rest = [...shared].map(([name, cpu]) => ({ name: `${name}, for all`, tests: 0, cpu }));
  const all = [
    ...[...folders].map(([name, inIt]) => ({
      name,
      tests: inIt.reduce((sum, { tests }) => sum + tests, 0),
      cpu: inIt.reduce((sum, { cpu }) => sum + cpu, 0),
    })),
    ...rest,
    { name: 'the run itself', tests: 0, cpu: (user + system) / 1e6 },
  ];
  print('folder', all);
  print('the dearest files', files, DEAREST);
  console.log(`${all.reduce((sum, { cpu }) => sum + cpu, 0).toFixed(0)} s of CPU in total`);
}

function print(
  title: string,
  rows: readonly { readonly name: string; readonly tests: number; readonly cpu: number }[],
  most = rows.length,
) {
  console.log(`    CPU s  tests  ${title}`);
  for (const { name, tests, cpu } of rows.toSorted((a, b) => b.cpu - a.cpu).slice(0, most))
    console.log(`${cpu.toFixed(1).padStart(9)}${(tests || '').toString().padStart(7)}  ${name}`);
}

/** Vitest ends its process at once at a signal, whatever it has started: that is left to the life cycle. */
async function withoutItsEnds<Made>(make: () => Promise<Made>): Promise<Made> {
  const ends = ['SIGINT', 'SIGTERM', 'unhandledRejection'];
  const ours = ends.map((name) => process.listeners(name as 'SIGINT'));
  const made = await make();
  for (const [n, name] of ends.entries())
    for (const listener of process.listeners(name as 'SIGINT')) if (!ours[n]?.includes(listener)) process.off(name, listener);
  return made;
}

function testsOf(module: TestModule) {
  return [...module.children.allTests()];
}

/** What needs something that is not here says so by its name, and is named at the end: it is neither passed nor failed. */
function isNotRun(test: TestCase): boolean {
  return test.result().state === 'skipped' && test.name.startsWith('NOT RUN');
}

/** Tests that failed; or, where a file or a hook failed around them, at least one. */
function failuresOf(module: TestModule): number {
  const failures = testsOf(module).filter((test) => test.result().state === 'failed' || test.result().state === 'pending').length;
  return failures === 0 && module.state() === 'failed' ? 1 : failures;
}

async function buildStaleApps(signal: AbortSignal): Promise<void> {
  const build = spawn(process.execPath, [join(root, 'run/build.ts'), '--stale'], { stdio: 'inherit', signal });
  const [status] = await once(build, 'close').catch(() => [1]);
  if (status !== 0 && !signal.aborted) console.log('The apps could not be built: see above.');
}
