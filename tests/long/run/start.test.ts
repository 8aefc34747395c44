import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../run/apps.ts';
import { startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../../support/marktrail.ts';
import { MASTER_KEY } from '../../support/product.ts';

let dataDir: DataDir;
let started: StartedMarktrail[];

beforeEach(() => {
  dataDir = temporaryDataDir();
  started = [];
});
afterEach(async () => {
  for (const marktrail of started) {
    marktrail.process.kill('SIGTERM');
    await marktrail.ended;
  }
  dataDir.remove();
});

const start = (settings: Record<string, string> = {}): StartedMarktrail => {
  const marktrail = startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no', ...settings }, ['--without-apps']);
  started.push(marktrail);
  return marktrail;
};

test('a start that waits for a PostgreSQL which does not answer ends at once when it is asked to', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const waiting = async () => {
    const asked = once(silent, 'connection');
    const marktrail = start({ DATABASE_URL: `postgres://somebody:secret@127.0.0.1:${port}/marktrail`, MASTER_KEY });
    await asked;
    return marktrail;
  };
  // Otherwise the first would give up first.
  const [first, second] = [await waiting(), await waiting()];
  second.process.kill('SIGTERM');
  expect(await Promise.race([first.ended.then(() => 'first'), second.ended])).toBe(0);
  expect(second.output()).not.toContain('cannot be used');
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  silent.close();
});

test.runIf(process.getuid?.() === 0)('root may keep the data below a directory that is closed to others, such as /root', async () => {
  chmodSync(dataDir.path, 0o700);
  await start().ready;
});

test('a process that has been busy is small again as soon as it rests', async () => {
  const script = join(dataDir.path, 'busy.ts');
  writeFileSync(
    script,
    `import { shrinkAtRest } from ${JSON.stringify(join(root, 'run/http/at-rest.ts'))};
    const { gc } = globalThis;
    let hasCollected = false;
    globalThis.gc = (options) => (gc(options), (hasCollected = true));
    shrinkAtRest(100);
    globalThis.kept = Array.from({ length: 400_000 }, (_, number) => ({ number, text: [number] }));
    const busy = process.memoryUsage.rss();
    globalThis.kept = undefined;
    setInterval(() => hasCollected && process.memoryUsage.rss() < busy - 20_000_000 && process.exit(0), 50);`,
  );
  // With the options of the product. V8 does it by itself after minutes: that does not count.
  await promisify(execFile)(process.execPath, ['run/bootstrap.mjs', relative(root, script)], { cwd: root });
});

test.skipIf(process.platform === 'win32')('started by npm, it ends when npm is killed', async () => {
  const npm = spawn(
    process.execPath,
    [
      '-e',
      `require('node:child_process').spawn('sh', ${JSON.stringify(['run/start.sh', 'run/main.ts', '--without-apps'])}, { stdio: 'inherit' })`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir.path, DEMO: 'no', PORT: '0', npm_lifecycle_event: 'start' },
    },
  );
  let said = '';
  npm.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await expect.poll(() => said).toContain('Marktrail is ready');
  npm.kill('SIGKILL');
  // The server holds its other end.
  await once(npm.stdout, 'close');
  expect(existsSync(join(dataDir.path, 'postgres/postmaster.pid'))).toBe(false);
});

// Each of its threads kept the 19 MB that checking a password takes, 95 to 133 MB together.
test.runIf(process.platform === 'linux')('started by its npm scripts, it keeps little of the memory that log-ins have taken', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'run/bootstrap.mjs'), 'tests/support/memory-of-passwords.ts']);
  expect(Number(stdout)).toBeLessThan(60);
});
