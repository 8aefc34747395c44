import type { Draft, IsReady } from './drafts.ts';
import type { DraftStore, Seen, Send } from './store.ts';

/** ms from the last key to the save */
export const PAUSE = 800;

/**
 * ms from the last key to the save by a page on which it cannot have been typed: the page on which it was typed goes first, and can undo it.
 * A browser slows the timers of a hidden page down to one a second.
 */
export const PAUSE_ELSEWHERE = 3 * PAUSE;

type Drafts<Value, Saw> = Readonly<Record<string, Draft<Value, Saw>>>;

type DraftAutosaveOptions<Value, Saw, Input> = {
  readonly send: Send<Value, Input>;
  /** What is sent for a group. */
  readonly inputOf: (group: string, drafts: Drafts<Value, Saw>) => Input;
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
  readonly #groupOf: GroupOf<Value, Saw>;
  #options: DraftAutosaveOptions<Value, Saw, Input> | undefined;
  readonly #running = new Map<string, Promise<boolean>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: DraftStore<Value, Saw, Input>, groupOf: GroupOf<Value, Saw>) {
    this.#store = store;
    this.#groupOf = groupOf;
  }

  /** How it sends, and what it knows, from now on. */
  configure(options: DraftAutosaveOptions<Value, Saw, Input>): void {
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
   * Sends everything that waits in a group, without a pause. Resolves once the server has answered: true if it took everything and nothing
   * from before a reload or from another tab is still on its way.
   */
  async saveNow(group: string): Promise<boolean> {
    const isTaken = await this.#inTurn(group, () => true);
    const { drafts } = this.#store.seen();
    return isTaken && !Object.entries(drafts).some(([key, draft]) => this.#groupOf(key, draft) === group && this.#isReady(key, draft));
  }

  /** Each key restarts the pause. */
  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveDue(), this.#options?.pause ?? PAUSE);
  }

  #saveDue(): void {
    const seen = this.#store.seen();
    if (!seen.isOpen) return;
    const groups = new Set(this.#ready(seen, isDue).flatMap(([key, draft]) => this.#groupOf(key, draft) ?? []));
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
    const isOfGroup = (key: string, draft: Draft<Value, Saw>) => this.#groupOf(key, draft) === group;
    const waiting = this.#ready(this.#store.seen(), isWanted).filter(([key, draft]) => isOfGroup(key, draft));
    if (waiting.length === 0 || !options) return waiting.length === 0;
    const inputOf = (drafts: Drafts<Value, Saw>) => options.inputOf(group, drafts);
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
    return this.#groupOf(key, draft) !== undefined && this.#options?.isReady(key, draft) === true;
  }
}

/** What is sent together; undefined: not saved automatically. */
type GroupOf<Value, Saw> = (key: string, draft: Draft<Value, Saw>) => string | undefined;
type Wanted<Value, Saw, Input> = (key: string, seen: Seen<Value, Saw, Input>) => boolean;
type Troubled = Pick<Seen<unknown, unknown, unknown>, 'troubles'>;

/** What was refused waits until it is typed again, or submitted. */
const isDue = (key: string, { troubles }: Troubled): boolean => troubles[key] === undefined;

/** What failed as a whole is tried again before what is typed after it. */
const isDueWithOthers = (key: string, { troubles }: Troubled): boolean => troubles[key] === undefined || troubles[key].ofAll === true;
