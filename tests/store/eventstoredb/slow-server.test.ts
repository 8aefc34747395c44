import { expect, test } from 'vitest';
import { events } from '../given.ts';
import { eventStoreDbLog } from '../logs/eventstoredb.ts';
import { all, ids, insist } from '../seen.ts';

test('what a slow server sent until the time was over counts: reading goes on behind it instead of from the beginning', async () => {
  const log = await eventStoreDbLog();
  const wanted = events(6);
  await log.store.append('entry-s.1', wanted, 'none');
  const store = log.join({ timeoutMs: 800 });
  await insist(() => store.head());
  // It stops after three messages, each time, as one does that is slower than the time-out of a page.
  log.server.faults.next('read', { kind: 'after', events: 3, how: 'silence' }, 2);
  expect(ids(await all(store.readAll('start')))).toEqual(ids(wanted));

  log.server.faults.next('read', { kind: 'after', events: 4, how: 'silence' });
  expect(ids(await all(store.read('entry-s.1')))).toEqual(ids(wanted));
  await log.close();
});
