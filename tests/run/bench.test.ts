import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leftOut, openBrowser } from '../../bench/browser.ts';
import { lineOf } from '../../bench/figures.ts';
import { root } from '../../run/apps.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** Only Linux tells which processes there are, and with which settings. */
describe.runIf(process.platform === 'linux')('a benchmark that is ended', () => {
  /** Where it makes its own directory. */
  let place: string;
  let bench: ChildProcess;
  beforeEach(() => {
    place = scratchDirectory();
  });
  afterEach(() => {
    for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
    rmSync(place, { recursive: true, force: true });
  });

  /** As a shell does, in a process group of its own. */
  const start = (): Promise<unknown[]> => {
    bench = spawn(process.execPath, ['run/bootstrap.mjs', 'bench/main.ts', '--quick', '--only', 'take-over'], {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: place },
    });
    return once(bench, 'exit');
  };
  /** What it has started, and what that has: all of them know the place, by a setting or an argument. */
  const processes = (): { pid: number; command: string }[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const command = textOf(`/proc/${pid}/cmdline`);
        return command.includes(place) || textOf(`/proc/${pid}/environ`).includes(place) ? [{ pid: Number(pid), command }] : [];
      });
  const runs = (program: string) =>
    expect
      .poll(() =>
        processes()
          .map(({ command }) => command)
          .join('\n'),
      )
      .toContain(program);
  const nothingIsLeft = async (): Promise<void> => {
    await expect.poll(processes).toEqual([]);
    // Its own directory goes, the place that it was given stays.
    expect(readdirSync(place)).toEqual([]);
  };

  test.each([
    ['by SIGTERM, while the product runs', () => bench.kill('SIGTERM'), 'run/main.ts'],
    ['by Ctrl-C, which the terminal sends to all of them', () => process.kill(-bench.pid!, 'SIGINT'), 'run/main.ts'],
    ['by SIGTERM, as soon as its database starts', () => bench.kill('SIGTERM'), 'postgres'],
  ])('%s, ends all that it started, and removes its directory', async (_how, end, program) => {
    const ended = start();
    await runs(program);
    end();
    expect(await ended).toEqual([130, null]);
    await nothingIsLeft();
  });
});

test('a chapter that needs a browser is left out where there is none, and the reason is said', async () => {
  vi.stubEnv('CHROME_PATH', '/nowhere/chrome');
  expect(await openBrowser('start-page')).toBeUndefined();
  vi.unstubAllEnvs();
  expect(leftOut()).toEqual([expect.stringMatching(/^Left out: start-page\. The browser tests need Chrome or Chromium/)]);
});

test('a figure is said on one line as it comes', () => {
  const figure = { figure: 'appends/s', value: 1234.5, limit: 1000, ratio: 1.2345, goal: 'ratio >= 0.5', met: true };
  expect(lineOf(figure)).toBe('appends/s: 1235, limit 1000, ratio 1.23');
  expect(lineOf({ ...figure, limit: null, ratio: null })).toBe('appends/s: 1235');
});

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
};
