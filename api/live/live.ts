import type { Since } from '../pipeline/query-cache.ts';
import { ProblemError } from '../common/problems.ts';
import { countRefusal } from '../common/refusals.ts';
import type { Queries } from './subscriptions.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Listener } from './connection.ts';
import { Connection } from './connection.ts';
import type { ReadAs } from '../common/facts.ts';
import type { ModelProgress } from '../common/models.ts';
import { isOfMarks, narrowed, unnarrowed } from './channels.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import { furthest, RecentChanges } from './changes.ts';

export type LiveOptions = Pick<ModelProgress, 'positions' | 'onCommitted'> & {
  /** Looks up which year groups and assessments a save was about. */
  readonly readAs: ReadAs;
  readonly queries: Queries;
  readonly stopping: AbortSignal;
  /** Also the time until the connection of an ended session is closed. */
  readonly heartbeatMs?: number;
  /** Of the connections that the server takes (run/http/http-server.ts): there is always one for a request. */
  readonly mostConnections?: number;
};

/** Notifies signed-in people over server-sent events of changes that they may see. */
export class Live {
  readonly #stopping: AbortSignal;
  readonly #heartbeatMs: number;
  readonly #mostConnections: number;
  readonly #recent: RecentChanges;
  /** One listener for all browsers: one that connects during a commit either is notified or finds it in its `hello`. */
  readonly #connections = new Set<Connection>();

  /** Also sends the changes of the answers that pages follow. */
  readonly subscriptions: Subscriptions;
  readonly #readAs: ReadAs;
  /** By school: changes of marks, until it is known which marks. Each school has its own, so that none waits for the look-up of another. */
  readonly #ofMarks = new Map<string, Committed[]>();
  /** By school: the position of the last change of marks that was announced here, and of the last that was passed on. */
  readonly #announcedUpTo = new Map<string, bigint>();
  readonly #sentUpTo = new Map<string, bigint>();

  constructor(options: LiveOptions) {
    const { onCommitted, positions, readAs, queries, stopping, mostConnections = MOST_IN_ALL, heartbeatMs = HEARTBEAT_MS } = options;
    this.#stopping = stopping;
    this.#heartbeatMs = heartbeatMs;
    this.#mostConnections = mostConnections;
    this.#recent = new RecentChanges(positions);
    this.subscriptions = new Subscriptions(queries, {
      epoch: () => this.#recent.epoch,
      changedAfter: (schoolId, position) => this.#changedAfter(schoolId, position),
    });
    this.#readAs = readAs;
    onCommitted(({ positions: reached, changes }) => {
      const [marks, others] = split(changes);
      if (others.length > 0) this.#notify({ positions: reached, changes: others });
      for (const [schoolId, ofSchool] of Map.groupBy(marks, (change) => change.schoolId)) {
        this.#announcedUpTo.set(schoolId, furthest(reached));
        const waiting = this.#ofMarks.get(schoolId);
        const committed = { positions: reached, changes: ofSchool };
        if (waiting) waiting.push(committed);
        else void this.#narrow(schoolId, [committed]);
      }
    });
  }

  #notify(committed: Committed): void {
    this.#recent.record(committed);
    for (const connection of this.#connections) connection.notify(committed);
    for (const { schoolId, channels } of committed.changes) {
      if (channels.includes('*')) this.subscriptions.forget(schoolId === '*' ? undefined : schoolId);
      else this.subscriptions.changed(schoolId, channels);
    }
  }

  /** Looks up together whatever was announced meanwhile, so that this never falls behind. Where nobody listens nothing is looked up. */
  async #narrow(schoolId: string, first: readonly Committed[]): Promise<void> {
    const waiting: Committed[] = [...first];
    this.#ofMarks.set(schoolId, waiting);
    try {
      while (waiting.length > 0) {
        const now = waiting.splice(0);
        const positions = new Map(now.flatMap((committed) => [...committed.positions]));
        const channels = now.flatMap(({ changes }) => changes).flatMap(({ channels: changed }) => changed);
        const hasListeners = [...this.#connections].some((connection) => connection.schoolId === schoolId);
        const parts = hasListeners ? await narrowed(this.#readAs, schoolId, channels).catch(() => undefined) : undefined;
        this.#sentUpTo.set(schoolId, furthest(positions));
        this.#notify({ positions, changes: [{ schoolId, channels: parts ?? unnarrowed(channels) }] });
      }
    } finally {
      this.#ofMarks.delete(schoolId);
    }
  }

  /** All lines together, so that one look-up tells of all their sessions. Where nobody listens, nothing wakes. */
  #beat(): void {
    for (const connection of this.#connections) void connection.beat();
    if (this.#connections.size > 0) return;
    clearInterval(this.#heart);
    this.#heart = undefined;
  }
  #heart: NodeJS.Timeout | undefined;

  #changedAfter(schoolId: string, position: bigint): Pick<Since, 'changed' | 'upTo' | 'isAll'> | undefined {
    const changed = this.#recent.changedAfter(schoolId, position);
    const upTo = this.#sentUpTo.get(schoolId);
    return changed && upTo !== undefined ? { changed, upTo, isAll: this.#announcedUpTo.get(schoolId) === upTo } : undefined;
  }

  /**
   * Lasts until the browser leaves, the session ends or the server stops.
   *
   * @throws ProblemError `rate-limited`, `busy`: each connection takes memory, and a page needs only one
   */
  stream(listener: Listener): Response {
    const { accountId } = listener.actor;
    const ofAccount = [...this.#connections].filter((one) => one.accountId === accountId);
    if (ofAccount.length >= MOST_OF_ACCOUNT) {
      countRefusal('live lines of an account');
      throw new ProblemError('rate-limited', 'This account is open in too many windows. Close some of them.', {
        retryAfter: 60,
      });
    }
    if (this.#connections.size >= this.#mostConnections) {
      countRefusal('live lines');
      throw new ProblemError('busy', 'Too many pages are open just now. Changes will be shown when you reload the page.', {
        retryAfter: 60,
      });
    }
    let connection: Connection | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        connection = new Connection({
          ...listener,
          stopping: this.#stopping,
          controller,
          recent: this.#recent,
          subscriptions: this.subscriptions,
          connections: this.#connections,
        });
      },
      cancel: () => connection?.end(),
    });
    this.#heart ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
  }
}

/** One for each browser in which somebody is logged in. */
const MOST_OF_ACCOUNT = 100;
const MOST_IN_ALL = 3_072;
const HEARTBEAT_MS = 20_000;

const split = (changes: Committed['changes']): readonly [marks: Committed['changes'], others: Committed['changes']] => {
  const only = (of: (channel: string) => boolean) =>
    changes.map(({ schoolId, channels }) => ({ schoolId, channels: channels.filter(of) })).filter(({ channels }) => channels.length > 0);
  return [only(isOfMarks), only((channel) => !isOfMarks(channel))];
};
