import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Status } from '../../api/contract/errors.ts';
import { noteFailure, failuresWithin } from '../../api/common/failures.ts';
import { asProblem } from '../../api/pipeline/as-problem.ts';
import { StoreUnavailable } from '../../events/store/port.ts';
import { diskState, roomIn, writingToDataDir } from '../../run/checks/disk.ts';
import { failedRequests } from '../../run/checks/failed-requests.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { query } from '../support/query.ts';
import { openSchool } from '../support/school.ts';

const room = { free: 52.14e9, total: 252e9, database: 31e6, isHere: true };

test('health says how much room there is, and before it is gone what then stops', async () => {
  const { databaseUrl, close } = await openSchool();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  onTestFinished(async () => void (await Promise.all([pool.end(), close()])));
  const { free, total, database, isHere } = await roomIn(pool, { dataDir: tmpdir(), databaseUrl });
  expect([free > 0, free < total, database > 1e6, isHere]).toEqual([true, true, true, false]);
  expect(diskState(room)).toEqual({ fact: '52.1 GB of 252.0 GB are free on the disk of DATA_DIR. The database takes 31 MB there.' });
  expect(diskState({ ...room, free: 0.9e9 }).problem).toBe(
    'The disk of DATA_DIR has 900 MB left: make room there. Once it is full, nothing can be stored, and no backup is made.',
  );
  expect(diskState({ ...room, free: 4e6, isHere: false }).problem).toBe(
    'The disk of DATA_DIR has 4 MB left: make room there. Once it is full, no head is kept, and no backup is made.',
  );
});

test('a database that takes nothing is behind no ok: whoever saves, health and Status name the full disk', async () => {
  const school = await openSchool();
  onTestFinished(() => school.close());
  const admin = await school.as('admin');
  await query(
    school.databaseUrl,
    `create function public.refuse_full() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
     create trigger refuse_full before insert on log.events execute function public.refuse_full();
     create trigger refuse_full before insert on operations.checks execute function public.refuse_full()`,
  );
  const { status, body } = await admin.command('RenameSchool', { name: 'Another' });
  expect([status, body.title]).toEqual([503, 'Nothing can be stored just now: the disk of the log is full. Try again in a moment.']);
  const { health } = (await (await admin.send('/api/status')).json()) as Status;
  expect(health.status).toBe('degraded');
  expect(health.problems).toEqual(['Nothing can be stored in the database: the disk of the database is full.']);
  expect(health.facts.join('\n')).toMatch(
    /^What requests failed with here in the last 10 minutes: .*Nothing can be stored just now: the disk of the log is full \(1\)/m,
  );
});

test('what cannot be read is not said to be what cannot be stored, nor a full disk to be out of reach', () => {
  const of = (code: string) => new StoreUnavailable('away', { cause: Object.assign(new pg.DatabaseError('', 0, 'error'), { code }) });
  const titles = [
    asProblem(of('08006')),
    asProblem(of('08006'), { storing: true }),
    asProblem(of('XX001').cause),
    asProblem(of('53100').cause, { storing: true }),
    asProblem(of('57P03').cause),
  ].map((problem) => (problem instanceof Error ? problem.message : problem));
  expect(titles).toEqual([
    'This cannot be answered just now: the log cannot be reached. Try again in a moment.',
    'Nothing can be stored just now: the log cannot be reached. Try again in a moment.',
    // An error of its own, with a number.
    '',
    'Nothing can be stored just now: the disk of the database is full. Try again in a moment.',
    'This cannot be answered just now: the database is starting or stopping. Try again in a moment.',
  ]);
});

test('failed requests are counted by kind for some minutes, and damage is a problem', () => {
  const at = Date.UTC(2040, 0, 1);
  const damage = Object.assign(new pg.DatabaseError('invalid page', 0, 'error'), { code: 'XX001' });
  noteFailure(damage, at);
  noteFailure(new Error('a slip'), at);
  noteFailure(new Error('another'), at + 60_000);
  expect(failedRequests(failuresWithin(10, at + 5 * 60_000))).toEqual({
    fact:
      'What requests failed with here in the last 10 minutes: The database is damaged (1); ' +
      'An unexpected error, which is in the error log (2).',
    problem: expect.stringMatching(/^Pages of the database are damaged: requests have failed at them\./),
  });
  expect(failedRequests(failuresWithin(10, at + 10.5 * 60_000)).problem).toBeUndefined();
  expect(failedRequests(failuresWithin(10, at + 12 * 60_000))).toEqual({
    fact: 'No request has failed here in the last 10 minutes.',
  });
});

test('DATA_DIR is written to for a look, and nothing stays of it', async () => {
  const { path: dataDir, remove } = temporaryDataDir();
  onTestFinished(remove);
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(dataDir), { code }));
  expect(await writingToDataDir({ dataDir })).toEqual({});
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await writingToDataDir({ dataDir: `${dataDir}/not-yet` })).toEqual({});
  expect(await writingToDataDir({ dataDir, writeFile: failing('ENOSPC') })).toEqual({
    problem: 'DATA_DIR cannot be written to (its disk is full), so no head is kept, and nobody can be forgotten.',
  });
});
