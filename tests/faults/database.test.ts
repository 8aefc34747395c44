import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { address, everyRequest, finished, listen, school, startDatabase, stopDatabase, unavailable } from './outage.ts';

test('while the database is stopped, every request is answered with 503, and afterwards everything works again by itself', async () => {
  const live = await listen();
  await stopDatabase();
  // How soon, `npm run bench -- --only outage` says.
  expect(await everyRequest()).toEqual(unavailable);

  // Whoever is told to come back comes back: this upload waits through the outage.
  const upload = school.upload('totals');
  const done = school.done(address, upload);
  await pause(3_000);
  await startDatabase();
  await finished(upload.commandId, done, live);
});
