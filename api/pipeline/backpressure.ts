import type { Actor } from '../actor.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { ModelProgress } from '../common/models.ts';
import { ProblemError } from '../common/problems.ts';
import { countRefusal } from '../common/refusals.ts';

export type BackpressureOptions = Pick<ModelProgress, 'positions' | 'waitFor'>;

/** How many commands all accounts together may be ahead of the read models; the least and the most of one account's share. */
const TOGETHER = 1_024;
const LEAST = 16;
const MOST = 128;
/** How long an answer is held back. */
const HELD_MS = 2_000;
/** An account that has this many answers held back does not wait for them. */
const MOST_HELD = 16;
/** Nobody waits for read models that have not moved for this long: the log accepts saves without them. */
const STILL_MS = 1_500;

/**
 * Keeps writers close to the read models: an account that is too many commands ahead gets its next answer only when the read models have come
 * closer. So a program that saves as fast as it is answered is slowed down, and readers soon see what was saved. Nobody who types gets that
 * far ahead. A program that does not wait for its answers is refused until some have arrived.
 */
export class Backpressure {
  readonly #options: BackpressureOptions;
  /** by account: positions of its answered commands that the read models had not reached when last checked; oldest first */
  readonly #ahead = new Map<string, bigint[]>();
  /** by account: answers that are held back */
  readonly #held = new Map<string, number>();
  #reached = 0n;
  #positions: ReadonlyMap<string, bigint> | undefined;
  #leading: string | undefined;
  #movedAt = performance.now();

  constructor(options: BackpressureOptions) {
    this.#options = options;
  }

  /** How many answers are held back now. */
  get held(): number {
    return this.#held.values().reduce((sum, count) => sum + count, 0);
  }

  /** @throws ProblemError `too-fast`, before the work has begun */
  async run({ accountId }: Pick<Actor, 'accountId'>, work: () => Promise<CommandAnswer<unknown>>): Promise<CommandAnswer<unknown>> {
    if ((this.#held.get(accountId) ?? 0) >= MOST_HELD) {
      countRefusal('saves ahead of the read models');
      throw new ProblemError('too-fast', 'Changes arrive faster than they can be shown. Nothing was changed: try again in a moment.', {
        retryAfter: 1,
      });
    }
    const answer = await work();
    if (answer.position !== null) await this.#hold(accountId, BigInt(answer.position));
    return answer;
  }

  async #hold(accountId: string, position: bigint): Promise<void> {
    const leading = this.#look();
    const ahead = this.#ahead.get(accountId) ?? [];
    this.#ahead.set(accountId, ahead);
    while (ahead.length > 0 && ahead[0]! <= this.#reached) ahead.shift();
    ahead.push(position);
    const share = Math.max(LEAST, Math.min(MOST, Math.floor(TOGETHER / this.#ahead.size)));
    const wanted = ahead.at(-share - 1);
    if (wanted === undefined) return;
    // A log without read models for hours must not fill the memory.
    if (ahead.length > 2 * MOST) ahead.shift();
    if (leading === undefined || performance.now() - this.#movedAt > STILL_MS) return;
    this.#held.set(accountId, (this.#held.get(accountId) ?? 0) + 1);
    await this.#options.waitFor([leading], wanted, HELD_MS).catch(() => undefined);
    const others = (this.#held.get(accountId) ?? 1) - 1;
    if (others === 0) this.#held.delete(accountId);
    else this.#held.set(accountId, others);
  }

  /** Measured by the read model that has come furthest, so that one that has stopped at an event holds nobody back. */
  #look(): string | undefined {
    const positions = this.#options.positions();
    // The same object until something has moved.
    if (positions === this.#positions) return this.#leading;
    let leading: string | undefined;
    let reached = -1n;
    for (const [name, position] of positions) if (position > reached) [leading, reached] = [name, position];
    [this.#positions, this.#leading] = [positions, leading];
    // Also backwards, if they are built anew.
    if (reached === this.#reached) return leading;
    [this.#reached, this.#movedAt] = [reached, performance.now()];
    for (const [accountId, ahead] of this.#ahead) if ((ahead.at(-1) ?? 0n) <= reached) this.#ahead.delete(accountId);
    return leading;
  }
}
