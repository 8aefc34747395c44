import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe } from 'vitest';
import { startEventStore } from '../../../support/eventstoredb/server.ts';
import { appending } from './server/appending.ts';
import { deleting } from './server/deleting.ts';
import { failing } from './server/failing.ts';
import type { Given } from './server/given.ts';
import { reading } from './server/reading.ts';
import { repeating } from './server/repeating.ts';
import { sizes } from './server/sizes.ts';
import { subscribing } from './server/subscribing.ts';

/** The stand-in answers what a true EventStoreDB 23.10.6 was seen to answer, asked through its own client. */
describe('stand-in for EventStoreDB', () => {
  let given: Given;

  beforeEach(async () => {
    const server = await startEventStore();
    given = { server, client: EventStoreDBClient.connectionString(server.url) };
  });

  afterEach(async () => {
    await given.client.dispose();
    await given.server.stop();
  });

  for (const [name, chapter] of Object.entries({ appending, repeating, reading, subscribing, sizes, deleting, failing }))
    describe(name, () => chapter(() => given));
});
