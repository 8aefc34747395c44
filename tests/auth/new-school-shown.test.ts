import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import { Client } from '../support/client.ts';
import { startEventStore } from '../support/eventstoredb/server.ts';
import { testDatabase } from '../support/postgres.ts';
import { openProduct } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';

test.each(['PostgreSQL', 'an EventStoreDB'])('whoever has just opened a school is told its name: its log is in %s', async (log) => {
  const server = log === 'PostgreSQL' ? undefined : await startEventStore();
  const database = await testDatabase();
  const product = await openProduct(database.url, server && { store: async () => eventStoreDbStore({ url: server.url }) });
  onTestFinished(async () => {
    await product.close();
    await server?.stop();
    await database.drop();
  });
  const { auth, progress, store } = product.backend;
  const [registrationId, email] = [randomUUID(), 'ada@heads.example'];
  await auth.pool.query(`insert into identity.registrations (id, email, name, password) values ($1, $2, 'Ada Nwosu', $3)`, [
    registrationId,
    email,
    await auth.passwords.hash(PASSWORD),
  ]);
  const mail = await auth.mail.order({ cause: `registered ${registrationId}`, kind: 'registered', about: { registrationId } });
  const link = { purpose: 'registration', subject: registrationId, about: email } as const;
  const token = await auth.links.make(link, mail);

  const visitor = new Client(product);
  const opened = await visitor.post('/api/new-db', JSON.stringify({ school: 'Greenfield Academy', email, password: PASSWORD, token }));
  expect([opened.status, progress.positions().get('structure')]).toEqual([200, await store.head()]);
  await visitor.signIn(email, PASSWORD);
  expect(await (await visitor.send('/api/checkauth')).json()).toMatchObject({ scope: 'admin', school: 'Greenfield Academy' });
});
