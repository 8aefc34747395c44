import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { marktrailCommand } from '../../support/marktrail.ts';
import { log, settings, start, happened, count, createSchool, exchanged, isRefused } from '../../run/wrong-log-processes.ts';

test.each(['api', 'projector'])('as %s, too, it refuses to start with another log', async (role) => {
  await exchanged();
  await isRefused(role);
});

test('a school that is created in an empty log comes after the identity of the log', async () => {
  await marktrailCommand(settings(), ...createSchool);
  const streams: string[] = [];
  for await (const { stream } of log.readAll('start')) streams.push(stream.replace(/-.*/, ''));
  expect(streams.slice(0, 2)).toEqual(['log', 'staff']);
  expect(streams.filter((stream) => stream === 'log')).toHaveLength(1);
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
