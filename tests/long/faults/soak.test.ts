import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFailed, test } from 'vitest';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { postgresLog } from '../../store/logs/postgres.ts';
import { spawnEventStore } from '../../support/eventstoredb/spawned.ts';
import { limit } from '../../support/limits.ts';
import { temporaryDataDir } from '../../support/marktrail.ts';
import { rounds } from '../../support/rounds.ts';
import { Dice, seed } from '../../faults/dice.ts';
import { Account, Soak } from './soak.ts';

const events = rounds(3_000);
const patienceMs = limit.test + events * 10;
const WRITERS = 16;
const READERS = 6;

/** A log that is disturbed while it is written and read. */
type Disturbed = { join(): EventStore; disturb(how: Dice): Promise<string>; close(): Promise<void> };

const postgres = async (): Promise<Disturbed> => {
  const log = await postgresLog();
  return {
    join: () => log.join(),
    async disturb() {
      await log.cut();
      return 'every connection cut';
    },
    close: () => log.close(),
  };
};

const eventStoreDb = async (): Promise<Disturbed> => {
  const directory = temporaryDataDir();
  let server = await spawnEventStore(directory.path);
  const stores: EventStore[] = [];
  return {
    join() {
      const store = eventStoreDbStore({ url: server.url, timeoutMs: 5_000 });
      stores.push(store);
      return store;
    },
    async disturb(dice) {
      if (dice.between(0, 1) < 0.3) {
        server.pause();
        await pause(dice.between(100, 1_000));
        server.resume();
        return 'stopped for a while';
      }
      await server.kill();
      await pause(dice.between(0, 300));
      server = await spawnEventStore(directory.path, dice.between(0, 500));
      return 'killed and started again';
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await server.kill();
      directory.remove();
    },
  };
};

test.each([
  ['postgres', postgres],
  ['eventstoredb', eventStoreDb],
] as const)(
  `%s: ${WRITERS} writers, ${events} events, readers that come and go, and a log that is disturbed: no gap, no double, no disorder`,
  async (name, open) => {
    onTestFailed(() => console.error(`FAULT_SEED=${seed}`));
    const dice = new Dice(seed);
    const log = await open();
    try {
      await soaked(name, log, dice);
    } finally {
      await log.close();
    }
  },
);

async function soaked(name: string, log: Disturbed, dice: Dice): Promise<void> {
  const soak = new Soak(() => log.join(), dice);
  const share = (writer: number) => Math.floor(events / WRITERS) + (writer < events % WRITERS ? 1 : 0);
  const work = Promise.all([
    ...Array.from({ length: WRITERS }, (_, writer) => soak.write(writer, share(writer))),
    ...Array.from({ length: READERS }, () => soak.follow(events, patienceMs)),
  ]);
  let isOver = false;
  const over = work
    .finally(() => {
      isOver = true;
      soak.end();
    })
    .catch(() => undefined);
  const faults: Record<string, number> = {};
  // At shares of the writing, not of the time: a slow machine is not disturbed more.
  for (let next = events / 10; !isOver;) {
    await Promise.race([over, pause(10)]);
    if (soak.written < next) continue;
    if (soak.written >= events) break;
    const what = await log.disturb(dice);
    faults[what] = (faults[what] ?? 0) + 1;
    next = soak.written + Math.min(events / 3, 20_000) * dice.between(0.5, 1.5);
  }
  await work;

  const account = new Account();
  for await (const event of log.join().readAll('start')) account.take(event);
  expect(account.seen).toBe(events);
  expect(Object.keys(faults).length).toBeGreaterThan(0);
  console.log(`${name} (FAULT_SEED=${seed}): ${JSON.stringify({ events, ...faults, repeated: soak.repeated, dropped: soak.dropped })}`);
}
