import { setTimeout as pause } from 'node:timers/promises';

type Round = {
  readonly isWanted: () => boolean;
  /** Never throws. */
  readonly run: () => Promise<void>;
  /** None is under way or due any more. */
  readonly onRest: () => void;
};

export type Repeated = {
  /** Asks for a round. While one is under way, the next begins after a pause. */
  readonly ask: () => void;
  readonly isAtRest: () => boolean;
};

/** When answers are read again. Saves go first: only so many are read at a time, and the pauses between rounds grow with what they cost. */
export class Rounds {
  #running = 0;

  repeated({ isWanted, run, onRest }: Round): Repeated {
    let [isDue, isGoing] = [false, false];
    const go = async (): Promise<void> => {
      isGoing = true;
      while (isDue && isWanted()) {
        if (this.#running >= MOST_ROUNDS) {
          await pause(BREATH_MS);
          continue;
        }
        this.#running += 1;
        isDue = false;
        const begun = performance.now();
        await run();
        this.#running -= 1;
        await pause(Math.min(BREATH_MS + 2 * (performance.now() - begun), LONGEST_BREATH_MS));
      }
      isGoing = false;
      onRest();
    };
    return {
      ask() {
        isDue = true;
        if (!isGoing) void go();
      },
      isAtRest: () => !isGoing,
    };
  }
}

/** How many answers are read at a time. */
const MOST_ROUNDS = 2;
/** The least pause between two rounds about one answer. */
const BREATH_MS = 20;
const LONGEST_BREATH_MS = 1_000;
