import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFailed, test } from 'vitest';
import { startPostgres, urlOfRunningServer } from '../../../run/postgres/server.ts';
import { people } from '../../../run/demo/people.ts';
import { MarksByFold } from '../../support/fold-check.ts';
import { startMarktrail, temporaryDataDir, type StartedMarktrail } from '../../support/marktrail.ts';
import { rounds } from '../../support/rounds.ts';
import { until } from '../../support/until.ts';
import { signIn } from '../../faults/demo-school.ts';
import { Dice, seed } from '../../faults/dice.ts';

/** How often each start is killed. */
const kills = Math.min(rounds(2), 8);

let dataDir: ReturnType<typeof temporaryDataDir>;
let marktrail: StartedMarktrail | undefined;

beforeEach(() => {
  dataDir = temporaryDataDir();
});
afterEach(async () => {
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
  await (await startPostgres({ directory: dataDir.path })).stop();
  dataDir.remove();
});

const launch = (): StartedMarktrail => (marktrail = startMarktrail({ DATA_DIR: dataDir.path }, ['--without-apps']));

const kill = async (): Promise<void> => {
  marktrail?.process.kill('SIGKILL');
  await marktrail?.ended;
};

test('a first start that is killed at any moment, and again and again while it builds the demo school, is finished by the next one, and nothing is listed twice', async () => {
  const dice = new Dice(seed);
  onTestFailed(() => console.error(`FAULT_SEED=${seed}\n${marktrail?.output()}`));
  for (let time = 0; time < kills; time++) {
    launch();
    await pause(dice.between(50, 2_500));
    await kill();
  }
  for (let time = 0; time < kills; time++) {
    const { ready } = launch();
    await Promise.race([untilTheLogGrowsBy(Math.floor(dice.between(1, 420 / kills))), ready]);
    await kill();
  }
  await theDemoSchoolIsWhole(await launch().ready);
});

async function theDemoSchoolIsWhole(address: string): Promise<void> {
  for (const who of Object.keys(people)) await signIn(address, `${who}@demo.example`);
  const databaseUrl = urlOfRunningServer(dataDir.path) ?? '';
  expect(
    await rows(
      databaseUrl,
      `
    select (select count(*) from read.students)::int as students,
           (select count(*) from read.subjects)::int as subjects,
           (select count(*) from read.sets join read.subjects using (school_id, subject_id)
             where subjects.name = 'Mathematics' and not sets.deleted)::int as sets,
           (select count(*) from read.accounts)::int as accounts,
           (select count(*) from identity."user")::int as identities,
           (select count(*) from read.markbook join read.tests using (school_id, test_id)
             where tests.name = 'Written examination' and total is not null)::int as totals`,
    ),
  ).toEqual([{ students: 729 + 180, subjects: 2, sets: 26, accounts: 24, identities: 24, totals: 729 }]);

  const fold = await MarksByFold.open({ databaseUrl, dataDir: dataDir.path });
  expect(await fold.differences()).toEqual([]);
  await fold.close();
}

/** From what it holds when the database first answers. */
const untilTheLogGrowsBy = async (events: number): Promise<void> => {
  let first: number | undefined;
  await until(async () => {
    const held = await eventsInLog();
    first ??= held;
    return held !== undefined && first !== undefined && held >= first + events;
  });
};

/** The database of a start that may be anywhere between nothing and ready. */
const eventsInLog = async (): Promise<number | undefined> => {
  const url = urlOfRunningServer(dataDir.path);
  const [found] = url === undefined ? [] : await rows(url, 'select count(*)::int as count from log.events').catch(() => []);
  return found && Number(found['count']);
};

async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
