import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import type { CommandAnswer } from '../../../api/contract/live.ts';
import type { Uploaded } from '../../../api/marks/upload/uploads.contract.ts';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { urlOfRunningServer } from '../../../run/postgres/server.ts';
import { spawnEventStore, type SpawnedEventStore } from '../../support/eventstoredb/spawned.ts';
import { MarksByFold } from '../../support/fold-check.ts';
import { buildSchoolWithoutPast, startMarktrail, temporaryDataDir, type StartedMarktrail } from '../../support/marktrail.ts';
import { rounds } from '../../support/rounds.ts';
import { DemoSchool, type Sendable } from '../../faults/demo-school.ts';
import { Dice, seed } from '../../faults/dice.ts';

const times = rounds(4);

const dataDir = temporaryDataDir();
const story: string[] = [];
let server: SpawnedEventStore;
let marktrail: StartedMarktrail;
let school: DemoSchool;
let fold: MarksByFold;

const start = () => startMarktrail({ DATA_DIR: `${dataDir.path}/marktrail`, EVENTSTORE_URL: server.url, DEMO: 'yes' }, ['--without-apps']);

const openFold = () =>
  MarksByFold.open({
    databaseUrl: urlOfRunningServer(`${dataDir.path}/marktrail`) ?? '',
    dataDir: `${dataDir.path}/marktrail`,
    store: eventStoreDbStore({ url: server.url }),
  });

beforeAll(async () => {
  server = await spawnEventStore(dataDir.path);
  await buildSchoolWithoutPast({ DATA_DIR: `${dataDir.path}/marktrail`, EVENTSTORE_URL: server.url });
  marktrail = start();
  school = await DemoSchool.signIn(await marktrail.ready);
});
afterAll(async () => {
  marktrail?.process.kill('SIGTERM');
  await marktrail?.ended;
  await server?.kill();
  dataDir.remove();
});
beforeEach(() => onTestFailed(() => console.error([`FAULT_SEED=${seed}`, ...story.slice(-3), marktrail.output()].join('\n'))));

/** What is done to it, and for how long it is away: milliseconds. */
const faults = {
  'the event store is killed': async (away: number) => {
    await server.kill();
    await pause(away);
    server = await spawnEventStore(dataDir.path, away / 3);
  },
  'the event store falls silent': async (away: number) => {
    server.pause();
    await pause(away);
    server.resume();
  },
  'every connection is cut': async () => server.cut(),
  'Marktrail is killed': async () => {
    marktrail.process.kill('SIGKILL');
    await marktrail.ended;
    marktrail = start();
    await marktrail.ready;
  },
};

test(`on an EventStoreDB disturbed ${times} times, uploads and typed marks are each there whole and once`, async () => {
  const dice = new Dice(seed);
  const counts: Record<string, number> = {};
  const first = school.upload('totals');
  await completed(first);
  fold = await openFold();
  const [someKeys = []] = [...(await fold.saves()).values()].map(({ keys }) => keys).filter(({ length }) => length > 100);
  const students = someKeys.map((key) => key.split(' ').at(-1) ?? '');
  await fold.close();

  for (let round = 0; round < times; round++) {
    const [fault, disturb] = Object.entries(faults)[round % 4] ?? ['', async () => undefined];
    const [moment, away] = [dice.between(0, 400), dice.between(0, 1_500)];
    story.push(`round ${round}: ${fault} after ${moment} ms, for ${away} ms`);
    const quarter = Math.floor(dice.between(0, 4));
    const upload = school.upload(dice.between(0, 1) < 0.5 ? 'totals' : 'marks', (row) => row % 4 === quarter);
    const typed = Array.from({ length: 4 }, (_, n) =>
      school.typed(students.slice(n * 5, n * 5 + 5).map((studentId) => ({ studentId, is: round % 20 }))),
    );
    const commands = [upload, ...typed];
    const answers = Promise.all([completed(upload), ...typed.map(completed)]);
    await pause(moment);
    await disturb(away);
    const positions = (await answers).map(({ position }) => position);
    const [uploaded] = await answers;
    counts[fault] = (counts[fault] ?? 0) + 1;

    // Asked again, each is answered as before.
    expect((await Promise.all(commands.map(completed))).map(({ position }) => position)).toEqual(positions);
    await Promise.all(positions.map(async (position) => school.shown(await marktrail.ready, position)));
    if (round % 4 !== 3 && round !== times - 1) continue;
    fold = await openFold();
    const saves = await fold.saves();
    // What was typed before may happen to be what the file says: it is confirmed.
    const { stored, confirmed } = uploaded.result;
    expect(stored + confirmed).toBe(upload.cells);
    expect(saves.get(upload.commandId)?.keys.length).toBe(upload.cells);
    expect(commands.map(({ commandId }) => saves.has(commandId))).toEqual(positions.map((position) => position !== null));
    expect(await fold.differences()).toEqual([]);
    if (round === times - 1) console.log(`${times} faults (FAULT_SEED=${seed}): ${JSON.stringify(counts)}; compared ${fold.figures}`);
    await fold.close();
  }
});

/** Sent until it is answered, as the apps do; from whichever Marktrail runs. */
async function completed(command: Sendable): Promise<CommandAnswer<Uploaded>> {
  for (;;) {
    try {
      return await school.done(await marktrail.ready, command);
    } catch (error) {
      // The server died under it.
      if (!(error instanceof TypeError)) throw error;
      await pause(50);
    }
  }
}
