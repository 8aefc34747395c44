import { randomUUID } from 'node:crypto';
import { memoryStore } from '../support/memory-store.ts';
import type { EventStore, NewEvent, StreamEvent } from '../../events/store/port.ts';
import type { LogSource } from '../../events/transfer/log.ts';

export const school = '0b8e2c52-9c1f-4b65-8c39-6a55a7d5a001';

const event = (number: number, size = 20): NewEvent => ({
  id: randomUUID(),
  type: number % 3 === 0 ? 'MarksTyped' : 'TotalsUploaded',
  // What a careless copy would change: spaces, line separators, the order of keys, large numbers, escapes.
  data: `{"b" : ${number}, "a":"\u2028 é 😀 \\u0041 \\n ${'x'.repeat(size)}","n":12345678901234567890}`,
  metadata: `{"schoolId": "${school}", "at":"2026-11-01T10:00:00.000Z"}`,
});

/** A log of many streams, in which neighbours are now of one stream and now of several. */
export const filled = async (count: number, size?: number): Promise<EventStore> => {
  const store = memoryStore();
  for (let number = 0; number < count;) {
    const together = size === undefined ? Math.min(count - number, 1 + (number % 4)) : 1;
    const stream = `entry-${school}.${number % 7}`;
    await store.append(
      stream,
      Array.from({ length: together }, (_, index) => event(number + index, size)),
      'any',
    );
    number += together;
  }
  return store;
};

/** Everything about a log that a copy must keep. */
export const contents = async (log: LogSource): Promise<readonly StreamEvent[]> => {
  const all: StreamEvent[] = [];
  for await (const portion of log.events())
    for (const { stream, revision, id, type, data, metadata } of portion) all.push({ stream, revision, id, type, data, metadata });
  return all;
};
