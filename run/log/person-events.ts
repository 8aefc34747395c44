import type { Codec } from '../../events/codec/codec.ts';
import type { eventTypes, RecordedEvent } from '../../events/registry.ts';
import { type EventStore, type RecordedEvent as Stored, schoolOf } from '../../events/store/port.ts';

/** All of a school's events, decoded. */
export const eventsOfSchool = async function* (
  { store, codec }: { readonly store: EventStore; readonly codec: Codec<typeof eventTypes> },
  schoolId: string,
): AsyncGenerator<RecordedEvent> {
  const decode = (portion: readonly Stored[]) => codec.decode(portion, (stream, from) => store.read(stream, from));
  let portion: Stored[] = [];
  for await (const event of store.readAll('start')) {
    if (schoolOf(event.stream) !== schoolId) continue;
    portion.push(event);
    if (portion.length < PORTION) continue;
    yield* await decode(portion);
    portion = [];
  }
  yield* await decode(portion);
};

const PORTION = 500;
