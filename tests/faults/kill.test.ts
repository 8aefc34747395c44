import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFailed, test, vi } from 'vitest';
import { startPostgres, urlOfRunningServer, type PostgresServer } from '../../run/postgres/server.ts';
import { MarksByFold } from '../support/fold-check.ts';
import { startMarktrail, temporaryDataDir, type StartedMarktrail } from '../support/marktrail.ts';
import { DemoSchool, type Upload } from './demo-school.ts';
import { Dice, seed } from './dice.ts';

/**
 * The server is killed again and again while real files are uploaded. FAULT_ROUNDS: how often; `npm run faults` does 50.
 *
 * Most rounds kill the server only and leave it a database of the test's own, because that starts sooner. Some start it as a user does,
 * with its embedded database, which a killed server leaves running; and some kill that as well, which takes the last moments of the read
 * models back, but nothing of the log.
 */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 8);
type Fault = 'server' | 'server, its database goes on' | 'server and database';
const faults: readonly (readonly [weight: number, fault: Fault])[] = [
  [8, 'server'],
  [1, 'server, its database goes on'],
  [1, 'server and database'],
];

const dataDir = temporaryDataDir();
let own: PostgresServer | undefined;
let marktrail: StartedMarktrail | undefined;
let school: DemoSchool;
/** How often each file was uploaded: every turn has other values. */
const turns = { totals: 0, marks: 0 };

beforeAll(async () => {
  school = await DemoSchool.signIn(await start('server'));
});

afterAll(async () => {
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
  await own?.stop();
  // What the last killed server left is ended by who takes its place.
  await (await startPostgres({ directory: dataDir.path })).stop();
  dataDir.remove();
});

test(
  `killed at ${rounds} random points, an upload is there whole or not at all, and a repeated request completes it once`,
  async () => {
    onTestFailed(() => console.error(`FAULT_SEED=${seed}\n${lastRounds.slice(-3).join('\n')}\n${marktrail?.output()}`));
    const lastRounds: string[] = [];
    const outcomes = { 'not written': 0, 'written, not answered': 0, answered: 0 };
    const dice = new Dice(seed);
    const usual = { totals: await timeOf('totals'), marks: await timeOf('marks') };
    let stands = { totals: school.upload('totals', 1).sums, marks: school.upload('marks', 1).sums };

    for (let round = 1; round <= rounds; round++) {
      const fault = dice.pick(faults);
      const address = await running(fault);
      const uploads = dice
        .pick<readonly Upload['kind'][]>([
          [4, ['totals']],
          [4, ['marks']],
          [2, ['totals', 'marks']],
        ])
        .map((kind) => school.upload(kind, ++turns[kind]));
      const span = Math.max(...uploads.map(({ kind }) => usual[kind]));
      const moment = dice.pick<Moment>([
        [1, span * dice.between(-0.1, 0.1)],
        [5, span * dice.between(0.1, 1)],
        [2, span * dice.between(0.8, 1.4)],
        [1, 'being written'],
        [1, 'written'],
      ]);
      lastRounds.push(`round ${round}: ${uploads.map(({ kind }) => kind).join(' and ')}; kill the ${fault} at ${moment} of ${span} ms`);

      const answers = await killedAt(moment, fault, (delay) => uploads.map((upload) => answerOf(address, upload, delay)));
      const answered = await Promise.all(answers);

      const again = await start(fault);
      await withFold(async (fold, query) => {
        const saves = await fold.saves();
        const now = await sumsIn(query);
        for (const [n, upload] of uploads.entries()) {
          const events = await eventsOf(query, upload);
          if (answered[n]) {
            outcomes.answered++;
            expect(events).toEqual([answered[n].position]);
          } else {
            outcomes[events.length === 0 ? 'not written' : 'written, not answered']++;
            expect(events.length).toBeLessThan(2);
          }
          if (events.length > 0) expect(saves.get(upload.commandId)?.keys).toHaveLength(upload.cells);
          expect(now[upload.kind]).toEqual(events.length > 0 ? upload.sums : stands[upload.kind]);
        }

        for (const [n, upload] of uploads.entries()) {
          const [one, other] = await Promise.all([school.done(again, upload), school.done(again, upload)]);
          expect(other).toEqual(one);
          if (answered[n]) expect(one).toEqual(answered[n]);
          expect(one.result).toMatchObject({ commandId: upload.commandId, stored: upload.cells, unchanged: 0, unmatched: [] });
          expect(await eventsOf(query, upload)).toEqual([one.position]);
          await school.shown(again, one.position);
          stands = { ...stands, [upload.kind]: upload.sums };
        }
        expect(await sumsIn(query)).toEqual(stands);
        if (round % 10 === 0 || round === rounds) expect(await fold.differences()).toEqual([]);
        if (round === rounds) console.log(`${rounds} kills (FAULT_SEED=${seed}): ${JSON.stringify(outcomes)}; compared ${fold.figures}`);
      });
    }
  },
  60_000 + rounds * 15_000,
);

/**
 * Milliseconds after sending (below 0: before it); or as soon as the log tells that it has grown; or while the database works on the
 * append, which then outlives its server.
 */
type Moment = number | 'being written' | 'written';

async function killedAt<Answer>(moment: Moment, fault: Fault, send: (delay: number) => Promise<Answer>[]): Promise<Promise<Answer>[]> {
  if (typeof moment === 'number') {
    const answers = send(Math.max(0, -moment));
    await pause(Math.max(0, moment));
    await kill(fault);
    return answers;
  }
  const client = new pg.Client({ connectionString: urlOfRunningServer(dataDir.path) });
  client.on('error', () => undefined);
  await client.connect();
  const told = new Promise((resolve) => client.once('notification', resolve));
  await client.query(moment === 'written' ? 'listen marktrail_log' : `select pg_advisory_lock(${LOCK_OF_THE_LOG})`);
  const answers = send(0);
  await (moment === 'written' ? told : appendsWaiting((sql, values) => client.query(sql, values ? [...values] : []), 1));
  await kill(fault);
  await client.end().catch(() => undefined);
  return answers;
}

/** Of log.append in postgres.sql: held by somebody else, every append waits. */
const LOCK_OF_THE_LOG = 1_835_102_827;

async function appendsWaiting(query: Query, count: number): Promise<void> {
  const waiting = async () =>
    (await query(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [LOCK_OF_THE_LOG])).rowCount;
  await vi.waitUntil(async () => (await waiting()) === count, { timeout: 20_000, interval: 20 });
}

/** Milliseconds from sending to showing, undisturbed. */
async function timeOf(kind: Upload['kind']): Promise<number> {
  const address = await running('server');
  const upload = school.upload(kind, ++turns[kind]);
  const begin = performance.now();
  const { position } = await school.done(address, upload);
  await school.shown(address, position);
  return performance.now() - begin;
}

const answerOf = async (address: string, upload: Upload, delay: number) => {
  if (delay > 0) await pause(delay);
  return school.done(address, upload).catch(() => undefined);
};

let runs: Fault | undefined;

/** The address of a server that stands on the database that the fault needs. */
async function running(fault: Fault): Promise<string> {
  if (marktrail && (runs === 'server') === (fault === 'server')) return marktrail.ready;
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
  return start(fault);
}

test('an append that the database still works on when its server dies is written once, though another server is asked again meanwhile', async () => {
  const address = await running('server');
  const other = launch();
  const otherAddress = await other.ready;
  try {
    const upload = school.upload('totals', ++turns.totals);
    await withFold(async (fold, query) => {
      await query('select pg_advisory_lock($1)', [LOCK_OF_THE_LOG]);
      const answer = answerOf(address, upload, 0);
      await appendsWaiting(query, 1);
      await kill('server');
      expect(await answer).toBeUndefined();
      expect(await eventsOf(query, upload)).toEqual([]);

      const repeated = school.done(otherAddress, upload);
      await appendsWaiting(query, 2);
      await query('select pg_advisory_unlock($1)', [LOCK_OF_THE_LOG]);
      const { position, result } = await repeated;
      expect(result.stored).toBe(upload.cells);
      expect(await eventsOf(query, upload)).toEqual([position]);
      await school.shown(otherAddress, position);
      expect(await fold.differences()).toEqual([]);
    });
  } finally {
    other.process.kill('SIGTERM');
    await other.ended;
  }
});

async function start(fault: Fault): Promise<string> {
  runs = fault;
  if (fault === 'server') own ??= await startPostgres({ directory: dataDir.path });
  else {
    await own?.stop();
    own = undefined;
  }
  marktrail = launch();
  return marktrail.ready;
}

const launch = () =>
  startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'yes', ...(own ? { DATABASE_URL: own.ownerUrl() } : {}) }, ['--without-apps']);

async function kill(fault: Fault): Promise<void> {
  if (fault === 'server and database') process.kill(databaseProcess(), 'SIGKILL');
  marktrail?.process.kill('SIGKILL');
  await marktrail?.ended;
}

const databaseProcess = () => Number(readFileSync(join(dataDir.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

type Query = (sql: string, values?: readonly unknown[]) => Promise<pg.QueryResult>;

async function withFold(work: (fold: MarksByFold, query: Query) => Promise<void>): Promise<void> {
  const databaseUrl = urlOfRunningServer(dataDir.path) ?? '';
  const fold = await MarksByFold.open({ databaseUrl, dataDir: dataDir.path });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(fold, (sql, values) => client.query(sql, values ? [...values] : []));
  } finally {
    await client.end();
    await fold.close();
  }
}

/** Where in the log the events of the upload's command stand. */
const eventsOf = async (query: Query, { commandId }: Upload): Promise<string[]> =>
  (await query(`select position from log.events where metadata ->> 'commandId' = $1`, [commandId])).rows.map(({ position }) => position);

/** What the markbook holds of each student who has marks in the examination, by StudentID. */
const sumsIn = async (query: Query): Promise<Record<Upload['kind'], Map<string, number>>> => {
  const { rows } = await query(`
    select s.admission_no as "who", m.total, m.marks_count, m.marks_sum
      from read.markbook m join read.students s using (school_id, student_id)`);
  return {
    totals: new Map(rows.filter(({ total }) => total !== null).map(({ who, total }) => [who, total])),
    marks: new Map(rows.filter(({ marks_count }) => marks_count > 0).map(({ who, marks_sum }) => [who, marks_sum])),
  };
};
