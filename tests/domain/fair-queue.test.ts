import { expect, test } from 'vitest';
import type { Origin } from '../../events/async/fair-queue-by-network.ts';
import { FairQueue } from '../../events/async/fair-queue-by-network.ts';

/** A queue in which nothing moves until `open`; `done`: whose work ran, in that order; `refused`: who found no place. */
const closed = (places = { network: 10, site: 20, all: 40 }) => {
  const queue = new FairQueue(1, places);
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const refused: string[] = [];
  const all: Promise<void>[] = [
    queue.inTurn(
      undefined,
      () => gate.promise,
      () => new Error('never'),
    ),
  ];
  const enter = (name: string, origin: Origin | undefined): void => {
    const work = async (): Promise<void> => void done.push(name);
    all.push(queue.inTurn(origin, work, () => new Error('full')).catch(() => void refused.push(name)));
  };
  return {
    queue,
    refused,
    enter,
    /** So many of one network. */
    flood(times: number, site: string, network = site) {
      for (let n = 1; n <= times; n++) enter(`${network}${n}`, { site, network });
    },
    async open() {
      gate.resolve();
      await Promise.all(all);
      return done;
    },
  };
};

test('turns go round the sites, and within a site round its networks', async () => {
  const { flood, open } = closed();
  flood(3, 'a');
  flood(2, 'b', 'b/x');
  flood(2, 'b', 'b/y');
  flood(1, 'c');
  expect(await open()).toEqual(['a1', 'b/x1', 'c1', 'a2', 'b/y1', 'a3', 'b/x2', 'b/y2']);
});

test('a network and a site have only so many places', async () => {
  const { flood, refused, open } = closed({ network: 2, site: 3, all: 40 });
  flood(3, 'a', 'a/x');
  flood(2, 'a', 'a/y');
  flood(1, 'b');
  const done = await open();
  expect(refused).toEqual(['a/x3', 'a/y2']);
  expect(done).toContain('b1');
});

test('a queue that is full takes the place of who came last from where most wait', async () => {
  const { flood, refused, open } = closed({ network: 10, site: 10, all: 6 });
  flood(4, 'a');
  flood(2, 'b');
  flood(4, 'c');
  const done = await open();
  // Two of c take places of a, until nobody has more than c.
  expect(refused.toSorted()).toEqual(['a3', 'a4', 'c3', 'c4']);
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
});

test("the product's own work is never refused", async () => {
  const { enter, refused, open } = closed({ network: 1, site: 1, all: 1 });
  for (const name of ['one', 'two', 'three']) enter(name, undefined);
  expect(await open()).toEqual(['one', 'two', 'three']);
  expect(refused).toEqual([]);
});

test('what failed gives its turn away', async () => {
  const { queue, enter, open } = closed();
  const failing = queue.inTurn(
    { site: 'a', network: 'a' },
    async () => Promise.reject(new Error('broken')),
    () => new Error('full'),
  );
  enter('next', { site: 'b', network: 'b' });
  const [outcome, done] = await Promise.all([failing.catch((error: unknown) => String(error)), open()]);
  expect([outcome, done]).toEqual(['Error: broken', ['next']]);
});
