import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import type { CachedAnswer } from '../pipeline/cached-answer.ts';
import type { QueryBus, SharedAnswer, Wanted } from '../pipeline/query-bus.ts';
import type { Found, Question, Since } from '../pipeline/query-cache.ts';
import { keyOf } from '../pipeline/query-cache.ts';
import { touches } from '../contract/channels.ts';
import type { LiveAnswer } from '../contract/live.ts';
import { Rounds } from './rounds.ts';
import type { Step } from './step.ts';
import { changeOf, stepOf } from './step.ts';

/** The part of the query bus that subscriptions need. */
export type Queries = Pick<QueryBus<object>, 'askSince' | 'ownOf'>;

/** A connection over which somebody listens. */
export type SubscribedConnection = {
  readonly schoolId: string;
  /** Who listens, with today's rights; undefined: nobody may any more, and the connection ends, or the database is away. */
  readonly now: () => Promise<Actor | undefined>;
  readonly send: (event: string, data: string) => void;
};

/**
 * `wanted`: what the page asked, perhaps for a part of the answer. `id`: the name under which it knows that. `tag`: that of the version that
 * it holds, with its reader's own fields.
 */
type Subscriber = {
  readonly connectionId: string;
  readonly wanted: unknown;
  readonly id: string;
  readonly tag: string;
  readonly until: number;
};

/** A shared answer that pages hold. */
type SubscribedQuery = {
  readonly key: string;
  readonly question: Question;
  /** The whole answer. */
  version: CachedAnswer;
  /** By connection and id. */
  readonly subscribers: Map<string, Subscriber>;
  readonly rounds: Rounds;
};

/** `changedAfter`: see `Since`; undefined: anything may have changed. */
type ChangesOfSchools = {
  readonly epoch: () => string;
  readonly changedAfter: (schoolId: string, position: bigint) => Pick<Since, 'changed' | 'upTo' | 'isAll'> | undefined;
};

/**
 * Tells pages over their connections how the answers that they hold have changed. After a change an answer is read once for all pages, and its
 * difference from the version before is made once. Later changes wait for the next round.
 *
 * Between reading the answer and sending anything, the rights of its reader are looked up again.
 */
export class Subscriptions {
  readonly #bus: Queries;
  readonly #changes: ChangesOfSchools;
  readonly #queries = new Map<string, SubscribedQuery>();
  readonly #connections = new Map<string, SubscribedConnection>();

  constructor(bus: Queries, changes: ChangesOfSchools) {
    this.#bus = bus;
    this.#changes = changes;
  }

  /**
   * From now on the connection is told how the answer changes. It may open later: a page asks while it connects.
   *
   * @returns the name of the answer on the connection
   */
  follow(connectionId: string, { question, wanted, version, tag }: Omit<SharedAnswer, 'actor'>): string {
    const id = idOf({ ...question, input: wanted });
    const query = this.#subscribed(question, version);
    const until = performance.now() + KEPT_MS * (1 + Math.random() / 2);
    query.subscribers.set(`${connectionId} ${id}`, { connectionId, wanted, id, tag, until });
    if (query.version.tag !== version.tag) query.rounds.ask();
    this.#requireFew(connectionId);
    if (!this.#connections.has(connectionId)) this.#expectBack(connectionId);
    return `${id} ${this.#changes.epoch()}`;
  }

  opened(connectionId: string, connection: SubscribedConnection): void {
    this.#connections.set(connectionId, connection);
  }

  /** It may come back, as after an interruption. */
  closed(connectionId: string, connection: SubscribedConnection): void {
    if (this.#connections.get(connectionId) !== connection) return;
    this.#connections.delete(connectionId);
    this.#expectBack(connectionId);
  }

  /** What has changed in a school, the marks by year group and assessment. */
  changed(schoolId: string, channels: readonly string[]): void {
    for (const { question, version, rounds } of this.#queries.values()) {
      if (question.schoolId !== schoolId) continue;
      if (channels.some((changed) => version.channels.some((one) => touches(one, changed)))) rounds.ask();
    }
  }

  /** Everything may have changed, and the pages ask again by themselves. */
  forget(schoolId?: string): void {
    for (const query of this.#queries.values()) {
      if (schoolId !== undefined && query.question.schoolId !== schoolId) continue;
      query.subscribers.clear();
      this.#queries.delete(query.key);
    }
  }

  #subscribed(question: Question, version: CachedAnswer): SubscribedQuery {
    const key = keyOf(question);
    const existing = this.#queries.get(key);
    if (existing) return existing;
    const subscribers = new Map<string, Subscriber>();
    const rounds = new Rounds({
      isWanted: () => subscribers.size > 0,
      // The database is away, or the answer cannot be given any more: the pages ask, and are told why.
      run: () => this.#renew(query).catch(() => subscribers.clear()),
      onRest: () => {
        if (subscribers.size === 0 && this.#queries.get(key) === query) this.#queries.delete(key);
      },
    });
    const query: SubscribedQuery = { key, question, version, subscribers, rounds };
    this.#queries.set(key, query);
    return query;
  }

  #expectBack(connectionId: string): void {
    setTimeout(() => {
      if (this.#connections.has(connectionId)) return;
      for (const [query, subscriber] of this.#subscribersOf(connectionId)) this.#drop(query, subscriber);
    }, BACK_WITHIN_MS).unref();
  }

  /** The server is not told which pages have been left: of a connection's answers only the last few count. */
  #requireFew(connectionId: string): void {
    const latest = this.#subscribersOf(connectionId).toSorted(([, one], [, other]) => other.until - one.until);
    for (const [query, subscriber] of latest.slice(MOST_OF_CONNECTION)) this.#drop(query, subscriber);
  }

  #subscribersOf(connectionId: string): readonly (readonly [SubscribedQuery, Subscriber])[] {
    return [...this.#queries.values()].flatMap((query) =>
      [...query.subscribers.values()].flatMap((subscriber) =>
        subscriber.connectionId === connectionId ? [[query, subscriber] as const] : [],
      ),
    );
  }

  #drop({ key, subscribers, rounds }: SubscribedQuery, { connectionId, id }: Subscriber): void {
    subscribers.delete(`${connectionId} ${id}`);
    if (subscribers.size === 0 && rounds.isAtRest) this.#queries.delete(key);
  }

  /** Reads an answer again, and tells everybody who holds it. */
  async #renew(query: SubscribedQuery): Promise<void> {
    const { question, version: before } = query;
    const { version, trueAt } = await this.#askNow(query);
    const connections = new Map(
      [...query.subscribers.values()].map(({ connectionId }) => [connectionId, this.#connections.get(connectionId)]),
    );
    const present = new Map(
      await Promise.all([...connections].map(async ([connectionId, connection]) => [connectionId, await connection?.now()] as const)),
    );
    const common = { position: String(trueAt), epoch: this.#changes.epoch() };
    const steps = new Map<string, Step | undefined>();
    const texts = new Map<string, string>();
    query.version = version;
    for (const [at, subscriber] of query.subscribers) {
      const { connectionId, id, wanted, tag: from } = subscriber;
      const [connection, actor] = [connections.get(connectionId), present.get(connectionId)];
      // The page has asked meanwhile: the next round tells it.
      if (!connections.has(connectionId)) {
        query.rounds.ask();
        continue;
      }
      if (!steps.has(id)) steps.set(id, stepOf({ question, wanted }, before, version));
      const [step, ownFields] = [steps.get(id), actor && this.#ownOf({ question, wanted }, version, actor)];
      const isKept = subscriber.until > performance.now();
      // Its connection is not open yet, and the page holds the current answer: it will be told of later changes.
      if (!connection && isKept && step?.after.isIn(from)) continue;
      if (!connection || !actor || !ownFields || !step || !isKept) {
        this.#drop(query, subscriber);
        if (connection && actor) connection.send('answer', JSON.stringify({ id, ...common } satisfies LiveAnswer));
        continue;
      }
      const tag = step.after.tagWith(ownFields);
      // The same text for all who hold the same version and may see the same.
      const as = `${id} ${from} ${tag}`;
      const text =
        texts.get(as) ?? JSON.stringify({ id, ...common, ...changeOf(step, { from, tag, own: ownFields }) } satisfies LiveAnswer);
      texts.set(as, text);
      connection.send('answer', text);
      query.subscribers.set(at, { ...subscriber, tag });
    }
  }

  #askNow({ question, version }: SubscribedQuery): Promise<Found> {
    return this.#bus.askSince(question, () => {
      const changes = this.#changes.changedAfter(question.schoolId, version.readAt);
      return changes && { ...changes, version };
    });
  }

  /** Undefined: this reader has no right to the answer. Students follow nothing. */
  #ownOf(wanted: Wanted, version: CachedAnswer, actor: Actor): object | undefined {
    if (actor.role === 'student' || actor.viewAs?.role === 'student') return undefined;
    return this.#bus.ownOf(wanted, version, actor);
  }
}

const idOf = (question: Parameters<typeof keyOf>[0]): string =>
  createHash('sha256').update(keyOf(question)).digest('base64url').slice(0, 12);

/** An answer is followed for this long, or up to half as long again; then the page has to ask, because it may no longer show it. */
const KEPT_MS = 10 * 60_000;
const BACK_WITHIN_MS = 30_000;
/** Answers followed over one connection, which all tabs of a browser share. */
const MOST_OF_CONNECTION = 30;
