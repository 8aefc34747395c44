import type { Draft, IsReady } from './drafts.ts';
import type { Send } from './outbox.ts';
import type { Seen } from './seen.ts';
import type { DraftStore } from './store.ts';

/** ms from the last key to the save */
export const PAUSE = 800;

/**
 * ms from the last key to the save by a page on which it cannot have been typed: the page on which it was typed goes first, and can undo it.
 * A browser slows the timers of a hidden page down to one a second.
 */
export const PAUSE_ELSEWHERE = 3 * PAUSE;

type Drafts<Value, Saw> = Readonly<Record<string, Draft<Value, Saw>>>;

/** What is saved together, and how it is sent. */
type Groups<Value, Saw, Input> = {
  /** Undefined: not saved automatically. */
  readonly groupOf: (key: string, draft: Draft<Value, Saw>) => string | undefined;
  readonly inputOf: (group: string, drafts: Drafts<Value, Saw>) => Input;
};

export type AutosaveOptions<Value, Saw, Input> = {
  readonly send: Send<Value, Input>;
  /** What may be sent. The rest waits for its author. */
  readonly isReady: IsReady<Value, Saw>;
  readonly onSaved?: (group: string) => void;
  /** ms; left out: PAUSE */
  readonly pause?: number;
};

/**
 * Saves drafts automatically, a moment after the last key, whether their page is open or not: what a reload left unsent goes out when the
 * next page has begun. This page sends one save at a time for each group, such as a class and a test.
 */
export class DraftAutosave<Value, Saw, Input> {
  readonly #store: DraftStore<Value, Saw, Input>;
  readonly #groups: Groups<Value, Saw, Input>;
  #options: AutosaveOptions<Value, Saw, Input> | undefined;
  readonly #running = new Map<string, Promise<boolean>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: DraftStore<Value, Saw, Input>, groups: Groups<Value, Saw, Input>) {
    this.#store = store;
    this.#groups = groups;
  }

  /** How it sends, and what it knows, from now on. */
  configure(options: AutosaveOptions<Value, Saw, Input>): void {
    this.#options = options;
  }

  /** Follows what is typed until the returned function is called. */
  start(): () => void {
    const leave = this.#store.subscribe(() => this.#later());
    this.#later();
    return () => {
      leave();
      clearTimeout(this.#timer);
    };
  }

  /**
   * Sends everything that waits in some groups, without a pause. Resolves once the server has answered: true if it took everything and
   * nothing from before a reload or from another tab is still on its way.
   */
  async saveNow(isMeant: (group: string) => boolean): Promise<boolean> {
    const waiting = () =>
      Object.entries(this.#store.seen().drafts).flatMap(([key, draft]) =>
        this.#isReady(key, draft) ? (this.#groups.groupOf(key, draft) ?? []) : [],
      );
    const groups = new Set([...waiting(), ...this.#running.keys()].filter(isMeant));
    const taken = await Promise.all([...groups].map((group) => this.#inTurn(group, () => true)));
    return taken.every(Boolean) && !waiting().some(isMeant);
  }

  /** Each key restarts the pause. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveDue(), this.#options?.pause ?? PAUSE);
  }

  #saveDue(): void {
    const seen = this.#store.seen();
    if (!seen.isOpen) return;
    const groups = new Set(this.#ready(seen, isDue).flatMap(([key, draft]) => this.#groups.groupOf(key, draft) ?? []));
    for (const group of groups) if (!this.#running.has(group)) void this.#inTurn(group, isDueWithOthers);
  }

  /** What is typed while a save is on its way goes with the next one. */
  async #inTurn(group: string, isWanted: Wanted<Value, Saw, Input>): Promise<boolean> {
    const before = this.#running.get(group) ?? Promise.resolve(true);
    const saving = before.then(() => this.#save(group, isWanted));
    this.#running.set(group, saving);
    try {
      return await saving;
    } finally {
      if (this.#running.get(group) === saving) this.#running.delete(group);
      this.#later();
    }
  }

  async #save(group: string, isWanted: Wanted<Value, Saw, Input>): Promise<boolean> {
    const options = this.#options;
    const isOfGroup = (key: string, draft: Draft<Value, Saw>) => this.#groups.groupOf(key, draft) === group;
    const waiting = this.#ready(this.#store.seen(), isWanted).filter(([key, draft]) => isOfGroup(key, draft));
    if (waiting.length === 0 || !options) return waiting.length === 0;
    const inputOf = (drafts: Drafts<Value, Saw>) => this.#groups.inputOf(group, drafts);
    for (const [block, drafts] of Map.groupBy(waiting, ([, draft]) => draft.block)) {
      // Typed over meanwhile, a draft may belong to another group.
      const isReady: IsReady<Value, Saw> = (key, draft) => isOfGroup(key, draft) && draft.block === block && this.#isReady(key, draft);
      const keys = drafts.map(([key]) => key);
      // oxlint-disable-next-line no-await-in-loop -- one save at a time, in the order in which they were begun
      if (!(await this.#store.save(keys, inputOf, options.send, isReady))) return false;
    }
    options.onSaved?.(group);
    return true;
  }

  /** What may be sent and is not on its way. */
  #ready(seen: Seen<Value, Saw, Input>, isWanted: Wanted<Value, Saw, Input>): readonly (readonly [string, Draft<Value, Saw>])[] {
    return Object.entries(seen.drafts).filter(([key, draft]) => {
      const status = seen.statusOf(key);
      return status !== 'saving' && status !== 'offline' && isWanted(key, seen) && this.#isReady(key, draft);
    });
  }

  #isReady(key: string, draft: Draft<Value, Saw>): boolean {
    return this.#groups.groupOf(key, draft) !== undefined && this.#options?.isReady(key, draft) === true;
  }
}

type Wanted<Value, Saw, Input> = (key: string, seen: Seen<Value, Saw, Input>) => boolean;
type Troubled = Pick<Seen<unknown, unknown, unknown>, 'troubles'>;

/** What was refused waits until it is typed again, or submitted. */
const isDue = (key: string, { troubles }: Troubled): boolean => troubles[key] === undefined;

/** What failed as a whole is tried again before what is typed after it. */
const isDueWithOthers = (key: string, { troubles }: Troubled): boolean => troubles[key] === undefined || troubles[key].ofAll === true;
