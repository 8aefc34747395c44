import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { TwoStepStarted } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import { SealedText } from '../../security/sealed-text.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { Limit, Limits } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import type { AccountForUpdate } from '../profile/account-for-update.ts';
import { requireSession, withAccountForUpdate } from '../profile/account-for-update.ts';
import { requireOwnPassword } from '../profile/own-password.ts';
import type { SignedCookies } from './cookies.ts';
import { HALF_WAY_COOKIE, SESSION_COOKIE } from './cookies.ts';
import type { From, Sessions } from './sessions.ts';

/** A whole school may be behind one address. */
const OF_A_NETWORK: Limit = { name: 'two-step sign-in', most: 120, seconds: 60 };
/** How long a log-in waits for its code, and how many it may be given. */
const WAITS_SECONDS = 600;
const MOST_CODES = 5;
/** After so many wrong codes in a row, in whatever log-ins, none is taken for a while. */
const MOST_WRONG = 10;
const LOCKED_SECONDS = 900;
/** In steps of an authenticator before and after now. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** What a code is of. */
export type CodeKind = 'authenticator' | 'recovery';

/** Somebody who gives a code: in a session, or half-way through a log-in. */
type Entering = { readonly accountId: string } & ({ readonly session: string } | { readonly halfWay: string });

/** What a right code has done; `cookies`: what to set. */
export type Entered = {
  readonly accountId: string;
  readonly by: 'log-in' | 'switching on' | 'nothing';
  readonly cookies: readonly string[];
};

/** A refusal is returned, not thrown, because it is counted in the same transaction. */
type Answer = Promise<Entered | ProblemError>;

/** In a session whose owner types the password again. */
type Own = { readonly accountId: string; readonly session: string; readonly password: string };

type Row = {
  readonly secret: string;
  readonly backupCodes: string;
  readonly lastStep: number | null;
  /** Not only begun. */
  readonly isOn: boolean;
  /** Wrong codes in a row. */
  readonly wrong: number;
  /** For how many seconds yet. */
  readonly locked: number | null;
};

export type SecondStepOptions = {
  readonly pool: Pool;
  readonly secret: string;
  readonly cookies: SignedCookies;
  readonly sessions: Sessions;
  readonly credentials: Credentials;
  readonly limits: Limits;
};

/**
 * Two-step sign-in: codes of an authenticator and recovery codes, each of which is good once. What is done with a code is one transaction
 * that has locked the account, so whatever shuts somebody out comes before it or ends what it has opened.
 */
export class SecondStep {
  readonly #options: SecondStepOptions;
  readonly #sealed: SealedText;

  constructor(options: SecondStepOptions) {
    this.#options = options;
    this.#sealed = new SealedText(options.secret);
  }

  /**
   * After the right password: the log-in waits for a code. Returns the cookies by which it is known; a session that is there is forgotten,
   * because it would count before them. Undefined: the account has changed in the meantime, as in log-in.ts.
   */
  async ask({ userId, password }: { readonly userId: string; readonly password: string }): Promise<readonly string[] | undefined> {
    const halfWay = `2fa-${randomBytes(24).toString('base64url')}`;
    const { rowCount } = await this.#options.pool.query(
      `insert into identity."verification" (id, identifier, value, "expiresAt")
       select $1, $2, u.id, now() + make_interval(secs => $3)
         from identity."user" u join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
        where u.id = $4 and a.password = $5 and u."twoFactorEnabled"
          for no key update of u for share of a`,
      [randomUUID(), halfWay, WAITS_SECONDS, userId, password],
    );
    if (rowCount === 0) return undefined;
    return [this.#options.cookies.end(SESSION_COOKIE), this.#options.cookies.make(HALF_WAY_COOKIE, halfWay, WAITS_SECONDS)];
  }

  /**
   * Takes a code of whoever sends these headers: completes a log-in, or switches two-step sign-in on.
   *
   * @throws ProblemError `not-authenticated`, `refused` if it is not switched on, `wrong-code`, `rate-limited`
   */
  async enter(headers: Headers, kind: CodeKind, code: string, from: From): Promise<Entered> {
    const entering = await this.#enteringBy(headers);
    await this.#options.limits.countAll(ofNetwork(OF_A_NETWORK, from.address));
    const entered = await withAccountForUpdate(this.#options.pool, entering.accountId, (account) =>
      'session' in entering
        ? this.#enterInSession(account, entering.session, kind, code, from)
        : this.#enterHalfWay(account, entering.halfWay, kind, code, from),
    );
    if (entered === undefined) throw again();
    if (entered instanceof ProblemError) throw entered;
    if (entered.by === 'log-in') await this.#options.sessions.begun(entered.accountId);
    return entered;
  }

  /**
   * Begins to switch it on: only a first code does. Returns what an authenticator needs, and the recovery codes.
   *
   * @throws ProblemError `wrong-password`, `rate-limited`, `not-authenticated`, `refused` if it is on already
   */
  start(owner: Own): Promise<TwoStepStarted> {
    return this.#changing(owner, async ({ client, userId, email }) => {
      const { rowCount } = await client.query(`select from identity."twoFactor" where "userId" = $1 and verified is not false`, [userId]);
      if (rowCount !== 0) throw new ProblemError('refused', 'Two-step sign-in is switched on already.');
      const secret = randomBytes(24).toString('base64url');
      const backupCodes = newRecoveryCodes();
      await client.query(`delete from identity."twoFactor" where "userId" = $1`, [userId]);
      await client.query(
        `insert into identity."twoFactor" (id, secret, "backupCodes", "userId", verified) values ($1, $2, $3, $4, false)`,
        [randomUUID(), this.#sealed.seal(secret), this.#sealed.seal(JSON.stringify(backupCodes)), userId],
      );
      return { totpURI: authenticator(secret, email).toString(), backupCodes };
    });
  }

  /**
   * Other recovery codes, in place of those before.
   *
   * @throws ProblemError as `start`; `refused` if it is not switched on
   */
  renewRecoveryCodes(owner: Own): Promise<readonly string[]> {
    return this.#changing(owner, async ({ client, userId }) => {
      const backupCodes = newRecoveryCodes();
      const { rowCount } = await client.query(
        `update identity."twoFactor" t set "backupCodes" = $2 from identity."user" u
          where u.id = t."userId" and u.id = $1 and u."twoFactorEnabled"`,
        [userId, this.#sealed.seal(JSON.stringify(backupCodes))],
      );
      if (rowCount === 0) throw notOn();
      return backupCodes;
    });
  }

  /** Switches it off. Returns the cookie of a new session in place of this one. @throws ProblemError as `start`, but `refused` */
  stop(owner: Own, from: From): Promise<string> {
    return this.#changing(owner, async (account) => {
      const { client, userId } = account;
      await client.query(`update identity."user" set "twoFactorEnabled" = false where id = $1`, [userId]);
      await client.query(`delete from identity."twoFactor" where "userId" = $1`, [userId]);
      return this.#options.sessions.renew(account, from, owner.session);
    });
  }

  async #changing<Result>({ accountId, session, password }: Own, work: (account: AccountForUpdate) => Promise<Result>): Promise<Result> {
    await requireOwnPassword(this.#options, accountId, password);
    const result = await withAccountForUpdate(this.#options.pool, accountId, async (account) => {
      await requireSession(account, session);
      return { done: await work(account) };
    });
    if (result === undefined) throw again();
    return result.done;
  }

  /** @throws ProblemError `not-authenticated`: nobody has anything to enter; `refused`: there is no authenticator, not even a new one */
  async #enteringBy(headers: Headers): Promise<Entering> {
    const session = this.#options.cookies.in(headers, SESSION_COOKIE);
    const halfWay = this.#options.cookies.in(headers, HALF_WAY_COOKIE);
    const { rows } = await this.#options.pool.query<{ accountId: string; isSession: boolean; has: boolean }>(
      `select u."accountId", one."isSession", exists (select from identity."twoFactor" t where t."userId" = u.id) as has
         from (select "userId" as id, true as "isSession" from identity."session" where token = $1 and "expiresAt" > now() and "idleAt" > now()
               union all select value, false from identity."verification" where identifier = $2 and "expiresAt" > now()) one
         join identity."user" u using (id) order by one."isSession" desc`,
      [session, halfWay],
    );
    const [found] = rows;
    if (!found) throw again();
    if (!found.has) throw notOn();
    const { accountId } = found;
    return found.isSession ? { accountId, session: session ?? '' } : { accountId, halfWay: halfWay ?? '' };
  }

  async #enterHalfWay(account: AccountForUpdate, halfWay: string, kind: CodeKind, code: string, from: From): Answer {
    const { client, userId, accountId } = account;
    const row = await this.#rowOf(account);
    if (row?.isOn !== true) return notOn();
    if (row.locked !== null) return tooMany(row.locked);
    const { rows } = await client.query<{ codes: number }>(
      `update identity."verification" set codes = codes + 1
        where identifier = $1 and value = $2 and "expiresAt" > clock_timestamp() returning codes`,
      [halfWay, userId],
    );
    const [waiting] = rows;
    if (waiting === undefined || waiting.codes > MOST_CODES) return again();
    if (!(await this.#take(account, row, kind, code))) {
      await this.#noteWrong(account, row.wrong + 1);
      return wrongCode();
    }
    await this.#noteWrong(account, 0);
    await client.query(`delete from identity."verification" where identifier = $1`, [halfWay]);
    const cookies = [await this.#options.sessions.begin(account, from), this.#options.cookies.end(HALF_WAY_COOKIE)];
    return { accountId, by: 'log-in', cookies };
  }

  /** Nobody is kept out of an account that they are in: wrong codes are not counted. */
  async #enterInSession(account: AccountForUpdate, session: string, kind: CodeKind, code: string, from: From): Answer {
    await requireSession(account, session);
    const { client, userId, accountId } = account;
    const row = await this.#rowOf(account);
    if (row === undefined) return notOn();
    if (!(await this.#take(account, row, kind, code))) return wrongCode();
    const { rowCount } = await client.query(
      `update identity."user" set "twoFactorEnabled" = true where id = $1 and not "twoFactorEnabled" and $2 = 'authenticator'`,
      [userId, kind],
    );
    if (rowCount === 0) return { accountId, by: 'nothing', cookies: [] };
    await client.query(`update identity."twoFactor" set verified = true where "userId" = $1`, [userId]);
    // Ends what the password alone has opened, sessions and tokens: from now on it takes a second step.
    return { accountId, by: 'switching on', cookies: [await this.#options.sessions.renew(account, from)] };
  }

  async #rowOf({ client, userId }: AccountForUpdate): Promise<Row | undefined> {
    const { rows } = await client.query<Row>(
      `select secret, "backupCodes", "lastStep", verified is not false as "isOn",
              case when "lockedUntil" is null then coalesce("failedVerificationCount", 0) else 0 end as wrong,
              case when "lockedUntil" > now() then extract(epoch from "lockedUntil" - now())::float8 end as locked
         from identity."twoFactor" where "userId" = $1`,
      [userId],
    );
    return rows[0];
  }

  async #noteWrong({ client, userId }: AccountForUpdate, codes: number): Promise<void> {
    await client.query(
      `update identity."twoFactor" set "failedVerificationCount" = $2, "lockedUntil" = now() + make_interval(secs => $3) where "userId" = $1`,
      [userId, codes, codes < MOST_WRONG ? null : LOCKED_SECONDS],
    );
  }

  /** Uses a code up. False: it is wrong, or it or a later one was used before, perhaps by somebody who saw it. */
  async #take({ client, userId }: AccountForUpdate, row: Row, kind: CodeKind, code: string): Promise<boolean> {
    if (kind === 'authenticator') {
      const step = stepOf(this.#sealed.open(row.secret), code);
      if (step === undefined || step <= (row.lastStep ?? -1)) return false;
      await client.query(`update identity."twoFactor" set "lastStep" = $2 where "userId" = $1`, [userId, step]);
      return true;
    }
    const codes = recoveryCodesIn(this.#sealed.open(row.backupCodes));
    const left = codes.filter((one) => !isSame(one, code));
    if (left.length === codes.length) return false;
    await client.query(`update identity."twoFactor" set "backupCodes" = $2 where "userId" = $1`, [
      userId,
      this.#sealed.seal(JSON.stringify(left)),
    ]);
    return true;
  }
}

/** @param secret text, whose bytes are the key */
const authenticator = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Marktrail', label, secret: Secret.fromUTF8(secret), algorithm: 'SHA1', digits: 6, period: 30 });

/** The time step of a code (RFC 6238); undefined: the code is not one of the present. */
const stepOf = (secret: string, code: string): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = authenticator(secret);
  const timestamp = Date.now();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
};

/** a1B2c-D3e4F */
const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, () => `${letters(5)}-${letters(5)}`);
const letters = (length: number): string => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const recoveryCodesIn = (json: string): string[] => z.array(z.string()).parse(JSON.parse(json));

const isSame = (one: string, other: string): boolean => timingSafeEqual(hashOf(one), hashOf(other));
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const again = (): ProblemError => new ProblemError('not-authenticated', authMessages.twoStepAgain);
const notOn = (): ProblemError => new ProblemError('refused', 'Two-step sign-in is not switched on.');
const wrongCode = (): ProblemError =>
  new ProblemError('wrong-code', authMessages.wrongTwoStepCode, {
    errors: [{ path: 'code', message: authMessages.wrongTwoStepCode }],
  });
const tooMany = (seconds: number): ProblemError => {
  countRefusal(OF_A_NETWORK.name);
  return new ProblemError('rate-limited', authMessages.tooMany, { retryAfter: Math.ceil(seconds) });
};
