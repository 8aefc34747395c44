import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { AuthServices } from '../auth.ts';
import type { Limit } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { networkOf } from '../../common/networks.ts';
import { withAccountForUpdate } from '../profile/account-for-update.ts';
import { homeAt, noteHome } from './homes.ts';
import type { From } from './sessions.ts';

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

type Attempt = From & {
  readonly email: string;
  readonly password: string;
  /** By a program, for a bearer token. */
  readonly bearer?: boolean;
};

/** An account with a password. */
export type Owner = {
  readonly userId: string;
  readonly accountId: string;
  readonly schoolId: string;
  readonly studentId: string | null;
  /** Its hash. */
  readonly password: string;
  readonly roleNow: string | null;
  readonly twoStep: boolean;
};

/** `told`: the cookies of the answer, or the text of the token. `isHalfWay`: no session has begun, and a code is asked for. */
export type Entered = { readonly told: readonly string[]; readonly isHalfWay: boolean };

const ownerWhere = (condition: string): string => `
select u.id as "userId", u."accountId", u."schoolId", u."studentId", u."roleNow", u."twoFactorEnabled" as "twoStep", a.password
  from identity."user" u
  join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
 where ${condition} and a.password is not null`;

/**
 * Log-ins by password. Attempts for unknown accounts are limited in the same way, so that nobody learns who has an account.
 *
 * Checking a password is slow on purpose; everything else is looked up and counted in the meantime, so that a log-in takes hardly longer
 * than the check alone.
 */
export class LogIn {
  readonly #auth: AuthServices;

  constructor(auth: AuthServices) {
    this.#auth = auth;
  }

  /**
   * Returns what to tell whoever has logged in, or is to give a code. After too many guesses the password is not checked at all, and if this
   * guess is one too many, even the right password is refused.
   *
   * @throws ProblemError `login-failed`; `rate-limited` and `busy`, with the message of a failed log-in
   */
  async attempt({ email, password, bearer = false, ...from }: Attempt): Promise<Entered> {
    const { address } = from;
    const { limits, passwords, roles, secondStep, security } = this.#auth;
    const account = email.toLowerCase();
    const network = networkOf(address);
    const here = [account, network] as const;
    const guesses = [AT_ONCE, IN_A_WHILE].map((limit) => ({ limit, who: here }));
    const counted = [...guesses, ...ofNetwork(OF_A_NETWORK, address)];
    const home = { limit: AT_HOME, who: here };
    const checked = { exempt: home, unless: [{ limit: EVERYWHERE, who: [account] }], also: homeAt(address) };
    const [owner, { isExempt: isHome, isAlso: isSomebodys }] = await Promise.all([
      this.#ownerOf(account),
      limits.checkAll(counted, checked).catch(inOtherWords),
    ]);
    const [isRight, role] = await Promise.all([
      passwords.verify({ hash: owner?.password ?? passwords.nobodysHash, password }).catch(inOtherWords),
      owner && roles.inLog(owner),
      limits.countAll(counted).catch(inOtherWords),
    ]);
    const goneWell = () =>
      Promise.all([
        limits.forgiveAll(guesses),
        isHome ? undefined : limits.note(AT_HOME, ...here),
        isSomebodys || !owner ? undefined : noteHome(limits, owner.accountId, address),
      ]);
    if (isRight && owner?.twoStep) {
      if (bearer) throw new ProblemError('login-failed', authMessages.noTokenForPassword);
      const [cookies] = await Promise.all([secondStep.ask(owner), goneWell()]);
      if (cookies !== undefined) {
        security.note({ kind: 'log-in-first-step', actor: owner, address });
        return { told: cookies, isHalfWay: true };
      }
    } else if (isRight && owner) {
      const [credential] = await Promise.all([this.#begin(owner, { role, bearer, ...from }), goneWell()]);
      if (credential !== undefined) {
        security.note({ kind: 'log-in', actor: owner, name: bearer ? 'token' : 'password', address });
        return { told: [credential], isHalfWay: false };
      }
    }
    security.note({ kind: 'log-in-failed', actor: owner, name: 'password', address });
    await limits.note(EVERYWHERE, account);
    throw loginFailed();
  }

  /** @param email in lower case */
  async #ownerOf(email: string): Promise<Owner | undefined> {
    const { rows } = await this.#auth.pool.query<Owner>(ownerWhere(`u.email = $1 and position('@' in $1) > 0`), [email]);
    return rows[0];
  }

  /**
   * A session after the right password: the cookie, or the text of the token. Undefined: the password was changed, two-step sign-in switched
   * on or the account removed in the meantime. `role`: according to the log.
   */
  async #begin(owner: Owner, { role, bearer, ...from }: Beginning): Promise<string | undefined> {
    const { pool, sessions, roles } = this.#auth;
    const { accountId, password, roleNow } = owner;
    const begun = await withAccountForUpdate(pool, accountId, async (account) => {
      const { rows } = await account.client.query<Owner>(ownerWhere('u.id = $1'), [account.userId]);
      const [now] = rows;
      if (now?.password !== password || now.twoStep) return undefined;
      // Only if it has not changed in the meantime, so that a demotion is not reverted.
      const isSame = now.roleNow === roleNow;
      if (isSame && role !== undefined && role !== roleNow) await roles.write(account.client, accountId, role);
      return { credential: bearer ? (await sessions.beginToken(account, from)).text : await sessions.begin(account, from), isSame };
    });
    // Changed while the password was checked, and so perhaps in the log too.
    if (begun?.isSame === false && role !== undefined) await roles.note(accountId);
    return begun?.credential;
  }
}

type Beginning = From & { readonly role: string | undefined; readonly bearer: boolean };

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
