import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Position } from '../../events/store/port.ts';
import { hangUp } from '../../events/store/postgres/connection.ts';
import { CHANNEL, EVERYTHING, fromPayload, newer, type Announcement, type Change, type Reached } from './announcement.ts';
import { BACKOFF, pause, waitBefore } from './backoff.ts';
import { reachedBy } from './standings.ts';

/** What was committed just now: the schools concerned (`*`: all), and in each what to look at again (`*`: everything). */
export type Committed = { readonly positions: ReadonlyMap<string, Position>; readonly changes: readonly Change[] };

/** The read models have not come as far as was asked for, in the time that was given. */
export class ReadModelBehind extends Error {
  override readonly name = 'ReadModelBehind';
  readonly behind: readonly string[];
  constructor(behind: readonly string[]) {
    super(`${behind.join(', ')} ${behind.length === 1 ? 'has' : 'have'} not come that far yet`);
    this.behind = behind;
  }
}

/**
 * How far the read models have come, for everybody who waits for one: told by the engine in this process at once, by other processes over
 * NOTIFY, and looked up while somebody waits, so that a lost notification costs a moment and nothing else.
 */
export class Progress {
  /** Tells this process's own notifications from those of others. */
  readonly origin = randomUUID();
  readonly #options: { databaseUrl: string; schema: string };
  readonly #reached = new Map<string, Reached>();
  readonly #waiting = new Set<Waiter>();
  /** Those who go on as soon as somebody waits. */
  readonly #wanted = new Set<() => void>();
  readonly #listeners = new Set<(committed: Committed) => void>();
  readonly #stopped = new AbortController();
  #client: pg.Client | undefined;
  #polling: NodeJS.Timeout | undefined;
  #asking = false;
  #reconnecting: Promise<void> | undefined;

  constructor(options: { databaseUrl: string; schema?: string }) {
    this.#options = { schema: 'read', ...options };
  }

  /** Listens from now on, through lost connections. Call it when the engine's tables are there (`Engine.catchUp` here or elsewhere). */
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

  /** As far as this process knows, by the name of the projection. */
  positions(): ReadonlyMap<string, Position> {
    return new Map([...this.#reached].map(([name, { position }]) => [name, position]));
  }

  /**
   * Fulfilled as soon as all these projections have come to the position: at once, if they have.
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

  /** Fulfilled after `ms`, but at once when somebody in this process waits for a position, or begins to. */
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

  /** Calls back after every commit of any projecting process; answers how to end that. */
  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** By the engine in this process. */
  committed({ reached, changes }: Announcement): void {
    this.#learn(reached);
    const positions = new Map([...reached].map(([name, { position }]) => [name, position]));
    // A turn later, so that a listener's mistake is not taken for the engine's.
    for (const listener of this.#listeners) queueMicrotask(() => listener({ positions, changes }));
  }

  #learn(reached: Iterable<readonly [string, Reached]>): void {
    for (const [name, one] of reached) this.#reached.set(name, newer(this.#reached.get(name), one));
    for (const waiter of this.#waiting) {
      if (this.#behind(waiter.projections, waiter.position).length === 0) {
        this.#leave(waiter);
        waiter.resolve();
      }
    }
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
      // Lost, or silent: then it tells nothing either. Its end brings another one.
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
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // After `listen`, so that nothing falls between. And afresh: a database that crashed may have taken its last moments back.
      this.#reached.clear();
      this.#learn(await reachedBy(client, this.#options.schema));
    } catch (error) {
      await hangUp(client);
      throw error;
    }
    client.on('end', () => this.#lost());
    this.#client = client;
  }

  #heard(payload: string): void {
    const heard = fromPayload(payload);
    if (heard && heard.origin !== this.origin) this.committed(heard);
  }

  #lost(): void {
    this.#client = undefined;
    if (this.#stopped.signal.aborted) return;
    this.#reached.clear();
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 1; !this.#stopped.signal.aborted; attempt++) {
      await pause(waitBefore(attempt, { ...BACKOFF, longestMs: 5_000 }), this.#stopped.signal);
      try {
        await this.#connect();
        break;
      } catch {
        // Once more, for ever: who waits meanwhile is told that the read models are behind.
      }
    }
    if (this.#stopped.signal.aborted) return;
    // What happened meanwhile went unheard.
    const schools = [{ schoolId: EVERYTHING, topics: [EVERYTHING] }];
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
