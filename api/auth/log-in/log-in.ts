import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { SecurityLog } from '../../security/security-log.ts';
import type { AuthServices } from '../auth.ts';
import type { Roles } from '../identity/roles.ts';
import type { Limit, Limits } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { networkOf } from '../../common/networks.ts';
import { BEARER_PREFIX, BEARER_SECONDS } from './bearer.ts';
import { homeAt, noteHome } from './homes.ts';
import type { Passwords } from '../password/password-hash.ts';
import type { SecondStep } from './second-step.ts';
import type { From, Sessions } from './sessions.ts';
import { SESSION_SECONDS } from './sessions.ts';

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

const ownerOfAddress = `
select u.id as "userId", u."accountId", u."schoolId", u."studentId", u."roleNow", u."twoFactorEnabled" as "twoStep", a.password
  from identity."user" u
  join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
 where u.email = $1 and position('@' in $1) > 0 and a.password is not null`;

/** A program that takes a token for each of its requests leaves no thousands of them behind: the oldest end. */
const MOST_TOKENS = 100;

/**
 * The role is written only if it has not changed in the meantime, so that a demotion is not reverted. The locks make a change of the
 * account that is under way come first (account-for-update.ts).
 */
const newSession = `
with owner as (
  select u.id, u."roleNow" from identity."user" u
    join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
   where u.id = $1 and a.password = $2 and u."twoFactorEnabled" is not true
     for no key update of u for share of a
), noted as (
  update identity."user" u set "roleNow" = $4 from owner
   where u.id = owner.id and $4::text is distinct from u."roleNow" and $4 is not null and u."roleNow" is not distinct from $3
), too_many as (
  delete from identity."session" s using (
    select t.token from identity."session" t, owner
     where $10 and t."userId" = owner.id and t."tokenName" is null and t.token like '${BEARER_PREFIX}%'
     order by t."createdAt" desc offset ${MOST_TOKENS - 1}
  ) oldest where s.token = oldest.token
), begun as (
  insert into identity."session" (id, token, "userId", "createdAt", "expiresAt", "updatedAt", "ipAddress", "userAgent", "idleAt")
  select $5, $6, owner.id, clock_timestamp(), now() + make_interval(secs => $7), now(), $8, $9,
         case when $10 then 'infinity' else now() + interval '30 minutes' end
    from owner
)
select "roleNow" as known from owner`;

/**
 * Log-ins by password. Attempts for unknown accounts are limited in the same way, so that nobody learns who has an account.
 *
 * Checking a password is slow on purpose; everything else is looked up and counted in the meantime, so that a log-in takes hardly longer
 * than the check alone.
 */
export class LogIn {
  readonly #pool: Pool;
  readonly #limits: Limits;
  readonly #sessions: Sessions;
  readonly #roles: Roles;
  readonly #secondStep: SecondStep;
  readonly #passwords: Passwords;
  readonly #security: Pick<SecurityLog, 'note'>;

  constructor({ pool, limits, sessions, roles, secondStep, passwords, security }: AuthServices) {
    this.#pool = pool;
    this.#limits = limits;
    this.#sessions = sessions;
    this.#roles = roles;
    this.#secondStep = secondStep;
    this.#passwords = passwords;
    this.#security = security;
  }

  /**
   * Returns what to tell whoever has logged in, or is to give a code. After too many guesses the password is not checked at all, and if this
   * guess is one too many, even the right password is refused.
   *
   * @throws ProblemError `login-failed`; `rate-limited` and `busy`, with the message of a failed log-in
   */
  async attempt({ email, password, bearer = false, ...from }: Attempt): Promise<Entered> {
    const { address } = from;
    const limits = this.#limits;
    const passwords = this.#passwords;
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
      owner && this.#roles.inLog(owner),
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
      const [told] = await Promise.all([this.#secondStep.ask(owner), goneWell()]);
      if (told !== undefined) {
        this.#security.note({ kind: 'log-in-first-step', actor: owner, address });
        return { told, isHalfWay: true };
      }
    } else if (isRight && owner) {
      const [told] = await Promise.all([this.#begin(owner, { role, bearer, ...from }), goneWell()]);
      if (told !== undefined) {
        this.#security.note({ kind: 'log-in', actor: owner, name: bearer ? 'token' : 'password', address });
        return { told: [told], isHalfWay: false };
      }
    }
    this.#security.note({ kind: 'log-in-failed', actor: owner, name: 'password', address });
    await limits.note(EVERYWHERE, account);
    throw loginFailed();
  }

  /** @param email in lower case */
  async #ownerOf(email: string): Promise<Owner | undefined> {
    const { rows } = await this.#pool.query<Owner>(ownerOfAddress, [email]);
    return rows[0];
  }

  /**
   * A session after the right password: the cookie, or the text of the token. Undefined: the password was changed, two-step sign-in switched
   * on or the account removed in the meantime. `role`: according to the log.
   */
  async #begin(owner: Owner, { role, address, browser, bearer }: Beginning): Promise<string | undefined> {
    const { stored, told } = this.#sessions.make({ bearer });
    const { rows } = await this.#pool.query<{ known: string | null }>(newSession, [
      owner.userId,
      owner.password,
      owner.roleNow,
      role ?? null,
      randomUUID(),
      stored,
      bearer ? BEARER_SECONDS : SESSION_SECONDS,
      address,
      browser ?? null,
      bearer,
    ]);
    const [begun] = rows;
    if (!begun) return undefined;
    // Changed while the password was checked, and so perhaps in the log too.
    if (role !== undefined && begun.known !== owner.roleNow) await this.#roles.note(owner.accountId);
    return told;
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
