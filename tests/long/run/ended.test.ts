import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../../run/apps.ts';
import { processesOn, scratchDirectory } from '../../support/scratch.ts';

/** Only Linux tells which processes there are, and with which settings. */
describe.runIf(process.platform === 'linux')('what is ended', () => {
  /** Where it makes its own directories: all that it starts knows the place. */
  let place: string;
  let runner: ChildProcess;
  beforeEach(() => {
    place = scratchDirectory();
  });
  afterEach(() => {
    for (const { pid } of processesOn(place)) process.kill(pid, 'SIGKILL');
    rmSync(place, { recursive: true, force: true });
  });

  /** As a shell does, in a process group of its own. */
  const start = (args: readonly string[]): Promise<unknown[]> => {
    runner = spawn(process.execPath, ['run/bootstrap.mjs', ...args], {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      // A test run gives its own processes a TMPDIR of theirs.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: place, STARTED_AT: place },
    });
    return once(runner, 'exit');
  };
  const isRunning = (program: string) => expect.poll(() => processesOn(place).some(({ command }) => command.includes(program))).toBe(true);
  /** Test databases may be in memory: their names begin with the process that made them. */
  const scratchOf = (pids: readonly number[]) =>
    readdirSync(dirname(place)).filter((name) => pids.some((pid) => name.startsWith(`marktrail-test-${pid}-`)));

  const bench = ['bench/main.ts', '--quick', '--only', 'take-over'];
  const tests = ['tests/run-all.ts', 'tests/integration/marks/sat-on'];
  const terminate = () => runner.kill('SIGTERM');
  const interruptAll = () => process.kill(-runner.pid!, 'SIGINT');
  test.each([
    ['a benchmark by SIGTERM, while the product runs', bench, terminate, 'run/main.ts'],
    ['a benchmark by Ctrl-C, which the terminal sends to all of them', bench, interruptAll, 'run/main.ts'],
    ['a benchmark by SIGTERM, as soon as its database starts', bench, terminate, 'postgres'],
    ['a test run by SIGTERM, while its files are loaded', tests, terminate, 'workers/forks'],
    ['a test run by SIGTERM, as soon as its database starts', tests, terminate, 'postgres'],
    ['a test run by Ctrl-C, which the terminal sends to all of them', tests, interruptAll, 'postgres'],
  ])('%s, ends with all that it started, and leaves no directory', async (_how, args, end, program) => {
    const ended = start(args);
    await isRunning(program);
    const pids = processesOn(place).map(({ pid }) => pid);
    end();
    expect(await ended).toEqual([130, null]);
    await expect.poll(() => processesOn(place)).toEqual([]);
    // The place itself stays.
    expect(readdirSync(place)).toEqual([]);
    expect(scratchOf(pids)).toEqual([]);
  });
});
