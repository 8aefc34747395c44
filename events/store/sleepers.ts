import { StoreUnavailable } from './port.ts';
import type { Position } from './port.ts';

/**
 * The subscribers of one process that sleep until the log goes on, and what is known here of where it ends. What wakes them may be lost or
 * made up: while anybody sleeps, its owner has a `look` at the log now and then.
 */
export class Sleepers {
  /** Heard of: enough to wake somebody, not to be believed. */
  #newest: Position = 0n;
  /** Written or read by this process. */
  #certain: Position = 0n;
  #isClosed = false;
  readonly #asleep = new Set<Sleeper>();

  get areAny(): boolean {
    return this.#asleep.size > 0;
  }

  /**
   * Sleeps until the log holds an event beyond the position, or the signal aborts.
   *
   * @param inVain the last time it woke for this position there was nothing: what was heard is not believed before the log was asked
   * @throws StoreUnavailable when the log cannot be reached meanwhile, or has been set back to an earlier state
   */
  async beyond(position: Position, signal: AbortSignal, inVain: boolean): Promise<void> {
    if (this.#isClosed) throw closed();
    if ((this.#newest > position && !inVain) || signal.aborted) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { position, wake: () => resolve(), fail: reject };
    this.#asleep.add(sleeper);
    signal.addEventListener('abort', sleeper.wake, { once: true });
    await promise.finally(() => {
      this.#asleep.delete(sleeper);
      signal.removeEventListener('abort', sleeper.wake);
    });
  }

  /** Somebody says that the log has come to the position. */
  heard(position: Position): void {
    if (position > this.#newest) this.#newest = position;
    for (const sleeper of this.#asleep) if (this.#newest > sleeper.position) sleeper.wake();
  }

  /** An append of this process was written up to the position. */
  wrote(position: Position): void {
    if (position > this.#certain) this.#certain = position;
    this.heard(position);
  }

  /** @throws what `end` throws; nobody is woken then */
  async look(end: () => Promise<Position>): Promise<void> {
    const known = [...this.#asleep].reduce((highest, { position }) => (position > highest ? position : highest), this.#certain);
    const heardBefore = this.#newest;
    const position = await end();
    // What was known before the log was asked is in it, unless it was replaced by an earlier state.
    if (position < known) {
      this.#newest = position;
      this.#certain = position;
      return this.failAll(new StoreUnavailable(`the event log now ends at ${position}: it was set back to an earlier state`));
    }
    // What was only heard of before, and is not there, was made up.
    if (this.#newest === heardBefore) this.#newest = position;
    this.wrote(position);
  }

  wakeAll(): void {
    for (const sleeper of this.#asleep) sleeper.wake();
  }

  failAll(error: StoreUnavailable): void {
    for (const sleeper of this.#asleep) sleeper.fail(error);
    this.#asleep.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.failAll(closed());
  }
}

type Sleeper = { readonly position: Position; wake(): void; fail(error: Error): void };

const closed = (): StoreUnavailable => new StoreUnavailable('the event store is closed');
