import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import { root } from '../run/apps.ts';
import { installBrowserIfMissing } from './support/browser.ts';
import { cpuOfChildren } from './support/cpu.ts';

/**
 * `npm test`, or what the arguments name of it (`npm test -- tests/domain`). `npm run test:all` takes in `tests/long`, too. Ends with a line of
 * its own, `N passed, N failed`; a file that does not even load counts as one failed.
 */
const SLOWEST = 20;
process.chdir(root);
const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
if (filters.length < process.argv.length - 2 || filters.some((filter) => filter.includes('long'))) process.env['TEST_LONG'] = '1';
const wantsBrowser = filters.length === 0 || filters.some((filter) => filter.includes('browser'));
if (wantsBrowser && globSync('tests/browser/**/*.test.ts').length > 0) {
  installBrowserIfMissing();
  buildStaleApps();
}

const { passed, failed } = await runTests().catch((error: unknown) => {
  console.error(error);
  return { passed: 0, failed: 1 };
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function runTests(): Promise<{ passed: number; failed: number }> {
  let shared: ReadonlyMap<string, number> = new Map();
  // Vitest's end is the end of the browser and of PostgreSQL, too.
  const atEnd: Reporter = { onTestRunEnd: () => void (shared = cpuOfChildren()) };
  const vitest = await startVitest('test', filters, { watch: false, run: true, reporters: ['default', atEnd] });
  const modules = vitest.state.getTestModules();
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  for (const test of modules.flatMap(testsOf)) {
    if (isNotRun(test)) console.log(test.name);
    // What is retried is looked into all the same.
    const { state, errors = [] } = test.result();
    if (state === 'passed')
      for (const { message, stack = message } of errors)
        console.log(`PASSED LATER: ${test.fullName}\n${stack.split('\n').slice(0, 4).join('\n')}`);
  }
  if (modules.length > SLOWEST) printSlowest(modules, shared);
  return {
    passed: modules.flatMap(testsOf).filter((test) => test.result().state === 'passed').length,
    failed: modules.reduce((sum, module) => sum + failuresOf(module), errors),
  };
}

/**
 * Where the time of a whole run goes. `cpu`: of a file's own process and of those that it started, where Linux tells; what all files share is
 * counted apart. `around`: what a file makes for all its tests.
 */
function printSlowest(modules: readonly TestModule[], shared: ReadonlyMap<string, number>): void {
  const rows = modules
    .map((module) => {
      const { prepareDuration, collectDuration, duration } = module.diagnostic();
      const tests = testsOf(module).reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
      return {
        file: module.relativeModuleId,
        cpu: (module.meta().cpu ?? 0) * 1000,
        load: prepareDuration + collectDuration,
        around: Math.max(0, duration - tests),
        tests,
      };
    })
    .toSorted((a, b) => b.load + b.around + b.tests - (a.load + a.around + a.tests));
  const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);
  const columns = ['cpu', 'load', 'around', 'tests'] as const;
  console.log(`${columns.map((name) => name.padStart(7)).join('')}  seconds of the ${SLOWEST} slowest files`);
  for (const row of rows.slice(0, SLOWEST)) console.log(`${columns.map((name) => seconds(row[name])).join('')}  ${row.file}`);
  const sum = (name: (typeof columns)[number]): string => seconds(rows.reduce((total, row) => total + row[name], 0));
  console.log(`${columns.map(sum).join('')}  all ${rows.length} files`);
  for (const [name, cpu] of shared) console.log(`${seconds(cpu * 1000)}  ${name}, for all`);
  const { user, system } = process.cpuUsage();
  const files = rows.reduce((total, { cpu }) => total + cpu, 0);
  const others = [...shared.values()].reduce((total, cpu) => total + cpu * 1000, 0);
  console.log(`${seconds(files + others + (user + system) / 1000)}  of CPU in total`);
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

function buildStaleApps(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'run/build.ts'), '--stale'], { stdio: 'inherit' });
  if (status !== 0) console.log('The apps could not be built: see above.');
}
