import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../run/apps.ts';
import { readSettings } from '../../run/settings.ts';
import { fileSource } from '../../events/transfer/file.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { postgresLog, streamEvents } from '../../events/transfer/postgres.ts';
import { storeLog } from '../../events/transfer/store.ts';
import { requireSameLog } from '../../run/log/log-origin.ts';
import { failure } from '../store/seen.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { emptyDatabase, testDatabase, type TestDatabase } from '../support/postgres.ts';
import { MASTER_KEY, openProduct, SIGNING_KEY, type Product } from '../support/product.ts';
import { contents, filled, school } from '../transfer/logs.ts';
import { told } from './told.ts';

let database: TestDatabase;
let target: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;

beforeEach(async () => {
  database = await testDatabase();
  target = await emptyDatabase();
  dataDir = temporaryDataDir();
});
afterEach(async () => {
  await database.drop();
  await target.drop();
  dataDir.remove();
});

const file = (name: string) => join(dataDir.path, name);
const run = (command: string, ...args: readonly string[]) => runWith({ SIGNING_KEY }, command, args);
const runWith = (given: { SIGNING_KEY?: string }, command: string, args: readonly string[]) =>
  told(
    { settings: readSettings({ DATABASE_URL: database.url, DATA_DIR: dataDir.path, MASTER_KEY, ...given }), url: database.url },
    command,
    args,
  );
const marktrail = (...[word = '', ...args]: readonly string[]) => run(`log ${word}`, ...args);
const environment = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir.path, SIGNING_KEY });
const program = async (...words: readonly string[]) => {
  const child = spawn(process.execPath, [join(root, 'run/cli.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: environment(),
  });
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: code as number | null, out };
};
const logIn = (url: string) => contents({ name: 'a log', events: () => streamEvents(url) });
const fill = async (count: number) => {
  const log = postgresLog(database.url, 'the database');
  await copyLog(storeLog(await filled(count), 'the memory'), log);
  await log.close?.();
};
const sql = async (statement: string) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};

test('a log goes out into a file, and from there into an empty database, and is the same', async () => {
  await fill(300);
  const exported = await marktrail('export', file('log.ndjson'));
  expect(exported).toEqual({ said: expect.stringMatching(/^300 events written; 300 in all, root [0-9a-f]{64}\.$/) });
  expect(await marktrail('copy', file('log.ndjson'), target.url)).toEqual(exported);
  expect(await logIn(target.url)).toEqual(await logIn(database.url));
  expect((await marktrail('import', file('log.ndjson'))).refused).toMatch(
    /^The keys of a school in \S+log\.ndjson are not here .* To import the log alone: --without-keys\. Nothing was changed\.$/,
  );
  expect((await marktrail('import', file('log.ndjson'), '--without-keys')).said).toMatch(/^0 events written, 300 were there already/);
});

test.each([
  ['copy here', /^Usage: npm run marktrail -- log copy FROM TO\. A place: here/],
  ['copy here mysql://there/log', /^mysql:\/\/\.\.\. is not a place of a log: expected here/],
  ['copy postgres://nobody:secret@127.0.0.1:1/log here', /^The PostgreSQL 127\.0\.0\.1:1\/log cannot be used: /],
  ['copy esdb://admin@there here', /^The address of the log is invalid: the part before the @ must be a user name and a password/],
  ['copy esdb://admin:secret@127.0.0.1:1?tls=false here', /^.*127\.0\.0\.1:1.*$/],
  ['import /there/is/none.ndjson', /^There is no file \/there\/is\/none\.ndjson\.$/],
  ['export /there/is/none.ndjson', /^ENOENT: .*none\.ndjson\.part/],
  ['import /usr', /^\/usr is a directory: name the file\.$/],
  ['copy /usr/bin/env here', /^\/usr\/bin\/env, line 1: .* Nothing was changed\.$/],
  ['export /usr', /^\/usr exists: choose another name/],
  ['verify --heads /there/is/none', /^The file of heads \/there\/is\/none cannot be read: ENOENT/],
  ['verify --heads /dev/null', /^The file of heads \/dev\/null has no heads\.$/],
  ['verify --heads /usr', /^The file of heads \/usr cannot be read: EISDIR/],
  ['verify --wrong', /^Usage: npm run marktrail -- log verify/],
])('what cannot be done is one line: log %s', async (words, line) => {
  const { refused } = await marktrail(...words.split(' '));
  expect(refused).toMatch(line);
  expect(refused).not.toMatch(/secret|\n/);
});

test('an export that finds no more room is one line, and the same command goes on with what is there', async () => {
  await fill(300);
  // A beginning of what is written finds room: the system says so only by how much it took.
  const words = ['-c', 'ulimit -f 40; exec "$0" "$@"', process.execPath, join(root, 'run/cli.ts'), 'log', 'export', file('log.ndjson')];
  const child = spawn('/bin/bash', words, { stdio: ['ignore', 'ignore', 'pipe'], env: environment() });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(said).toMatch(/^.*log\.ndjson\.part cannot be written: EFBIG.* Run the same command again to resume\.\n$/);

  const rest = await marktrail('export', file('log.ndjson'));
  expect(rest.said).toMatch(/^\d{2,3} events written, \d{2,3} were there already; 300 in all/);
  expect(await contents(fileSource(file('log.ndjson')))).toEqual(await logIn(database.url));
});

test('an import that is interrupted ends at once, does not say that all is well, and leaves nothing behind', async () => {
  const child = spawn(process.execPath, [join(root, 'run/cli.ts'), 'log', 'import', '-'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...environment(), TMPDIR: dataDir.path },
  });
  const ended = once(child, 'exit');
  const copies = () => readdirSync(dataDir.path).filter((name) => name.startsWith('marktrail-import-'));
  await expect.poll(copies).toHaveLength(1);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(copies()).toEqual([]);
});

test('nothing is copied into a log on which a Marktrail runs, nor read from a database without one', async () => {
  await fill(10);
  const product = await openProduct(database.url);
  await marktrail('export', file('log.ndjson'));
  const { refused } = await marktrail('import', file('log.ndjson'));
  await product.close();
  expect(refused).toBe('A Marktrail is running on the log of this installation: stop it first. Nothing was changed.');
  expect((await marktrail('copy', target.url, file('other.ndjson'))).refused).toMatch(/^postgres:\/\/.* has no Marktrail log\.$/);
});

test('heads that were kept elsewhere tell when somebody changes the log', async () => {
  await fill(100);
  await (await openProduct(database.url, { headsFile: file('kept.ndjson') })).close();
  await marktrail('export', file('log.ndjson'));
  const exported = ['verify', '--log', file('log.ndjson'), '--heads', file('kept.ndjson')];
  expect(await marktrail('verify', '--heads', file('kept.ndjson'))).toEqual({
    said:
      '100 events of 1 school; 1 signed head matches.\n' +
      '0 events are newer than the last head of their school, and not protected. Nothing protects against the holder of the signing key.',
  });
  expect(await marktrail(...exported)).toEqual({ said: expect.stringContaining('1 signed head matches.') });
  await sql(`select * from log.append_alone('entry-${school}.new', -1, '{${randomUUID()}}', '{MarksTyped}', '{"{}"}', '{"{}"}')`);
  expect((await marktrail('verify')).said).toContain(
    '101 events of 1 school; 1 signed head matches.\n1 event is newer than the last head of its school',
  );
  expect((await marktrail('verify', '--log', file('log.ndjson'))).refused).toMatch(/^There is nothing to compare with/);

  await sql(`update log.events set data = '{}' where position = 42`);
  expect(await marktrail('verify')).toEqual({
    said: expect.stringMatching(/event number 42, .* was changed\.\n/),
    refused: 'The log does not match its signed heads: see above.',
  });
  await marktrail('export', file('changed.ndjson'));
  expect(await marktrail('verify', '--log', file('changed.ndjson'), '--heads', file('kept.ndjson'))).toMatchObject({
    said: expect.stringMatching(/the log does not match head 1 of .* at 100 events\.\n/),
    refused: expect.any(String),
  });
});

test('an end of the log that was removed with all that knew of it in the database is told by the file of heads beside it', async () => {
  await fill(100);
  await (await openProduct(database.url, { headsFile: file('heads.ndjson') })).close();
  expect((await marktrail('verify')).refused).toBeUndefined();
  await sql(`alter table proof.heads disable trigger user; delete from proof.heads; delete from log.events where position > 90;
    delete from read.ledger_leaves_v1 where number >= 90; delete from read.ledger_trees_v1`);

  expect(await marktrail('verify')).toEqual({
    said: expect.stringMatching(
      /head 1 of .* was signed at 100 events, but the log has 90\.\n.*heads\.ndjson has 1 signed head that is not in the database: it was removed/,
    ),
    refused: 'The log does not match its signed heads: see above.',
  });
});

test('a log that was restored to before its newest head is accepted by an act that is signed and kept, and then goes on', async () => {
  const kept = file('kept.ndjson');
  const stream = `entry-${school}.0`;
  const goneOn = async (product: Product, count: number) => {
    const { store, progress } = product.backend;
    let position = 0n;
    for (let n = 0; n < count; n++)
      ({ position } = await store.append(stream, [{ id: randomUUID(), type: 'MarksTyped', data: '{}', metadata: '{}' }], 'any'));
    return progress.waitFor(['ledger'], position, 30_000);
  };
  await fill(60);
  await (await openProduct(database.url, { headsFile: kept })).close();
  let product = await openProduct(database.url, { headsFile: kept });
  await goneOn(product, 40);
  await product.close();
  expect((await marktrail('accept', '--reason', 'for fun')).said).toContain('There is nothing to accept');
  expect((await marktrail('accept')).refused).toMatch(/^Usage: .* log accept --reason/);

  // The backup held 79 of the 100 events, and the identity of the log.
  await sql('delete from log.events where position > 80');
  const refused = await failure(requireSameLog(readSettings(environment()), database.url));
  expect(String(refused)).toContain('their newest event is not in the log in PostgreSQL');
  expect((await run('projections rebuild', 'ledger')).refused).toContain('This is not the log that belongs here');
  expect(await marktrail('verify')).toMatchObject({ refused: expect.any(String) });
  const start = () => requireSameLog(readSettings(environment()), database.url);
  await sql('alter schema read rename to dropped');
  expect(String(await failure(start()))).toContain(`100 events of school ${school} were signed, and the log in PostgreSQL has 79`);
  await sql('alter schema dropped rename to read');

  const { said } = await marktrail('accept', '--reason', 'Disk lost,\nbackup of Friday', '--by', 'Ada');
  expect(said).toContain(`School ${school}: accepted with 79 events; the heads after 60 events are given up.`);
  expect(said).toContain('Read models whose newest event it does not have will be rebuilt from it');
  await start();
  product = await openProduct(database.url, { headsFile: kept });
  await goneOn(product, 35);
  expect((await product.backend.health()).problems.join()).not.toContain('ledger');
  await product.close();
  const act = new RegExp(
    `^School ${school}: on 20\\S+Z Ada accepted the log with 79 events \\(head 4\\): Disk lost, backup of Friday\\. ` +
      'It had been signed up to 100 events, and the heads after 60 events are given up\\.$',
    'm',
  );
  for (const place of [[], ['--heads', kept]]) expect(await marktrail('verify', ...place)).toEqual({ said: expect.stringMatching(act) });
  expect((await marktrail('verify')).said).toContain('115 events of 2 schools; 4 signed heads match.\n0 events are newer');

  // Nobody without the key accepts anything, and nobody takes the act back.
  const lines = readFileSync(kept, 'utf8');
  writeFileSync(kept, lines.replace('"keeps":60', '"keeps":0'));
  expect((await marktrail('verify', '--heads', kept)).said).toContain('Head 4 ');
  await expect(sql('delete from proof.heads where keeps is not null')).rejects.toThrow('neither changed nor removed');
  await sql(`update log.events set data = '[]' where position = 42`);
  expect((await marktrail('verify')).refused).toBe('The log does not match its signed heads: see above.');
});

test('more signed events than the log has, by whatever key, are said until the operator accepts the log', async () => {
  const start = () => requireSameLog(readSettings(environment()), database.url);
  await fill(60);
  await (await openProduct(database.url)).close();
  await sql(`insert into proof.heads select 2, school_id, 500, root, at, repeat('c', 16), public_key, signature from proof.heads`);
  expect(String(await failure(start()))).toContain(`500 events of school ${school} were signed, and the log in PostgreSQL has 60`);
  const product = await openProduct(database.url);
  const problems = async () => (await product.backend.health()).problems.join();
  expect(await problems()).toContain('500 events of a school were signed, and the log has 60. No more of them are signed.');

  expect((await marktrail('accept', '--reason', 'the key was lost')).said).toContain('accepted with 60 events');
  expect(await problems()).not.toContain('were signed');
  await product.close();
  await start();
});

test('a new signing key where nothing was ever signed says that it takes the place of none', async () => {
  await fill(10);
  const accept = () => runWith({}, 'log accept', ['--new-key', '--reason', 'the disk is gone']);
  expect(await accept()).toEqual({
    said: 'A signing key was made. Nothing had been signed before, so it takes the place of none: whoever verifies the log needs no other.',
  });
  expect(readdirSync(dataDir.path)).toContain('signing.key');
  expect((await accept()).refused).toBe('The signing key is not missing: there is nothing to replace.');
});

test('the program lists the heads on its standard output, and ends with 1 where the log was changed', async () => {
  await fill(10);
  await (await openProduct(database.url, { headsFile: file('kept.ndjson') })).close();
  expect(await program('log', 'heads')).toEqual({ code: 0, out: readFileSync(file('kept.ndjson'), 'utf8') });
  await sql('delete from log.events where position = 4');
  expect(await program('log', 'verify')).toMatchObject({ code: 1, out: expect.stringContaining('was removed') });
});
