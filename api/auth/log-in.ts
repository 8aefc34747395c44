import { doorWords } from '../contract/door-words.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Limit, Limits } from './limits.ts';
import { networkOf } from './limits.ts';

/**
 * Guesses of one password. Whoever guesses from one network is slowed down there: twenty in a minute, forty in a quarter of an hour. So somebody
 * in the same school can keep an owner out for minutes, and a stranger elsewhere not at all, because what is counted everywhere only
 * closes an account to networks from which its owner never came.
 */
export const AT_ONCE: Limit = { name: 'guesses of a password', most: 20, seconds: 60 };
const IN_A_WHILE: Limit = { name: 'guesses of a password, in a while', most: 40, seconds: 900 };
export const EVERYWHERE: Limit = { name: 'guesses of a password, everywhere', most: 100, seconds: 3_600 };
const AT_HOME: Limit = { name: 'network of an owner', most: 0, seconds: 60 * 24 * 3_600 };

/** Log-ins by password, as far as they are counted. Who has no account is counted as well, so that nobody learns who has one. */
export class LogIn {
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * `enter` refuses a wrong password with `login-failed`. It is not asked where there were too many guesses, so that not even the right
   * one tells anything.
   *
   * @throws ProblemError `rate-limited`, in the words of a log-in that failed; what `enter` throws
   */
  async attempt<Answer>({ email, address }: { email: string; address: string }, enter: () => Promise<Answer>): Promise<Answer> {
    const limits = this.#limits;
    const account = email.trim().toLowerCase();
    const here = [account, networkOf(address)] as const;
    try {
      await Promise.all([limits.count(AT_ONCE, ...here), limits.count(IN_A_WHILE, ...here)]);
      if (!(await limits.has(AT_HOME, ...here))) await limits.check(EVERYWHERE, account);
    } catch (error) {
      throw error instanceof ProblemError ? tooManyGuesses(error) : error;
    }
    try {
      const answer = await enter();
      await Promise.all([limits.forgive(AT_ONCE, ...here), limits.forgive(IN_A_WHILE, ...here), limits.note(AT_HOME, ...here)]);
      return answer;
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === 'login-failed') await limits.note(EVERYWHERE, account);
      throw error;
    }
  }
}

const tooManyGuesses = ({ retryAfter }: ProblemError): ProblemError =>
  new ProblemError('rate-limited', doorWords.loginFailed, {
    detail: doorWords.tooMany,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
