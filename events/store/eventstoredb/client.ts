import { readFileSync } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import serverFeaturesService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Address, Endpoint } from './address.ts';

/**
 * One connection to an EventStoreDB: TLS, credentials, finding the leader and the calls themselves are the official client's.
 *
 * Its `appendToStream`, `readAll` and `subscribeToAll` are not used. They parse and print JSON, so that a text does not come back byte for
 * byte, and they wait where nobody sees it (see docs/decisions/8-eventstoredb-by-its-calls.md). What is below them is: the same
 * Append and Read calls, by the stubs that the client is made of.
 */
export type Client = {
  /** Whether a call would go out at once. False: nothing that is sent now can have reached the server. */
  isConnected(): boolean;
  features(timeoutMs: number): Promise<Features>;
  /** The classic call, never BatchAppend: a broken one harms no other. `answered` is called once; never for one that was cancelled before. */
  append(messages: readonly AppendReq[], timeoutMs: number, answered: (error: Error | null, answer: AppendResp | undefined) => void): Call;
  /** `timeoutMs` undefined: until it is cancelled. */
  read(request: ReadReq, timeoutMs: number | undefined, reading: Reading): Call;
  /** Calls that are under way end by themselves. */
  close(): void;
};

export type Call = { cancel(): void };

export type Reading = {
  on(message: ReadResp): void;
  /** Called once, with an error or without. Not after the call was cancelled. */
  ended(error: Error | undefined): void;
};

export type Features = {
  /** undefined: the server is older than the question */
  readonly version: string | undefined;
  /** Methods and features of the streams, in lower case: `read`, `read/position`, ... */
  readonly streams: ReadonlySet<string>;
};

/**
 * @param endpoint to be talked to instead of the address: where a server said that its leader is
 * @throws whatever is wrong with a file that the address names; an error once the cluster does not say who leads it
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
      // An error is told before the end, and by the event only: who iterates over the call may take it for an end.
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

/** Of gRPC: its state of a connection that stands, and its status of a call that the server does not know. */
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
 * All channels of a process that look alike share one connection: whoever leaves one that has fallen silent, as when a firewall has
 * forgotten it, would be handed it again while another holds it. So no two look alike: this much longer, in milliseconds, each waits for an
 * answer to its ping.
 */
const ofItsOwn = (keepAliveTimeout = 10_000): number => {
  if (keepAliveTimeout < 0) return keepAliveTimeout;
  opened = (opened + 1) % 1000;
  return keepAliveTimeout + opened;
};
let opened = 0;
