/** Chance that comes out the same for the same seed (mulberry32), so that what failed can be tried again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From `low` up to `high`. */
  between(low: number, high: number): number {
    return low + this.#next() * (high - low);
  }

  /** One of them, each as often as its weight says. */
  pick<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.#next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    throw new Error('nothing to choose from');
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** FAULT_SEED, else a new one each time: printed by what fails. */
export const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
