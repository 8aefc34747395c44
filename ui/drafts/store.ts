import { isCertain, isRefused, messagesIn, sentence } from '../api/failure.ts';
import { uuid } from '../api/uuid.ts';
import type { Batch, Draft, IsReady, DraftState, Status } from './drafts.ts';
import {
  retried,
  startedBatch,
  discarded,
  failed,
  NO_DRAFTS,
  inFlight,
  recognised,
  same,
  stored,
  takenBack,
  typed,
  uncertain,
  withDrafts,
} from './drafts.ts';
import type { DraftStorage } from './draft-storage.ts';
import { FallbackStorage } from './fallback-storage.ts';

/** Why a draft could not be saved. Not kept on the device: it holds the server's words. */
export type Trouble = {
  readonly kind: 'refused' | 'conflict';
  readonly reason: string;
  /** For a record: by field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Nothing of what was sent together was taken. */
  readonly ofAll?: true;
};

/** What a component sees; the same object until something changes. */
export type Seen<Value, Saw, Input> = DraftState<Value, Saw, Input> & {
  /** What is kept has been read. */
  readonly isOpen: boolean;
  /** Whether it outlasts this page. */
  readonly isKept: boolean;
  readonly troubles: Readonly<Record<string, Trouble>>;
  /** `now`: what is stored now, to tell whether somebody else has stored something else since typing began. */
  readonly statusOf: (key: string, now?: Saw) => Status;
};

/**
 * Sends a batch. Answers what the server did not take; throws if it took nothing. Of one that is `takenBack` it also undoes what it has
 * stored; it may have been sent before.
 */
export type Send<Value, Input> = (batch: Batch<Value, Input>) => Promise<Troubles>;
/** By record or cell. */
type Troubles = Readonly<Record<string, Trouble>>;

type StoreOptions<Value, Saw> = {
  /** What a stored value looks like to whoever types over it, from what they saw before. */
  readonly sawOf: (value: Value, before: Saw) => Saw;
  /** Holds a name in all tabs while `act` runs. */
  readonly inTurn?: (name: string, act: () => Promise<void>) => Promise<void>;
};

/**
 * One person's drafts, by record or cell, whether they are kept by the browser or only in memory. A keystroke is in memory at once and kept
 * soon after. A batch is sent under one id until the server has answered, by one tab at a time.
 */
export class DraftStore<Value, Saw, Input> {
  readonly #storage: FallbackStorage<Value, Saw, Input>;
  readonly #options: StoreOptions<Value, Saw>;
  readonly #listeners = new Set<() => void>();
  /** Typed here and not kept yet: newer than what is read meanwhile. */
  readonly #unwritten = new Map<string, Draft<Value, Saw> | undefined>();
  /** By batch. */
  readonly #sending = new Map<string, Promise<boolean>>();
  #state: DraftState<Value, Saw, Input> = NO_DRAFTS;
  #troubles: Readonly<Record<string, Trouble>> = {};
  #saved: ReadonlySet<string> = new Set();
  #offline = false;
  #isOpen = false;
  #standIn: Send<Value, Input> | undefined;
  #seen: Seen<Value, Saw, Input>;
  #lastTold: readonly unknown[] = [];

  constructor(storage: DraftStorage<Value, Saw, Input>, options: StoreOptions<Value, Saw>) {
    this.#storage = new FallbackStorage(storage, {
      latest: () => this.#state,
      onChanged: () => this.#read(),
      onFallback: () => this.#tell(),
    });
    this.#options = options;
    this.#seen = this.#look();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly seen = (): Seen<Value, Saw, Input> => this.#seen;

  /** Reads what is kept, and follows other tabs until the returned function is called. */
  open(): () => void {
    const leave = this.#storage.open();
    void this.#read();
    return leave;
  }

  /** `saw`: what is stored now; a draft that is there already keeps what its author saw first. */
  type(changes: Readonly<Record<string, Draft<Value, Saw>>>): void {
    this.#put(Object.fromEntries(Object.entries(changes).map(([key, draft]) => [key, typed(this.#state.drafts[key], draft)])));
  }

  /** Bases drafts on what is stored now: their author has seen it. */
  rebase(changes: Readonly<Record<string, Draft<Value, Saw>>>): void {
    this.#put(changes);
  }

  /** Drafts as they were before; undefined: there was none. */
  restore(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): void {
    this.#put(changes);
  }

  /**
   * Takes batches back that are not answered yet: `ids`, and those in which `isOf` finds what it looks for, as a batch may have begun of which
   * nobody has been told. Resolves to the `ids` that have been answered meanwhile.
   */
  async takeBack(ids: readonly string[], isOf: (batch: Batch<Value, Input>) => boolean = () => false): Promise<readonly string[]> {
    let left: readonly string[] = [];
    await this.#change((state) => {
      const asked = new Set(ids);
      left = Object.values(state.batches).flatMap((batch) => (asked.has(batch.id) || isOf(batch) ? [batch.id] : []));
      return takenBack(state, left);
    });
    for (const id of left) {
      const batch = this.#state.batches[id];
      // Nobody sends it again by typing over it.
      if (batch?.uncertain && this.#standIn) void this.#deliver(batch, this.#standIn);
    }
    return ids.filter((id) => !left.includes(id));
  }

  discard(keys: readonly string[]): void {
    this.#put(Object.fromEntries(keys.map((key) => [key, undefined])));
    if (uncertain(this.#state, keys).length > 0) void this.#change((state) => discarded(state, keys));
  }

  /** Takes over what was kept elsewhere; what is typed here already is newer. */
  async adopt({ drafts, batches }: DraftState<Value, Saw, Input>): Promise<void> {
    await this.#change((now) => ({ drafts: { ...drafts, ...now.drafts }, batches: { ...batches, ...now.batches } }));
  }

  /** Whether the server can be reached. */
  offline(isOffline: boolean): void {
    if (isOffline === this.#offline) return;
    this.#offline = isOffline;
    this.#tell();
  }

  /**
   * Sends the drafts of these keys that are not on their way yet. Resolves once the server has answered: true if it took all of them.
   * `inputOf`: what is sent, made from the drafts that are left.
   */
  async save(
    keys: readonly string[],
    inputOf: (drafts: Readonly<Record<string, Draft<Value, Saw>>>) => Input,
    send: Send<Value, Input>,
    isReady?: IsReady<Value, Saw>,
  ): Promise<boolean> {
    for (const earlier of uncertain(this.#state, keys))
      // oxlint-disable-next-line no-await-in-loop -- what is typed over a batch is sent after it
      if (!(await this.#deliver(earlier, send))) return false;
    let batch: Batch<Value, Input> | undefined;
    const id = uuid();
    const isQuiet = true;
    await this.#change((state) => {
      const next = startedBatch(state, id, keys, inputOf, isReady);
      ({ batch } = next);
      return next.state;
    }, isQuiet);
    return batch === undefined ? true : this.#deliver(batch, send);
  }

  /** Sends what an earlier page left on its way, and from now on what another tab leaves when it is closed. */
  resume(send: Send<Value, Input>): void {
    this.#standIn = send;
    for (const batch of Object.values(this.#state.batches)) void this.#deliver(batch, send);
  }

  #deliver(batch: Batch<Value, Input>, send: Send<Value, Input>, standsIn = false): Promise<boolean> {
    const before = this.#sending.get(batch.id);
    if (before) return before;
    const now = this.#sendInTurn(batch, send, standsIn);
    this.#sending.set(batch.id, now);
    return now;
  }

  async #sendInTurn(batch: Batch<Value, Input>, send: Send<Value, Input>, standsIn: boolean): Promise<boolean> {
    const { inTurn = atOnce } = this.#options;
    let isTaken = true;
    try {
      await inTurn(`marktrail-sending-${batch.id}`, async () => {
        // Another tab may have sent it meanwhile.
        await this.#read(true);
        const now = this.#state.batches[batch.id];
        if (!now) return;
        // The tab that began it is there, and has failed: two tabs that stand in for each other would send without end.
        if (now.uncertain && standsIn) {
          isTaken = false;
          return;
        }
        if (now.uncertain) await this.#change((state) => retried(state, batch.id));
        const keys = Object.keys(batch.values);
        this.#troubles = without(this.#troubles, keys);
        try {
          // Send first; redrawing a large table takes a while.
          const later = setTimeout(() => this.#tell());
          const { wrong, isBack } = await this.#sent(this.#state.batches[batch.id] ?? now, send).finally(() => clearTimeout(later));
          isTaken = Object.keys(wrong).length === 0;
          if (!isBack)
            this.#saved = new Set([...this.#saved, ...keys.filter((key) => !Object.hasOwn(wrong, key) && !this.#state.drafts[key])]);
          if (!isTaken) this.#troubles = { ...this.#troubles, ...only(wrong, this.#state.drafts) };
        } catch (error) {
          isTaken = false;
          await this.#change((state) => failed(state, batch.id, isCertain(error)), true);
          const trouble: Trouble = { ...troubleOf(error), ofAll: true };
          const all = Object.fromEntries(keys.map((key) => [key, trouble]));
          this.#troubles = { ...this.#troubles, ...only(all, this.#state.drafts) };
        }
        // Before the turn is given back, which takes a while.
        this.#tell();
      });
    } finally {
      this.#sending.delete(batch.id);
      this.#tell();
    }
    return isTaken;
  }

  /** Sends a batch, and once more if it was taken back meanwhile: the second time what it stored is undone. */
  async #sent(batch: Batch<Value, Input>, send: Send<Value, Input>): Promise<{ readonly wrong: Troubles; readonly isBack: boolean }> {
    const isBack = batch.takenBack === true;
    const wrong = await send(batch);
    const refused = new Set(Object.keys(wrong));
    let late: Batch<Value, Input> | undefined;
    await this.#change((state) => {
      const latest = state.batches[batch.id];
      late = latest?.takenBack && !isBack ? latest : undefined;
      return late ? state : stored(state, batch.id, refused, this.#options.sawOf);
    }, true);
    return late ? this.#sent(late, send) : { wrong, isBack };
  }

  #put(changes: Readonly<Record<string, Draft<Value, Saw> | undefined>>): void {
    const keys = Object.keys(changes);
    for (const key of keys) this.#unwritten.set(key, changes[key]);
    this.#state = withDrafts(this.#state, changes);
    this.#troubles = without(this.#troubles, keys);
    if (keys.some((key) => this.#saved.has(key))) this.#saved = new Set([...this.#saved].filter((key) => !Object.hasOwn(changes, key)));
    this.#tell();
    void this.#storage.act(async (storage) => {
      await storage.put(changes);
      for (const key of keys) if (this.#unwritten.get(key) === changes[key]) this.#unwritten.delete(key);
    });
  }

  /** `isQuiet`: what follows at once tells of it. */
  async #change(step: (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>, isQuiet = false): Promise<void> {
    let after: DraftState<Value, Saw, Input> | undefined;
    await this.#storage.act(async (storage) => {
      await storage.change((state) => {
        after = step(state);
        return after;
      });
      if (after) this.#takeIn(after);
    });
    if (after) this.#follow(isQuiet);
    else await this.#read(isQuiet);
  }

  async #read(isQuiet = false): Promise<void> {
    await this.#storage.act(async (storage) => this.#takeIn(await storage.read()));
    this.#follow(isQuiet);
  }

  #takeIn(state: DraftState<Value, Saw, Input>): void {
    this.#state = recognised(this.#state, withDrafts(state, Object.fromEntries(this.#unwritten)));
  }

  #follow(isQuiet: boolean): void {
    this.#isOpen = true;
    if (!isQuiet) this.#tell();
    // The tab that began it holds its name while sending; this tab sends it only if that one is gone.
    if (this.#standIn)
      for (const batch of Object.values(this.#state.batches)) if (!batch.uncertain) void this.#deliver(batch, this.#standIn, true);
  }

  /** Only tells of changes: a component may look at some thousand cells. */
  #tell(): void {
    const now = [this.#state, this.#troubles, this.#saved, this.#offline, this.#isOpen, this.#storage.isKept];
    if (now.every((one, at) => one === this.#lastTold[at])) return;
    this.#lastTold = now;
    this.#seen = this.#look();
    for (const listener of this.#listeners) listener();
  }

  #look(): Seen<Value, Saw, Input> {
    const [{ drafts, batches }, troubles, saved, offline] = [this.#state, this.#troubles, this.#saved, this.#offline];
    const onTheWay = inFlight(this.#state);
    const statusOf = (key: string, now?: Saw): Status => {
      const draft = drafts[key];
      const sent = onTheWay.get(key);
      // What is typed over it waits for it.
      if (offline && sent && draft) return 'offline';
      if (sent?.isTypedOver === false) return 'saving';
      if (!draft) return saved.has(key) ? 'saved' : 'clean';
      return troubles[key]?.kind ?? (now !== undefined && !same(now, draft.saw) ? 'conflict' : 'changed');
    };
    return { drafts, batches, troubles, isOpen: this.#isOpen, isKept: this.#storage.isKept, statusOf };
  }
}

/** Somebody else's change, or removal, is a conflict. */
export const troubleOf = (error: unknown): Trouble => ({
  kind: isRefused(error, 'conflict', 'precondition-failed', 'not-found') ? 'conflict' : 'refused',
  reason: sentence(error),
  fields: messagesIn(error),
});

const atOnce = (_name: string, act: () => Promise<void>): Promise<void> => act();

const without = <Of>(all: Readonly<Record<string, Of>>, keys: readonly string[]): Readonly<Record<string, Of>> => {
  if (!keys.some((key) => Object.hasOwn(all, key))) return all;
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(all).filter(([key]) => !gone.has(key)));
};

/** Only the entries that are still drafts. */
const only = <Of>(all: Readonly<Record<string, Of>>, drafts: Readonly<Record<string, unknown>>): Readonly<Record<string, Of>> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(drafts, key)));
