import { expect, test } from 'vitest';
import { Slice } from '../../api/common/yield-to-event-loop.ts';

test('after a long stretch of work on one request others have a turn', async () => {
  const slice = new Slice();
  const other = Promise.withResolvers<string>();
  setImmediate(() => other.resolve('had a turn'));
  const end = performance.now() + 30;
  while (performance.now() < end);
  await slice.yield();
  expect(await Promise.race([other.promise, Promise.resolve('waits still')])).toBe('had a turn');
});
