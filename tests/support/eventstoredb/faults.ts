export type Method = 'append' | 'batchAppend' | 'read' | 'subscribe' | 'delete' | 'tombstone' | 'features';

/** A request as it arrived: whole, but not yet acted on. `stream` is missing where the request is about $all. */
export type Request = { readonly method: Method; readonly stream?: string };

/** What may go wrong with one request. */
export type Fault =
  /** accepted, not acted on, never answered */
  | { kind: 'silence' }
  /** a read of everything: the server fails at it */
  | { kind: 'failed' }
  /** acted on and answered so much later, in milliseconds */
  | { kind: 'slow'; ms: number }
  /** not acted on; what a server says while it starts */
  | { kind: 'not ready' }
  /** not acted on, and the connection is reset */
  | { kind: 'cut' }
  /** an append: acted on, never answered */
  | { kind: 'written, silence' }
  /** an append: acted on, and the connection is reset instead of an answer */
  | { kind: 'written, cut' }
  /** an append: not written; the server says that it timed out */
  | { kind: 'timeout' }
  /** an append: written; the server says that it timed out */
  | { kind: 'written, timeout' }
  /** an append: not written; refused as if the expected revision were wrong */
  | { kind: 'wrong revision' }
  /** an append: acted on and answered without a position, as one is that was written before and cannot be read any more */
  | { kind: 'no position' }
  /** a read or a subscription: after so many events it ends as if it were whole, breaks off, falls silent, or is called too slow */
  | { kind: 'after'; events: number; how: 'end' | 'cut' | 'silence' | 'too slow' }
  /** a subscription: begins so many events before the place that was asked for */
  | { kind: 'earlier'; events: number };

/** A node of a cluster, as another one sees it. */
export type Member = {
  readonly host: string;
  readonly port: number;
  readonly state: 'unknown' | 'follower' | 'leader';
  readonly isAlive: boolean;
};

type Plan = { readonly fault: Fault; readonly applies: (request: Request) => boolean; left: number };

/** The faults that wait for their requests, and the silence that holds all of them. */
export class Faults {
  #plans: Plan[] = [];
  #silence: { over: Promise<void>; end: () => void } | undefined;
  #notReady = false;
  /** Where a follower sends what requires the leader; `unknown`: it knows of none. */
  leader: { host: string; port: number } | 'unknown' | undefined;
  /** MaxAppendSize of its settings, in bytes. */
  maxAppendSize = MAX_APPEND_SIZE;
  /** What it tells who asks for the nodes of its cluster. */
  members: readonly Member[] = [];

  /** The next request of the method meets the fault, or so many of them. */
  next(method: Method, fault: Fault, times = 1): void {
    this.when((request) => request.method === method, fault, times);
  }

  /** The next requests that the predicate picks meet the fault; all of them unless `times` says otherwise. */
  when(applies: (request: Request) => boolean, fault: Fault, times = Infinity): void {
    this.#plans.push({ fault, applies, left: times });
  }

  /** From now on nothing is answered or delivered, over connections that stay open. */
  silence(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#silence ??= { over: promise, end: resolve };
  }

  /** From now on every request hears that the server is not ready yet, except the one that asks what it can do. */
  notReady(): void {
    this.#notReady = true;
  }

  /** All is well again; what waited goes on. */
  clear(): void {
    this.#plans = [];
    this.#notReady = false;
    this.leader = undefined;
    this.maxAppendSize = MAX_APPEND_SIZE;
    this.#silence?.end();
    this.#silence = undefined;
  }

  /** The fault that the request meets; a plan is used up by it. */
  take(request: Request): Fault | undefined {
    if (this.#notReady && request.method !== 'features') return { kind: 'not ready' };
    const plan = this.#plans.find(({ applies, left }) => left > 0 && applies(request));
    if (plan) plan.left--;
    return plan?.fault;
  }

  get isSilent(): boolean {
    return this.#silence !== undefined;
  }

  /** Resolves when it is not silent. */
  async spoken(): Promise<void> {
    while (this.#silence) await this.#silence.over;
  }
}

const MAX_APPEND_SIZE = 1_048_576;
