import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { checksState } from '../../../run/checks/schedule.ts';
import { clusterIn } from '../../../run/postgres/cluster.ts';
import { startPostgres } from '../../../run/postgres/server.ts';
import { readSettings } from '../../../run/settings.ts';
import { told } from '../../run/told.ts';
import { startMarktrail } from '../../support/marktrail.ts';
import { startedDataDir } from '../../support/started-data-dir.ts';

const PAGE = 8_192;

/** As a failing disk does it: some bytes in the middle of a page are others. */
const damage = (file: string, page: number): void => {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(64, 0xa5), 0, 64, page * PAGE + PAGE / 2);
  closeSync(opened);
};

test('damaged pages: a read model is rebuilt and an index made anew; of the log the lost events are named, in health and by a start', async () => {
  const dataDir = await startedDataDir({ demo: true });
  onTestFinished(() => dataDir.remove());
  const settings = readSettings({ DATA_DIR: dataDir.path });
  const running = async <Result>(work: (client: pg.Client, url: string) => Promise<Result>): Promise<Result> => {
    const server = await startPostgres({ directory: dataDir.path, durable: false });
    const client = new pg.Client({ connectionString: server.ownerUrl() });
    await client.connect();
    try {
      return await work(client, server.ownerUrl());
    } finally {
      await client.end();
      await server.stop();
    }
  };
  const check = () =>
    running(async (client, url) => {
      const { said, refused } = await told({ settings, url }, 'check', []);
      const students = await client.query(`select from read.students`);
      return { said: said.split('\n'), refused, students: students.rows.length };
    });
  const fileOf = (relation: string) =>
    running(async (client) => {
      const { rows } = await client.query<{ path: string }>(
        `select pg_relation_filepath(oid) as path from pg_class where oid::regclass::text ~ $1`,
        [`^${relation}$`],
      );
      return join(clusterIn(dataDir.path), rows[0]!.path);
    });
  const sound = await check();
  expect([sound.said, sound.refused]).toEqual([['What is stored is as it should be.'], undefined]);

  damage(await fileOf(String.raw`read\.students_v\d+`), 0);
  damage(await fileOf(String.raw`identity\.user_pkey`), 1);
  expect(await check()).toEqual({
    said: [
      expect.stringMatching(/^The read model roster had damaged pages, and was rebuilt from the log at .* UTC\.$/),
      expect.stringMatching(/^The index identity\.user_pkey was damaged, and was made anew at .* UTC\.$/),
      'What is stored is as it should be.',
    ],
    refused: undefined,
    students: sound.students,
  });

  const [first, last] = await running(async (client) => {
    await client.query(`insert into operations.backups (at, place, bytes, events) values ('2026-11-27T01:30Z', '/backups', 1, 1000000)`);
    const { rows } = await client.query<{ position: string }>(
      `select position from log.events where ctid >= '(3,0)' and ctid < '(5,0)' order by position`,
    );
    return [rows[0]!.position, rows.at(-1)!.position];
  });
  const log = await fileOf(String.raw`log\.events`);
  for (const page of [3, 4]) damage(log, page);
  const lost =
    `Pages 3 to 4 of log.events cannot be read, so the log lacks its events ${first} to ${last}. ` +
    'The backup of 2026-11-27 01:30 UTC would bring them back. Look at the disk, and restore the last backup: docs/operations.md, "Damage".';
  const found = await check();
  expect(found.said, found.refused).toContain(lost);
  expect(found.refused).toBe('What is stored is not as it should be: see above.');

  expect(await running(async (client) => checksState(client))).toContainEqual({ problem: lost });
  const marktrail = startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no' }, ['--without-apps']);
  expect(await marktrail.ended).toBe(1);
  expect(marktrail.output().trim()).toBe(
    'Marktrail did not start: the event log is damaged. ' +
      'For what is lost: npm run marktrail -- check. Then restore the last backup: docs/operations.md, "Damage".',
  );
});
