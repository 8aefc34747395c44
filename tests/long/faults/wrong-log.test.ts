import { tmpdir } from 'node:os';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { CircuitBreaker } from '../../../events/store/circuit-breaker.ts';
import { eventStoreDbStore } from '../../../events/store/eventstoredb.ts';
import { identityOf } from '../../../events/store/identity.ts';
import { WrongLog, type EventStore } from '../../../events/store/port.ts';
import { postgresStore } from '../../../events/store/postgres.ts';
import { healthCheck } from '../../../run/health.ts';
import { maySetUpDemo } from '../../../run/demo/demo.ts';
import { acceptOrigin, logOrigin } from '../../../run/log/log-origin.ts';
import { all, failure, nextBatch } from '../../store/seen.ts';
import { startEventStore, type EventStoreServer } from '../../support/eventstoredb/server.ts';
import { spawnEventStore } from '../../support/eventstoredb/spawned.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { testDatabase } from '../../support/postgres.ts';
import { openSchool } from '../../support/school.ts';
import {
  atEnd,
  goesOn,
  isNotFollowed,
  isOk,
  running,
  servesWhatItHad,
  shown,
  tampered,
  typed,
  type Running,
} from '../../faults/wrong-log.ts';
import { Wire } from '../../faults/wire.ts';

describe('an EventStoreDB that is emptied', () => {
  let server: EventStoreServer;
  let empty: EventStoreServer;
  const emptied = async (): Promise<Running & { before: unknown; id: string; eventStoreUrl: string }> => {
    server = await startEventStore();
    atEnd.push(() => server.stop());
    const eventStoreUrl = server.url;
    const all = await running({ eventStoreUrl });
    const before = (await shown(all.teacher, all.school)).body;
    const id = (await identityOf(all.school.backend.store)) ?? '';
    await server.stop();
    empty = await startEventStore({ port: Number(new URL(eventStoreUrl.replace('esdb:', 'http:')).port) });
    atEnd.push(() => empty.stop());
    return { ...all, before, id, eventStoreUrl };
  };

  test('is not followed: what was known is served, nothing is written, and all goes on when the right one is back', async () => {
    const { before, id, ...all } = await emptied();
    // Also those that are under way while it connects again: into an empty log they would fit.
    const early = Promise.all(Array.from({ length: 20 }, (_, n) => all.teacher.command('EnterMarks', typed(all.school, n % 5))));
    await servesWhatItHad(all, before, id, 'the log that answers is empty');
    expect((await early).map(({ status }) => status)).toEqual(Array(20).fill(503));
    // The server's own first event.
    expect(empty.size).toBe(1);
    await empty.stop();
    await server.restart();
    await goesOn(all);
    expect(all.told.filter((line) => line.includes('rebuilt'))).toEqual([]);
  });

  test('is followed once an operator has accepted it, and gets no demo school even then', async () => {
    const { id, before, eventStoreUrl, ...all } = await emptied();
    await servesWhatItHad(all, before, id, 'the log that answers is empty');
    const { databaseUrl, backend } = all.school;
    expect(await acceptOrigin({ eventStoreUrl }, databaseUrl, { by: 'Ada', reason: 'we begin again' })).toBe(true);
    await isOk(all.school);
    expect(all.told.join('\n')).toContain('The read model accounts is rebuilt: it had reached position');
    expect(await maySetUpDemo(backend)).toBe(false);
  });
});

const NEWEST_REMOVED = 'delete from log.events where position = (select max(position) from log.events)';

describe('a log in PostgreSQL', () => {
  test.each([
    ['dropped', 'drop schema log cascade', 'its tables are gone'],
    ['set back by one event', NEWEST_REMOVED, 'does not have the newest event known here'],
  ])('that is %s is not followed until it is back', (_how, change, what) => isNotFollowed(change, what));

  test('that is set back is followed once it is accepted: read models hold what it holds', async () => {
    const { before, id, sql: _, ...all } = await tampered(NEWEST_REMOVED);
    await servesWhatItHad(all, before, id, 'does not have the newest event known here');
    const act = { by: 'Ada', reason: 'backup of Friday' };
    expect(await acceptOrigin({ eventStoreUrl: undefined }, all.school.databaseUrl, act)).toBe(true);
    await isOk(all.school);
    await expect.poll(async () => (await shown(all.teacher, all.school)).body).not.toEqual(before);
    await goesOn(all);
  });
});

/** Its connections stay open, and nothing is answered: as a stopped process, or one with too much to do. */
type Silenced = { readonly store: EventStore; readonly silence: () => void; readonly speak: () => void };

const emptyPostgres = async (): Promise<Silenced> => {
  const database = await testDatabase();
  atEnd.push(() => database.drop());
  const wire = await Wire.to(database.url);
  atEnd.push(async () => wire.close());
  const store = postgresStore({ connectionString: wire.url });
  return { store, silence: () => wire.silence(), speak: () => wire.speak() };
};

const emptyEventStore = async (): Promise<Silenced> => {
  const directory = scratchDirectory();
  atEnd.push(async () => rmSync(directory, { recursive: true, force: true }));
  const server = await spawnEventStore(directory);
  atEnd.push(() => server.kill());
  return { store: eventStoreDbStore({ url: server.url }), silence: () => server.pause(), speak: () => server.resume() };
};

test.each([
  ['in PostgreSQL', emptyPostgres],
  ['in an EventStoreDB', emptyEventStore],
])(
  'an empty log %s that falls silent is no log that is merely away: it stays the wrong one until the right one answers',
  async (_where, open) => {
    const school = await openSchool();
    atEnd.push(() => school.close());
    const pool = new pg.Pool({ connectionString: school.databaseUrl });
    atEnd.push(() => pool.end());
    const { store, silence, speak } = await open();
    const origin = logOrigin({ sql: pool, place: 'there' });
    let probes = 0;
    const guarded = new CircuitBreaker(store, {
      ...origin,
      recognise: (log) => {
        probes += 1;
        return origin.recognise(log);
      },
    });
    atEnd.push(() => guarded.close());
    const health = healthCheck({ pool, store: guarded, projections: [], dataDir: tmpdir(), databaseUrl: '', tell: () => undefined });
    const isRefused = async (): Promise<void> => {
      expect(await health()).toMatchObject({
        status: 'down',
        database: true,
        problems: expect.arrayContaining([expect.stringContaining('This is not the log that belongs here')]),
      });
      for (const use of [guarded.head(), all(guarded.readAll('start')), nextBatch(guarded, 'start')])
        expect(await failure(use)).toBeInstanceOf(WrongLog);
    };

    expect(await failure(guarded.recognise())).toBeInstanceOf(WrongLog);
    await isRefused();
    silence();
    // One probe may have been under way; the next one has ended without an answer when there is another one.
    const before = probes;
    await expect.poll(() => probes).toBeGreaterThan(before + 1);
    await isRefused();

    speak();
    for await (const event of school.backend.store.readAll('start'))
      await store.append(event.stream, [event], event.revision === 0n ? 'none' : event.revision - 1n);
    await expect.poll(async () => guarded.trouble()).toBe(undefined);
    expect(await identityOf(guarded)).toBe(await identityOf(school.backend.store));
  },
);
