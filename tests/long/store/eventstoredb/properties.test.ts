import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../support/memory-store.ts';
import { eventStoreDbStore } from '../../../../events/store/eventstoredb.ts';
import { WrongExpectedRevision } from '../../../../events/store/port.ts';
import type { EventStore, ExpectedRevision, NewEvent, Position, RecordedEvent } from '../../../../events/store/port.ts';
import type { Fault } from '../../../support/eventstoredb/faults.ts';
import { startEventStore } from '../../../support/eventstoredb/server.ts';
import type { EventStoreServer } from '../../../support/eventstoredb/server.ts';
import { rounds } from '../../../support/rounds.ts';
import { all, insist } from '../../../store/seen.ts';

/** How often a subscription that breaks off is begun again. */
const WITHOUT_END = 10_000;

/**
 * Whatever is done and whatever goes wrong, an EventStoreDB and a store in memory end with the same streams, the same order and the same
 * story for whoever followed.
 */
const stories = rounds(15);

type Append = { readonly stream: string; readonly events: readonly NewEvent[]; readonly expected: ExpectedRevision };
type World = { readonly server: EventStoreServer; readonly stores: EventStore[]; readonly memory: EventStore; readonly appends: Append[] };
type Step = { readonly name: string; run(world: World): Promise<void> };

test('random appends, repeats, readings and faults: adapter and memory end equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step(), { minLength: 5, maxLength: 40 }), async (steps) => {
      const server = await startEventStore();
      const stores = [0, 1].map(() => eventStoreDbStore({ url: server.url, timeoutMs: 1_000, pollMs: 50 }));
      const world: World = { server, stores, memory: memoryStore(), appends: [] };
      const follower = follow(stores[1]!);
      for (const { run } of steps) await run(world);
      server.faults.clear();

      const [ours, theirs] = await Promise.all([insist(() => all(stores[0]!.readAll('start'))), all(world.memory.readAll('start'))]);
      expect(ours.map(withoutPosition)).toEqual(theirs.map(withoutPosition));
      expect((await follower.upTo(ours.at(-1)?.position ?? 0n)).map(withoutPosition)).toEqual(theirs.map(withoutPosition));
      await Promise.all(stores.map((store) => store.close()));
      await server.stop();
    }),
    { numRuns: stories },
  );
});

const STREAMS = ['entry-s.1', 'entry-s.2', 'roster-t'];

const FAULTS: readonly Fault[] = [
  { kind: 'written, cut' },
  { kind: 'cut' },
  { kind: 'timeout' },
  { kind: 'written, timeout' },
  { kind: 'written, silence' },
  { kind: 'not ready' },
  { kind: 'slow', ms: 20 },
];

const step = (): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({ stream: fc.constantFrom(...STREAMS), count: fc.integer({ min: 1, max: 4 }), off: fc.integer({ min: -1, max: 1 }) })
        .map(append),
    },
    { weight: 2, arbitrary: fc.nat({ max: 50 }).map(appendAgain) },
    { weight: 3, arbitrary: fc.constantFrom(...FAULTS).map(meetFault) },
    { weight: 1, arbitrary: fc.constantFrom('end', 'cut', 'too slow', 'silence').map((how) => breakSubscription(how)) },
    { weight: 1, arbitrary: fc.constantFrom(...STREAMS).map(compareStream) },
    { weight: 1, arbitrary: fc.constant<Step>({ name: 'cut', run: async ({ server }) => server.cut() }) },
    { weight: 1, arbitrary: fc.constant<Step>({ name: 'restart', run: ({ server }) => server.restart() }) },
  );

/** At the revision that is there, or one beside it: then both have to refuse. */
const append = ({ stream, count, off }: { stream: string; count: number; off: number }): Step => ({
  name: `append ${count} to ${stream}, off by ${off}`,
  async run(world) {
    const length = BigInt((await all(world.memory.read(stream))).length) + BigInt(off);
    const events = Array.from({ length: count }, (_, n) => ({
      id: randomUUID(),
      type: 'MarksEntered',
      data: `{"b":1,"n":${n},  "1":0}`,
      metadata: `{"at":${n}}`,
    }));
    const one = { stream, events, expected: length <= 0n ? 'none' : length - 1n } as const;
    if (await outcomesAgree(world, one)) world.appends.push(one);
  },
});

const appendAgain = (which: number): Step => ({
  name: `append ${which} again`,
  async run(world) {
    const one = world.appends[which % Math.max(1, world.appends.length)];
    if (one) await outcomesAgree(world, one);
  },
});

const meetFault = (fault: Fault): Step => ({ name: fault.kind, run: async ({ server }) => server.faults.next('append', fault) });

const breakSubscription = (how: 'end' | 'cut' | 'too slow' | 'silence'): Step => ({
  name: `subscription: ${how}`,
  async run({ server }) {
    server.faults.next('subscribe', { kind: 'after', events: 0, how });
    server.cut();
  },
});

const compareStream = (stream: string): Step => ({
  name: `read ${stream}`,
  async run({ stores, memory }) {
    const [ours, theirs] = await Promise.all([insist(() => all(stores[1]!.read(stream))), all(memory.read(stream))]);
    expect(ours.map(withoutPosition)).toEqual(theirs.map(withoutPosition));
  },
});

/** Whether both wrote it, or had written it. */
const outcomesAgree = async ({ stores, memory }: World, { stream, events, expected }: Append): Promise<boolean> => {
  const [ours, theirs] = await Promise.all(
    [stores[0]!, memory].map((store) =>
      insist(() => store.append(stream, events, expected)).then(
        ({ revision }) => ({ written: true, revision }),
        (error: unknown) => {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          return { written: false, actual: error.actual };
        },
      ),
    ),
  );
  expect(ours).toEqual(theirs);
  return ours?.written === true;
};

/** As the projections do: again from the last position that was handed over, whenever it breaks. */
const follow = (store: EventStore) => {
  const stop = new AbortController();
  const seen: RecordedEvent[] = [];
  let position: Position = 0n;
  let look = () => {};
  const run = async () => {
    while (!stop.signal.aborted) {
      await insist(async () => {
        for await (const batch of store.subscribe(position, { signal: stop.signal })) {
          seen.push(...batch.events);
          ({ position } = batch);
          look();
        }
      }, WITHOUT_END);
    }
  };
  const running = run();
  return {
    async upTo(end: Position): Promise<RecordedEvent[]> {
      const { promise: there, resolve } = Promise.withResolvers<void>();
      look = () => position >= end && resolve();
      look();
      await Promise.race([there, running]);
      stop.abort();
      await running;
      return seen;
    },
  };
};

const withoutPosition = ({ position: _, ...event }: RecordedEvent) => event;
