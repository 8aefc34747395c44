import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMarktrail, temporaryDataDir, type StartedMarktrail } from '../../support/marktrail.ts';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.ts';
import { spawnEventStore, type SpawnedEventStore } from '../../support/eventstoredb/spawned.ts';
import { until } from '../../support/until.ts';
import { DemoSchool } from '../../faults/demo-school.ts';

/** The shape of compose.yaml as processes: the log on an EventStoreDB, two that answer, one that projects and one that stands by. */
const dataDir = temporaryDataDir();
const all: StartedMarktrail[] = [];
let database: TestDatabase;
let server: SpawnedEventStore;

beforeAll(async () => {
  database = await emptyDatabase();
  server = await spawnEventStore(dataDir.path);
});
afterAll(async () => {
  for (const { process } of all) process.kill('SIGKILL');
  await Promise.all(all.map(({ ended }) => ended));
  await server.kill();
  await database.drop();
  dataDir.remove();
});

const start = (ROLE: 'api' | 'projector', DEMO = 'no'): StartedMarktrail => {
  const settings = { ROLE, DEMO, DATABASE_URL: database.url, EVENTSTORE_URL: server.url, DATA_DIR: dataDir.path };
  const marktrail = startMarktrail(settings, ['--without-apps']);
  all.push(marktrail);
  return marktrail;
};
const reading = async ({ ready }: StartedMarktrail): Promise<string> => {
  const health = (await (await fetch(`${await ready}/api/health`)).json()) as { reading: { state: string } };
  return health.reading.state;
};
const kill = async ({ process, ended }: StartedMarktrail) => {
  process.kill('SIGKILL');
  await ended;
};

test('all at once on an empty database; then the projector that works dies, and after it one of those that answer', async () => {
  const projectors = [start('projector'), start('projector')];
  const [one, other] = [start('api', 'yes'), start('api')];
  const school = await DemoSchool.signIn(await one.ready);
  const first = school.upload('totals');
  const { position } = await school.done(await one.ready, first);
  await school.shown(await other.ready, position);

  let states: string[] = [];
  const looked = async () => (states = await Promise.all(projectors.map(reading))).toSorted();
  await expect.poll(looked).toEqual(['live', 'standing by']);
  await kill(projectors[states.indexOf('live')]!);
  const second = await school.done(await other.ready, school.upload('marks'));
  await school.shown(await one.ready, second.position);
  await until(async () => (await reading(projectors[states.indexOf('standing by')]!)) === 'live');

  await kill(one);
  // The log-in holds at the other one, and so does what was answered.
  expect((await school.done(await other.ready, first)).position).toBe(position);
  const third = await school.done(await other.ready, school.upload('totals'));
  await school.shown(await other.ready, third.position);
});
