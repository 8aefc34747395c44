import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codec } from '../../events/codec/codec.ts';
import { event, sealedByAuthor } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { partOf, PartsBroken, split } from '../../events/codec/parts.ts';
import type { NewEvent, RecordedEvent } from '../../events/store/port.ts';
import { memoryStore } from '../support/memory-store.ts';
import { appendMessages } from '../../events/store/eventstoredb/wire.ts';
import { MAX_APPEND_WEIGHT, weightOf } from '../../events/store/check-append.ts';
import { MAX_APPEND_BYTES, OutcomeUnknown, WrongExpectedRevision } from '../../events/store/port.ts';
import { keysInMemory, metadata, reader, recorded, school, uuid } from './support.ts';

const registry = { Said: event(1, z.object({ text: z.string(), about: sealedByAuthor(z.object({ fileName: z.string() })).optional() })) };
const said = (text: string) => ({ type: 'Said', data: { text } }) as const;

const setUp = () => codec({ registry, keys: keysInMemory({ everybody: true }) });
type Said = ReturnType<typeof said>;
const encoded = (events: readonly Said[], command = uuid('command')): Promise<NewEvent[]> =>
  setUp().encode(
    school,
    events,
    events.map((_, index) => eventId(command, index)),
    metadata(command),
  );

const bytes = (events: readonly NewEvent[]): number => events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
/** About so many bytes, with characters of two, three and four bytes for the cuts to fall into. */
const long = (size: number): string => 'aé€😀'.repeat(Math.ceil(size / 10));
const texts = async (log: readonly RecordedEvent[]): Promise<string[]> =>
  (await setUp().decode(log, reader(log))).map(({ data }) => data.text);

test('what fits stays one append, untouched', async () => {
  const events = await encoded([said('short'), said('x'.repeat(1000))]);
  expect(split(events)).toEqual([events]);
});

test('an append may be filled but for the room that its envelope takes', async () => {
  const room = MAX_APPEND_WEIGHT - weightOf((await encoded([said('')]))[0]!);
  expect(split(await encoded([said('x'.repeat(room))]))).toHaveLength(1);
  expect(split(await encoded([said('x'.repeat(room + 1))]))).toHaveLength(2);
});

/** EventStoreDB 23.10 counts data alone. */
test('a server that counts everything on the wire towards its limit of 1 MiB takes each append too', async () => {
  const stream = `assessment-${school}.${uuid('a test')}`;
  const onTheWire = (append: readonly NewEvent[]): number =>
    appendMessages(stream, append, 10n ** 18n).reduce((sum, message) => sum + FRAME + message.serializeBinary().length, 0);
  const full = 'x'.repeat(MAX_APPEND_WEIGHT - weightOf((await encoded([said('')]))[0]!));
  const many = Array.from({ length: 1500 }, (_, n) => said(`${n} `.repeat(50)));
  for (const events of [[said(full)], [said(long(3_000_000))], [said(long(900_000)), said(long(900_000))], many]) {
    const appends = split(await encoded(events));
    for (const append of appends) expect(onTheWire(append)).toBeLessThanOrEqual(MAX_APPEND_BYTES);
  }
});
/** Of gRPC, before each message. */
const FRAME = 5;

test('3 MB go out in appends within the limit, and read as one event', async () => {
  const text = long(3_000_000);
  const appends = split(await encoded([said(text)]));
  expect(appends.length).toBeGreaterThan(2);
  for (const append of appends) expect(bytes(append)).toBeLessThanOrEqual(MAX_APPEND_BYTES);
  const log = recorded(appends.flat());
  expect(JSON.parse(log.at(-1)!.metadata)).toMatchObject({ parts: { attempt: 1, count: log.length - 1 } });
  expect(await texts(log)).toEqual([text]);
});

test('of several events the largest go out in parts, and all of them close the attempt at once', async () => {
  const wanted = ['a', long(900_000), 'b', long(2_500_000), long(100_000)];
  const appends = split(await encoded(wanted.map(said)));
  expect(appends.at(-1)!.filter(({ type }) => type === 'Said')).toHaveLength(wanted.length);
  expect(await texts(recorded(appends.flat()))).toEqual(wanted);
});

test('a closing event that is read alone fetches its parts from the stream', async () => {
  const log = recorded(split(await encoded([said(long(2_000_000))])).flat());
  const read = await setUp().decode(log.slice(-1), reader(log));
  expect(read.map(({ data }) => data.text.length)).toEqual([long(2_000_000).length]);
});

test('personal parts of a large event open too', async () => {
  const { encode, decode } = setUp();
  const event = { type: 'Said', data: { text: 'x', about: { fileName: long(1_500_000) } } } as const;
  const log = recorded(split(await encode(school, [event], [uuid('event')], metadata())).flat());
  expect((await decode(log, reader(log)))[0]!.data).toEqual(event.data);
});

describe('an attempt that a foreign event cut in two', () => {
  test('says nothing; the next attempt counts, and a fold sees which number it has', async () => {
    const text = long(2_200_000);
    const events = await encoded([said(text)]);
    const [first] = split(events, 1);
    const foreign = await encoded([said('in between')], uuid('another command'));
    const again = split(events, 2);
    const log = recorded([...first!, ...foreign, ...again.flat()]);
    expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
    expect(await texts(log)).toEqual(['in between', text]);

    const attempts = log.flatMap((event) => partOf(event) ?? []).filter(({ commandId }) => commandId === uuid('command'));
    expect(Math.max(...attempts.map(({ attempt }) => attempt))).toBe(2);
  });

  test('decided anew, no part with another text has the same id: two processes cannot mix theirs', async () => {
    const { encode } = setUp();
    const event = { type: 'Said', data: { text: 'x', about: { fileName: long(1_500_000) } } } as const;
    const one = split(await encode(school, [event], [uuid('event')], metadata())).flat();
    const other = split(await encode(school, [event], [uuid('event')], metadata())).flat();
    const parts = [...one, ...other].filter(({ type }) => type === 'Part');
    expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
    expect(one.at(-1)!.id).toBe(other.at(-1)!.id);
  });
});

describe('broken parts are not read', () => {
  const log = async (): Promise<RecordedEvent[]> => recorded(split(await encoded([said(long(3_000_000))])).flat());
  const placed = (events: readonly RecordedEvent[]): RecordedEvent[] =>
    events.map((event, index) => ({ ...event, revision: BigInt(index) }));

  test.each<[string, (log: RecordedEvent[]) => Promise<RecordedEvent[]> | RecordedEvent[]]>([
    ['one is missing', ([first, , ...rest]) => [first!, ...rest]],
    ['two are swapped', ([first, second, ...rest]) => [second!, first!, ...rest]],
    [
      'a foreign event stands between',
      async ([first, ...rest]) => [first!, ...recorded(await encoded([said('x')], uuid('another'))), ...rest],
    ],
    [
      'one is of another attempt',
      async ([, ...rest]) => {
        const [other] = recorded(split(await encoded([said(long(3_000_000))]), 2).flat());
        return [other!, ...rest];
      },
    ],
    [
      'one is of another command',
      async ([, ...rest]) => {
        const [other] = recorded(split(await encoded([said(long(3_000_000))], uuid('another'))).flat());
        return [other!, ...rest];
      },
    ],
  ])('%s', async (_, broken) => {
    await expect(texts(placed(await broken(await log())))).rejects.toThrow(PartsBroken);
  });
});

test('parts that stand in a log stay readable', async () => {
  const command = uuid('an old command');
  const [attempt, number] = [3, 7];
  const event = eventId(command, 0);
  const envelope = { ...metadata(command), schoolId: school, schemaVersion: 1 };
  const part = (index: number, text: string): NewEvent => ({
    id: uuid(`part ${index}`),
    type: 'Part',
    data: `{"text":"${text}"}`,
    metadata: JSON.stringify({ ...envelope, part: { attempt, number: number + index, event } }),
  });
  // Of {"text":"é"}, cut through the letter.
  const chunks = ['eyJ0ZXh0Ijoiww==', 'qSJ9'];
  const closing = { id: event, type: 'Said', data: '{}', metadata: JSON.stringify({ ...envelope, parts: { attempt, count: 2, back: 1 } }) };
  const first = (await encoded([said('first of the closing events')], command)).map((small) => ({ ...small, id: uuid('small') }));
  const log = recorded([...chunks.map((text, index) => part(index, text)), ...first, closing]);
  expect(await texts(log)).toEqual(['first of the closing events', 'é']);
  expect(log.map(partOf)).toEqual([
    { commandId: command, attempt, number, event },
    { commandId: command, attempt, number: number + 1, event },
    undefined,
    undefined,
  ]);
});

describe('on a store', () => {
  const stream = `entry-${school}.${uuid('entry')}`;
  const inOrder = async (store: ReturnType<typeof memoryStore>): Promise<string[]> => {
    const log: RecordedEvent[] = [];
    for await (const event of store.read(stream)) log.push(event);
    const read = await setUp().decode(log, (name, from) => store.read(name, from));
    return read.map(({ data }) => data.text);
  };

  test('an append whose answer was lost is repeated, and everything is there once', async () => {
    const store = memoryStore();
    let expected: bigint | 'none' = 'none';
    for (const append of split(await encoded([said(long(2_500_000))]))) {
      const hear = store.faults.silence();
      await expect(store.append(stream, append, expected)).rejects.toThrow(OutcomeUnknown);
      hear();
      expected = (await store.append(stream, append, expected)).revision;
    }
    expect(await inOrder(store)).toEqual([long(2_500_000)]);
  });

  test('a foreign event between voids the attempt, and the next one goes through', async () => {
    const store = memoryStore();
    const events = await encoded([said(long(2_500_000))]);
    const [first, second] = split(events, 1);
    const { revision } = await store.append(stream, first!, 'none');
    await store.append(stream, await encoded([said('in between')], uuid('another')), revision);
    await expect(store.append(stream, second!, revision)).rejects.toThrow(WrongExpectedRevision);
    let expected = revision + 1n;
    for (const append of split(events, 2)) expected = (await store.append(stream, append, expected)).revision;
    expect(await inOrder(store)).toEqual(['in between', long(2_500_000)]);
  });
});
