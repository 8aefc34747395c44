import { Server, ServerCredentials } from '@grpc/grpc-js';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Duplex } from 'node:stream';
import { admitting, type Credentials } from './admission.ts';
import { append } from './append.ts';
import { deleteStream, tombstoneStream } from './delete.ts';
import { supportedMethods } from './features.ts';
import { members } from './gossip.ts';
import { sized } from './message-size.ts';
import type { Node } from './node.ts';
import { read } from './read.ts';
import { atMost } from './slots.ts';

const CALLS_OF_A_CONNECTION = 100;

/** A version without the server-features service. */
const BEFORE_FEATURES = '21.6.0';

/** The services of a node on the given connections. */
export type Services = { welcome(connection: Duplex): void; stop(): void };

export const startServices = (node: Node, credentials?: Credentials): Services => {
  const interceptors = [atMost(CALLS_OF_A_CONNECTION), ...(credentials ? [admitting(credentials)] : [])];
  const server = new Server({ 'grpc.max_receive_message_length': -1, interceptors });
  const { StreamsService } = streamsService;
  server.addService(
    {
      ...StreamsService,
      read: { ...StreamsService.read, responseSerialize: (message: Buffer) => message },
      append: { ...StreamsService.append, requestDeserialize: sized(StreamsService.append.requestDeserialize) },
    },
    {
      read: read(node),
      append: append(node),
      delete: deleteStream(node),
      tombstone: tombstoneStream(node),
    },
  );
  server.addService(gossipService.GossipService, { read: members(node) });
  if (node.version !== BEFORE_FEATURES)
    server.addService(featuresService.ServerFeaturesService, { getSupportedMethods: supportedMethods(node) });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    welcome: (connection) => injector.injectConnection(connection),
    stop: () => server.forceShutdown(),
  };
};
