import { expect, test } from 'vitest';
import type { Origin } from '../../events/async/fair-queue.ts';
import { FairQueue } from '../../events/async/fair-queue.ts';

/** A queue in which nothing moves until `open`; `done`: whose work ran, in that order; `refused`: who found no place. */
const closed = (places = { ofPart: 10, ofGroup: 20, waiting: 40 }) => {
  const queue = new FairQueue({ atOnce: 1, ...places }, () => new Error('full'));
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const refused: string[] = [];
  const all: Promise<void>[] = [queue.run(undefined, () => gate.promise)];
  const enter = (name: string, origin: Origin | undefined): void => {
    const work = async (): Promise<void> => void done.push(name);
    all.push(queue.run(origin, work).catch(() => void refused.push(name)));
  };
  return {
    queue,
    refused,
    enter,
    /** So many of one part. */
    flood(times: number, group: string, part = group) {
      for (let n = 1; n <= times; n++) enter(`${part}${n}`, { group, part });
    },
    async open() {
      gate.resolve();
      await Promise.all(all);
      return done;
    },
  };
};

test('turns go round the groups, and within a group round its parts', async () => {
  const { flood, open } = closed();
  flood(3, 'a');
  flood(2, 'b', 'b/x');
  flood(2, 'b', 'b/y');
  flood(1, 'c');
  expect(await open()).toEqual(['a1', 'b/x1', 'c1', 'a2', 'b/y1', 'a3', 'b/x2', 'b/y2']);
});

test('a part and a group have only so many places', async () => {
  const { flood, refused, open } = closed({ ofPart: 2, ofGroup: 3, waiting: 40 });
  flood(3, 'a', 'a/x');
  flood(2, 'a', 'a/y');
  flood(1, 'b');
  const done = await open();
  expect(refused).toEqual(['a/x3', 'a/y2']);
  expect(done).toContain('b1');
});

test('a queue that is full takes the place of who came last from where most wait', async () => {
  const { flood, refused, open } = closed({ ofPart: 10, ofGroup: 10, waiting: 6 });
  flood(4, 'a');
  flood(2, 'b');
  flood(4, 'c');
  const done = await open();
  // Two of c take places of a, until nobody has more than c.
  expect(refused.toSorted()).toEqual(['a3', 'a4', 'c3', 'c4']);
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
});

test('every other turn is for those that are known, as long as one of them waits', async () => {
  const { flood, enter, open } = closed();
  for (const name of ['a', 'b', 'c', 'd']) flood(1, name);
  enter('known1', { group: 'x', isKnown: true });
  enter('known2', { group: 'y', isKnown: true });
  const done = await open();
  expect(done.filter((name) => !name.startsWith('known'))).toEqual(['a1', 'b1', 'c1', 'd1']);
  expect([done.indexOf('known1'), done.indexOf('known2')].every((turn) => turn < 4)).toBe(true);
});

test('half of the places are for those that are known, half for strangers, however many there are of the others', async () => {
  const { flood, enter, refused, open } = closed({ ofPart: 10, ofGroup: 10, waiting: 6 });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) flood(1, name);
  for (const name of ['k1', 'k2', 'k3', 'k4']) enter(name, { group: name, isKnown: true });
  flood(1, 'g');
  const done = await open();
  expect(refused).toHaveLength(5);
  expect(refused).toEqual(expect.arrayContaining(['k4', 'g1']));
  expect(done.filter((name) => name.startsWith('k'))).toEqual(['k1', 'k2', 'k3']);
  expect(done).toHaveLength(6);

  const known = closed({ ofPart: 10, ofGroup: 10, waiting: 6 });
  for (let n = 1; n <= 6; n++) known.enter(`k${n}`, { group: `k${n}`, isKnown: true });
  known.flood(4, 'a');
  expect((await known.open()).filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
});

test("the product's own work is never refused", async () => {
  const { enter, refused, open } = closed({ ofPart: 1, ofGroup: 1, waiting: 1 });
  for (const name of ['one', 'two', 'three']) enter(name, undefined);
  expect(await open()).toEqual(['one', 'two', 'three']);
  expect(refused).toEqual([]);
});

test('what failed gives its turn away', async () => {
  const { queue, enter, open } = closed();
  const failing = queue.run({ group: 'a' }, async () => Promise.reject(new Error('broken')));
  enter('next', { group: 'b' });
  const [outcome, done] = await Promise.all([failing.catch((error: unknown) => String(error)), open()]);
  expect([outcome, done]).toEqual(['Error: broken', ['next']]);
});
