import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { LiveChange, LiveTopic } from '../contract/live.ts';

/** What a commit of the read models changed: the schools concerned, and in each which topics (`*`: everything). */
export type Committed = {
  readonly positions: ReadonlyMap<string, bigint>;
  readonly changes: readonly { readonly schoolId: string; readonly topics: readonly string[] }[];
};

export type LiveOptions = {
  readonly onCommitted: (listener: (committed: Committed) => void) => () => void;
  readonly stopping: AbortSignal;
  /** Also how soon a session that has ended stops listening. */
  readonly heartbeatMs?: number;
};

const HEARTBEAT_MS = 20_000;

/** Tells signed-in people over server-sent events what has changed, as far as they may see it. */
export class Live {
  readonly #options: LiveOptions;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Until the browser leaves, the session ends or the server stops. `again`: the same person as he is now. */
  stream(first: Actor, again: () => Promise<Actor | undefined>, gone: AbortSignal): Response {
    const { onCommitted, stopping, heartbeatMs = HEARTBEAT_MS } = this.#options;
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
        const leave = onCommitted((committed) => {
          // As after a reconnection: whatever is shown may be old.
          if (isEverything(actor, committed)) return send(HELLO);
          const change = changeFor(actor, committed);
          if (change) send(`event: changed\ndata: ${JSON.stringify(change)}`);
        });
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
          leave();
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
        send(`retry: 2000\n${HELLO}`);
        if (stopping.aborted || gone.aborted) end();
      },
      cancel: () => end(),
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
  }
}

const MOST_WAITING = 1_000;
const HELLO = 'event: hello\ndata: {}';

const isEverything = (actor: Actor, { changes }: Committed): boolean =>
  changes.some(({ schoolId, topics }) => (schoolId === actor.schoolId || schoolId === '*') && topics.includes('*'));

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
