import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { History } from '../../../api/history/history.contract.ts';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { moment } from '../../support/as-of.ts';
import { answers, atWork } from '../../support/as-of-work.ts';
import { spawnEventStore } from '../../support/eventstoredb/spawned.ts';
import { random } from '../../support/random.ts';
import { openSchool } from '../../support/school.ts';

const directory = mkdtempSync(join(tmpdir(), 'marktrail-log-'));
const server = await spawnEventStore(directory);
const school = await openSchool({ asOfTerms: { keepMs: 0 }, store: async () => eventStoreDbStore({ url: server.url }) });
afterAll(async () => {
  await school?.close();
  await server?.kill();
  rmSync(directory, { recursive: true, force: true });
});

test('with the log on EventStoreDB, too, every question as of a moment is answered as it was then', async () => {
  const work = await atWork(school, random(3));
  for (let step = 0; step < 4; step++) await work();
  const [answered, at] = [await answers(school), await moment()];
  for (let step = 0; step < 4; step++) await work();
  expect(await answers(school, at)).toEqual(answered);
});

test('the index of a school’s events holds all of them, and no position leaves it', async () => {
  const { events } = await (await school.as('auditor')).ask<History>('history', { limit: 200 });
  const inLog: string[] = [];
  for await (const { id, stream } of school.backend.store.readAll('start')) if (stream.includes(school.schoolId)) inLog.push(id);
  expect(events.map(({ eventId }) => eventId)).toEqual(inLog.toReversed().slice(0, 200));
  expect(Object.keys(events[0] ?? {})).not.toContain('position');
});
