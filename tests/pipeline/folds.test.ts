import { expect, test } from 'vitest';
import { Folds } from '../../api/pipeline/folds.ts';
import { entry } from '../../events/marks/entry.ts';
import type { Aggregate } from '../../events/aggregate.ts';
import { codec } from '../../events/codec/codec.ts';
import { eventId } from '../../events/codec/ids.ts';
import { eventTypes, type MarktrailEvent, type RecordedEvent } from '../../events/registry.ts';
import { memoryStore } from '../support/memory-store.ts';
import { keysInMemory, metadata, school, uuid } from '../codec/support.ts';

/** A busy day has sittings of thousands of saves: kept by their number alone, they filled the memory of the server. */
test('what is remembered of streams is bounded by their commands: the one used longest ago is read again', async () => {
  const store = memoryStore();
  const events = codec({ registry: eventTypes, keys: keysInMemory() });
  const sittings = ['one', 'two', 'three'].map((name) => `${entry.category}-${school}.${uuid(name)}`);
  for (const stream of sittings) {
    for (const seq of [1, 2, 3]) {
      const command = uuid(`${stream} ${seq}`);
      const marks = { columns: [], students: [], is: [] };
      const typed: MarktrailEvent = { type: 'MarksEntered', data: { subjectId: uuid('subject'), seq, marks, refused: [] } };
      await store.append(stream, await events.encode(school, [typed], [eventId(command, 0)], metadata(command)), 'any');
    }
  }
  const [first = '', second = '', third = ''] = sittings;
  const folds = new Folds(store, events, { streams: 10, commands: 6 });
  await folds.newest(first, counting);
  await folds.newest(second, counting);
  expect(folds.recent(first, counting)).toMatchObject({ state: 3 });
  await folds.newest(third, counting);

  expect(sittings.map((stream) => folds.recent(stream, counting) !== undefined)).toEqual([true, false, true]);
  expect(await folds.newest(second, counting)).toMatchObject({ state: 3, revision: 2n });
});

const counting: Aggregate<number, RecordedEvent> = { category: entry.category, initial: () => 0, evolve: (saves) => saves + 1 };
