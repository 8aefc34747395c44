import { setTimeout as pause } from 'node:timers/promises';

/** `run` never throws. `onRest`: none is under way or due any more. */
type Round = { readonly isWanted: () => boolean; readonly run: () => Promise<void>; readonly onRest: () => void };

/** When an answer is read again. Saves go first: only so many answers are read at a time, and the pauses between rounds grow with their cost. */
export class Rounds {
  readonly #round: Round;
  #isDue = false;
  #isRunning = false;

  constructor(round: Round) {
    this.#round = round;
  }

  get isAtRest(): boolean {
    return !this.#isRunning;
  }

  /** Asks for a round. While one is under way, the next begins after a pause. */
  ask(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    const { isWanted, run, onRest } = this.#round;
    this.#isRunning = true;
    while (this.#isDue && isWanted()) {
      if (readings >= MOST_READINGS) {
        await pause(BREATH_MS);
        continue;
      }
      readings += 1;
      this.#isDue = false;
      const begun = performance.now();
      await run();
      readings -= 1;
      await pause(Math.min(BREATH_MS + 2 * (performance.now() - begun), LONGEST_BREATH_MS));
    }
    this.#isRunning = false;
    onRest();
  }
}

/** How many answers are being read in this process, and how many may be. */
let readings = 0;
const MOST_READINGS = 2;
/** The least pause between two rounds about one answer. */
const BREATH_MS = 20;
const LONGEST_BREATH_MS = 1_000;
