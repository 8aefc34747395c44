import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { log, start, happened, count, exchanged, isRefused } from '../../run/wrong-log-processes.ts';

test.each(['api', 'projector'])('as %s, too, it refuses to start with another log', async (role) => {
  await exchanged();
  await isRefused(role);
});

test('DEMO=1 says that it does nothing where the log holds events', async () => {
  await log.append(`thing-${randomUUID()}`, [happened()], 'none');
  const marktrail = start({ DEMO: '1' });
  await marktrail.ready;
  await expect.poll(() => marktrail.output()).toContain('DEMO does nothing here: the log holds events already');
  expect(marktrail.output()).not.toContain('Building the demo school');
  // Its own, and the identity.
  expect(await count()).toBe(2);
});
