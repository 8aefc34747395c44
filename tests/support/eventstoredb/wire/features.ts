import type { handleUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { notReady } from './answers.ts';
import type { Node } from './node.ts';

/** The server's version and features. */
export const supportedMethods =
  ({ faults, version }: Node): handleUnaryCall<Empty, SupportedMethods> =>
  async (_, answer) => {
    if (faults.isSilent) await faults.spoken();
    const fault = faults.take({ method: 'features' });
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'not ready') return answer(notReady());
    const response = new features.SupportedMethods();
    response.setEventStoreServerVersion(version);
    response.setMethodsList(
      Object.entries(SERVICES).flatMap(([service, methods]) =>
        Object.entries(methods).map(([method, list]) => {
          const supported = new features.SupportedMethod();
          supported.setServiceName(service);
          supported.setMethodName(method);
          supported.setFeaturesList([...list]);
          return supported;
        }),
      ),
    );
    answer(null, response);
  };

/** Identifies the stand-in: a true server has no such service. */
export const STAND_IN = 'marktrail.tests.stand_in';

/** As far as Marktrail's calls go. */
const SERVICES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'event_store.client.streams.streams': {
    read: ['position', 'events'],
    append: [],
    delete: [],
    tombstone: [],
  },
  'event_store.client.gossip.gossip': { read: [] },
  'event_store.client.server_features.serverfeatures': { getsupportedmethods: [] },
  [STAND_IN]: { is_no_true_server: [] },
};
