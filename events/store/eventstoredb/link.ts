import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../port.ts';
import type { Address, Endpoint } from './address.ts';
import { openClient } from './client.ts';
import type { Client, Features } from './client.ts';
import { EventStoreStarting, EventStoreUnfit, faultIn, unavailable } from './faults.ts';
import type { Fault } from './faults.ts';
import { readAllBefore } from './wire.ts';

/** A connection that has answered, to a server that fits, leads, and lets us read. */
export type Link = {
  readonly client: Client;
  /** Aborted when nothing new goes this way any more. */
  readonly retired: AbortSignal;
  /** It is silent, lost, or leads to one who does not lead: the next who asks gets another. What is under way here may end. */
  retire(leader?: Endpoint): void;
};

export type Links = {
  readonly label: string;
  /**
   * The connection that all share, made when it is needed, and made again when it is gone. Whoever asks while one is being made waits for
   * that attempt; after one that failed, the next waits longer, with a random part, so that not everybody comes back at once.
   *
   * @throws StoreUnavailable within the time-out: nothing was sent
   */
  get(): Promise<Link>;
  close(): void;
};

export const linksTo = (address: Address, timeoutMs: number): Links => {
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
      const client = await led(elsewhere);
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

  /** A client of the server that leads: where the first names another, of that one. */
  const led = async (elsewhere: Endpoint | undefined): Promise<Client> => {
    try {
      return await greeted(elsewhere);
    } catch (error) {
      const fault = faultIn(error);
      if (fault.kind !== 'not-leader' || !fault.leader) throw error;
      return await greeted(fault.leader);
    }
  };

  /** A client whose server has answered, fits and serves: what it can do it tells while it starts, and without a leader, too. */
  const greeted = async (elsewhere: Endpoint | undefined): Promise<Client> => {
    const name = elsewhere ? `${label}, led by ${elsewhere.address}:${elsewhere.port},` : label;
    const client = await within(timeoutMs, openClient(address, elsewhere), (late) => late.close());
    try {
      requireFit(label, await within(timeoutMs, client.features(timeoutMs)));
      await within(timeoutMs, served(client, timeoutMs));
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
    const own: Link = {
      client,
      retired: retired.signal,
      retire(leader) {
        if (retired.signal.aborted) return;
        if (current === own) current = undefined;
        redirect = leader;
        retired.abort();
        client.close();
      },
    };
    return own;
  };

  return {
    label,

    async get() {
      if (closing.signal.aborted) throw new StoreUnavailable(CLOSED);
      if (current && !current.client.isConnected()) current.retire();
      if (current) return current;
      attempt ??= connect().finally(() => (attempt = undefined));
      return within(timeoutMs, attempt).catch((error: unknown) => Promise.reject(unavailable(label, error)));
    },

    close() {
      closing.abort();
      current?.retire();
    },
  };
};

/** What a failed call says. Over a link to one who does not lead, or cannot serve, nothing new goes out. */
export const judged = (link: Link, error: unknown): Fault => {
  const fault = faultIn(error);
  if (fault.kind === 'not-leader') link.retire(fault.leader);
  else if (fault.kind === 'away') link.retire();
  return fault;
};

export const CLOSED = 'the event store is closed';

/** The server took a call, or a connection, and said nothing. */
export class Silent extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * The promise's value, or Silent when it takes too long.
 *
 * @param onLate gets what comes all the same
 */
export const within = async <T>(timeoutMs: number, promise: Promise<T>, onLate: (value: T) => void = () => {}): Promise<T> => {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    promise.then(onLate, () => {});
    reject(new Silent(timeoutMs));
  }, timeoutMs);
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
};

const isLost = (error: unknown): boolean => {
  if (error instanceof EventStoreUnfit || error instanceof StoreUnavailable || error instanceof Silent) return false;
  const { kind } = faultIn(error);
  return kind === 'away' || kind === 'broken';
};

const served = (client: Client, timeoutMs: number): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.read(readAllBefore('end', 1), timeoutMs, { on: () => {}, ended: (error) => (error ? reject(error) : resolve()) });
  return promise;
};

const starting = (label: string, error: unknown): StoreUnavailable => {
  const cause = new EventStoreStarting(`${label} is there and does not answer yet`, { cause: error });
  return new StoreUnavailable(cause.message, { cause });
};

/** Milliseconds to wait after so many failures: doubling up to two seconds, and a random half of it. */
export const waitAfter = (failures: number): number => {
  const full = Math.min(2_000, 50 * 2 ** Math.min(failures - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
};

/** Asked, not assumed: a server that is too old would answer some of the calls, and lack what is promised about them. */
const requireFit = (label: string, { version, streams }: Features): void => {
  const [, major = Infinity, minor = Infinity] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  const isOld = version === undefined || major < 22 || (major === 22 && minor < 10);
  if (isOld)
    throw new EventStoreUnfit(`${label} is an EventStoreDB ${version ?? 'before 21.10'}: 22.10 or newer is needed, 23.10 was tried`);
  const missing = NEEDED.filter((name) => !streams.has(name));
  if (missing.length > 0)
    throw new EventStoreUnfit(`${label} (version ${version}) cannot do what is needed of its streams: ${missing.join(', ')}`);
};

/** `read/position`: events of a stream say where in the whole log they stand. */
const NEEDED = ['append', 'read', 'read/position'];
