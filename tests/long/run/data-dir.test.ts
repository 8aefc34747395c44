import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../run/apps.ts';
import { freePort } from '../../../run/postgres/programs.ts';
import { marktrailCommand, startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../../support/marktrail.ts';
import { startedDataDir } from '../../support/started-data-dir.ts';

/** What an operator finds in the data directory, and what Marktrail says about it. */
let dataDir: DataDir;
let marktrail: StartedMarktrail | undefined;

beforeEach(async () => {
  dataDir = await startedDataDir({ demo: true });
});
afterEach(async () => {
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
  dataDir.remove();
});

const inDataDir = (name: string): string => join(dataDir.path, name);
const state = (): string => readFileSync(inDataDir('state'), 'utf8');
const start = (): StartedMarktrail => (marktrail = startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no' }, ['--without-apps']));
const stopped = async (): Promise<void> => {
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
};

test('a missing signing key is said at the start and in health, and is not replaced until somebody says so', async () => {
  rmSync(inDataDir('signing.key'));
  const health = async () =>
    (await (await fetch(`${await start().ready}/api/health`)).json()) as { status: string; problems: readonly string[] };
  const { status, problems } = await health();
  expect(status).toBe('degraded');
  expect(problems.join('\n')).toContain('The signing key of the log is missing (SIGNING_KEY, or signing.key in DATA_DIR)');
  expect(marktrail?.output().match(/The signing key of the log is missing/g)).toHaveLength(1);
  await stopped();
  expect(existsSync(inDataDir('signing.key'))).toBe(false);

  const said = await marktrailCommand(
    { DATA_DIR: dataDir.path },
    'log',
    'accept',
    '--new-key',
    '--reason',
    'the disk is gone',
    '--by',
    'Ada',
  );
  const [, former = ''] =
    /^A new signing key was made\. Whoever verifies the log needs the former one: --key ([0-9a-f]{16})\n$/.exec(said) ?? [];
  const verified = await marktrailCommand({ DATA_DIR: dataDir.path }, 'log', 'verify', '--key', former);
  expect(verified).toMatch(
    /Ada accepted the log with \d+ events \(head \d+\): the disk is gone\. This is the first by the key [0-9a-f]{16}, in the place of /,
  );
  expect(verified).toContain(former);
  expect(verified).not.toContain('given up');
  expect(await health()).toMatchObject({ status: 'ok', problems: [] });
});

test('whoever has waited for `npm start` to end copies a stopped database; the directory says whether it may be copied', async () => {
  expect(state()).toMatch(/^closed cleanly on /);
  const port = String(await freePort(0));
  const npm = spawn('npm', ['start', '--', '--without-apps'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir.path, DEMO: 'no', PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toContain('Marktrail is ready');
  expect(state()).toMatch(/^open since .*: do not copy it while Marktrail runs/);
  const database = readFileSync(inDataDir('postgres/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  expect(isAlive(database)).toBe(false);
  expect(existsSync(inDataDir('postgres/postmaster.pid'))).toBe(false);
  expect(state()).toMatch(/^closed cleanly on /);

  const copy = temporaryDataDir();
  execFileSync('cp', ['-a', `${dataDir.path}/.`, copy.path]);
  const copied = startMarktrail({ DATA_DIR: copy.path, DEMO: 'no' }, ['--without-apps']);
  await copied.ready;
  copied.process.kill('SIGKILL');
  await copied.ended;
  expect(readFileSync(join(copy.path, 'state'), 'utf8')).toContain('If none runs, the last one was killed');
  const again = startMarktrail({ DATA_DIR: copy.path, DEMO: 'no' }, ['--without-apps']);
  await again.ready;
  again.process.kill('SIGTERM');
  await again.ended;
  copy.remove();
});

const isAlive = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};
