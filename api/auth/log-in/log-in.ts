import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { SecurityLog } from '../../security/security-log.ts';
import type { AuthServices } from '../auth.ts';
import type { Identity } from '../identity/identity.ts';
import type { Limit, Limits } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { networkOf } from '../../common/networks.ts';
import { homeAt, noteHome } from './homes.ts';
import type { Passwords } from '../password/password-hash.ts';

/**
 * Limits for guessing one password. From one network: twenty in a minute, forty in a quarter of an hour. So somebody in the same school can
 * keep an owner out for minutes at most, and a stranger elsewhere cannot at all, because the limit for all networks together only applies
 * to networks that the owner has never used.
 */
export const AT_ONCE: Limit = { name: 'guesses of a password', most: 20, seconds: 60 };
const IN_A_WHILE: Limit = { name: 'guesses of a password, in a while', most: 40, seconds: 900 };
export const EVERYWHERE: Limit = { name: 'guesses of a password, everywhere', most: 100, seconds: 3_600 };
const AT_HOME: Limit = { name: 'network of an owner', most: 0, seconds: 60 * 24 * 3_600 };
/** For all accounts together: a whole school may be behind one address and log in when a lesson begins. */
export const OF_A_NETWORK: Limit = { name: 'log-ins of a network', most: 300, seconds: 60 };

type Attempt = {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly browser: string | undefined;
  /** By a program, for a bearer token. */
  readonly bearer?: boolean;
};

/**
 * Log-ins by password. Attempts for unknown accounts are limited in the same way, so that nobody learns who has an account.
 *
 * Checking a password is slow on purpose; everything else is looked up and counted in the meantime, so that a log-in takes hardly longer
 * than the check alone.
 */
export class LogIn {
  readonly #limits: Limits;
  readonly #identity: Identity;
  readonly #passwords: Passwords;
  readonly #security: Pick<SecurityLog, 'note'>;

  constructor({ limits, identity, passwords, security }: Pick<AuthServices, 'limits' | 'identity' | 'passwords' | 'security'>) {
    this.#limits = limits;
    this.#identity = identity;
    this.#passwords = passwords;
    this.#security = security;
  }

  /**
   * Returns the session's cookie, or the text of its bearer token. After too many guesses the password is not checked at all, and if this guess is one too many, even the
   * right password is refused.
   *
   * `secondStep` answers instead for an account with two-step sign-in.
   *
   * @throws ProblemError `login-failed`; `rate-limited` and `busy`, with the message of a failed log-in
   */
  async attempt(
    { email, password, address, browser, bearer = false }: Attempt,
    secondStep: () => Promise<Response>,
  ): Promise<{ readonly cookie: string } | Response> {
    const limits = this.#limits;
    const identity = this.#identity;
    const passwords = this.#passwords;
    const account = email.toLowerCase();
    const network = networkOf(address);
    const here = [account, network] as const;
    const guesses = [AT_ONCE, IN_A_WHILE].map((limit) => ({ limit, who: here }));
    const counted = [...guesses, ...ofNetwork(OF_A_NETWORK, address)];
    const home = { limit: AT_HOME, who: here };
    const checked = { exempt: home, unless: [{ limit: EVERYWHERE, who: [account] }], also: homeAt(address) };
    const [owner, { isExempt: isHome, isAlso: isSomebodys }] = await Promise.all([
      identity.ownerOf(account),
      limits.checkAll(counted, checked).catch(inOtherWords),
    ]);
    const [isRight, role] = await Promise.all([
      passwords.verify({ hash: owner?.password ?? passwords.nobodysHash, password }).catch(inOtherWords),
      owner && identity.roleInLog(owner),
      limits.countAll(counted).catch(inOtherWords),
    ]);
    const goneWell = () =>
      Promise.all([
        limits.forgiveAll(guesses),
        isHome ? undefined : limits.note(AT_HOME, ...here),
        isSomebodys || !owner ? undefined : noteHome(limits, owner.accountId, address),
      ]);
    if (isRight && owner?.twoStep) {
      const answer = await secondStep();
      await goneWell();
      this.#security.note({ kind: 'log-in-first-step', actor: owner, address });
      return answer;
    }
    if (isRight && owner) {
      const [cookie] = await Promise.all([identity.beginSession(owner, { role, address, browser, bearer }), goneWell()]);
      if (cookie !== undefined) {
        this.#security.note({ kind: 'log-in', actor: owner, name: bearer ? 'token' : 'password', address });
        return { cookie };
      }
    }
    this.#security.note({ kind: 'log-in-failed', actor: owner, name: 'password', address });
    await limits.note(EVERYWHERE, account);
    throw loginFailed();
  }
}

export const loginFailed = (): ProblemError => new ProblemError('login-failed', authMessages.loginFailed);

/** Too many guesses, or too many at once. */
const inOtherWords = (error: unknown): never => {
  if (!(error instanceof ProblemError)) throw error;
  const { problem, retryAfter } = error;
  throw new ProblemError(problem.code, authMessages.loginFailed, {
    detail: problem.title,
    cause: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};
