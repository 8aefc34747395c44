import type { RecordedEvent } from '../../events/registry.ts';
import type { EventStore, RecordedEvent as Stored } from '../../events/store/port.ts';
import { schoolOf } from '../../events/store/school-of.ts';

/** All of a school's events, decoded. */
export const eventsOfSchool = async function* (
  { store, decode }: { store: EventStore; decode: (recorded: readonly Stored[]) => Promise<readonly RecordedEvent[]> },
  schoolId: string,
): AsyncGenerator<RecordedEvent> {
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
