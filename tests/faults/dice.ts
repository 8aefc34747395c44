import { random } from '../support/random.ts';

/** Chance that comes out the same for the same seed, so that what failed can be tried again. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed).next;
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
}

/** FAULT_SEED, else a new one each time: printed by what fails. */
export const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
