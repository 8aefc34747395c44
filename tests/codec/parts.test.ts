import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codec } from '../../events/codec/codec.ts';
import { event, sealedByAuthor } from '../../events/codec/event.ts';
import { eventId } from '../../events/codec/ids.ts';
import { partOf, PartsBroken, split } from '../../events/codec/parts.ts';
import type { NewEvent, RecordedEvent } from '../../events/store/port.ts';
import { MAX_APPEND_BYTES } from '../../events/store/port.ts';
import { keysInMemory, metadata, reader, recorded, school, uuid } from './support.ts';

const registry = { Said: event(1, z.object({ text: z.string(), about: sealedByAuthor(z.object({ fileName: z.string() })).optional() })) };
const said = (text: string) => ({ type: 'Said', data: { text } }) as const;

const setUp = () => codec({ registry, keys: keysInMemory({ everybody: true }) });
type Said = ReturnType<typeof said>;
const encoded = (events: readonly Said[], command = uuid('command')): Promise<NewEvent[]> =>
  setUp().encode(school, events, events.map((_, index) => eventId(command, index)), metadata(command));

const bytes = (events: readonly NewEvent[]): number => events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
/** About so many bytes, with characters of two, three and four bytes for the cuts to fall into. */
const long = (size: number): string => 'aé€😀'.repeat(Math.ceil(size / 10));
const texts = async (log: readonly RecordedEvent[]): Promise<string[]> =>
  (await setUp().decode(log, reader(log))).map(({ data }) => data.text);

test('what fits stays one append, untouched', async () => {
  const events = await encoded([said('short'), said('x'.repeat(1000))]);
  expect(split(events)).toEqual([events]);
});

test('an append may be filled to the last byte', async () => {
  const room = MAX_APPEND_BYTES - bytes(await encoded([said('')]));
  expect(split(await encoded([said('x'.repeat(room))]))).toHaveLength(1);
  expect(split(await encoded([said('x'.repeat(room + 1))]))).toHaveLength(2);
});

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
  const placed = (events: readonly RecordedEvent[]): RecordedEvent[] => events.map((event, index) => ({ ...event, revision: BigInt(index) }));

  test.each<[string, (log: RecordedEvent[]) => Promise<RecordedEvent[]> | RecordedEvent[]]>([
    ['one is missing', ([first, , ...rest]) => [first!, ...rest]],
    ['two are swapped', ([first, second, ...rest]) => [second!, first!, ...rest]],
    ['a foreign event stands between', async ([first, ...rest]) => [first!, ...recorded(await encoded([said('x')], uuid('another'))), ...rest]],
    ['one is of another attempt', async ([, ...rest]) => {
      const [other] = recorded(split(await encoded([said(long(3_000_000))]), 2).flat());
      return [other!, ...rest];
    }],
    ['one is of another command', async ([, ...rest]) => {
      const [other] = recorded(split(await encoded([said(long(3_000_000))], uuid('another'))).flat());
      return [other!, ...rest];
    }],
  ])('%s', async (_, broken) => {
    await expect(texts(placed(await broken(await log())))).rejects.toThrow(PartsBroken);
  });
});
