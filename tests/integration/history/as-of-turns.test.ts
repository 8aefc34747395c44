import { expect, test } from 'vitest';
import type { AsOf, AsOfOptions } from '../../../projections/engine/as-of/as-of.ts';
import { schoolIndex } from '../../../projections/history/school-index.ts';
import { renamedSchools, somebody } from '../../support/renamed-schools.ts';

/** Who waits for a schema is served in turn: no school keeps another one waiting, however many of its accounts look at however many moments. */
const { school, neighbour, names, times, closing, process, ask } = await renamedSchools();

/** Counts the fillings of a school by all processes that are opened with it. */
const counting = (terms: Partial<AsOfOptions>): { options: Partial<AsOfOptions>; fillings: () => number } => {
  let count = 0;
  const page: AsOfOptions['index']['page'] = (query, schoolId, after, ...rest) => {
    if (schoolId === school.schoolId && after === 0n) count++;
    return schoolIndex.page(query, schoolId, after, ...rest);
  };
  return { options: { index: { ...schoolIndex, page }, ...terms }, fillings: () => count };
};
/** Whoever crowds the others may be told to come back; how soon depends on the machine. */
const mayBeBusy = (error: unknown): void => {
  if (!(error instanceof Error) || error.name !== 'AsOfBusy') throw error;
};
/** Accounts of the school that each look at one moment after the other without end, in two processes. */
const leafing = (accounts: number, options: Partial<AsOfOptions>): void => {
  const processes = [process(options), process(options)];
  let goesOn = true;
  const one = async (accountId: ReturnType<typeof somebody>, at: AsOf, first: number): Promise<void> => {
    for (let time = first; goesOn; time++) {
      await ask(at, time % names.length, accountId).catch(mayBeBusy);
      await new Promise(setImmediate);
    }
  };
  const all = Array.from({ length: accounts }, (_, n) => one(somebody(), processes[n % 2]!, n));
  closing.unshift(async () => {
    goesOn = false;
    await Promise.all(all);
  });
};

test('a school whose many accounts look at many moments keeps another school waiting for a filling or two', async () => {
  const { options, fillings } = counting({ patienceMs: 10_000 });
  leafing(12, options);
  await expect.poll(fillings).toBeGreaterThan(1);
  const before = fillings();
  expect(await ask(process({ patienceMs: 200_000 }), 1, somebody(), neighbour)).toBe('Two of the neighbour');
  expect(fillings() - before).toBeLessThanOrEqual(4);
});

test('with a single schema too, and again and again', async () => {
  const { options, fillings } = counting({ schemas: 1, turnMs: 500, patienceMs: 10_000 });
  leafing(6, options);
  await expect.poll(fillings).toBeGreaterThan(1);
  const [at, accountId] = [process({ schemas: 1, turnMs: 500, patienceMs: 200_000 }), somebody()];
  const before = fillings();
  for (const time of [0, 1, 2]) expect(await ask(at, time, accountId, neighbour)).toBe(`${names[time]} of the neighbour`);
  expect(fillings() - before).toBeLessThanOrEqual(6);
});

test('within a school its accounts take turns', async () => {
  const { options, fillings } = counting({ turnMs: 500, patienceMs: 10_000 });
  leafing(2, options);
  await expect.poll(fillings).toBeGreaterThan(3);
  const before = fillings();
  expect(await ask(process({ turnMs: 500, patienceMs: 200_000 }), 1)).toBe('Two');
  expect(fillings() - before).toBeLessThanOrEqual(4);
});

test('readers who take over from each other without a gap keep nobody waiting for ever', async () => {
  const at = process({ schemas: 1, turnMs: 0, patienceMs: 20_000 });
  let isServed = false;
  const overlapping = async (): Promise<void> => {
    let next = Promise.withResolvers<void>();
    const read = async (begun: () => void, until: Promise<void>) => {
      const view = { schoolId: school.schoolId, accountId: somebody(), moment: times[0] ?? '' };
      const reading = at.read(view, async () => {
        begun();
        await until;
      });
      await reading.catch(mayBeBusy);
    };
    let last = read(() => undefined, next.promise);
    while (!isServed) {
      const [began, following] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const now = read(began.resolve, following.promise);
      // The next one reads before this one ends, unless it is not let in.
      await Promise.race([began.promise, new Promise((resolve) => setTimeout(resolve, 300))]);
      next.resolve();
      await last;
      [next, last] = [following, now];
    }
    next.resolve();
    await last;
  };
  expect(await ask(at, 0)).toBe('One');
  const reading = overlapping();
  closing.unshift(async () => {
    isServed = true;
    await reading;
  });
  expect(await ask(process({ schemas: 1, turnMs: 0, patienceMs: 200_000 }), 1, somebody(), neighbour)).toBe('Two of the neighbour');
});
