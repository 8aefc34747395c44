import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision, type EventStore, type NewEvent } from '../../../events/store/port.ts';
import type { Dice } from '../../faults/dice.ts';

/** Writers that give up on nothing, and readers that come and go, on one log. */
export class Soak {
  /** appends that were sent again because nobody knew what had become of them, or because the log was away */
  repeated = 0;
  /** subscriptions that a drop ended, not their reader */
  dropped = 0;
  #isOver = false;
  readonly #log: () => EventStore;
  readonly #dice: Dice;
  /** How many events each writer has written by its own account. */
  readonly #written = new Map<number, number>();

  /** @param log another process on the log, so to speak */
  constructor(log: () => EventStore, dice: Dice) {
    this.#log = log;
    this.#dice = dice;
  }

  /** Nobody goes on: for when one of them has failed. */
  end(): void {
    this.#isOver = true;
  }

  get written(): number {
    return [...this.#written.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Writes so many events, 1 to 9 at a time; the writers 0 to 3 into one stream, the others each into its own. */
  async write(writer: number, count: number): Promise<void> {
    const store = this.#log();
    const stream = writer < 4 ? 'school-soak' : `entry-soak.${writer}`;
    let revision = -1n;
    for (let n = 0; n < count && !this.#isOver;) {
      const size = Math.min(count - n, 1 + Math.floor(this.#dice.between(0, 9)));
      const events = Array.from({ length: size }, (_, at) => numbered(writer, n + at));
      revision = await this.#append(store, stream, events, revision);
      n += size;
      this.#written.set(writer, n);
    }
  }

  /** Follows the log until it has seen so many events, leaving at random to come again where it stood. Rejects at a gap, a double or disorder. */
  async follow(count: number, patienceMs: number): Promise<void> {
    const store = this.#log();
    const giveUp = AbortSignal.timeout(patienceMs);
    const account = new Account();
    let position = 0n;
    while (account.seen < count && !this.#isOver) {
      if (giveUp.aborted) throw new Error(`${account.seen} of ${count} events seen, and no more came`);
      const leave = new AbortController();
      const signal = AbortSignal.any([leave.signal, giveUp]);
      const leaveAfter = account.seen + this.#dice.between(1, Math.max(50, count / 10));
      try {
        for await (const batch of store.subscribe(position === 0n ? 'start' : position, { signal })) {
          for (const event of batch.events) account.take(event);
          position = batch.position;
          if (account.seen >= count || account.seen > leaveAfter) leave.abort();
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.dropped++;
        await pause(20);
      }
    }
  }

  /** Until it is written, with the same ids. @returns the revision of its last event */
  async #append(store: EventStore, stream: string, events: NewEvent[], revision: bigint): Promise<bigint> {
    let expected = revision;
    for (;;) {
      try {
        return (await store.append(stream, events, expected < 0n ? 'none' : expected)).revision;
      } catch (error) {
        if (error instanceof WrongExpectedRevision) expected = error.actual === 'none' ? -1n : error.actual;
        else if (error instanceof OutcomeUnknown || error instanceof StoreUnavailable) {
          if (this.#isOver) throw error;
          this.repeated++;
          await pause(20);
        } else throw error;
      }
    }
  }
}

/** What a reader has seen, held against what it may see next. */
export class Account {
  seen = 0;
  #position = 0n;
  readonly #revisions = new Map<string, bigint>();
  readonly #numbers = new Map<number, number>();

  take({ stream, revision, position, data }: { stream: string; revision: bigint; position: bigint; data: string }): void {
    const { writer, n } = JSON.parse(data) as { writer: number; n: number };
    const place = `${stream}@${revision}, position ${position}`;
    if (position <= this.#position) throw new Error(`disorder: ${place} after ${this.#position}`);
    const before = this.#revisions.get(stream) ?? -1n;
    if (revision !== before + 1n) throw new Error(`${revision <= before ? 'a double' : 'a gap'}: ${place} after revision ${before}`);
    const last = this.#numbers.get(writer) ?? -1;
    if (n !== last + 1) throw new Error(`${n <= last ? 'written twice' : 'lost'}: writer ${writer} has ${n} after ${last} at ${place}`);
    this.#position = position;
    this.#revisions.set(stream, revision);
    this.#numbers.set(writer, n);
    this.seen++;
  }
}

const numbered = (writer: number, n: number): NewEvent => ({
  id: randomUUID(),
  type: 'Soaked',
  data: JSON.stringify({ writer, n }),
  metadata: '{"at":"2026-09-01T08:00:00.000Z"}',
});
