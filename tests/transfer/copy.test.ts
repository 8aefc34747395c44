import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryStore } from '../support/memory-store.ts';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import { OutcomeUnknown, StoreUnavailable, type EventStore } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { copyLog } from '../../events/transfer/copy.ts';
import { fileSource, fileTarget, streamTarget } from '../../events/transfer/file.ts';
import type { LogTarget } from '../../events/transfer/log.ts';
import { postgresLog } from '../../events/transfer/postgres.ts';
import { storeLog } from '../../events/transfer/store.ts';
import { forTheUser } from '../../run/log/transfer.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { testDatabase, type TestDatabase } from '../support/postgres.ts';
import { contents, filled, school } from './logs.ts';

let database: TestDatabase;
let directory: string;
let path: string;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), 'marktrail-transfer-'));
  path = join(directory, 'log.ndjson');
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await database.drop();
  await rm(directory, { recursive: true });
});

const open = <T extends LogTarget>(log: T): T => {
  closing.unshift(async () => log.close?.());
  return log;
};
const inPostgres = () => open(postgresLog(database.url, 'the database'));
const inMemory = (store: EventStore = memoryStore()) => storeLog(store, 'the memory');
const sql = async (statement: string) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};

describe('a copy', () => {
  test('goes through every kind of place and is the same log: order, streams, revisions, ids and bytes', async () => {
    const original = inMemory(await filled(2500));
    const copied = await copyLog(original, inPostgres());
    expect(copied).toMatchObject({ events: 2500, written: 2500 });
    expect((await copyLog(inPostgres(), open(fileTarget(path)))).root).toBe(copied.root);
    const other = inMemory();
    expect((await copyLog(fileSource(path), other)).root).toBe(copied.root);

    const events = await contents(original);
    expect(await contents(inPostgres())).toEqual(events);
    expect(await contents(fileSource(path))).toEqual(events);
    expect(await contents(other)).toEqual(events);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('goes to an EventStoreDB and back, and from there the product goes on', async () => {
    const server = await startEventStore();
    closing.push(() => server.stop());
    const inEventStore = () => open(storeLog(eventStoreDbStore({ url: server.url }), 'the event store'));
    const original = inMemory(await filled(600));
    const { root } = await copyLog(original, inEventStore());
    expect(await contents(inEventStore())).toEqual(await contents(original));
    expect(await copyLog(inEventStore(), inPostgres())).toMatchObject({ events: 600, root });
    expect(await contents(inPostgres())).toEqual(await contents(original));
  });

  test('into an EventStoreDB whose connections break goes on when it is asked again, and nothing stands there twice', async () => {
    const server = await startEventStore();
    closing.push(() => server.stop());
    const source = inMemory(await filled(300));
    const inEventStore = () => open(storeLog(eventStoreDbStore({ url: server.url, timeoutMs: 2000 }), 'the event store'));
    let interruptions = 0;
    for (let done = false; !done;) {
      const target = inEventStore();
      const broken: LogTarget = {
        ...target,
        async append(events, after) {
          if (interruptions < 3) setImmediate(() => server.cut());
          await target.append(events, after);
        },
      };
      done = await copyLog(source, broken).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
          return false;
        },
      );
      interruptions += 1;
    }
    expect(await contents(inEventStore())).toEqual(await contents(source));
  });

  test('into an EventStoreDB that takes less in one append goes in smaller ones; what one event needs it must take', async () => {
    const server = await startEventStore();
    closing.push(() => server.stop());
    server.faults.maxAppendSize = 60_000;
    const neighbours = memoryStore();
    const data = JSON.stringify('x'.repeat(25_000));
    await neighbours.append(
      'entry-s.1',
      Array.from({ length: 7 }, () => ({ id: crypto.randomUUID(), type: 'MarksTyped', data, metadata: '{}' })),
      'none',
    );
    const target = open(storeLog(eventStoreDbStore({ url: server.url }), 'the event store'));
    await copyLog(inMemory(neighbours), target);
    expect(await contents(target)).toEqual(await contents(inMemory(neighbours)));

    await neighbours.append(
      'entry-s.2',
      [{ id: crypto.randomUUID(), type: 'Large', data: `"${'x'.repeat(70_000)}"`, metadata: '{}' }],
      'none',
    );
    await expect(copyLog(inMemory(neighbours), target)).rejects.toThrow(/^the event store rejects Large .* above the limit of 60000/);
  });

  test('into an EventStoreDB that goes away says so once, and how to go on', async () => {
    const server = await startEventStore();
    const target = open(storeLog(eventStoreDbStore({ url: server.url, timeoutMs: 1_000 }), 'the event store'));
    await target.events()[Symbol.asyncIterator]().next();
    await server.stop();
    await expect(forTheUser(() => copyLog(inMemory(memoryStore()), target))).rejects.toThrow(
      /^127\.0\.0\.1:\d+ cannot be reached \([^()]*\)\. Run the same command again to resume\.$/,
    );
  });

  test('of an empty log is an empty log', async () => {
    expect(await copyLog(inMemory(), open(fileTarget(path)))).toMatchObject({ events: 0, lastId: null });
    expect(await copyLog(fileSource(path), inPostgres())).toMatchObject({ events: 0 });
  });

  test('leaves a log to which the product goes on appending', async () => {
    const store = await filled(50);
    await copyLog(inMemory(store), inPostgres());
    const target = postgresStore({ connectionString: database.url });
    closing.push(() => target.close());
    const [first] = await contents(inPostgres());
    const stream = first?.stream ?? '';
    const revision = (await contents(inPostgres())).filter((event) => event.stream === stream).length - 1;
    const more = [{ id: crypto.randomUUID(), type: 'MarksTyped', data: '{}', metadata: '{}' }];
    expect(await target.append(stream, more, BigInt(revision))).toEqual({ revision: BigInt(revision + 1), position: 51n });
  });

  test('done again writes nothing, and takes what has come since', async () => {
    const store = await filled(100);
    await copyLog(inMemory(store), inPostgres());
    expect(await copyLog(inMemory(store), inPostgres())).toMatchObject({ events: 100, written: 0 });
    await store.append(`entry-${school}.0`, [{ id: crypto.randomUUID(), type: 'Late', data: '{}', metadata: '{}' }], 'any');
    expect(await copyLog(inMemory(store), inPostgres())).toMatchObject({ events: 101, written: 1 });
  });

  test('holds events of a megabyte', async () => {
    const large = inMemory(await filled(12, 900_000));
    await copyLog(large, open(fileTarget(path)));
    await copyLog(fileSource(path), inPostgres());
    expect(await contents(inPostgres())).toEqual(await contents(large));
  });

  test('into a log that holds something else is refused in one line, and changes nothing', async () => {
    await copyLog(inMemory(await filled(20)), inPostgres());
    const before = await contents(inPostgres());
    await expect(copyLog(inMemory(await filled(30)), inPostgres())).rejects.toThrow(
      /^the database is not empty and differs from the memory: its event 1 is .* Nothing was changed\.$/,
    );
    const shorter = memoryStore();
    await copyLog(
      {
        name: 'a part',
        events: async function* () {
          yield before.slice(0, 5);
        },
      },
      inMemory(shorter),
    );
    await expect(copyLog(inMemory(shorter), inPostgres())).rejects.toThrow('it goes on after the 5 events there. Nothing was changed.');
    expect(await contents(inPostgres())).toEqual(before);
  });

  test('stops where somebody else writes to the target, and writes nothing behind them', async () => {
    const source = inMemory(await filled(4000));
    const target = inPostgres();
    const meddled: LogTarget = {
      ...target,
      async append(events, after) {
        await target.append(events, after);
        if (after === undefined)
          await sql(`insert into log.events select max(position) + 1, 'x', 0, gen_random_uuid(), 'X', '{}', '{}' from log.events`);
      },
    };
    await expect(copyLog(source, meddled)).rejects.toThrow('somebody else has written to the log');
  });

  test('sends an append again whose answer got lost, and it stands there once', async () => {
    const source = inMemory(await filled(40));
    const store = memoryStore();
    let lost = 0;
    const forgetful: EventStore = {
      ...store,
      async append(...args) {
        const result = await store.append(...args);
        if (++lost % 5 === 1) throw new OutcomeUnknown('the answer got lost');
        return result;
      },
    };
    await copyLog(source, inMemory(forgetful));
    expect(await contents(inMemory(store))).toEqual(await contents(source));
  });
});

describe('a copy that is interrupted goes on', () => {
  /** Dies at the n-th portion, before or after it is written. */
  const dying = (target: LogTarget, portion: number, written: boolean): LogTarget => {
    let count = 0;
    return {
      ...target,
      async append(events, after) {
        const last = count++ === portion;
        if (!last || written) await target.append(events, after);
        if (last) throw new Error('killed');
      },
    };
  };

  test.each([true, false])('in PostgreSQL, with the portion written: %s', async (written) => {
    const source = inMemory(await filled(6000));
    await expect(copyLog(source, dying(inPostgres(), 2, written))).rejects.toThrow('killed');
    expect(await copyLog(source, inPostgres())).toMatchObject({ events: 6000 });
    expect(await contents(inPostgres())).toEqual(await contents(source));
  });

  test('in a file, wherever its last line was cut, and the file is the same as if nothing had happened', async () => {
    const source = inMemory(await filled(30));
    await copyLog(source, open(fileTarget(path)));
    const whole = readFileSync(path);
    await rm(path);
    for (let length = 0; length <= whole.length; length += 997) {
      writeFileSync(`${path}.part`, whole.subarray(0, length));
      const target = fileTarget(path);
      await copyLog(source, target);
      await target.close?.();
      expect(readFileSync(path).equals(whole), `cut at ${length}`).toBe(true);
      await rm(path);
    }
    // Between closing line and renaming.
    writeFileSync(`${path}.part`, whole);
    await copyLog(source, open(fileTarget(path)));
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test('an export does not go on with the file of another log, nor over a finished one', async () => {
    const target = fileTarget(path);
    await expect(copyLog(inMemory(await filled(30)), dying(target, 0, true))).rejects.toThrow('killed');
    await target.close?.();
    const before = readFileSync(`${path}.part`, 'utf8');
    await expect(copyLog(inMemory(await filled(30)), open(fileTarget(path)))).rejects.toThrow('is not empty and differs from the memory');
    expect(readFileSync(`${path}.part`, 'utf8')).toBe(before);

    writeFileSync(path, 'finished');
    await expect(copyLog(inMemory(), open(fileTarget(path)))).rejects.toThrow('log.ndjson exists');
  });
});

describe('an exported file', () => {
  const lines = () => readFileSync(path, 'utf8').split('\n');
  const exported = async () => copyLog(inMemory(await filled(50)), open(fileTarget(path)));
  const imported = async () => {
    const target = memoryStore();
    const problem = await copyLog(fileSource(path), inMemory(target)).then(
      () => '',
      (error: Error) => error.message,
    );
    if (problem !== '') expect(await target.head()).toBe(0n);
    return problem;
  };

  test('is the same on the standard output', async () => {
    const source = inMemory(await filled(50));
    await copyLog(source, open(fileTarget(path)));
    const output = new PassThrough();
    const whole = text(output);
    await copyLog(source, streamTarget(output, 'the standard output'));
    output.end();
    expect(await whole).toBe(readFileSync(path, 'utf8'));
  });

  test('that was cut is refused with the number of the line, wherever it was cut', async () => {
    await exported();
    const whole = readFileSync(path);
    const ends = lines().map((_, index, all) => Buffer.byteLength(all.slice(0, index + 1).join('\n')) + 1);
    for (let length = 0; length < whole.length; length += 1511) {
      writeFileSync(path, whole.subarray(0, length));
      const line = ends.findIndex((end) => end > length) + 1;
      expect(await imported(), `cut at ${length}`).toBe(
        `${path}, line ${line}: it was truncated here, before its closing line. Nothing was changed.`,
      );
    }
    writeFileSync(path, whole);
    expect(await imported()).toBe('');
  });

  test.each([
    ['a mark', (all: string[]) => all.with(20, all[20]!.replace('xxxx', 'xxxy')), 21, 'was edited'],
    ['a type', (all: string[]) => all.with(20, all[20]!.replace(/"type":"\w+"/, '"type":"Other"')), 21, 'was edited'],
    ['a line taken out', (all: string[]) => all.toSpliced(20, 1), 21, 'was edited, or lines before it are missing'],
    ['a line twice', (all: string[]) => all.toSpliced(20, 0, all[20]!), 22, 'was edited, or lines before it are missing, duplicated'],
    ['two lines exchanged', (all: string[]) => all.with(20, all[30]!).with(30, all[20]!), 21, 'was edited, or lines before it are missing'],
    ['no JSON', (all: string[]) => all.with(20, 'rubbish'), 21, 'is not an event'],
    ['no event', (all: string[]) => all.with(20, '{"id":7}'), 21, 'is not an event'],
    ['another beginning', (all: string[]) => all.with(0, '{}'), 1, 'is not the first line of a Marktrail log'],
    ['line ends of Windows', (all: string[]) => all.map((line) => line && `${line}\r`), 1, 'has a Windows line ending'],
    ['by an editor that marks its files', (all: string[]) => all.with(0, `\uFEFF${all[0]}`), 1, 'begins with a byte order mark'],
    ['events taken off the end', (all: string[]) => all.toSpliced(40, 11), 41, 'closes a log of 50 events, but is preceded by 39'],
    ['something behind the end', (all: string[]) => [...all.slice(0, -1), 'more', ''], 53, 'comes after the closing line'],
  ])('that was edited is refused with the number of the line: %s', async (_, edit, line, why) => {
    await exported();
    writeFileSync(path, edit(lines()).join('\n'));
    const said = await imported();
    expect(said).toContain(`${path}, line ${line}: `);
    expect(said).toContain(why);
  });

  test('is checked to its end before the first event is written', async () => {
    await exported();
    appendFileSync(path, 'x');
    expect(await imported()).toContain('line 53: comes after the closing line');
  });

  test('that is not there, was compressed, or is no text at all', async () => {
    expect(await imported()).toBe(`There is no file ${path}.`);
    await exported();
    writeFileSync(path, gzipSync(readFileSync(path)));
    expect(await imported()).toContain('line 1: is compressed: unpack the file first');
    writeFileSync(path, Buffer.alloc(20 * 1024 * 1024, 1));
    expect(await imported()).toContain('line 1: is longer than any event');
  });
});
