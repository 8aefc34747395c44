import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { TooMuchAtOnce } from '../../events/async/fair-queue.ts';
import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { LiveChange, LiveHello } from '../contract/live.ts';
import type { Channel } from '../contract/channels.ts';
import type { SubscribedConnection, Subscriptions } from './subscriptions.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import type { RecentChanges } from './changes.ts';
import { furthest } from './changes.ts';

/** `again` looks up the same person with today's rights; `id`: see `connectionIdIn`, undefined where no page follows answers. */
export type Listener = {
  readonly actor: Actor;
  readonly again: () => Promise<Actor | undefined>;
  readonly disconnected: AbortSignal;
  readonly id?: string | undefined;
};

type ConnectionOptions = Listener & {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly stopping: AbortSignal;
  readonly recent: RecentChanges;
  readonly subscriptions: Subscriptions;
  /** This one is in it as long as it is open. */
  readonly connections: Set<Connection>;
};

/** One browser that listens. */
export class Connection implements SubscribedConnection {
  readonly accountId: string;
  readonly schoolId: string;
  readonly #options: ConnectionOptions;
  readonly #signals: readonly AbortSignal[];
  #actor: Actor;
  /** Notices to be sent, once it is known that the person may still have them. */
  #waiting: Committed[] = [];
  #isSending = false;
  /** A notice was not sent, because it could not be found out who listens. */
  #hasMissed = false;
  #hasEnded = false;

  constructor(options: ConnectionOptions) {
    const { actor, disconnected: gone, id, stopping, subscriptions, connections } = options;
    this.accountId = actor.accountId;
    this.schoolId = actor.schoolId;
    this.#options = options;
    this.#actor = actor;
    this.#signals = [gone, stopping];
    connections.add(this);
    if (id !== undefined) subscriptions.opened(id, this);
    for (const signal of this.#signals) signal.addEventListener('abort', this.end);
    this.#write(`retry: 2000\n${this.#hello()}`);
    if (this.#signals.some(({ aborted }) => aborted)) this.end();
  }

  notify(committed: Committed): void {
    if (!isEverything(this.#actor, committed) && !changeFor(this.#actor, committed)) return;
    this.#waiting.push(committed);
    if (!this.#isSending) void this.#sendNotices();
  }

  /** Who listens is looked up after each change: a session that ended before it gets no notice of it. */
  async #sendNotices(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const changes = this.#waiting.splice(0);
      const actor = await this.now();
      if (!actor) this.#hasMissed = true;
      else if (!this.#catchUp()) for (const committed of changes) this.#changed(actor, committed);
    }
    this.#isSending = false;
  }

  #changed(actor: Actor, committed: Committed): void {
    // As after a reconnection: anything on the page may be outdated.
    if (isEverything(actor, committed)) return this.#write(this.#hello());
    const change = changeFor(actor, committed);
    if (change) this.send('changed', JSON.stringify(change));
  }

  /** Sends another `hello` if a notice was missed; returns whether it did. */
  #catchUp(): boolean {
    if (!this.#hasMissed) return false;
    this.#hasMissed = false;
    this.#write(this.#hello());
    return true;
  }

  #hello(): string {
    return `event: hello\ndata: ${JSON.stringify(helloFor(this.#actor, this.#options.recent))}`;
  }

  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}`);
  }

  /** Says that the line is still there, and ends it if its person may not listen any more. */
  async beat(): Promise<void> {
    if (await this.now()) this.#catchUp();
    this.#write(': still here');
  }

  /** Who listens, with today's rights. The connection ends if nobody may any more. */
  async now(): Promise<Actor | undefined> {
    try {
      const now = await this.#options.again();
      if (now && now.schoolId === this.schoolId) return (this.#actor = now);
      this.end();
    } catch (error) {
      // No answers are sent until it is known again what their reader may see; the next beat checks.
      if (!isDatabaseAway(error) && !(error instanceof TooMuchAtOnce)) this.end();
    }
    return undefined;
  }

  #write(lines: string): void {
    if (this.#hasEnded) return;
    // A browser that does not read is disconnected: it reconnects by itself and asks for everything again.
    const { controller } = this.#options;
    if ((controller.desiredSize ?? 0) < -MOST_WAITING) return this.end();
    controller.enqueue(TEXT.encode(`${lines}\n\n`));
  }

  readonly end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { id, subscriptions, connections } = this.#options;
    connections.delete(this);
    if (id !== undefined) subscriptions.closed(id, this);
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

const isEverything = (actor: Actor, { changes }: Committed): boolean =>
  changes.some(({ schoolId, channels }) => (schoolId === actor.schoolId || schoolId === '*') && channels.includes('*'));

const helloFor = (actor: Actor, recent: RecentChanges): LiveHello => {
  const { since, channels, epoch } = recent.of(actor.schoolId);
  const changes = [...channels].filter(([channel, position]) => position > since && mayFollow(actor, channel));
  return { since: String(since), epoch, topics: Object.fromEntries(changes.map(([channel, position]) => [channel, String(position)])) };
};

const changeFor = (actor: Actor, { positions, changes }: Committed): LiveChange | undefined => {
  const channels = changes
    .filter(({ schoolId }) => schoolId === actor.schoolId)
    .flatMap((change) => change.channels)
    .filter((channel): channel is Channel => mayFollow(actor, channel));
  if (channels.length === 0) return undefined;
  return { position: String(furthest(positions)), topics: [...new Set(channels)] };
};

const mayFollow = (actor: Actor, channel: string): boolean => {
  if (actor.role === 'student' || actor.viewAs?.role === 'student') return false;
  const [kind, subjectId] = channel.split(/[:/]/u);
  if (kind === 'subjects' || kind === 'roster' || kind === 'staff') return true;
  return ['marks', 'structure', 'prior', 'tasks'].includes(kind ?? '') && subjectId !== undefined && mayReadSubject(actor, subjectId);
};
