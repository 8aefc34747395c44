import type { LiveHello } from '#api/contract/live';
import { ANY_CHANGE, CHANNELS_HEADER, touches } from '#api/contract/channels';

/** A query of TanStack Query; lists of react-admin are known by the name of their resource. */
export type Query = { readonly queryHash: string; readonly queryKey: readonly unknown[] };
type Answer = { readonly channels: readonly string[]; readonly readAt: bigint };
/** `least`: the position up to which the answer must hold everything. */
type Asking = { readonly as: string; readonly least: bigint; readonly changes: Map<string, bigint> };
/** Channels, and the position in the log of the last change of each. */
export type Changes = Iterable<readonly [channel: string, position: bigint]>;

/** What the page has been answered, and what has changed since. Each answer names its channels, so that no query has to say what it follows. */
export class Answers {
  /** By query, then by path: the lists of a resource share a name, and the pages of a list share a query. Each counts until the next answer. */
  readonly #answers = new Map<string, Map<string, Answer>>();
  readonly #asking = new Set<Asking>();
  /** What had changed before the live connection began. */
  #since = 0n;
  #missed: Changes = [];
  #epoch: string | undefined;
  #onStale: (name: string) => void = () => undefined;

  /** Called with the name of a query as soon as its newest answer turns out to be stale. */
  onStale(listener: (name: string) => void): void {
    this.#onStale = listener;
  }

  /** Sends the query named `as`, and notes what its answer follows. A change while the answer is on its way makes it stale. */
  async during(as: string, path: string, send: () => Promise<Response>, least = 0n): Promise<Response> {
    const mine: Asking = { as, least, changes: new Map() };
    this.#asking.add(mine);
    try {
      const response = await send();
      const answer = this.note(as, path, response.headers);
      if (this.#isOutdated(answer) || isBefore(mine.changes, answer)) this.#onStale(as);
      return response;
    } catch (error) {
      // This answer was to bring what changed meanwhile, if no other does.
      this.#asking.delete(mine);
      if (!this.#isAsked(as) && this.#answersTo(as).some((answer) => isBefore(mine.changes, answer))) this.#onStale(as);
      throw error;
    } finally {
      this.#asking.delete(mine);
    }
  }

  /** Notes what an answer follows. */
  note(as: string, path: string, headers: Headers): Answer {
    const answer = answerOf(headers);
    const paths = this.#answers.get(as) ?? new Map<string, Answer>();
    this.#answers.set(as, paths);
    paths.delete(path);
    paths.set(path, answer);
    const [oldest] = paths.keys();
    if (paths.size > MOST_PATHS && oldest !== undefined) paths.delete(oldest);
    return answer;
  }

  /** Takes in what has changed, up to a position in the log. */
  changed(channels: readonly string[], position: bigint): void {
    for (const { changes } of this.#asking) for (const channel of channels) changes.set(channel, position);
  }

  /**
   * Takes in what had changed before the live connection began. Returns whether that is all that may have changed; if not, as after a
   * restart of the server or a restored log, any answer may be outdated.
   */
  connected({ epoch, since, topics }: LiveHello): boolean {
    const isSame = epoch !== undefined && (this.#epoch === undefined || epoch === this.#epoch);
    // In a restored log these positions name other events: any change may be later.
    if (this.#epoch !== undefined && epoch !== this.#epoch)
      for (const paths of this.#answers.values()) for (const path of paths.keys()) askAgain(paths, path);
    this.#epoch = epoch;
    this.#since = BigInt(since);
    this.#missed = Object.entries(topics).map(([channel, position]) => [channel, BigInt(position)] as const);
    return isSame;
  }

  /**
   * Whether a query was answered before the changes that `connected` took in. Each is named once: the pages of a list that nobody looks at
   * are not asked for again.
   */
  takeMissed(): (query: Query) => boolean {
    const names = new Set<string>();
    for (const [name, paths] of this.#answers)
      for (const [path, answer] of paths) {
        if (!this.#isOutdated(answer)) continue;
        names.add(name);
        askAgain(paths, path);
      }
    return (query) => names.has(this.#nameOf(query));
  }

  /** Whether a query was answered before changes that concern its answer. */
  outdated(changes: Changes): (query: Query) => boolean {
    return (query) => this.#answersTo(this.#nameOf(query)).some((answer) => isBefore(changes, answer));
  }

  /** Whether a change of these channels, whenever it was made, concerns the answer to a query. */
  concernedBy(channels: readonly string[]): (query: Query) => boolean {
    return this.outdated(channels.map((channel) => [channel, LATER]));
  }

  /** Whether a query is on its way whose answer will hold what happened up to a position. */
  isAskedFor({ queryHash }: Query, position = 0n): boolean {
    return this.#isAsked(queryHash, position);
  }

  /** A query has left the page's memory; `others`: those that have stayed. Returns the name by which its answers were known, if no other has it. */
  left(query: Query, others: readonly Query[]): string | undefined {
    const name = this.#nameOf(query);
    return others.every((other) => this.#nameOf(other) !== name) && this.#answers.delete(name) ? name : undefined;
  }

  forget(): void {
    this.#answers.clear();
    this.#since = 0n;
    this.#missed = [];
    this.#epoch = undefined;
  }

  #isAsked(name: string, position = 0n): boolean {
    return [...this.#asking].some(({ as, least }) => as === name && least >= position);
  }

  #nameOf({ queryHash, queryKey: [name] }: Query): string {
    return this.#answers.has(queryHash) ? queryHash : String(name);
  }

  #answersTo(name: string): Answer[] {
    return [...(this.#answers.get(name)?.values() ?? [])];
  }

  #isOutdated(answer: Answer): boolean {
    return answer.readAt < this.#since || (answer.readAt !== ASKED_AGAIN && isBefore(this.#missed, answer));
  }
}

/** Whether an answer was read before changes that concern it. It is not known when some answers were read: then each change counts. */
const isBefore = (changes: Changes, { channels, readAt }: Answer): boolean =>
  [...changes].some(
    ([changed, position]) => (position > readAt || readAt === ASKED_AGAIN) && channels.some((channel) => touches(channel, changed)),
  );

/** From now on it does not matter when the answer was read. */
const askAgain = (paths: Map<string, Answer>, path: string): void => {
  const answer = paths.get(path);
  if (answer) paths.set(path, { ...answer, readAt: ASKED_AGAIN });
};

/** Where an answer names no channels, any change concerns it. */
const answerOf = (headers: Headers): Answer => ({
  channels: (headers.get(CHANNELS_HEADER) ?? ANY_CHANGE).split(' ').filter(Boolean),
  readAt: BigInt(headers.get('X-Read-Position') ?? NEWEST),
});
const NEWEST = '9223372036854775807';
/** No change that was announced is later than the answer that is on its way. */
const ASKED_AGAIN = BigInt(NEWEST);
/** Than any answer. */
const LATER = ASKED_AGAIN + 1n;
/** Paths remembered for a query: the pages of a list that were asked for last. */
const MOST_PATHS = 50;
