export type Method = 'append' | 'read' | 'subscribe' | 'delete' | 'tombstone' | 'features';

/** A complete request that has not been acted on yet. `stream` is omitted for requests about $all. */
export type Request = { readonly method: Method; readonly stream?: string };

/** Faults of a single request. */
export type Fault =
  /** accepted, not acted on, never answered */
  | { kind: 'silence' }
  /** a read of $all: the server fails */
  | { kind: 'failed' }
  /** acted on and answered after this many milliseconds */
  | { kind: 'slow'; ms: number }
  /** not acted on; answered like a server that is starting */
  | { kind: 'not ready' }
  /** not acted on, and the connection is reset */
  | { kind: 'cut' }
  /** an append: acted on, never answered */
  | { kind: 'written, silence' }
  /** an append: acted on, and the connection is reset before the answer */
  | { kind: 'written, cut' }
  /** an append: not written; answered with a time-out */
  | { kind: 'timeout' }
  /** an append: written; answered with a time-out */
  | { kind: 'written, timeout' }
  /** an append: not written; refused as if the expected revision were wrong */
  | { kind: 'wrong revision' }
  /** an append: acted on and answered without a position, as for a repeated append whose event has been scavenged */
  | { kind: 'no position' }
  /** a read or a subscription: after this many events it ends as if complete, breaks off, falls silent, or is dropped as too slow */
  | { kind: 'after'; events: number; how: 'end' | 'cut' | 'silence' | 'too slow' }
  /** a subscription: starts this many events before the requested position */
  | { kind: 'earlier'; events: number };

/** A node of a cluster, as seen by another node. */
export type Member = {
  readonly host: string;
  readonly port: number;
  readonly state: 'unknown' | 'follower' | 'leader';
  readonly isAlive: boolean;
};

type Plan = { readonly fault: Fault; readonly applies: (request: Request) => boolean; left: number };

/** The faults waiting for their requests, and the faults that hold for all requests. */
export class Faults {
  #plans: Plan[] = [];
  #silence: { over: Promise<void>; end: () => void } | undefined;
  #notReady = false;
  /** Where a follower sends requests that require the leader; `unknown`: it knows of none. */
  leader: { host: string; port: number } | 'unknown' | undefined;
  /** The MaxAppendSize setting, in bytes. */
  maxAppendSize = MAX_APPEND_SIZE;
  /** The answer to a request for the cluster's nodes. */
  members: readonly Member[] = [];

  /** The next request of the method meets the fault, or the next `times`. */
  next(method: Method, fault: Fault, times = 1): void {
    this.when((request) => request.method === method, fault, times);
  }

  /** Requests chosen by the predicate meet the fault; all of them unless `times` limits it. */
  when(applies: (request: Request) => boolean, fault: Fault, times = Infinity): void {
    this.#plans.push({ fault, applies, left: times });
  }

  /** From now on nothing is answered or delivered, but connections stay open. */
  silence(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#silence ??= { over: promise, end: resolve };
  }

  /** From now on every request is answered as not ready, except the one for the server's features. */
  notReady(): void {
    this.#notReady = true;
  }

  /** Ends all faults; held requests continue. */
  clear(): void {
    this.#plans = [];
    this.#notReady = false;
    this.leader = undefined;
    this.maxAppendSize = MAX_APPEND_SIZE;
    this.#silence?.end();
    this.#silence = undefined;
  }

  /** The fault of a request; planned faults are used up. */
  take(request: Request): Fault | undefined {
    if (this.#notReady && request.method !== 'features') return { kind: 'not ready' };
    const plan = this.#plans.find(({ applies, left }) => left > 0 && applies(request));
    if (plan) plan.left--;
    return plan?.fault;
  }

  get isSilent(): boolean {
    return this.#silence !== undefined;
  }

  /** Resolves once the server is not silent. */
  async spoken(): Promise<void> {
    while (this.#silence) await this.#silence.over;
  }
}

const MAX_APPEND_SIZE = 1_048_576;
