import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../run/apps.ts';
import { openDataDir } from '../../run/database/data-dir.ts';
import { openDatabase, reachDatabase } from '../../run/database/database.ts';
import { listen } from '../../run/http/http-server.ts';
import { requireEventStore } from '../../run/log/log.ts';
import { readerUrlOfRunningServer, startPostgres } from '../../run/postgres/server.ts';
import { readSettings } from '../../run/settings.ts';
import { StartError } from '../../run/start-error.ts';
import { failure } from '../store/seen.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { startMarktrail, temporaryDataDir, type DataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { testDatabase } from '../support/postgres.ts';
import { MASTER_KEY } from '../support/product.ts';
import { query } from '../support/query.ts';
import { until } from '../support/until.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { startedDataDir } from '../support/started-data-dir.ts';

const start = (dataDir: DataDir, settings: Record<string, string> = {}): StartedMarktrail =>
  startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no', ...settings }, ['--without-apps']);

const refusal = async ({ ended, output }: StartedMarktrail): Promise<string> => {
  expect(await ended).toBe(1);
  const lines = output().trim().split('\n');
  expect(lines, lines.join('\n')).toHaveLength(1);
  return lines[0]!;
};

describe('on data of before', () => {
  let dataDir: DataDir;
  let marktrail: StartedMarktrail;
  const inDataDir = (name: string) => join(dataDir.path, name);
  const state = () => readFileSync(inDataDir('state'), 'utf8');

  openedAnew(async (atEnd) => {
    dataDir = await startedDataDir({ demo: false });
    atEnd(() => dataDir.remove());
    // Made before queries had a log-in of their own; and its server was killed, and its number is another program's by now.
    const { readerPassword, ...access } = JSON.parse(readFileSync(inDataDir('postgres.json'), 'utf8')) as Record<string, unknown>;
    expect(readerPassword).toEqual(expect.any(String));
    writeFileSync(inDataDir('postgres.json'), JSON.stringify(access));
    writeFileSync(inDataDir('postgres/postmaster.pid'), `${process.pid}\n${inDataDir('postgres')}\n`);
    marktrail = start(dataDir);
    atEnd(() => marktrail.process.kill('SIGKILL'));
    await marktrail.ready;
  });

  test('queries have a log-in of their own', async () => {
    expect(statSync(inDataDir('postgres.json')).mode & 0o077).toBe(0);
    const health = await (await fetch(`${await marktrail.ready}/api/health`)).json();
    expect(health).toMatchObject({ status: 'ok', notes: [] });
    expect((health as { facts: string[] }).facts[0]).toMatch(/free on the disk of DATA_DIR\. The database takes \d+ MB there\.$/);
    const client = new pg.Client({ connectionString: readerUrlOfRunningServer(dataDir.path) });
    await client.connect();
    await expect(client.query('set role marktrail')).rejects.toThrow('permission denied');
    await expect(client.query('select token from identity.session')).rejects.toThrow('permission denied');
    await client.end();
  });

  test('a second start says where the first one answers', async () => {
    const address = await marktrail.ready;
    expect(await refusal(start(dataDir))).toContain(`is in use by the Marktrail on ${address}`);
    expect((await fetch(`${address}/api/health`)).status).toBe(200);
  });

  test('asked to end, it ends with its database; the directory says whether it may be copied', async () => {
    expect(state()).toMatch(/^open since .*: do not copy it while Marktrail runs/);
    marktrail.process.kill('SIGTERM');
    expect(await marktrail.ended).toBe(0);
    expect(existsSync(inDataDir('postgres/postmaster.pid'))).toBe(false);
    expect(state()).toMatch(/^closed cleanly on /);
  });
});

describe('what stops a start', () => {
  let dataDir: DataDir;
  beforeEach(() => {
    dataDir = temporaryDataDir();
  });
  afterEach(() => dataDir.remove());

  /** In the order of run/main.ts, without a process. */
  const refused = async (environment: Record<string, string>): Promise<string> => {
    const error = await failure(
      (async () => {
        const settings = readSettings({ DATA_DIR: dataDir.path, ...environment });
        await requireEventStore(settings, () => undefined);
        if (settings.databaseUrl === undefined) (await openDataDir(settings.dataDir)).release();
        await (await listen(settings)).close();
        const lifecycle = { stopping: new AbortController().signal, onEnd: () => undefined, end: () => expect.fail('it ends') };
        await openDatabase(settings, lifecycle);
      })(),
    );
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).not.toContain('\n');
    return String(error).replace('StartError: ', '');
  };

  test('a wrong setting, with one line, before anything is made', async () => {
    expect(await refusal(start(dataDir, { PORT: 'many' }))).toBe(
      'PORT=many is invalid: expected a number from 1 to 65535 (0: any free port).',
    );
    expect(await refused({ DATABASE_URL: 'mysql://me:secret@there/db' })).not.toContain('secret');
    expect(await refused({ ROLE: 'api' })).toContain('needs DATABASE_URL');
    expect(readdirSync(dataDir.path)).toEqual([]);
    expect(await refused({ PORT: '0', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toContain('127.0.0.1:1/none cannot be used');
    // Where nobody can make anything.
    expect(await refused({ DATA_DIR: '/proc/none/marktrail' })).toContain('DATA_DIR /proc/none/marktrail cannot be written (');
  });

  test('an event store that cannot be used, with one line, without its password, before anything is made', async () => {
    const old = await startEventStore({ serverVersion: '20.10.2' });
    expect(await refused({ EVENTSTORE_URL: 'http://me:secret@there' })).not.toContain('secret');
    expect(await refused({ EVENTSTORE_URL: 'esdb://me:secret@there?tlz=false' })).toBe('EVENTSTORE_URL is invalid: unknown option tlz.');
    expect(await refusal(start(dataDir, { EVENTSTORE_URL: 'esdb://me:secret@127.0.0.1:1?tls=false' }))).toMatch(
      /^127\.0\.0\.1:1 cannot be reached .*check EVENTSTORE_URL\.$/,
    );
    expect(await refused({ EVENTSTORE_URL: old.url })).toContain('20.10.2: 22.10 or newer is required');
    const locked = await startEventStore({ credentials: { username: 'marktrail', password: 'right' } });
    const said = await refused({ EVENTSTORE_URL: locked.url.replace('right@', 'wrong@') });
    expect(said).toMatch(/^127\.0\.0\.1:\d+ rejects the user name or password, .*: check EVENTSTORE_URL/);
    expect(said).not.toContain('wrong');
    await locked.stop();
    const unencrypted = await startEventStore();
    expect(await refused({ EVENTSTORE_URL: unencrypted.url.replace('?tls=false', '') })).toMatch(
      /^127\.0\.0\.1:\d+ cannot be reached \(the TLS handshake failed: .*\): .*\?tls=false\.$/,
    );
    await unencrypted.stop();
    expect(readdirSync(dataDir.path)).toEqual([]);
    await old.stop();
  });

  test('a database that may only be read, with one line that says what to do', async () => {
    const { url, drop } = await testDatabase();
    onTestFinished(drop);
    await query(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    expect(await refusal(start(dataDir, { DATABASE_URL: url, MASTER_KEY }))).toMatch(
      /^Marktrail did not start: cannot execute CREATE SCHEMA in a read-only transaction\. Give Marktrail the right to write there/,
    );
  });

  test('a taken port, with one line that names it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    expect(await refused({ PORT: String(port) })).toContain(`Port ${port} is taken by another program`);
    other.close();
  });

  test('a data directory of a newer version, with one line, and it stays as it is', async () => {
    writeFileSync(join(dataDir.path, 'version'), '999\n');
    expect(await refused({})).toContain('was made by a newer Marktrail (data format 999');
    expect(readFileSync(join(dataDir.path, 'version'), 'utf8')).toBe('999\n');
  });
});

test('a command beside a Marktrail that is starting waits for its database, and says so', async () => {
  const dataDir = await startedDataDir({ demo: false });
  onTestFinished(() => dataDir.remove());
  const held = await openDataDir(dataDir.path);
  onTestFinished(() => held.release());
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const lifecycle = {
    stopping: new AbortController().signal,
    onEnd: () => undefined,
    end: () => expect.fail('it ends'),
  };
  const reached = reachDatabase(readSettings({ DATA_DIR: dataDir.path }), lifecycle);
  await until(() => said.mock.calls.length > 0);
  expect(said).toHaveBeenCalledExactlyOnceWith('The Marktrail here is starting: waiting for its database ...');
  said.mockRestore();
  const server = await startPostgres({ directory: dataDir.path, durable: false });
  onTestFinished(async () => void (await server.stop()));
  expect(await reached).toBe(server.ownerUrl());
});

test('a database that died is started again, at the same address, and keeps what it had stored', async () => {
  const dataDir = await startedDataDir({ demo: false });
  onTestFinished(() => dataDir.remove());
  const stopping = new AbortController();
  const ended: (() => void | Promise<void>)[] = [];
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const url = await openDatabase(readSettings({ DATA_DIR: dataDir.path }), {
    stopping: stopping.signal,
    onEnd: (close) => ended.push(close),
    end: () => expect.fail('it ends'),
  });
  const died = async (): Promise<void> => {
    const told = said.mock.calls.length;
    process.kill(Number(readFileSync(join(dataDir.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    await until(() => said.mock.calls.length === told + 2);
  };
  await query(url, 'create table public.kept ()');
  await died();
  await query(url, 'table public.kept');
  await died();
  await query(url, 'table public.kept');
  expect(said.mock.calls.flat()).toEqual([
    expect.stringMatching(/^The database stopped unexpectedly, and is started again.* \(more in .*postgres\.log\)$/),
    'The database runs again.',
    expect.stringMatching(/^The database stopped unexpectedly/),
    'The database runs again.',
  ]);
  said.mockRestore();
  stopping.abort();
  for (const close of ended.reverse()) await close();
  expect(readFileSync(join(dataDir.path, 'state'), 'utf8')).toMatch(/^closed cleanly on /);
});

test.skipIf(process.platform === 'win32')(
  'npm start becomes the server: no other process stays beside it, and it has the same options',
  async () => {
    const dataDir = temporaryDataDir();
    onTestFinished(() => dataDir.remove());
    const script = join(dataDir.path, "whose process's.ts");
    writeFileSync(
      script,
      `console.log(JSON.stringify([process.pid, process.execPath, process.argv.slice(2), typeof gc, process.env.MALLOC_ARENA_MAX]));`,
    );
    const words = ['two words', "it's", '$HOME'];
    const child = spawn('sh', ['run/start.sh', relative(root, script), ...words], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const said: unknown = JSON.parse(await text(child.stdout));
    expect(said).toEqual([child.pid, expect.stringContaining(join('node_modules', 'node')), words, 'function', '2']);
  },
);
