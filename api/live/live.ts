import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { LiveChange, LiveHello } from '../contract/live.ts';
import type { Channel } from '../contract/channels.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { noteRefusal } from '../pipeline/refusals.ts';
import type { ReadAs } from './narrow.ts';
import { isOfMarks, narrowed, unnarrowed } from './narrow.ts';
import type { Committed } from './news.ts';
import { furthest, News } from './news.ts';

export type LiveOptions = {
  readonly onCommitted: (listener: (committed: Committed) => void) => () => void;
  /** How far the read models have come, as far as this process knows. */
  readonly positions: () => ReadonlyMap<string, bigint>;
  /** Looks up which year groups and assessments a save was about. */
  readonly readAs: ReadAs;
  readonly stopping: AbortSignal;
  /** Also the time until an ended session stops listening. */
  readonly heartbeatMs?: number;
};

const HEARTBEAT_MS = 20_000;

/** Notifies signed-in people over server-sent events of changes that they may see. */
export class Live {
  readonly #options: Pick<LiveOptions, 'stopping' | 'heartbeatMs'>;
  readonly #news: News;
  /** One listener for all browsers: one that connects during a commit either is notified or finds it in its `hello`. */
  readonly #lines = new Set<Line>();

  readonly #readAs: ReadAs;
  /** By school: changes of marks, until it is known of which. Each school has its own, so that none waits for the look-up of another. */
  readonly #ofMarks = new Map<string, Committed[]>();

  constructor({ onCommitted, positions, readAs, ...options }: LiveOptions) {
    this.#options = options;
    this.#news = new News(positions);
    this.#readAs = readAs;
    onCommitted(({ positions: reached, changes }) => {
      const [marks, others] = split(changes);
      if (others.length > 0) this.#tell({ positions: reached, changes: others });
      for (const [schoolId, ofSchool] of Map.groupBy(marks, (change) => change.schoolId)) {
        const waiting = this.#ofMarks.get(schoolId);
        const committed = { positions: reached, changes: ofSchool };
        if (waiting) waiting.push(committed);
        else void this.#narrow(schoolId, [committed]);
      }
    });
  }

  #tell(committed: Committed): void {
    this.#news.note(committed);
    for (const line of this.#lines) line.tell(committed);
  }

  /** Looks up all that has come meanwhile at once, so that this never falls behind. Where nobody listens nothing is looked up. */
  async #narrow(schoolId: string, first: readonly Committed[]): Promise<void> {
    const waiting: Committed[] = [...first];
    this.#ofMarks.set(schoolId, waiting);
    try {
      while (waiting.length > 0) {
        const now = waiting.splice(0);
        const positions = new Map(now.flatMap((committed) => [...committed.positions]));
        const channels = now.flatMap(({ changes }) => changes).flatMap(({ topics }) => topics);
        const isHeard = [...this.#lines].some((line) => line.schoolId === schoolId);
        const known = isHeard ? await narrowed(this.#readAs, schoolId, channels).catch(() => undefined) : undefined;
        this.#tell({ positions, changes: [{ schoolId, topics: known ?? unnarrowed(channels) }] });
      }
    } finally {
      this.#ofMarks.delete(schoolId);
    }
  }

  /**
   * Lasts until the browser leaves, the session ends or the server stops. `again` looks up the same person with today's rights.
   *
   * @throws ProblemError `rate-limited`: each line takes memory, and a page needs only one
   */
  stream(actor: Actor, again: () => Promise<Actor | undefined>, gone: AbortSignal): Response {
    const ofAccount = [...this.#lines].filter(({ accountId }) => accountId === actor.accountId);
    if (ofAccount.length >= MOST_LINES) {
      noteRefusal('live lines of an account');
      throw new ProblemError('rate-limited', 'This account is open in too many windows. Close some of them.', {
        retryAfter: 60,
      });
    }
    let line: Line | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        line = new Line({ ...this.#options, controller, actor, again, gone, news: this.#news, lines: this.#lines });
      },
      cancel: () => line?.end(),
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
  }
}

type LineOptions = Pick<LiveOptions, 'stopping' | 'heartbeatMs'> & {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly actor: Actor;
  readonly again: () => Promise<Actor | undefined>;
  readonly gone: AbortSignal;
  readonly news: News;
  /** The line is in this set as long as it is open. */
  readonly lines: Set<Line>;
};

/** One browser that listens. */
class Line {
  readonly accountId: string;
  readonly schoolId: string;
  readonly #options: LineOptions;
  readonly #signals: readonly AbortSignal[];
  readonly #heart: NodeJS.Timeout;
  #actor: Actor;
  #hasEnded = false;

  constructor(options: LineOptions) {
    const { actor, gone, stopping, lines, heartbeatMs = HEARTBEAT_MS } = options;
    this.accountId = actor.accountId;
    this.schoolId = actor.schoolId;
    this.#options = options;
    this.#actor = actor;
    this.#signals = [gone, stopping];
    this.#heart = setInterval(() => void this.#beat(), heartbeatMs);
    lines.add(this);
    for (const signal of this.#signals) signal.addEventListener('abort', this.end);
    this.#send(`retry: 2000\n${this.#hello()}`);
    if (this.#signals.some(({ aborted }) => aborted)) this.end();
  }

  tell(committed: Committed): void {
    // As after a reconnection: anything on the page may be outdated.
    if (isEverything(this.#actor, committed)) return this.#send(this.#hello());
    const change = changeFor(this.#actor, committed);
    if (change) this.#send(`event: changed\ndata: ${JSON.stringify(change)}`);
  }

  #hello(): string {
    return `event: hello\ndata: ${JSON.stringify(helloFor(this.#actor, this.#options.news))}`;
  }

  async #beat(): Promise<void> {
    try {
      const now = await this.#options.again();
      if (!now || now.schoolId !== this.#actor.schoolId) return this.end();
      this.#actor = now;
    } catch (error) {
      // While the database is away nothing is committed that could leak to somebody without rights; the next beat checks again.
      if (!isDatabaseAway(error)) return this.end();
    }
    this.#send(': still here');
  }

  #send(lines: string): void {
    if (this.#hasEnded) return;
    // A browser that does not read is disconnected: it reconnects by itself and asks for everything again.
    const { controller } = this.#options;
    if ((controller.desiredSize ?? 0) < -MOST_WAITING) return this.end();
    controller.enqueue(TEXT.encode(`${lines}\n\n`));
  }

  readonly end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.lines.delete(this);
    clearInterval(this.#heart);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.end);
    try {
      this.#options.controller.close();
    } catch {
      // The browser was faster.
    }
  };
}

const TEXT = new TextEncoder();
const MOST_WAITING = 1_000;
/** Of one account: a line for each browser in which somebody is logged in. */
const MOST_LINES = 100;

/** The changes of marks, and all others. */
const split = (changes: Committed['changes']): readonly [marks: Committed['changes'], others: Committed['changes']] => {
  const only = (of: (channel: string) => boolean) =>
    changes.map(({ schoolId, topics }) => ({ schoolId, topics: topics.filter(of) })).filter(({ topics }) => topics.length > 0);
  return [only(isOfMarks), only((channel) => !isOfMarks(channel))];
};

const isEverything = (actor: Actor, { changes }: Committed): boolean =>
  changes.some(({ schoolId, topics }) => (schoolId === actor.schoolId || schoolId === '*') && topics.includes('*'));

const helloFor = (actor: Actor, news: News): LiveHello => {
  const { since, topics, epoch } = news.of(actor.schoolId);
  const heard = [...topics].filter(([topic, position]) => position > since && mayHear(actor, topic));
  return { since: String(since), epoch, topics: Object.fromEntries(heard.map(([topic, position]) => [topic, String(position)])) };
};

const changeFor = (actor: Actor, { positions, changes }: Committed): LiveChange | undefined => {
  const topics = changes
    .filter(({ schoolId }) => schoolId === actor.schoolId)
    .flatMap((change) => change.topics)
    .filter((topic): topic is Channel => mayHear(actor, topic));
  if (topics.length === 0) return undefined;
  return { position: String(furthest(positions)), topics: [...new Set(topics)] };
};

const mayHear = (actor: Actor, topic: string): boolean => {
  if (actor.role === 'student' || actor.viewAs?.role === 'student') return false;
  const [kind, subjectId] = topic.split(/[:/]/u);
  if (kind === 'subjects' || kind === 'roster' || kind === 'staff') return true;
  return ['marks', 'structure', 'prior', 'tasks'].includes(kind ?? '') && subjectId !== undefined && mayReadSubject(actor, subjectId);
};
