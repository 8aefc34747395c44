import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../async/timeout.ts';
import { IDENTITY_STREAM } from '../identity.ts';
import { StoreUnavailable } from '../port.ts';
import type { Address, Endpoint } from './address.ts';
import { openClient } from './client.ts';
import type { Client, Features } from './client.ts';
import { EventStoreStarting, EventStoreUnfit, faultIn, unavailable } from './faults.ts';
import type { Fault } from './faults.ts';
import { readStream } from './wire.ts';

/** A connection to a server that is suitable, is the leader, and has answered a first read. */
export type Link = {
  readonly client: Client;
  /** Aborted once the connection is no longer used for new calls. */
  readonly retired: AbortSignal;
  /** The connection is silent, lost, or not to the leader: the next `get` opens another. Calls in progress may finish. */
  retire(leader?: Endpoint): void;
};

export type Links = {
  readonly label: string;
  /**
   * The shared connection, opened when needed and again when it is gone. Concurrent callers wait for the same attempt; after each failed
   * one the next waits longer, with jitter.
   *
   * @throws StoreUnavailable within the time-out: nothing was sent
   */
  get(): Promise<Link>;
  close(): void;
};

/** @param recognise compares the log behind a new connection: the connection is only used if that succeeds. */
export const linksTo = (address: Address, timeoutMs: number, recognise: (link: Link) => Promise<unknown>): Links => {
  const { label } = address;
  const closing = new AbortController();
  let current: Link | undefined;
  let attempt: Promise<Link> | undefined;
  let failures = 0;
  let redirect: Endpoint | undefined;

  const connect = async (): Promise<Link> => {
    const elsewhere = redirect;
    redirect = undefined;
    try {
      if (failures > 0) await pause(waitAfter(failures), undefined, { signal: closing.signal });
      const client = await openAtLeader(elsewhere);
      if (closing.signal.aborted) {
        client.close();
        throw new StoreUnavailable(CLOSED);
      }
      failures = 0;
      return (current = link(client));
    } catch (error) {
      failures += 1;
      throw closing.signal.aborted ? new StoreUnavailable(CLOSED) : unavailable(label, error);
    }
  };

  /** Connects to the leader: if the first server names another node as leader, to that one. */
  const openAtLeader = async (elsewhere: Endpoint | undefined): Promise<Client> => {
    try {
      return await openChecked(elsewhere);
    } catch (error) {
      const fault = faultIn(error);
      if (fault.kind !== 'not-leader' || !fault.leader) throw error;
      return await openChecked(fault.leader);
    }
  };

  /**
   * Opens a client and checks its server with a read of the log's identity: a server reports its features even while it starts or has no
   * leader.
   */
  const openChecked = async (elsewhere: Endpoint | undefined): Promise<Client> => {
    const name = elsewhere ? `${label}, led by ${elsewhere.address}:${elsewhere.port},` : label;
    const client = await answerOrSilent(timeoutMs, openClient(address, elsewhere), (late) => late.close());
    try {
      requireFit(label, await answerOrSilent(timeoutMs, client.features(timeoutMs)));
      await answerOrSilent(timeoutMs, firstRead(client, timeoutMs));
      await answerOrSilent(timeoutMs, recognise(link(client)));
      return client;
    } catch (error) {
      const isStarting = isLost(error) && client.isConnected();
      client.close();
      if (isStarting) throw starting(name, error);
      throw elsewhere && isLost(error) ? unavailable(name, error) : error;
    }
  };

  const link = (client: Client): Link => {
    const retired = new AbortController();
    const newLink: Link = {
      client,
      retired: retired.signal,
      retire(leader) {
        if (retired.signal.aborted) return;
        if (current === newLink) current = undefined;
        redirect = leader;
        retired.abort();
        client.close();
      },
    };
    return newLink;
  };

  return {
    label,

    async get() {
      if (closing.signal.aborted) throw new StoreUnavailable(CLOSED);
      if (current && !current.client.isConnected()) current.retire();
      if (current) return current;
      attempt ??= connect().finally(() => (attempt = undefined));
      return answerOrSilent(timeoutMs, attempt).catch((error: unknown) => Promise.reject(unavailable(label, error)));
    },

    close() {
      closing.abort();
      current?.retire();
    },
  };
};

/** What a failed call means. Retires the link if its server is not the leader or cannot serve. */
export const faultOf = (link: Link, error: unknown): Fault => {
  const fault = faultIn(error);
  if (fault.kind === 'not-leader') link.retire(fault.leader);
  else if (fault.kind === 'away') link.retire();
  return fault;
};

export const CLOSED = 'the event store is closed';

/** The server accepted a call or a connection and did not answer. */
export class Silent extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * The promise's value.
 *
 * @param onLate gets the value if it arrives after the time-out
 * @throws Silent after `timeoutMs`
 */
export const answerOrSilent = <T>(timeoutMs: number, promise: Promise<T>, onLate: (value: T) => void = () => {}): Promise<T> =>
  withTimeout(timeoutMs, promise, () => {
    promise.then(onLate, () => {});
    return new Silent(timeoutMs);
  });

const isLost = (error: unknown): boolean => {
  if (error instanceof EventStoreUnfit || error instanceof StoreUnavailable || error instanceof Silent) return false;
  const { kind } = faultIn(error);
  return kind === 'away' || kind === 'broken';
};

const firstRead = (client: Client, timeoutMs: number): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.read(readStream(IDENTITY_STREAM, 0n, 1), timeoutMs, { on: () => {}, ended: (error) => (error ? reject(error) : resolve()) });
  return promise;
};

const starting = (label: string, error: unknown): StoreUnavailable => {
  const cause = new EventStoreStarting(`${label} is starting and does not answer yet`, { cause: error });
  return new StoreUnavailable(cause.message, { cause });
};

/** Milliseconds to wait after this many failures: exponential up to two seconds, half of it random. */
export const waitAfter = (failures: number): number => {
  const full = Math.min(2_000, 50 * 2 ** Math.min(failures - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
};

/** A server that is too old would accept some calls without their guarantees, so version and features are checked. */
const requireFit = (label: string, { version, streams }: Features): void => {
  const [, major = Infinity, minor = Infinity] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  const isOld = version === undefined || major < 22 || (major === 22 && minor < 10);
  if (isOld)
    throw new EventStoreUnfit(`${label} is an EventStoreDB ${version ?? 'before 21.10'}: 22.10 or newer is required (23.10 was tested)`);
  const missing = NEEDED.filter((name) => !streams.has(name));
  if (missing.length > 0) throw new EventStoreUnfit(`${label} (version ${version}) lacks required stream features: ${missing.join(', ')}`);
};

/** `read/position`: events read from a stream include their position in the log. */
const NEEDED = ['append', 'read', 'read/position'];
