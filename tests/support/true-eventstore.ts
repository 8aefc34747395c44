import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { credentials } from '@grpc/grpc-js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { eventStoreDbStore } from '../../events/store/eventstoredb.ts';
import { STAND_IN } from './eventstoredb/wire/features.ts';

/** `standsIn`: the server says that it is the stand-in. */
export type TrueEventStore = { readonly url: string; readonly standsIn: boolean; stop(): Promise<void> };

/** Why there is none, as the end of a sentence. */
export type NoEventStore = { readonly why: string };

const IMAGE = 'eventstore/eventstore:23.10.6-bookworm-slim';

/**
 * The EventStoreDB at EVENTSTORE_TEST_URL (a single node, `esdb://host:port?tls=false`; it keeps what the tests write), or one in a
 * container, if a container engine is installed. EVENTSTORE_TEST_IMAGE: another image for it.
 */
export const trueEventStore = async (): Promise<TrueEventStore | NoEventStore> => {
  const url = process.env['EVENTSTORE_TEST_URL'];
  if (url !== undefined && url !== '') {
    if (/^esdb:\/\/[^,]+tls=false/i.test(url)) {
      await untilItReads(url);
      return { url, standsIn: await isStandIn(url), stop: async () => {} };
    }
    return { why: 'EVENTSTORE_TEST_URL has to be one node without TLS, esdb://host:port?tls=false' };
  }
  if (!(await hasContainers())) return { why: 'EVENTSTORE_TEST_URL is not set and no container engine is reachable' };
  const image = process.env['EVENTSTORE_TEST_IMAGE'] ?? IMAGE;
  try {
    const container = await new GenericContainer(image)
      .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
      .withExposedPorts(2113)
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(90_000)
      .start();
    const address = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`;
    await untilItReads(address);
    return {
      url: address,
      standsIn: false,
      stop: async () => void (await container.stop()),
    };
  } catch (error) {
    return { why: `the container ${image} did not start (${error instanceof Error ? error.message : String(error)})` };
  }
};

/** `/health/live` answers before the server can be read: it is there once it answers a reading. */
const untilItReads = async (url: string): Promise<void> => {
  const store = eventStoreDbStore({ url });
  try {
    for (const giveUpAt = performance.now() + READING_MS; ;) {
      try {
        await store.head();
        return;
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await pause(200);
      }
    }
  } finally {
    await store.close();
  }
};
const READING_MS = 60_000;

const isStandIn = async (url: string): Promise<boolean> => {
  const client = new serverFeatures.ServerFeaturesClient(new URL(url.replace(/^esdb:/i, 'http:')).host, credentials.createInsecure());
  const ask = promisify((answered: (error: Error | null, methods: SupportedMethods) => void) =>
    client.getSupportedMethods(new shared.Empty(), answered),
  );
  try {
    return (await ask()).getMethodsList().some((method) => method.getServiceName() === STAND_IN);
  } finally {
    client.close();
  }
};

const hasContainers = (): Promise<boolean> =>
  getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
