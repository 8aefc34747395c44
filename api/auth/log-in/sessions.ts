import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Actor } from '../../actor.ts';
import type { CachedSession } from '../../pipeline/optimistic-session.ts';
import type { Roles } from '../identity/roles.ts';
import type { AccountForUpdate } from '../profile/account-for-update.ts';
import { withAccountForUpdate } from '../profile/account-for-update.ts';
import { BEARER_PREFIX, BEARER_SECONDS, BearerTokens } from './bearer.ts';
import type { SignedCookies } from './cookies.ts';
import { SESSION_COOKIE } from './cookies.ts';
import { type Idle, SessionActors, Uses } from './session-actors.ts';

const SESSION_SECONDS = 60 * 60 * 24 * 7;

/** Where somebody logs in from. */
export type From = { readonly address: string; readonly browser: string | undefined };

type New = Partial<From> & { readonly token: string; readonly seconds: number; readonly name?: string | undefined };
/** Of a program: `text` is told once. */
export type Token = { readonly text: string; readonly until: Date };

export type SessionsOptions = {
  readonly pool: Pool;
  readonly secret: string;
  readonly cookies: SignedCookies;
  readonly roles: Roles;
  readonly idle: Idle;
  /** A session has begun without a password: by a second step, by a provider, or by joining. */
  readonly onSession?: (account: { readonly accountId: string; readonly schoolId: string }) => void;
};

/** A program that takes a new token for each request must not leave thousands behind: the oldest end. */
const MOST_TOKENS = 100;
const endOldestTokens = `
delete from identity."session" where token in (
  select token from identity."session" where "userId" = $1 and "tokenName" is null and token like '${BEARER_PREFIX}%'
   order by "createdAt" desc offset ${MOST_TOKENS - 1})`;

/** Who sent a request, by the cookie of a browser or the token of a program; and how sessions begin and end. */
export class Sessions {
  readonly #pool: Pool;
  readonly #cookies: SignedCookies;
  readonly #bearer: BearerTokens;
  readonly #roles: Roles;
  readonly #actors: SessionActors;
  readonly #uses: Uses;
  readonly #onSession: SessionsOptions['onSession'];

  constructor({ pool, secret, cookies, roles, idle, onSession }: SessionsOptions) {
    this.#pool = pool;
    this.#cookies = cookies;
    this.#bearer = new BearerTokens(secret);
    this.#roles = roles;
    this.#actors = new SessionActors(pool);
    this.#uses = new Uses(pool, idle);
    this.#onSession = onSession;
  }

  /** Begins a session of an account that is locked, for somebody who has just proved who they are. Returns its cookie. */
  async begin(account: AccountForUpdate, from?: From): Promise<string> {
    const token = randomBytes(24).toString('base64url');
    await this.#store(account, { token, seconds: SESSION_SECONDS, ...from });
    return this.#cookies.make(SESSION_COOKIE, token, SESSION_SECONDS);
  }

  /** The same in place of this session, or of all that the account has. */
  async renew(account: AccountForUpdate, from: From, ended?: string): Promise<string> {
    await account.client.query(`delete from identity."session" where "userId" = $1 and token = coalesce($2, token)`, [
      account.userId,
      ended ?? null,
    ]);
    return this.begin(account, from);
  }

  /** The same for a program, by the password or, `named`, in a profile. Returns its bearer token. */
  async beginToken(account: AccountForUpdate, from: From, named?: { readonly name: string; readonly days: number }): Promise<Token> {
    const { text, stored: token } = this.#bearer.make(named ? 'profile' : 'password');
    if (!named) await account.client.query(endOldestTokens, [account.userId]);
    const seconds = named ? named.days * 24 * 3_600 : BEARER_SECONDS;
    return { text, until: await this.#store(account, { token, seconds, name: named?.name, ...from }) };
  }

  async #store({ client, userId }: AccountForUpdate, { token, seconds, name, address, browser }: New): Promise<Date> {
    const { rows } = await client.query<{ until: Date }>(
      `insert into identity."session" (id, token, "userId", "createdAt", "expiresAt", "updatedAt", "ipAddress", "userAgent", "tokenName", "idleAt")
       values ($1, $2, $3, clock_timestamp(), now() + make_interval(secs => $4), now(), $5, $6, $7,
               case when $2 like '${BEARER_PREFIX}%' then 'infinity' else now() + interval '30 minutes' end)
       returning "expiresAt" as until`,
      [randomUUID(), token, userId, seconds, address ?? '', browser ?? '', name ?? null],
    );
    return rows[0]!.until;
  }

  /** Once a session without a password is stored, and before its cookie is told. */
  async begun(accountId: string): Promise<void> {
    const account = await this.#roles.note(accountId);
    if (account) this.#onSession?.(account);
  }

  /** Begins a session for the owner of an account that has just been opened. Returns its cookie. */
  async open(accountId: string): Promise<string> {
    const cookie = await withAccountForUpdate(this.#pool, accountId, (account) => this.begin(account));
    if (cookie === undefined) throw new Error(`there is no account ${accountId} to log in to`);
    await this.begun(accountId);
    return cookie;
  }

  /** Ends one session, if there is one. Returns what makes the browser forget it. */
  async end(token: string): Promise<string> {
    await this.#pool.query(`delete from identity."session" where token = $1`, [token]);
    return this.#cookies.end(SESSION_COOKIE);
  }

  /** Ends every session of the account, because its rights have changed. */
  async endAll(accountId: string): Promise<void> {
    await this.#pool.query(`delete from identity."session" where "userId" in (select id from identity."user" where "accountId" = $1)`, [
      accountId,
    ]);
  }

  /** Who sent the request, with the current role, subjects and sets; undefined: nobody is signed in. */
  async authenticate(headers: Headers): Promise<Actor | undefined> {
    const token = this.tokenIn(headers);
    return token === undefined ? undefined : this.#actors.now(token);
  }

  /** The same for somebody whose session is known. */
  actorOf(token: string): Promise<Actor | undefined> {
    return this.#actors.now(token);
  }

  /** Somebody uses the session of this request: it does not end yet. */
  used(headers: Headers): void {
    const token = this.tokenIn(headers);
    if (token !== undefined) this.#uses.note(token);
  }

  /** Who sent the request, according to the previous one, and the session. To be confirmed by `sessionQuery`. */
  cached(headers: Headers): CachedSession | undefined {
    const session = this.tokenIn(headers);
    const actor = session === undefined ? undefined : this.#actors.last(session);
    return session === undefined || actor === undefined ? undefined : { session, actor };
  }

  /**
   * The token of the session, if the cookie is genuine. Whether the session still exists is left to the database. Where a bearer token comes
   * along, it counts and the cookie does not, also if it is forged.
   */
  tokenIn(headers: Headers): string | undefined {
    const bearer = this.#bearer.in(headers);
    return bearer ? bearer.stored : this.#cookies.in(headers, SESSION_COOKIE);
  }

  /** Whether a program sends this, with a token, genuine or not. */
  bringsToken(headers: Headers): boolean {
    return this.#bearer.in(headers) !== undefined;
  }
}
