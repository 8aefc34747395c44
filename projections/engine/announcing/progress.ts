import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Position } from '../../../events/store/port.ts';
import { hangUp } from '../../../events/store/postgres/connection.ts';
import { CHANNEL, EVERYTHING, fromPayload, merged, newer, type Announcement, type Change, type Reached } from './announcement.ts';
import { BACKOFF, pause, waitBefore } from '../../../events/async/backoff.ts';
import { reachedBy } from './status.ts';

/** What was just committed: positions, and the changes by school (`*`: all schools, or everything in one). */
export type Committed = { readonly positions: ReadonlyMap<string, Position>; readonly changes: readonly Change[] };

/** The read models did not reach the requested position in time. */
export class ReadModelBehind extends Error {
  override readonly name = 'ReadModelBehind';
  readonly behind: readonly string[];
  constructor(behind: readonly string[]) {
    super(`${behind.join(', ')} ${behind.length === 1 ? 'has' : 'have'} not reached that position yet`);
    this.behind = behind;
  }
}

/**
 * The positions of the read models, for requests that wait for one: reported by the engine in this process at once, by other processes with
 * NOTIFY, and polled while somebody waits, so that a lost notification only costs a moment.
 */
export class Progress {
  /** Distinguishes this process's own notifications from those of others. */
  readonly origin = randomUUID();
  readonly #options: { databaseUrl: string; schema: string };
  readonly #reached = new Map<string, Reached>();
  readonly #waiting = new Set<Waiter>();
  /** Called as soon as somebody waits for a position. */
  readonly #wanted = new Set<() => void>();
  readonly #listeners = new Set<(committed: Committed) => void>();
  readonly #stopped = new AbortController();
  #client: pg.Client | undefined;
  /** The payloads of an announcement of which the last has not come. */
  #parts: Announcement[] = [];
  #polling: NodeJS.Timeout | undefined;
  #asking = false;
  #reconnecting: Promise<void> | undefined;
  #isReconnecting = false;

  constructor(options: { databaseUrl: string; schema?: string }) {
    this.#options = { schema: 'read', ...options };
  }

  /** Starts listening, and reconnects after lost connections. The engine's tables must exist (`Engine.catchUp` here or elsewhere). */
  async start(): Promise<void> {
    await this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#polling);
    for (const waiter of this.#waiting) this.#giveUp(waiter);
    await this.#reconnecting;
    if (this.#client) await hangUp(this.#client);
  }

  /** The positions known to this process, by the name of the projection. */
  positions(): ReadonlyMap<string, Position> {
    return (this.#positions ??= new Map([...this.#reached].map(([name, { position }]) => [name, position])));
  }
  /** Kept until a position changes, because every command reads them. */
  #positions: ReadonlyMap<string, Position> | undefined;

  /** The positions that are stored, whether announced or not, of the builds that this process knows of; none while the connection is lost. */
  async storedPositions(): Promise<ReadonlyMap<string, Position>> {
    const client = this.#client;
    if (!client) return new Map();
    try {
      const reached = await (this.#stored ??= reachedBy(client, this.#options.schema).finally(() => (this.#stored = undefined)));
      const isKnown = ([name, { build }]: readonly [string, Reached]) => isDeepStrictEqual(build, this.#reached.get(name)?.build);
      return new Map([...reached].filter(isKnown).map(([name, { position }]) => [name, position]));
    } catch {
      await hangUp(client);
      return new Map();
    }
  }
  #stored: Promise<Map<string, Reached>> | undefined;

  /**
   * Fulfilled as soon as all these projections have reached the position.
   * @throws ReadModelBehind after `timeoutMs`
   */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<void> {
    if (this.#behind(projections, position).length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { projections, position, resolve, reject, timer: setTimeout(() => this.#giveUp(waiter), timeoutMs) };
      this.#waiting.add(waiter);
      for (const wanted of this.#wanted) wanted();
      this.#polling ??= setInterval(() => void this.#poll(), POLL_MS);
    });
  }

  /** Fulfilled after `ms`, or as soon as somebody in this process waits for a position. */
  async untilWanted(ms: number): Promise<void> {
    if (this.#waiting.size > 0) return;
    await new Promise<void>((resolve) => {
      const wanted = (): void => {
        clearTimeout(timer);
        this.#wanted.delete(wanted);
        resolve();
      };
      const timer = setTimeout(wanted, ms);
      this.#wanted.add(wanted);
    });
  }

  /** Calls `listener` after every commit of any projector; returns a function that unsubscribes. */
  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Called by the engine in this process. */
  committed({ reached, changes }: Announcement): void {
    this.#learn(reached);
    const positions = new Map([...reached].map(([name, { position }]) => [name, position]));
    // In a microtask, so that a listener's error does not become the engine's.
    for (const listener of this.#listeners) queueMicrotask(() => listener({ positions, changes }));
  }

  #learn(reached: Iterable<readonly [string, Reached]>): void {
    this.#positions = undefined;
    for (const [name, one] of reached) this.#reached.set(name, newer(this.#reached.get(name), one));
    for (const waiter of this.#waiting) {
      if (this.#behind(waiter.projections, waiter.position).length === 0) {
        this.#leave(waiter);
        waiter.resolve();
      }
    }
  }

  #forget(): void {
    this.#positions = undefined;
    this.#reached.clear();
  }

  #behind(projections: readonly string[], position: Position): string[] {
    return projections.filter((name) => (this.#reached.get(name)?.position ?? -1n) < position);
  }

  #giveUp(waiter: Waiter): void {
    this.#leave(waiter);
    waiter.reject(new ReadModelBehind(this.#behind(waiter.projections, waiter.position)));
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  async #poll(): Promise<void> {
    const client = this.#client;
    if (!client || this.#asking) return;
    this.#asking = true;
    try {
      this.#learn(await reachedBy(client, this.#options.schema));
    } catch {
      // Lost or silent: its end opens another connection.
      await hangUp(client);
    } finally {
      this.#asking = false;
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: 'marktrail progress',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
    });
    client.on('error', () => undefined);
    this.#parts = [];
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // After `listen`, so that nothing is missed. Cleared first, because a database that crashed may have lost its last commits.
      this.#forget();
      this.#learn(await reachedBy(client, this.#options.schema));
    } catch (error) {
      await hangUp(client);
      throw error;
    }
    client.on('end', () => this.#lost());
    this.#client = client;
  }

  /** The payloads of one announcement arrive together. It counts once all are there, because it says what is true at its positions. */
  #heard(payload: string): void {
    const notice = fromPayload(payload);
    if (!notice || notice.origin === this.origin) return;
    this.#parts.push(notice);
    if (notice.more) return;
    const whole = merged(this.#parts);
    this.#parts = [];
    // While it reconnects, only positions count: listeners are then told that everything may have changed.
    if (this.#isReconnecting) this.#learn(whole.reached);
    else this.committed(whole);
  }

  #lost(): void {
    this.#client = undefined;
    if (this.#stopped.signal.aborted) return;
    this.#forget();
    this.#isReconnecting = true;
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 1; !this.#stopped.signal.aborted; attempt++) {
      await pause(waitBefore(attempt, { ...BACKOFF, longestMs: 5_000 }), this.#stopped.signal);
      try {
        await this.#connect();
        break;
      } catch {
        // Retried for ever; requests that wait meanwhile fail with ReadModelBehind.
      }
    }
    if (this.#stopped.signal.aborted) return;
    // Changes in the meantime were missed.
    this.#isReconnecting = false;
    const schools = [{ schoolId: EVERYTHING, channels: [EVERYTHING] }];
    for (const listener of this.#listeners) listener({ positions: this.positions(), changes: schools });
  }
}

type Waiter = {
  readonly projections: readonly string[];
  readonly position: Position;
  readonly resolve: () => void;
  readonly reject: (error: ReadModelBehind) => void;
  readonly timer: NodeJS.Timeout;
};

const POLL_MS = 200;
