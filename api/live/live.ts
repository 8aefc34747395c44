import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { LiveChange, LiveHello, LiveTopic } from '../contract/live.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Committed } from './news.ts';
import { News } from './news.ts';

export type LiveOptions = {
  readonly onCommitted: (listener: (committed: Committed) => void) => () => void;
  /** How far the read models have come, as far as this process knows. */
  readonly positions: () => ReadonlyMap<string, bigint>;
  readonly stopping: AbortSignal;
  /** Also how soon a session that has ended stops listening. */
  readonly heartbeatMs?: number;
};

const HEARTBEAT_MS = 20_000;

/** Tells signed-in people over server-sent events what has changed, as far as they may see it. */
export class Live {
  readonly #options: LiveOptions;
  readonly #news: News;
  /** One for all: whoever comes while a commit is being told either hears it, or finds it in the news. */
  readonly #listening = new Set<(committed: Committed) => void>();

  /** How many there are of an account. */
  readonly #lines = new Map<string, number>();

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#news = new News(options.positions);
    options.onCommitted((committed) => {
      this.#news.note(committed);
      for (const hear of this.#listening) hear(committed);
    });
  }

  /**
   * Until the browser leaves, the session ends or the server stops. `again`: the same person as he is now.
   *
   * @throws ProblemError `rate-limited`: each line costs memory, and a page needs one
   */
  stream(first: Actor, again: () => Promise<Actor | undefined>, gone: AbortSignal): Response {
    const { stopping, heartbeatMs = HEARTBEAT_MS } = this.#options;
    const listening = this.#listening;
    const news = this.#news;
    const { accountId } = first;
    const lines = this.#lines;
    if ((lines.get(accountId) ?? 0) >= MOST_LINES)
      throw new ProblemError('rate-limited', 'This account follows what changes in too many places. Close some of them.', {
        retryAfter: 60,
      });
    let actor = first;
    let end = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const text = new TextEncoder();
        let ended = false;
        const send = (lines: string): void => {
          // News that were on their way when the line ended.
          if (ended) return;
          // A browser that does not read is let go; it comes back by itself and asks afresh.
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) return end();
          controller.enqueue(text.encode(`${lines}\n\n`));
        };
        const hello = (): string => `event: hello\ndata: ${JSON.stringify(helloFor(actor, news))}`;
        const hear = (committed: Committed): void => {
          // As after a reconnection: whatever is shown may be old.
          if (isEverything(actor, committed)) return send(hello());
          const change = changeFor(actor, committed);
          if (change) send(`event: changed\ndata: ${JSON.stringify(change)}`);
        };
        listening.add(hear);
        lines.set(accountId, (lines.get(accountId) ?? 0) + 1);
        const heart = setInterval(
          () =>
            void again().then(
              (now) => {
                if (!now || now.schoolId !== actor.schoolId) return end();
                actor = now;
                send(': still here');
                // While the database is away there is no news that he could hear unduly: the next beat asks again.
              },
              (error: unknown) => (isDatabaseAway(error) ? send(': still here') : end()),
            ),
          heartbeatMs,
        );
        end = () => {
          if (ended) return;
          ended = true;
          listening.delete(hear);
          const left = (lines.get(accountId) ?? 1) - 1;
          if (left > 0) lines.set(accountId, left);
          else lines.delete(accountId);
          clearInterval(heart);
          gone.removeEventListener('abort', end);
          stopping.removeEventListener('abort', end);
          try {
            controller.close();
          } catch {
            // Closed by the browser already: that is what we wanted.
          }
        };
        gone.addEventListener('abort', end);
        stopping.addEventListener('abort', end);
        send(`retry: 2000\n${hello()}`);
        if (stopping.aborted || gone.aborted) end();
      },
      cancel: () => end(),
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
  }
}

const MOST_WAITING = 1_000;
/** Of one account: a line for each browser in which somebody is logged in. */
const MOST_LINES = 100;

const isEverything = (actor: Actor, { changes }: Committed): boolean =>
  changes.some(({ schoolId, topics }) => (schoolId === actor.schoolId || schoolId === '*') && topics.includes('*'));

const helloFor = (actor: Actor, news: News): LiveHello => {
  const { since, topics } = news.of(actor.schoolId);
  const heard = [...topics].filter(([topic, position]) => position > since && mayHear(actor, topic));
  return { since: String(since), topics: Object.fromEntries(heard.map(([topic, position]) => [topic, String(position)])) };
};

const changeFor = (actor: Actor, { positions, changes }: Committed): LiveChange | undefined => {
  const topics = changes
    .filter(({ schoolId }) => schoolId === actor.schoolId)
    .flatMap((change) => change.topics)
    .filter((topic): topic is LiveTopic => mayHear(actor, topic));
  if (topics.length === 0) return undefined;
  const position = [...positions.values()].reduce((low, one) => (one < low ? one : low));
  return { position: String(position), topics: [...new Set(topics)] };
};

const mayHear = (actor: Actor, topic: string): boolean => {
  if (actor.role === 'student' || actor.viewAs?.role === 'student') return false;
  const [kind, subjectId] = topic.split(':');
  if (kind === 'roster' || kind === 'staff') return true;
  return (kind === 'marks' || kind === 'structure') && subjectId !== undefined && mayReadSubject(actor, subjectId);
};
