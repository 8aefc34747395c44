import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrateLog, postgresStore } from '../../../events/store/postgres.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { readAccess } from '../../../run/postgres/cluster.ts';
import { runnerFor } from '../../../run/postgres/runner.ts';
import { startPostgres } from '../../../run/postgres/server.ts';
import { withClient } from '../../../run/with-client.ts';
import { limit } from '../../support/limits.ts';
import { marktrailCommand, startMarktrail, temporaryDataDir } from '../../support/marktrail.ts';
import { demoSchool, startedDataDir } from '../../support/started-data-dir.ts';
import { until } from '../../support/until.ts';
import { DemoSchool } from '../../faults/demo-school.ts';
import { Dice, seed } from '../../faults/dice.ts';
import { Account, Soak } from './soak.ts';

/** A file system of its own for the log, so small that it fills: that needs root, and a machine that lets it mount one. */
const mount = (path: string, options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status === 0;
const unmount = (path: string) => spawnSync('umount', ['-l', path]);

const canMount = (): boolean => {
  if (process.getuid?.() !== 0) return false;
  const directory = temporaryDataDir();
  const isMounted = mount(directory.path, 'size=1m');
  if (isMounted) unmount(directory.path);
  directory.remove();
  return isMounted;
};
const mayMount = canMount();

test.skipIf(!mayMount)(
  `${mayMount ? '' : 'NOT RUN, for want of the right to mount a file system: '}a disk that is full holds the writers up, and loses nothing; with room again they go on`,
  async () => {
    const EVENTS = 6_000;
    const WRITERS = 6;
    const dataDir = temporaryDataDir();
    const disk = pathOf(dataDir.path, 'small-disk');
    mkdirSync(disk);
    const owner = runnerFor([]).owner;
    const ownedBy = owner ? `,uid=${owner.uid},gid=${owner.gid},mode=700` : '';
    expect(mount(disk, `size=1m${ownedBy}`)).toBe(true);
    const database = await startPostgres({ directory: pathOf(dataDir.path, 'data'), durable: false });
    const stores: EventStore[] = [];
    const join = () => {
      const store = postgresStore({ connectionString: database.ownerUrl() });
      stores.push(store);
      return store;
    };
    const soak = new Soak(join, new Dice(seed));
    try {
      await moveLog(database.superuserUrl(), database.ownerUrl(), disk);
      const work = Promise.all([
        ...Array.from({ length: WRITERS }, (_, writer) => soak.write(writer, EVENTS / WRITERS)),
        soak.follow(EVENTS, limit.test),
      ]);
      const failed = work.then(
        () => new Error('the disk was never full'),
        (error: unknown) => error,
      );
      await Promise.race([until(() => soak.repeated > 20), failed.then((error) => Promise.reject(error))]);
      const stoodAt = soak.written;
      expect(stoodAt).toBeLessThan(EVENTS);
      // What was written can be read while nothing can be added.
      const before = new Account();
      for await (const event of join().readAll('start')) before.take(event);
      expect(before.seen).toBeGreaterThanOrEqual(stoodAt);

      expect(mount(disk, `remount,size=64m${ownedBy}`)).toBe(true);
      await work;
      const after = new Account();
      for await (const event of join().readAll('start')) after.take(event);
      expect(after.seen).toBe(EVENTS);
    } finally {
      soak.end();
      await Promise.all(stores.map((store) => store.close()));
      await database.stop();
      unmount(disk);
      rmSync(disk, { recursive: true, force: true });
      dataDir.remove();
    }
  },
);

test.skipIf(!mayMount)(
  `${mayMount ? '' : 'NOT RUN, for want of the right to mount a file system: '}a full disk below DATA_DIR is named to whoever saves and in health; with room again all goes on by itself`,
  async () => {
    const made = await startedDataDir({ demo: true });
    const place = temporaryDataDir();
    expect(mount(place.path, 'size=600m,mode=711')).toBe(true);
    execFileSync('cp', ['-a', `${made.path}/.`, place.path]);
    const marktrail = startMarktrail({ DATA_DIR: place.path, DEMO: 'yes' }, ['--without-apps']);
    try {
      const address = await marktrail.ready;
      const school = await DemoSchool.signIn(address);
      const health = async () => (await (await fetch(`${address}/api/health`)).json()) as { status: string; problems: string[] };
      const filler = pathOf(place.path, 'filler');
      // Not in a call that waits: what the server closes meanwhile would be written to.
      await promisify(execFile)('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']).catch(() => undefined);

      const upload = school.upload('marks');
      const refused = await school.send(address, upload);
      expect([refused.status, ((await refused.json()) as { title: string }).title]).toEqual([
        503,
        'Nothing can be stored just now: the disk of the log is full. Try again in a moment.',
      ]);
      const done = school.done(address, upload);
      await until(async () =>
        (await health()).problems.some((problem) => /^DATA_DIR cannot be written to \(its disk is full\)/.test(problem)),
      );
      expect((await health()).status).not.toBe('ok');
      // PostgreSQL gives up where its write-ahead log finds no room, and is started again and again until there is.
      const { port, superuserPassword } = readAccess(place.path)!;
      const superuser = `postgres://postgres:${superuserPassword}@127.0.0.1:${port}/postgres`;
      await until(async () => {
        await withClient(superuser, (client) => client.query(NEXT_FILE)).catch(() => undefined);
        return marktrail.output().includes('is started again');
      });

      rmSync(filler);
      const { result } = await done;
      expect(result.stored).toBe(upload.cells);
      await until(async () => (await health()).problems.every((problem) => /^The disk of DATA_DIR has/.test(problem)));
    } finally {
      marktrail.process.kill('SIGTERM');
      await marktrail.ended;
      unmount(place.path);
      for (const one of [made, place]) one.remove();
    }
  },
);

test.skipIf(!mayMount)(
  `${mayMount ? '' : 'NOT RUN, for want of the right to mount a file system: '}a restore that finds no more room is one line and leaves nothing that starts; with room the same restore makes it whole`,
  async () => {
    const { dataDir, database } = await demoSchool();
    const place = temporaryDataDir();
    const backup = pathOf(dataDir.path, 'demo.backup');
    await marktrailCommand({ DATA_DIR: dataDir.path, DATABASE_URL: database.url, BACKUP_PASSPHRASE }, 'backup', backup);
    const sizes = (megabytes: number) => `size=${megabytes}m,mode=711`;
    expect(mount(place.path, sizes(600))).toBe(true);
    const command = (...words: string[]) => marktrailCommand({ DATA_DIR: place.path, BACKUP_PASSPHRASE }, ...words);
    try {
      // With room in its write-ahead log, without which PostgreSQL itself gives up.
      const server = await startPostgres({ directory: place.path });
      await withClient(server.superuserUrl(), async (client) => {
        for (let n = 0; n < 5; n++) await client.query(NEXT_FILE);
        await client.query('checkpoint');
      });
      await server.stop();
      const filler = pathOf(place.path, 'filler');
      const { bavail, bsize } = statfsSync(place.path);
      spawnSync('fallocate', ['-l', String(bavail * bsize - 4_000_000), filler]);
      const said = async (work: Promise<string>) => work.catch(({ stderr }: { stderr: string }) => stderr);
      expect(await said(command('restore', backup))).toMatch(/^The disk of the database is full \([^\n]*\n$/);
      rmSync(filler);
      expect(await said(command('log', 'heads'))).toMatch(/^A restore was not finished here[^\n]*\n$/);
      expect(await command('restore', backup)).toContain(' 0 differences.');
    } finally {
      unmount(place.path);
      await database.drop();
      for (const one of [dataDir, place]) one.remove();
    }
  },
);

/** Of the write-ahead log. */
const NEXT_FILE = `select pg_logical_emit_message(false, '', ''), pg_switch_wal()`;

const BACKUP_PASSPHRASE = 'correct horse battery';

/** Makes the log on the small disk: the table, and what finds its rows. */
async function moveLog(superuserUrl: string, ownerUrl: string, disk: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  await superuser.query(`create tablespace small location '${disk}'`);
  await superuser.query('grant create on tablespace small to marktrail');
  await superuser.end();
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('set default_tablespace = small');
  await migrateLog(owner);
  const { rows } = await owner.query("select from pg_tables where schemaname = 'log' and tablename = 'events' and tablespace = 'small'");
  expect(rows).toHaveLength(1);
  await owner.end();
}
