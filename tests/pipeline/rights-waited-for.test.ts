import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rights } from '../../api/pipeline/rights.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';

/** How long readers wait for rights; what the rights are then, tests/pipeline/rights says. */
let progress: Progress;
let rights: Rights;
beforeEach(() => {
  vi.useFakeTimers();
  // It never connects: what it learns is told here.
  progress = new Progress({ databaseUrl: 'postgres://nowhere.invalid' });
  rights = new Rights({
    positions: () => progress.positions(),
    waitFor: (models, position, timeoutMs) => progress.waitFor(models, position, timeoutMs),
  });
  reach(1n, 'accounts', 'structure', 'roster', 'results');
});
afterEach(() => {
  vi.useRealTimers();
});

const reach = (position: bigint, ...models: string[]) =>
  progress.committed({ reached: new Map(models.map((name) => [name, { build: [1, 0, 0], position }])), changes: [] });
/** Whether somebody who asks for this position is answered within so many milliseconds. */
const isAnswered = async (position: bigint, ms: number) => {
  let isDone = false;
  void rights.waitFor(position).then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(ms);
  return isDone;
};

test('one that others leave behind is waited for once, and again as soon as it moves', async () => {
  reach(3n, 'structure', 'roster', 'results');
  expect(await isAnswered(2n, 1_900)).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(await isAnswered(3n, 0)).toBe(true);
  // Another one is still waited for.
  reach(4n, 'structure', 'results');
  expect(await isAnswered(4n, 1_000)).toBe(false);
  reach(4n, 'roster');
  expect(await isAnswered(4n, 0)).toBe(true);
  // It goes on.
  reach(2n, 'accounts');
  expect(await isAnswered(4n, 1_000)).toBe(false);
  reach(4n, 'accounts');
  expect(await isAnswered(4n, 0)).toBe(true);
});

test('where all stand still, nobody is left behind: the rights of the position are waited for as before', async () => {
  await isAnswered(2n, 2_000);
  reach(2n, 'results');
  expect(await isAnswered(2n, 1_000)).toBe(false);
  reach(2n, 'accounts', 'structure', 'roster');
  expect(await isAnswered(2n, 0)).toBe(true);
});
