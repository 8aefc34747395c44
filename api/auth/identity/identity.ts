import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Actor } from '../../actor.ts';
import type { CachedSession } from '../../pipeline/optimistic-session.ts';
import { type Idle, SessionActors, Uses } from '../log-in/sessions.ts';
import { datedFromStart } from './work-date.ts';
import type { LibraryOptions } from './library.ts';
import { identityLibrary, SESSION_SECONDS } from './library.ts';
import { insertIdentity, type NewIdentity } from './new-identity.ts';
import { inTransaction } from '../profile/account-for-update.ts';
import { BEARER_PREFIX, BEARER_SECONDS, BearerTokens } from '../log-in/bearer.ts';
import { SessionCookie } from '../log-in/session-cookie.ts';
import { TotpCodes } from '../log-in/totp.ts';

export type IdentityOptions = Omit<LibraryOptions, 'onSession'> & {
  readonly idle: Idle;
  /** A session begins without a password: by a second step, by a provider, or by joining. */
  readonly onSession?: (account: { readonly accountId: string; readonly schoolId: string }) => void;
  /** The role of a staff account according to the log; undefined: the log is away, or knows no such account. */
  readonly roleOf?: (schoolId: string, accountId: string) => Promise<string | undefined>;
};

/** An identity with a password. */
export type Owner = {
  /** The identity library's id. */
  readonly userId: string;
  readonly accountId: string;
  readonly schoolId: string;
  readonly studentId: string | null;
  /** Its hash. */
  readonly password: string;
  readonly roleNow: string | null;
  readonly twoStep: boolean;
};
type Beginning = {
  readonly role: string | undefined;
  readonly address: string;
  readonly browser: string | undefined;
  /** For a program: a bearer token in place of a cookie. */
  readonly bearer?: boolean | undefined;
};

/** Somebody who gives a code; `cookie`: the only one that the library is shown. `userId` undefined: nobody known. */
export type Entering = {
  readonly userId: string | undefined;
  readonly cookie: string;
  /** A right code switches two-step sign-in on. */
  readonly switchesOn: boolean;
};

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

/** Who can sign in and with what, and who sent a request. Built on better-auth; identities and sessions are in its tables. */
export class Identity {
  readonly #pool: Pool;
  readonly #cookie: SessionCookie;
  readonly #bearer: BearerTokens;
  readonly #sessionActors: SessionActors;
  readonly #passwords: LibraryOptions['passwords'];
  readonly #publicUrl: string;
  readonly #auth: ReturnType<typeof identityLibrary>;
  readonly #onSession: IdentityOptions['onSession'];
  readonly #roleOf: NonNullable<IdentityOptions['roleOf']>;
  readonly #uses: Uses;
  readonly totp: TotpCodes;

  constructor({ roleOf = async () => undefined, onSession, ...options }: IdentityOptions) {
    this.#onSession = onSession;
    this.#pool = options.pool;
    this.#passwords = options.passwords;
    this.#publicUrl = options.publicUrl;
    this.#roleOf = roleOf;
    this.#auth = identityLibrary({ ...options, onSession: (userId) => this.beforeSession(userId) });
    this.#cookie = new SessionCookie(this.#auth, options.secret);
    this.#bearer = new BearerTokens(options.secret);
    this.#sessionActors = new SessionActors(options.pool);
    this.#uses = new Uses(options.pool, options.idle);
    this.totp = new TotpCodes(options.pool, this.#auth);
  }

  /**
   * The library's own routes. Other sites have been refused before (http/request/middleware.ts), but not programs, which send no origin; so
   * every request is one of our own to the library. It is shown one cookie: that of `entering`, or of the session.
   */
  async handle(request: Request, entering?: Entering): Promise<Response> {
    request.headers.set('Origin', this.#publicUrl);
    request.headers.set('Cookie', entering?.cookie ?? (await this.#cookie.alone({ session: await this.sessionToken(request.headers) })));
    return datedFromStart(this.#pool, () => this.#auth.handler(request));
  }

  /** Who gives a code: by a session, else half-way through a log-in. Decided once, because a session can end any moment. */
  async entering(headers: Headers): Promise<Entering> {
    const [session, halfWay] = await Promise.all([this.#cookie.tokenIn(headers), this.#cookie.halfWayIn(headers)]);
    const { rows } = await this.#pool.query<{ bySession: string | null; byHalf: string | null; isOn: boolean | null }>(
      `select (select "userId" from identity."session" where token = $1 and "expiresAt" > now() and "idleAt" > now()) as "bySession",
              (select value from identity."verification" where identifier = $2 and "expiresAt" > now()) as "byHalf",
              (select "twoFactorEnabled" from identity."user" where id = (select "userId" from identity."session" where token = $1)) as "isOn"`,
      [session, halfWay],
    );
    const { bySession = null, byHalf = null, isOn = null } = rows[0] ?? {};
    const cookie = await this.#cookie.alone(bySession === null ? { halfWay } : { session });
    return { userId: bySession ?? byHalf ?? undefined, cookie, switchesOn: bySession !== null && isOn === false };
  }

  /**
   * The library's answer to the right password of an account with two-step sign-in: it asks for a code. Without cookies, because no device
   * is trusted with less.
   */
  askForCode(from: Headers, { email, password }: { readonly email: string; readonly password: string }): Promise<Response> {
    const headers = new Headers(from);
    headers.delete('Cookie');
    return datedFromStart(this.#pool, () => this.#auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }));
  }

  /**
   * Makes the identity of an account, before the account's event, so that no e-mail address and no student gets two. Without a password
   * nobody can sign in until the owner has set one. Repeatable: returns whether it was made now, and whether another account has lost the
   * address.
   *
   * @throws EmailTaken, StudentTaken
   */
  async open(opened: NewIdentity): Promise<{ readonly isNew: boolean; readonly isLost: boolean }> {
    const { password } = opened;
    const hash = password === undefined ? undefined : await this.#passwords.hash(password);
    const { userId, isNew, isLost } = await inTransaction(this.#pool, (client) => insertIdentity(client, opened));
    if (hash === undefined) return { isNew, isLost };
    const { internalAdapter } = await this.#auth.$context;
    if (!isNew && (await internalAdapter.findCredentialAccount(userId))) return { isNew: false, isLost };
    await internalAdapter.createAccount({ accountId: userId, providerId: 'credential', userId, password: hash });
    return { isNew, isLost };
  }

  /** Begins a session without a password, for somebody who has just proved who they are. Returns the cookie. */
  async openSession(accountId: string): Promise<string> {
    const { internalAdapter } = await this.#auth.$context;
    const { rows } = await this.#pool.query<{ id: string }>(`select id from "user" where "accountId" = $1`, [accountId]);
    const { token } = await internalAdapter.createSession(rows[0]?.id ?? '');
    return this.#cookie.make(token);
  }

  /** @param email in lower case */
  async ownerOf(email: string): Promise<Owner | undefined> {
    const { rows } = await this.#pool.query<Owner>(ownerOfAddress, [email]);
    return rows[0];
  }

  /** The role of a staff account according to the log; undefined: a student, or the log is away. */
  roleInLog({ schoolId, accountId, studentId }: Owner): Promise<string | undefined> {
    return studentId === null ? this.#roleOf(schoolId, accountId) : Promise.resolve(undefined);
  }

  /**
   * A session after the right password: the cookie, or the text of the token. Undefined: the password was changed, two-step sign-in switched on or
   * the account removed in the meantime.
   *
   * `role`: according to the log; see `noteRole`.
   */
  async beginSession(owner: Owner, { role, address, browser, bearer = false }: Beginning): Promise<string | undefined> {
    const made = bearer ? this.#bearer.make('password') : undefined;
    const token = made?.stored ?? randomBytes(24).toString('base64url');
    const seconds = bearer ? BEARER_SECONDS : SESSION_SECONDS;
    const { rows } = await this.#pool.query<{ known: string | null }>(newSession, [
      owner.userId,
      owner.password,
      owner.roleNow,
      role ?? null,
      randomUUID(),
      token,
      seconds,
      address,
      browser ?? null,
      bearer,
    ]);
    const [begun] = rows;
    if (!begun) return undefined;
    // Changed while the password was checked, and so perhaps in the log too.
    if (role !== undefined && begun.known !== owner.roleNow) await this.noteRole({ userId: owner.userId });
    return made?.text ?? this.#cookie.make(token);
  }

  /** Removes the identity of an account that was refused or closed, with its sessions. */
  async remove(accountId: string): Promise<void> {
    await this.#pool.query(`delete from "user" where "accountId" = $1`, [accountId]);
  }

  /**
   * Ends what the password alone has opened, sessions and tokens: from now on it takes a second step. The session that the library has begun
   * with its `answer` goes on.
   */
  async endOthers(accountId: string, answer: Pick<Response, 'headers'>): Promise<void> {
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const kept = await this.#cookie.tokenIn(new Headers({ Cookie: cookies.join('; ') }));
    await this.#pool.query(
      `delete from session where "userId" in (select id from "user" where "accountId" = $1) and token is distinct from $2`,
      [accountId, kept ?? null],
    );
  }

  /** Ends every session of the account, because its rights have changed. */
  async endSessions(accountId: string): Promise<void> {
    await this.#pool.query(`delete from session where "userId" in (select id from "user" where "accountId" = $1)`, [accountId]);
  }

  /**
   * Copies the role from the log: a session that begins while the read model of accounts has stopped must not restore the rights that a
   * demotion took. If the log is away, the role stays as it is.
   */
  async noteRole({ userId = null, accountId = null }: { userId?: string | null; accountId?: string | null }): Promise<void> {
    const user = await this.#userOf({ userId, accountId });
    const role = user && user.studentId === null ? await this.#roleOf(user.schoolId, user.accountId) : undefined;
    if (role !== undefined) await this.#pool.query(`update "user" set "roleNow" = $2 where id = $1`, [user?.id, role]);
  }

  async #userOf({ userId, accountId }: { userId: string | null; accountId: string | null }): Promise<User | undefined> {
    const { rows } = await this.#pool.query<User>(
      `select id, "accountId", "schoolId", "studentId" from "user" where id = $1 or "accountId" = $2`,
      [userId, accountId],
    );
    return rows[0];
  }

  /** Called before the library begins a session; `userId`: its id of the user. */
  async beforeSession(userId: string): Promise<void> {
    const [user] = await Promise.all([this.#userOf({ userId, accountId: null }), this.noteRole({ userId })]);
    if (user) this.#onSession?.(user);
  }

  /** Before a change of role: if this process dies on the way, the read model's role counts once it has seen the change. */
  async forgetRole(schoolId: string, accountId: string): Promise<void> {
    await this.#pool.query(`update "user" set "roleNow" = null where "accountId" = $1 and "schoolId" = $2`, [accountId, schoolId]);
  }

  /** Removes expired sessions, and identities whose account was never opened because a process died in between. */
  async sweep(): Promise<void> {
    await this.#pool.query(`delete from session where "expiresAt" < now() or "idleAt" < now()`);
    await this.#pool.query(
      `delete from "user" u where u."createdAt" < now() - interval '10 minutes'
         and not exists (select from read.accounts a where a.account_id = u."accountId"::uuid)`,
    );
  }

  /** Who sent the request, with the current role, subjects and sets; undefined: nobody is signed in. */
  async authenticate(headers: Headers): Promise<Actor | undefined> {
    const token = await this.sessionToken(headers);
    return token === undefined ? undefined : this.#sessionActors.now(token);
  }

  /** The same for somebody whose session is known. */
  actorOf(sessionToken: string): Promise<Actor | undefined> {
    return this.#sessionActors.now(sessionToken);
  }

  /** Somebody uses the session of this request: it does not end yet. */
  async used(headers: Headers): Promise<void> {
    const token = await this.sessionToken(headers);
    if (token !== undefined) this.#uses.note(token);
  }

  /** Who sent the request, according to the previous one, and the session. To be confirmed by `sessionQuery`. */
  async cachedSession(headers: Headers): Promise<CachedSession | undefined> {
    const session = await this.sessionToken(headers);
    const actor = session === undefined ? undefined : this.#sessionActors.last(session);
    return session === undefined || actor === undefined ? undefined : { session, actor };
  }

  /**
   * The token of the session, if the cookie is genuine. Whether the session still exists is left to the database. Where a bearer token comes
   * along, it counts and the cookie does not, also if it is forged.
   */
  async sessionToken(headers: Headers): Promise<string | undefined> {
    const bearer = this.#bearer.in(headers);
    return bearer ? bearer.stored : this.#cookie.tokenIn(headers);
  }

  /** A bearer token for a session that is stored with a profile (../profile/tokens.ts). */
  newProfileToken(): ReturnType<BearerTokens['make']> {
    return this.#bearer.make('profile');
  }

  /** Whether a program sends this, with a token, genuine or not. */
  bringsToken(headers: Headers): boolean {
    return this.#bearer.in(headers) !== undefined;
  }
}

type User = { readonly id: string; readonly accountId: string; readonly schoolId: string; readonly studentId: string | null };
