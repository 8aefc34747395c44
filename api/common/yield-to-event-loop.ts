import { setImmediate as nextTurn } from 'node:timers/promises';

/** ms that a request may work without yielding */
const LONG_MS = 25;

/**
 * A time slice: the work between two waits. Reading, checking and storing a large file takes a second in all, during which this process
 * would answer nobody else: `yield` lets others have a turn if the slice was long. A save of a few cells is short, and continues at once.
 */
export class Slice {
  #since = performance.now();

  yield(): Promise<void> | undefined {
    const since = this.#since;
    this.#since = performance.now();
    return this.#since - since > LONG_MS ? this.#nextTurn() : undefined;
  }

  async #nextTurn(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
