/** (h) Two projectors; the active one is killed, or stopped: the time until the other has applied a new event. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { EventStore } from '../events/store/port.ts';
import { postgresStore } from '../events/store/postgres.ts';
import { type Figure, plain } from './figures.ts';
import { loadLog } from './history/load.ts';
import { Marks } from './history/marks.ts';
import { papersOf, schoolOf } from './history/school.ts';
import { type Server, startProduct } from './processes.ts';

export const takeOverFigures = async (databaseUrl: string, dataDir: string, { rounds }: { readonly rounds: number }): Promise<Figure[]> => {
  const school = schoolOf(1, 1);
  await loadLog(databaseUrl, dataDir, [...papersOf(school), ...new Marks(school, 1).year()]);
  const store = postgresStore({ connectionString: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const start = (): Promise<Server> => startProduct(databaseUrl, dataDir, { role: 'projector' });
  let [working, standingBy] = [await start(), await start()];
  try {
    const longest = async (end: (one: Server) => void | Promise<void>): Promise<number> => {
      let seconds = 0;
      for (let round = 0; round < rounds; round++) {
        await untilShown(client, await newTest(store, school.schoolId));
        await end(working);
        const endedAt = performance.now();
        await untilShown(client, await newTest(store, school.schoolId));
        seconds = Math.max(seconds, (performance.now() - endedAt) / 1000);
        working = standingBy;
        standingBy = await start();
      }
      return seconds;
    };
    return [
      plain(`take-over of a killed projector, s, the longest of ${rounds}`, await longest((one) => one.kill()), { is: '<=', than: 5 }),
      plain(`the same of one that has been stopped`, await longest((one) => one.stop()), { is: '<=', than: 2 }),
    ];
  } finally {
    await working.stop();
    await standingBy.stop();
    await client.end();
    await store.close();
  }
};

/** @returns its id */
const newTest = async (store: EventStore, schoolId: string): Promise<string> => {
  const [testId, commandId] = [randomUUID(), randomUUID()];
  const metadata = {
    commandId,
    correlationId: commandId,
    causationId: commandId,
    bodyTag: 'A',
    schoolId,
    schemaVersion: 1,
    actor: { accountId: schoolId, role: 'system', right: { by: 'role' } },
    at: new Date().toISOString(),
  };
  const data = { subjectId: randomUUID(), name: 'Test' };
  const event = { id: randomUUID(), type: 'AssessmentCreated', data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  await store.append(`assessment-${schoolId}.${testId}`, [event], 'none');
  return testId;
};

const untilShown = async (client: pg.Client, testId: string): Promise<void> => {
  for (const giveUpAt = performance.now() + 60_000; performance.now() < giveUpAt; await pause(10)) {
    const { rowCount } = await client.query('select from read.tests where test_id = $1', [testId]);
    if (rowCount === 1) return;
  }
  throw new Error('nobody has taken over for a minute');
};
