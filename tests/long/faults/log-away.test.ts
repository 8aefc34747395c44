import { expect, test } from 'vitest';
import { goesAway, health, position, school, wire } from '../../faults/log-away.ts';

test('a log that is silent: commands are told so, reading goes on, and so does everything when it is back', () => goesAway('silent', 1));

test('whoever asks how the product is waits less for a silent log than its commands do', async () => {
  await position();
  wire.silence();
  const ofCommand = school.backend.store.head().then(
    () => 'what a command asks',
    () => 'what a command asks',
  );
  expect(await Promise.race([ofCommand, health().then(({ status, log }) => ({ status, log }))])).toEqual({
    status: 'degraded',
    log: false,
  });
  wire.speak();
  await ofCommand;
  await expect.poll(async () => (await health()).status).toBe('ok');
});
