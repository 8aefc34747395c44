import { afterEach, describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../events/registry.ts';
import type { Backend } from '../../../../run/backend.ts';
import { demoSchool } from '../../../../run/demo/demo.ts';
import { emptyProduct, eventsIn } from '../../../support/demo-past.ts';

const silent = (): void => undefined;
const DAY_MS = 24 * 3_600_000;

describe('on whatever day it is built', () => {
  let atEnd: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of atEnd.toReversed()) await close();
    atEnd = [];
  });
  const another = () => emptyProduct((close) => void atEnd.push(close));

  /** A backend whose process dies before the command of this number. */
  const dying = (backend: Backend, after: number): Backend => {
    let left = after;
    return {
      ...backend,
      bus: {
        ...backend.bus,
        execute: async (name, request) => {
          if (left-- === 0) throw new Error('killed');
          return backend.bus.execute(name, request);
        },
      },
    };
  };
  /**
   * What happened, to whom and when. Keys are drawn at random, and ids and tags of students depend on them: each counts by its first place,
   * and what goes by their order counts without it, to ten digits.
   */
  const told = (events: readonly RecordedEvent[]): string[] => {
    const places = new Map<string, number>();
    const placed = (id: string) => String(places.get(id) ?? places.set(id, places.size).size - 1);
    const byStudent = (text: string): unknown =>
      JSON.parse(text, (name, value: unknown) => {
        if (typeof value === 'number') return Number(value.toPrecision(10));
        return name === 'rows' && Array.isArray(value) ? value.map((row) => JSON.stringify(row)).toSorted() : value;
      });
    return events.map(({ type, data, stream, metadata }) => {
      const text = JSON.stringify({ type, stream, metadata, data })
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, placed)
        .replaceAll(/"(bodyTag|tag)":"[^"]*"/g, '"$1":""');
      return JSON.stringify(byStudent(text));
    });
  };

  test('a build that is interrupted goes on with the same dates, however late, and comes to the same school', async () => {
    const today = new Date('2027-03-10T11:30:00Z');
    const whole = await another();
    await demoSchool(whole.backend, silent, { today });
    const inPieces = await another();
    for (const [days, after] of [1, 20, 60, 75, 125].entries()) {
      const later = new Date(today.getTime() + days * 9 * DAY_MS);
      await expect(demoSchool(dying(inPieces.backend, after), silent, { today: later })).rejects.toThrow('killed');
    }
    await demoSchool(inPieces.backend, silent, { today: new Date('2027-12-24T18:00:00Z') });
    const [expected, found] = [told(await eventsIn(whole)), told(await eventsIn(inPieces))];
    expect(found.find((event, at) => event !== expected[at])?.slice(0, 2_000)).toBeUndefined();
    expect(found).toHaveLength(expected.length);
    const times = (await eventsIn(whole)).map(({ metadata }) => metadata.at);
    expect([times[0], times.at(-1)?.slice(0, 10)]).toEqual(['2024-11-20T08:00:00.000Z', '2026-11-06']);
  });

  test('nothing lies in the future ten weeks into a school year, nor a day before that', async () => {
    const last = async (today: string) => {
      const product = await another();
      await demoSchool(product.backend, silent, { today: new Date(today), past: false });
      return (await eventsIn(product)).at(-1)?.metadata.at.slice(0, 10) ?? '';
    };
    expect([await last('2026-11-10T00:00:00Z'), await last('2026-11-09T23:59:00Z')]).toEqual(['2026-11-05', '2025-11-06']);
  });
});
