import { StoreUnavailable } from './port.ts';
import type { Position } from './port.ts';

/**
 * The subscribers of one process that wait for new events, and what is known about the end of the log. Notifications may be lost or false,
 * so while anybody waits, the owner calls `look` regularly.
 */
export class Subscribers {
  /** Reported by a notification: enough to wake subscribers, but not certain. */
  #newest: Position = 0n;
  /** Written or read by this process. */
  #certain: Position = 0n;
  #isClosed = false;
  readonly #waiting = new Set<Waiter>();

  get areAny(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Waits until the log holds an event beyond the position, or the signal aborts.
   *
   * @param inVain the last wake-up for this position was false: notifications do not count until the log has been read
   * @throws StoreUnavailable if the log cannot be reached, or was reset to an earlier state
   */
  async waitBeyond(position: Position, signal: AbortSignal, inVain: boolean): Promise<void> {
    if (this.#isClosed) throw closed();
    if ((this.#newest > position && !inVain) || signal.aborted) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { position, wake: () => resolve(), fail: reject };
    this.#waiting.add(waiter);
    signal.addEventListener('abort', waiter.wake, { once: true });
    await promise.finally(() => {
      this.#waiting.delete(waiter);
      signal.removeEventListener('abort', waiter.wake);
    });
  }

  /** A notification says that the log has reached the position. */
  notice(position: Position): void {
    if (position > this.#newest) this.#newest = position;
    for (const waiter of this.#waiting) if (this.#newest > waiter.position) waiter.wake();
  }

  /** This process has appended up to the position. */
  wrote(position: Position): void {
    if (position > this.#certain) this.#certain = position;
    this.notice(position);
  }

  /** Asks for the end of the log. @throws what `end` throws; nobody is woken then */
  async checkEnd(end: () => Promise<Position>): Promise<void> {
    const reached = [...this.#waiting].reduce((highest, { position }) => (position > highest ? position : highest), this.#certain);
    const heardBefore = this.#newest;
    const position = await end();
    // The log must hold what was certain before, unless it was reset to an earlier state.
    if (position < reached) {
      this.#newest = position;
      this.#certain = position;
      return this.failAll(new StoreUnavailable(`the event log now ends at ${position}: it was set back to an earlier state`));
    }
    // A reported position that is not there was false.
    if (this.#newest === heardBefore) this.#newest = position;
    this.wrote(position);
  }

  wakeAll(): void {
    for (const waiter of this.#waiting) waiter.wake();
  }

  failAll(error: StoreUnavailable): void {
    for (const waiter of this.#waiting) waiter.fail(error);
    this.#waiting.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.failAll(closed());
  }
}

type Waiter = { readonly position: Position; wake(): void; fail(error: Error): void };

const closed = (): StoreUnavailable => new StoreUnavailable('the event store is closed');
