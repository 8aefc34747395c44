import { isCertain } from '../api/failure.ts';
import { uuid } from '../api/uuid.ts';
import type { Batch, Draft, DraftState, IsReady } from './drafts.ts';
import { failed, retried, startedBatch, stored, takenBack, uncertain } from './drafts.ts';
import type { Outcome, Troubles } from './seen.ts';
import { troubleOf } from './seen.ts';

/**
 * Sends a batch. Answers what the server did not take; throws if it took nothing. Of one that is `takenBack` it also undoes what it has
 * stored; it may have been sent before.
 */
export type Send<Value, Input> = (batch: Batch<Value, Input>) => Promise<Troubles>;

/** The drafts that an outbox sends. */
type Drafts<Value, Saw, Input> = {
  readonly state: () => DraftState<Value, Saw, Input>;
  /** `isQuiet`: `report` follows. */
  readonly change: (step: (state: DraftState<Value, Saw, Input>) => DraftState<Value, Saw, Input>, isQuiet?: true) => Promise<void>;
  /** Shows the outcome of the keys at once; without one, that they are on their way, a moment later. */
  readonly report: (keys: readonly string[], outcome?: Outcome) => void;
};

export type OutboxOptions<Value, Saw> = {
  /** What a stored value looks like to whoever types over it, from what they saw before. */
  readonly sawOf: (value: Value, before: Saw) => Saw;
  /** Holds a name in all tabs while `act` runs. */
  readonly inTurn?: (name: string, act: () => Promise<void>) => Promise<void>;
};

/** Sends drafts in batches, each under one id until the server has answered, by one tab at a time. */
export class Outbox<Value, Saw, Input> {
  readonly #drafts: Drafts<Value, Saw, Input>;
  readonly #options: OutboxOptions<Value, Saw>;
  /** By batch. */
  readonly #sending = new Map<string, Promise<boolean>>();
  #standIn: Send<Value, Input> | undefined;

  constructor(drafts: Drafts<Value, Saw, Input>, options: OutboxOptions<Value, Saw>) {
    this.#drafts = drafts;
    this.#options = options;
  }

  /**
   * Sends the drafts of these keys that are not on their way yet. Resolves once the server has answered: true if it took all of them.
   * `inputOf`: what is sent, made from the drafts that are left.
   */
  readonly save = async (
    keys: readonly string[],
    inputOf: (drafts: Readonly<Record<string, Draft<Value, Saw>>>) => Input,
    send: Send<Value, Input>,
    isReady?: IsReady<Value, Saw>,
  ): Promise<boolean> => {
    for (const earlier of uncertain(this.#drafts.state(), keys))
      // oxlint-disable-next-line no-await-in-loop -- what is typed over a batch is sent after it
      if (!(await this.#deliver(earlier, send))) return false;
    let batch: Batch<Value, Input> | undefined;
    const id = uuid();
    await this.#drafts.change((state) => {
      const next = startedBatch(state, id, keys, inputOf, isReady);
      ({ batch } = next);
      return next.state;
    }, true);
    return batch === undefined ? true : this.#deliver(batch, send);
  };

  /**
   * Takes batches back that are not answered yet: `ids`, and those in which `isOf` finds what it looks for, as a batch may have begun of which
   * nobody has been told. Resolves to the `ids` that have been answered meanwhile.
   */
  readonly takeBack = async (
    ids: readonly string[],
    isOf: (batch: Batch<Value, Input>) => boolean = () => false,
  ): Promise<readonly string[]> => {
    let left: readonly string[] = [];
    await this.#drafts.change((state) => {
      const wanted = new Set(ids);
      left = Object.values(state.batches).flatMap((batch) => (wanted.has(batch.id) || isOf(batch) ? [batch.id] : []));
      return takenBack(state, left);
    });
    for (const id of left) {
      const batch = this.#drafts.state().batches[id];
      // Nobody sends it again by typing over it.
      if (batch?.uncertain && this.#standIn) void this.#deliver(batch, this.#standIn);
    }
    return ids.filter((id) => !left.includes(id));
  };

  /** Sends what an earlier page left on its way, and from now on what another tab leaves when it is closed. */
  readonly resume = (send: Send<Value, Input>): void => {
    this.#standIn = send;
    for (const batch of Object.values(this.#drafts.state().batches)) void this.#deliver(batch, send);
  };

  /** The tab that began a batch holds its name while sending; this tab sends it only if that one is gone. */
  standIn(): void {
    if (!this.#standIn) return;
    for (const batch of Object.values(this.#drafts.state().batches)) if (!batch.uncertain) void this.#deliver(batch, this.#standIn, true);
  }

  #deliver(batch: Batch<Value, Input>, send: Send<Value, Input>, standsIn = false): Promise<boolean> {
    const before = this.#sending.get(batch.id);
    if (before) return before;
    const now = this.#sendInTurn(batch, send, standsIn).finally(() => this.#sending.delete(batch.id));
    this.#sending.set(batch.id, now);
    return now;
  }

  async #sendInTurn({ id, values }: Batch<Value, Input>, send: Send<Value, Input>, standsIn: boolean): Promise<boolean> {
    const { inTurn = atOnce } = this.#options;
    const keys = Object.keys(values);
    let isTaken = true;
    await inTurn(`marktrail-sending-${id}`, async () => {
      let now: Batch<Value, Input> | undefined;
      await this.#drafts.change((state) => {
        // The tab that began it is there, and has failed: two tabs that stand in for each other would send without end.
        const next = standsIn ? state : retried(state, id);
        now = next.batches[id];
        return next;
      }, true);
      // Another tab may have sent it meanwhile.
      if (!now || now.uncertain) {
        isTaken = !now;
        return this.#drafts.report([]);
      }
      // Send first; redrawing a large table takes a while.
      this.#drafts.report(keys);
      let outcome: Outcome;
      try {
        outcome = await this.#sent(now, send);
      } catch (error) {
        await this.#drafts.change((state) => failed(state, id, isCertain(error)), true);
        const trouble = { ...troubleOf(error), ofAll: true } as const;
        outcome = { troubles: Object.fromEntries(keys.map((key) => [key, trouble])), isStored: false };
      }
      isTaken = Object.keys(outcome.troubles).length === 0;
      // Before the turn is given back, which takes a while.
      this.#drafts.report(keys, outcome);
    });
    return isTaken;
  }

  /** Sends a batch, and once more if it was taken back meanwhile: the second time what it stored is undone. */
  async #sent(batch: Batch<Value, Input>, send: Send<Value, Input>): Promise<Outcome> {
    const isBack = batch.takenBack === true;
    const troubles = await send(batch);
    const refused = new Set(Object.keys(troubles));
    let late: Batch<Value, Input> | undefined;
    await this.#drafts.change((state) => {
      const latest = state.batches[batch.id];
      late = latest?.takenBack && !isBack ? latest : undefined;
      return late ? state : stored(state, batch.id, refused, this.#options.sawOf);
    }, true);
    return late ? this.#sent(late, send) : { troubles, isStored: !isBack };
  }
}

const atOnce = (_name: string, act: () => Promise<void>): Promise<void> => act();
