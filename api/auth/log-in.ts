import { doorWords } from '../contract/door-words.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Identity } from './identity.ts';
import type { Limit, Limits } from './limits.ts';
import { networkOf } from './limits.ts';
import { NOBODYS_HASH, verifyPassword } from './password-hash.ts';

/**
 * Guesses of one password. Whoever guesses from one network is slowed down there: twenty in a minute, forty in a quarter of an hour. So somebody
 * in the same school can keep an owner out for minutes, and a stranger elsewhere not at all, because what is counted everywhere only
 * closes an account to networks from which its owner never came.
 */
export const AT_ONCE: Limit = { name: 'guesses of a password', most: 20, seconds: 60 };
const IN_A_WHILE: Limit = { name: 'guesses of a password, in a while', most: 40, seconds: 900 };
export const EVERYWHERE: Limit = { name: 'guesses of a password, everywhere', most: 100, seconds: 3_600 };
const AT_HOME: Limit = { name: 'network of an owner', most: 0, seconds: 60 * 24 * 3_600 };
/** Of all accounts: a school is behind one address, and logs in when its lesson begins. */
export const OF_A_NETWORK: Limit = { name: 'log-ins of a network', most: 300, seconds: 60 };

type Attempt = {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly browser: string | undefined;
};

/**
 * Log-ins by password, as far as they are counted. Who has no account is counted as well, so that nobody learns who has one.
 *
 * Checking a password is slow on purpose; what else has to be known or counted is asked meanwhile. So a log-in takes little longer than the
 * check alone.
 */
export class LogIn {
  readonly #limits: Limits;
  readonly #identity: Identity;

  constructor(limits: Limits, identity: Identity) {
    this.#limits = limits;
    this.#identity = identity;
  }

  /**
   * Answers the session's cookie. The password is not checked where there were too many guesses before, and where there are too many with
   * this one, not even the right one tells anything.
   *
   * `secondStep` goes on with an account that asks for a code as well, and answers instead.
   *
   * @throws ProblemError `login-failed`; `rate-limited`, in the words of a log-in that failed
   */
  async attempt(
    { email, password, address, browser }: Attempt,
    secondStep: () => Promise<Response>,
  ): Promise<{ readonly cookie: string } | Response> {
    const limits = this.#limits;
    const identity = this.#identity;
    const account = email.toLowerCase();
    const network = networkOf(address);
    const here = [account, network] as const;
    const guesses = [AT_ONCE, IN_A_WHILE].map((limit) => ({ limit, who: here }));
    const counted = [...guesses, { limit: OF_A_NETWORK, who: [network] }];
    const home = { limit: AT_HOME, who: here };
    const [owner, isHome] = await Promise.all([
      identity.ownerOf(account),
      limits.checkAll(counted, { exempt: home, unless: [{ limit: EVERYWHERE, who: [account] }] }).catch(inOtherWords),
    ]);
    const [isRight, role] = await Promise.all([
      verifyPassword({ hash: owner?.password ?? NOBODYS_HASH, password }),
      owner && identity.roleInLog(owner),
      limits.countAll(counted).catch(inOtherWords),
    ]);
    const goneWell = () => Promise.all([limits.forgiveAll(guesses), isHome ? undefined : limits.note(AT_HOME, ...here)]);
    if (isRight && owner?.twoStep) {
      const answer = await secondStep();
      await goneWell();
      return answer;
    }
    if (isRight && owner) {
      const [cookie] = await Promise.all([identity.beginSession(owner, { role, address, browser }), goneWell()]);
      if (cookie !== undefined) return { cookie };
    }
    await limits.note(EVERYWHERE, account);
    throw loginFailed();
  }
}

export const loginFailed = (): ProblemError => new ProblemError('login-failed', doorWords.loginFailed);

/** Too many guesses. */
const inOtherWords = (error: unknown): never => {
  if (!(error instanceof ProblemError)) throw error;
  const { retryAfter } = error;
  throw new ProblemError('rate-limited', doorWords.loginFailed, {
    detail: doorWords.tooMany,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};
