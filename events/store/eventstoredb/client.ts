import { readFileSync } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import serverFeaturesService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Address, Endpoint } from './address.ts';

/**
 * One connection to an EventStoreDB. TLS, credentials, finding the leader and the gRPC stubs are the official client's.
 *
 * Its `appendToStream`, `readAll` and `subscribeToAll` are not used: they parse and print JSON, so text does not come back byte for byte,
 * and they can hang (docs/decisions/8-eventstoredb-by-its-calls.md). The stubs below them make the same Append and Read calls.
 */
export type Client = {
  /** Whether a call would be sent immediately. If not, nothing sent now can have reached the server. */
  isConnected(): boolean;
  features(timeoutMs: number): Promise<Features>;
  /** The Append call, not BatchAppend: a failing append affects no other. `answered` is called once, never after a cancel. */
  append(messages: readonly AppendReq[], timeoutMs: number, answered: (error: Error | null, answer: AppendResp | undefined) => void): Call;
  /** `timeoutMs` undefined: until it is cancelled. */
  read(request: ReadReq, timeoutMs: number | undefined, reading: Reading): Call;
  /** Calls in progress still finish. */
  close(): void;
};

export type Call = { cancel(): void };

export type Reading = {
  on(message: ReadResp): void;
  /** Called once, with an error if it failed. Not after a cancel. */
  ended(error: Error | undefined): void;
};

export type Features = {
  /** undefined: the server is too old to report it */
  readonly version: string | undefined;
  /** Methods of the streams service and their features, in lower case: `read`, `read/position`, ... */
  readonly streams: ReadonlySet<string>;
};

/**
 * @param endpoint used instead of the address: the leader that another server named
 * @throws any error from reading a file that the address names; an error if the cluster does not name a leader
 */
export const openClient = async (address: Address, endpoint?: Endpoint): Promise<Client> => {
  const connection = connectionTo(address, endpoint);
  const { streams, features, request } = await connection.stubs();
  const channel = streams.getChannel();

  return {
    isConnected() {
      const state: number = channel.getConnectivityState(false);
      return state === READY;
    },

    features(timeoutMs) {
      const { promise, resolve, reject } = Promise.withResolvers<Features>();
      features.getSupportedMethods(new shared.Empty(), ...request(timeoutMs), (error, answer) => {
        const status: number | undefined = error?.code;
        if (status === UNIMPLEMENTED) return resolve({ version: undefined, streams: new Set() });
        if (error) return reject(error);
        const methods = answer.getMethodsList().filter((method) => method.getServiceName().toLowerCase() === STREAMS);
        const names = methods.flatMap((method) => {
          const name = method.getMethodName().toLowerCase();
          return [name, ...method.getFeaturesList().map((feature) => `${name}/${feature.toLowerCase()}`)];
        });
        return resolve({ version: answer.getEventStoreServerVersion(), streams: new Set(names) });
      });
      return promise;
    },

    append(messages, timeoutMs, answered) {
      let over = false;
      const end = (error: Error | null, answer?: AppendResp) => {
        if (over) return;
        over = true;
        answered(error, answer);
      };
      const call = streams.append(...request(timeoutMs), end);
      call.on('error', end);
      for (const message of messages) call.write(message);
      call.end();
      return {
        cancel() {
          over = true;
          call.cancel();
        },
      };
    },

    read(message, timeoutMs, { on, ended }) {
      let over = false;
      const end = (error?: Error) => {
        if (over) return;
        over = true;
        ended(error);
      };
      const call = streams.read(message, ...request(timeoutMs));
      call.on('data', (answer: ReadResp) => {
        if (!over) on(answer);
      });
      // Errors come as an event only, before the end: iterating over the call could take one for the end.
      call.on('error', end);
      call.on('end', () => end());
      return {
        cancel() {
          over = true;
          call.cancel();
        },
      };
    },

    close: () => channel.close(),
  };
};

const STREAMS = 'event_store.client.streams.streams';

/** gRPC's connectivity state of an open connection, and its status for a call that the server does not know. */
const READY = 2;
const UNIMPLEMENTED = 12;

class Connection extends EventStoreDBClient {
  async stubs() {
    return {
      streams: await this.execute(streamsService.StreamsClient, 'streams', async (stub) => stub),
      features: await this.execute(serverFeaturesService.ServerFeaturesClient, 'features', async (stub) => stub),
      request: (timeoutMs: number | undefined) =>
        this.callArguments({ requiresLeader: true }, { deadline: timeoutMs === undefined ? Infinity : Date.now() + timeoutMs }),
    };
  }
}

const connectionTo = ({ endpoints, discover, tls, credentials, files, ...address }: Address, elsewhere?: Endpoint): Connection => {
  const numbers = { ...address.numbers, keepAliveTimeout: ofItsOwn(address.numbers.keepAliveTimeout) };
  const secrets = [
    {
      insecure: !tls,
      ...(files.tlsCAFile === undefined ? {} : { rootCertificate: readFileSync(files.tlsCAFile) }),
      ...(files.userCertFile === undefined ? {} : { userCertFile: readFileSync(files.userCertFile) }),
      ...(files.userKeyFile === undefined ? {} : { userKeyFile: readFileSync(files.userKeyFile) }),
    },
    credentials,
  ] as const;
  const [first, ...others] = endpoints;
  if (elsewhere !== undefined) return new Connection({ endpoint: elsewhere, ...numbers }, ...secrets);
  if (discover === 'no' || typeof first === 'string') return new Connection({ endpoint: first, ...numbers }, ...secrets);
  if (discover === 'dns') return new Connection({ discover: first, ...numbers }, ...secrets);
  return new Connection({ endpoints: [first, ...others], ...numbers }, ...secrets);
};

/**
 * gRPC shares one connection between all channels with equal options. A store that gives up a silent connection (as when a firewall has
 * dropped it) would get the same one again while another store uses it. So each channel gets a keep-alive time-out that differs by some
 * milliseconds.
 */
const ofItsOwn = (keepAliveTimeout = 10_000): number => {
  if (keepAliveTimeout < 0) return keepAliveTimeout;
  opened = (opened + 1) % 1000;
  return keepAliveTimeout + opened;
};
let opened = 0;
