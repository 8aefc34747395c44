import { WrongExpectedRevision } from '../../../events/store/port.ts';
import type { EventStore, Filter, Position, RecordedEvent } from '../../../events/store/port.ts';

/**
 * A log that looks empty, on one that others have filled before: what stands after `base`, in streams of its own. Position 0 is the base.
 *
 * @param tag stands in front of the names of its streams
 */
export const windowOn = (store: EventStore, tag: string, base: Position): EventStore => {
  const start: Position | 'start' = base === 0n ? 'start' : base;
  const inner = (after: Position | 'start'): Position | 'start' => (after === 'start' || after === 0n ? start : after);
  const filtered = (filter?: Filter): Filter => ({ streamPrefixes: filter?.streamPrefixes.map((prefix) => tag + prefix) ?? [tag] });
  const seen = (event: RecordedEvent): RecordedEvent => ({ ...event, stream: event.stream.slice(tag.length) });

  return {
    tellsRepeats: store.tellsRepeats,

    append: (stream, events, expected) =>
      store.append(tag + stream, events, expected).catch((error: unknown) => {
        throw error instanceof WrongExpectedRevision ? new WrongExpectedRevision(stream, expected, error.actual) : error;
      }),

    async *read(stream, from) {
      for await (const event of store.read(tag + stream, from)) yield seen(event);
    },

    async *readAll(after, filter) {
      for await (const event of store.readAll(inner(after), filtered(filter))) yield seen(event);
    },

    async eventAt(position) {
      const event = await store.eventAt(position);
      return event?.stream.startsWith(tag) === true ? seen(event) : undefined;
    },

    async head() {
      const head = await store.head();
      return head > base ? head : 0n;
    },

    async *subscribe(after, { filter, signal }) {
      for await (const { events, position, live } of store.subscribe(inner(after), { filter: filtered(filter), signal })) {
        yield { events: events.map(seen), position: position > base ? position : 0n, live };
      }
    },

    close: () => store.close(),
  };
};
