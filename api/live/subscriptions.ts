import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../actor.ts';
import type { CachedAnswer } from '../pipeline/cached-answer.ts';
import type { QueryBus, SharedAnswer, Wanted } from '../pipeline/query-bus.ts';
import type { Found, Question, Since } from '../pipeline/query-cache.ts';
import { keyOf } from '../pipeline/query-cache.ts';
import { touches } from '../contract/channels.ts';
import type { Delta } from '../contract/delta.ts';
import { deltaOf } from '../contract/delta.ts';
import type { LiveAnswer } from '../contract/live.ts';

/** The part of the query bus that following needs. */
export type Queries = Pick<QueryBus<object>, 'askSince' | 'ownOf'>;

/** A line over which somebody listens. */
export type SubscribedConnection = {
  readonly schoolId: string;
  /** Who listens, with today's rights; undefined: nobody may any more, and the line ends, or the database is away. */
  readonly now: () => Promise<Actor | undefined>;
  readonly send: (event: string, data: string) => void;
};

/**
 * `wanted`: what the page asked, perhaps for a part of the answer. `id`: the name under which it knows that. `tag`: that of the version that
 * it holds, with its reader's own fields.
 */
type Subscriber = { readonly line: string; readonly wanted: unknown; readonly id: string; readonly tag: string; readonly until: number };

/** A shared answer that pages hold. */
type SubscribedQuery = {
  readonly key: string;
  readonly question: Question;
  /** The whole answer. */
  version: CachedAnswer;
  /** By line and id. */
  readonly subscribers: Map<string, Subscriber>;
  isOutdated: boolean;
  isBusy: boolean;
};

/**
 * Tells pages over their lines how the answers that they hold have changed. After a change an answer is read once for all pages, and its
 * difference from the version before is made once. Later changes wait for the next round, and the pauses between rounds grow with
 * what they cost.
 *
 * Between reading the answer and sending anything over a line, the rights of its reader are looked up again.
 */
export class Subscriptions {
  readonly #queries: Queries;
  readonly #changes: ChangesOfSchools;
  readonly #followed = new Map<string, SubscribedQuery>();
  readonly #lines = new Map<string, SubscribedConnection>();
  #rounds = 0;

  constructor(queries: Queries, changes: ChangesOfSchools) {
    this.#queries = queries;
    this.#changes = changes;
  }

  /**
   * From now on the line hears how the answer changes. The line may open later: a page asks while it connects.
   *
   * @returns the name of the answer on the line
   */
  follow(line: string, { question, wanted, version, tag }: Omit<SharedAnswer, 'actor'>): string {
    const key = keyOf(question);
    const id = idOf({ ...question, input: wanted });
    const followed = this.#followed.get(key) ?? {
      key,
      question,
      version,
      subscribers: new Map<string, Subscriber>(),
      isOutdated: false,
      isBusy: false,
    };
    this.#followed.set(key, followed);
    const until = performance.now() + KEPT_MS * (1 + Math.random() / 2);
    followed.subscribers.set(`${line} ${id}`, { line, wanted, id, tag, until });
    if (followed.version.tag !== version.tag) this.#renew(followed);
    this.#requireFew(line);
    if (!this.#lines.has(line)) this.#expectBack(line);
    return `${id} ${this.#changes.epoch()}`;
  }

  opened(line: string, listening: SubscribedConnection): void {
    this.#lines.set(line, listening);
  }

  /** It may come back, as after an interruption. */
  closed(line: string, listening: SubscribedConnection): void {
    if (this.#lines.get(line) !== listening) return;
    this.#lines.delete(line);
    this.#expectBack(line);
  }

  #expectBack(line: string): void {
    setTimeout(() => {
      if (!this.#lines.has(line)) this.#leave(line);
    }, BACK_WITHIN_MS).unref();
  }

  #leave(line: string): void {
    for (const [followed, page] of this.#subscribersOf(line)) this.#drop(followed, page);
  }

  #subscribersOf(line: string): readonly (readonly [SubscribedQuery, Subscriber])[] {
    return [...this.#followed.values()].flatMap((followed) =>
      [...followed.subscribers.values()].flatMap((page) => (page.line === line ? [[followed, page] as const] : [])),
    );
  }

  #drop(followed: SubscribedQuery, { line, id }: Subscriber): void {
    followed.subscribers.delete(`${line} ${id}`);
    if (followed.subscribers.size === 0 && !followed.isBusy) this.#followed.delete(followed.key);
  }

  /** The server is not told which pages a line has left behind: only the last few count. */
  #requireFew(line: string): void {
    const latest = this.#subscribersOf(line).toSorted(([, one], [, other]) => other.until - one.until);
    for (const [followed, page] of latest.slice(MOST_OF_LINE)) this.#drop(followed, page);
  }

  /** What has changed in a school, the marks by year group and assessment. */
  changed(schoolId: string, channels: readonly string[]): void {
    for (const followed of this.#followed.values()) {
      if (followed.question.schoolId !== schoolId) continue;
      if (channels.some((changed) => followed.version.channels.some((one) => touches(one, changed)))) this.#renew(followed);
    }
  }

  /** Everything may have changed, and the pages ask again by themselves. */
  forget(schoolId?: string): void {
    for (const followed of this.#followed.values()) {
      if (schoolId !== undefined && followed.question.schoolId !== schoolId) continue;
      followed.subscribers.clear();
      this.#followed.delete(followed.key);
    }
  }

  #renew(followed: SubscribedQuery): void {
    followed.isOutdated = true;
    if (!followed.isBusy) void this.#keepUp(followed);
  }

  async #keepUp(followed: SubscribedQuery): Promise<void> {
    followed.isBusy = true;
    while (followed.isOutdated && followed.subscribers.size > 0) {
      // Saves go first: only so many answers are read at a time.
      if (this.#rounds >= MOST_ROUNDS) {
        await pause(BREATH_MS);
        continue;
      }
      this.#rounds += 1;
      followed.isOutdated = false;
      const begun = performance.now();
      try {
        await this.#send(followed);
      } catch {
        // The database is away, or the answer cannot be given any more: the pages ask, and are told why.
        followed.subscribers.clear();
      } finally {
        this.#rounds -= 1;
      }
      await pause(Math.min(BREATH_MS + 2 * (performance.now() - begun), LONGEST_BREATH_MS));
    }
    followed.isBusy = false;
    if (followed.subscribers.size === 0 && this.#followed.get(followed.key) === followed) this.#followed.delete(followed.key);
  }

  #askNow({ question, version }: SubscribedQuery): Promise<Found> {
    return this.#queries.askSince(question, () => {
      const changes = this.#changes.changedAfter(question.schoolId, version.readAt);
      return changes && { ...changes, version };
    });
  }

  async #send(followed: SubscribedQuery): Promise<void> {
    const { question, version: before } = followed;
    const { version, trueAt } = await this.#askNow(followed);
    const lines = new Map([...followed.subscribers.values()].map(({ line }) => [line, this.#lines.get(line)]));
    const present = new Map(await Promise.all([...lines].map(async ([line, listening]) => [line, await listening?.now()] as const)));
    const sent = { position: String(trueAt), epoch: this.#changes.epoch() };
    const parts = new Map<string, Step | undefined>();
    const texts = new Map<string, string>();
    followed.version = version;
    for (const [at, page] of followed.subscribers) {
      const { line, id, wanted } = page;
      const [listening, actor] = [lines.get(line), present.get(line)];
      // The page has asked meanwhile: the next round tells it.
      if (!lines.has(line)) {
        followed.isOutdated = true;
        continue;
      }
      if (!parts.has(id)) parts.set(id, stepOf({ question, wanted }, before, version));
      const [step, own] = [parts.get(id), actor && this.#ownOf({ question, wanted }, version, actor)];
      const isKept = page.until > performance.now();
      // Its line is not open yet, and the page holds the current answer: it will be told of later changes.
      if (!listening && isKept && step?.after.isIn(page.tag)) continue;
      if (!listening || !actor || !own || !step || !isKept) {
        this.#drop(followed, page);
        if (listening && actor) listening.send('answer', JSON.stringify({ id, ...sent } satisfies LiveAnswer));
        continue;
      }
      const tag = step.after.tagWith(own);
      // The same text for all who hold the same version and may see the same.
      const as = `${id} ${page.tag} ${tag}`;
      const text = texts.get(as) ?? JSON.stringify({ id, ...sent, ...changeOf(page.tag, tag, { ...step, own }) } satisfies LiveAnswer);
      texts.set(as, text);
      listening.send('answer', text);
      followed.subscribers.set(at, { ...page, tag });
    }
  }

  /** Undefined: this reader has no right to the answer. Students follow nothing. */
  #ownOf(wanted: Wanted, version: CachedAnswer, actor: Actor): object | undefined {
    if (actor.role === 'student' || actor.viewAs?.role === 'student') return undefined;
    return this.#queries.ownOf(wanted, version, actor);
  }
}

const idOf = (question: Parameters<typeof keyOf>[0]): string =>
  createHash('sha256').update(keyOf(question)).digest('base64url').slice(0, 12);

/** From one version of an answer, or of a part of it, to the next. */
type Step = { readonly before: CachedAnswer; readonly after: CachedAnswer; readonly change: Delta | 'large' | undefined };

/** Undefined: the part is no longer there. */
const stepOf = ({ question, wanted }: Wanted, wholeBefore: CachedAnswer, whole: CachedAnswer): Step | undefined => {
  const { part } = question.declared.shared;
  try {
    const [before, after] = [wholeBefore, whole].map((one) => one.at(part?.places(one.facts, wanted)));
    return before && after && { before, after, change: smallChange(before, after) };
  } catch {
    return undefined;
  }
};

/** `changedAfter`: see `Since`; undefined: anything may have changed. */
type ChangesOfSchools = {
  readonly epoch: () => string;
  readonly changedAfter: (schoolId: string, position: bigint) => Pick<Since, 'changed' | 'upTo' | 'isAll'> | undefined;
};

/** Undefined: nothing has changed; 'large': asking again is cheaper, because answers are compressed, and the same for all. */
const smallChange = (before: CachedAnswer, after: CachedAnswer): Delta | 'large' | undefined => {
  if (before.tag === after.tag) return undefined;
  const delta = deltaOf(before.valueAfter(), after.valueAfter(before));
  return delta && JSON.stringify(delta).length > LARGEST_CHANGE ? 'large' : delta;
};

/** What to tell a page that holds `from`; without a tag: to ask again. */
const changeOf = (
  from: string,
  tag: string,
  { before, change, own }: Step & { readonly own: object },
): Pick<LiveAnswer, 'from' | 'tag' | 'change' | 'own'> => {
  if (from === tag) return { from, tag };
  if (!before.isIn(from) || change === 'large') return {};
  const isOwn = from.split('.')[1] !== tag.split('.')[1];
  return { from, tag, ...(change && { change }), ...(isOwn && { own: { ...own } }) };
};

/** The least pause between two rounds about one answer. */
const BREATH_MS = 20;
const LONGEST_BREATH_MS = 1_000;
/** How many answers are read at a time. */
const MOST_ROUNDS = 2;
const LARGEST_CHANGE = 12_000;
/** An answer is followed for this long, or up to half as long again; then the page has to ask, because it may no longer show it. */
const KEPT_MS = 10 * 60_000;
const BACK_WITHIN_MS = 30_000;
/** Answers followed over one line, which all tabs of a browser share. */
const MOST_OF_LINE = 30;
