import { Queue } from '../../../events/async/queue.ts';
import { EmailTaken } from '../identity/credentials.ts';
import type { Limit, Limits } from '../limits.ts';

const BY_ONE: Limit = { name: 'taken addresses found by one', most: 5, seconds: 3_600 };
const IN_ALL: Limit = { name: 'taken addresses found in a school', most: 30, seconds: 3_600 };

/**
 * Where an answer says at once that an address is taken, and so that somebody has an account somewhere, only a few such answers are given.
 * After that, requests that would need one are refused, whether the address is taken or not.
 */
export class TakenAddressLimit {
  readonly #limits: Limits;
  /** Simultaneous requests of one asker are answered one after the other: otherwise all would pass before the first is counted. */
  readonly #queue = new Queue();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * `who`: the account (or the student who joins), and among whom: the admins of a school, or those who join with one code, so that nobody who
   * joins keeps the admins from opening accounts, and a new code begins anew. `work` gives somebody an address. @throws EmailTaken
   *
   * @throws ProblemError `rate-limited`
   */
  run<Result>(who: { readonly accountId: string; readonly among: string }, work: () => Promise<Result>): Promise<Result> {
    const { accountId, among } = who;
    return this.#queue.run(accountId, async () => {
      await this.#limits.check(BY_ONE, accountId);
      await this.#limits.check(IN_ALL, among);
      try {
        return await work();
      } catch (error) {
        if (error instanceof EmailTaken) {
          await this.#limits.note(BY_ONE, accountId);
          await this.#limits.note(IN_ALL, among);
        }
        throw error;
      }
    });
  }
}
