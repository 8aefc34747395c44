import { setImmediate as nextTurn } from 'node:timers/promises';

/** ms that a request may work at a stretch */
const LONG_MS = 25;

/**
 * A stretch of work between two waits. Reading, checking and storing a large file takes a second in all, during which this process would
 * answer nobody else: `pause` lets others have a turn if the stretch was long. A save of a few cells never takes long, and goes on at once.
 */
export class Stint {
  #since = performance.now();

  pause(): Promise<void> | undefined {
    const since = this.#since;
    this.#since = performance.now();
    return this.#since - since > LONG_MS ? this.#nextTurn() : undefined;
  }

  async #nextTurn(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
