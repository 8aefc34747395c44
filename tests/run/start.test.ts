import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { readerUrlOfRunningServer, urlOfRunningServer } from '../../run/postgres/server.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { MASTER_KEY } from '../support/product.ts';
import { startedDataDir } from '../support/started-data-dir.ts';

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

const startedBefore = async (): Promise<void> => {
  dataDir.remove();
  dataDir = await startedDataDir({ demo: false });
};

const start = (settings: Record<string, string> = {}): StartedMarktrail => {
  const marktrail = startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no', ...settings }, ['--without-apps']);
  started.push(marktrail);
  return marktrail;
};

const refusal = async (settings: Record<string, string>): Promise<string> => {
  const marktrail = start(settings);
  expect(await marktrail.ended).toBe(1);
  const lines = marktrail.output().trim().split('\n');
  expect(lines, lines.join('\n')).toHaveLength(1);
  return lines[0]!;
};

test('queries have a log-in of their own, also in a data directory that was made before there was one', async () => {
  await startedBefore();
  const file = join(dataDir.path, 'postgres.json');
  const { readerPassword, ...before } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(readerPassword).toEqual(expect.any(String));
  writeFileSync(file, JSON.stringify(before));
  const address = await start().ready;
  expect(statSync(file).mode & 0o077).toBe(0);
  const health = await (await fetch(`${address}/api/health`)).json();
  expect(health).toMatchObject({ status: 'ok', notes: [] });
  const client = new pg.Client({ connectionString: readerUrlOfRunningServer(dataDir.path) });
  await client.connect();
  await expect(client.query('set role marktrail')).rejects.toThrow('permission denied');
  await expect(client.query('select token from identity.session')).rejects.toThrow('permission denied');
  await client.end();
});

test('a wrong setting stops the start with one line', async () => {
  expect(await refusal({ PORT: 'many' })).toBe('PORT=many is invalid: expected a number from 1 to 65535 (0: any free port).');
  expect(await refusal({ DATABASE_URL: 'mysql://me:secret@there/db' })).not.toContain('secret');
  expect(await refusal({ ROLE: 'api' })).toContain('needs DATABASE_URL');
  expect(await refusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toContain('127.0.0.1:1/none cannot be used');
  // Where nobody can make anything.
  expect(await refusal({ DATA_DIR: '/proc/none/marktrail' })).toContain('DATA_DIR /proc/none/marktrail cannot be written (');
});

test('an event store that cannot be used stops the start with one line, without its password, and nothing is made', async () => {
  const old = await startEventStore({ serverVersion: '20.10.2' });
  expect(await refusal({ EVENTSTORE_URL: 'http://me:secret@there' })).not.toContain('secret');
  expect(await refusal({ EVENTSTORE_URL: 'esdb://me:secret@there?tlz=false' })).toBe('EVENTSTORE_URL is invalid: unknown option tlz.');
  expect(await refusal({ EVENTSTORE_URL: 'esdb://me:secret@127.0.0.1:1?tls=false' })).toMatch(
    /^127\.0\.0\.1:1 cannot be reached .*check EVENTSTORE_URL\.$/,
  );
  expect(await refusal({ EVENTSTORE_URL: old.url })).toContain('20.10.2: 22.10 or newer is required');
  const locked = await startEventStore({ credentials: { username: 'marktrail', password: 'right' } });
  const said = await refusal({ EVENTSTORE_URL: locked.url.replace('right@', 'wrong@') });
  expect(said).toMatch(/^127\.0\.0\.1:\d+ rejects the user name or password, .*: check EVENTSTORE_URL/);
  expect(said).not.toContain('wrong');
  await locked.stop();
  const unencrypted = await startEventStore();
  expect(await refusal({ EVENTSTORE_URL: unencrypted.url.replace('?tls=false', '') })).toMatch(
    /^127\.0\.0\.1:\d+ cannot be reached \(the TLS handshake failed: .*\): .*\?tls=false\.$/,
  );
  await unencrypted.stop();
  expect(readdirSync(dataDir.path)).toEqual([]);
  await old.stop();
});

test('a taken port stops the start with one line that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => other.once('listening', listening));
  const { port } = other.address() as AddressInfo;
  expect(await refusal({ PORT: String(port) })).toContain(`Port ${port} is taken by another program`);
  other.close();
});

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

test('a data directory of a newer version stops the start with one line and stays as it is', async () => {
  writeFileSync(join(dataDir.path, 'version'), '999\n');
  expect(await refusal({})).toContain('was made by a newer Marktrail (data format 999');
  expect(readFileSync(join(dataDir.path, 'version'), 'utf8')).toBe('999\n');
});

test('a second start on the same data says where the first one answers', async () => {
  await startedBefore();
  const address = await start().ready;
  expect(await refusal({})).toContain(`is in use by the Marktrail on ${address}`);
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
});

test('after SIGTERM it ends by itself and its database with it; after SIGKILL the next start takes over, and nothing is lost', async () => {
  await startedBefore();
  const first = start();
  await first.ready;
  await query('CREATE TABLE kept (n int)');
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  await expect(query('SELECT')).rejects.toThrow();

  const second = start();
  await second.ready;
  await query('INSERT INTO kept VALUES (1)');
  second.process.kill('SIGKILL');
  expect(await second.ended).toBe('SIGKILL');
  const orphan = serverProcess();

  await start().ready;
  expect(serverProcess()).not.toBe(orphan);
  expect((await query('SELECT n FROM kept')).rows).toEqual([{ n: 1 }]);
});

test('the number of a dead server that belongs to another program by now does not stop a start', async () => {
  await startedBefore();
  writeFileSync(join(dataDir.path, 'postgres/postmaster.pid'), `${process.pid}\n${join(dataDir.path, 'postgres')}\n`);
  await start().ready;
});

test.runIf(process.getuid?.() === 0)('root may keep the data below a directory that is closed to others, such as /root', async () => {
  chmodSync(dataDir.path, 0o700);
  await start().ready;
});

async function query(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: urlOfRunningServer(dataDir.path) });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

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
  await promisify(execFile)(process.execPath, ['run/bootstrap.mjs', relative(root, script)], { cwd: root, timeout: 250_000 });
});

const serverProcess = () => readFileSync(join(dataDir.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];

const isWindows = process.platform === 'win32';

test.skipIf(isWindows)('npm start becomes the server: no other process stays beside it, and it has the same options', async () => {
  const script = join(dataDir.path, "whose process's.ts");
  writeFileSync(
    script,
    `console.log(JSON.stringify([process.pid, process.execPath, process.argv.slice(2), typeof gc, process.env.MALLOC_ARENA_MAX]));`,
  );
  const words = ['two words', "it's", '$HOME'];
  const child = spawn('sh', ['run/start.sh', relative(root, script), ...words], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const said: unknown = JSON.parse(await text(child.stdout));
  expect(said).toEqual([child.pid, expect.stringContaining(join('node_modules', 'node')), words, 'function', '2']);
});

test.skipIf(isWindows)('started by npm, it ends when npm is killed', async () => {
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
