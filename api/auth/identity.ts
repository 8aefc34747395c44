import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import type { Pool } from 'pg';
import { together } from '../../events/store/together.ts';
import type { Actor } from '../actor.ts';
import { EmailTaken } from './credentials.ts';
import type { LibraryOptions } from './library.ts';
import { identityLibrary, SESSION_SECONDS } from './library.ts';
import { hashPassword } from './password-hash.ts';
import { sessionQuestion } from './sessions.ts';

export type IdentityOptions = Omit<LibraryOptions, 'onSession'> & {
  /** The role of an account of staff as the log has it; undefined: the log is away, or knows no such account. */
  readonly roleOf?: (schoolId: string, accountId: string) => Promise<string | undefined>;
};

/** A student who has an account already. */
export class StudentTaken extends Error {
  override readonly name = 'StudentTaken';
}

export type NewIdentity = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly email: string;
  /** Left out: it is set later, by who opens the invitation. */
  readonly password?: string | undefined;
  /** Whose account it is: a student has one. */
  readonly studentId?: string | undefined;
  /** Whether the e-mail address is known to be its owner's. */
  readonly proved?: boolean;
};

/** Who may log in by a password. */
export type Owner = {
  /** The identity library's. */
  readonly userId: string;
  readonly accountId: string;
  readonly schoolId: string;
  readonly studentId: string | null;
  /** Its hash. */
  readonly password: string;
  readonly roleNow: string | null;
  readonly twoStep: boolean;
};
type Beginning = { readonly role: string | undefined; readonly address: string; readonly browser: string | undefined };

const ownerOfAddress = `
select u.id as "userId", u."accountId", u."schoolId", u."studentId", u."roleNow", u."twoFactorEnabled" as "twoStep", a.password
  from identity."user" u
  join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
 where u.email = $1 and a.password is not null`;

/** The role is changed only where it still is what it was, so that what a demotion took is not brought back. */
const newSession = `
with owner as (
  select u.id, u."roleNow" from identity."user" u
    join identity."account" a on a."userId" = u.id and a."providerId" = 'credential'
   where u.id = $1 and a.password = $2
     for share of a
), noted as (
  update identity."user" u set "roleNow" = $4 from owner
   where u.id = owner.id and $4::text is distinct from u."roleNow" and $4 is not null and u."roleNow" is not distinct from $3
), begun as (
  insert into identity."session" (id, token, "userId", "expiresAt", "updatedAt", "ipAddress", "userAgent")
  select $5, $6, owner.id, now() + make_interval(secs => $7), now(), $8, $9 from owner
)
select "roleNow" as known from owner`;

/** Who can sign in, with what, and who a request is from. Over better-auth; identities and sessions are its tables. */
export class Identity {
  readonly #pool: Pool;
  readonly #secret: string;
  readonly #auth: ReturnType<typeof identityLibrary>;
  readonly #roleOf: NonNullable<IdentityOptions['roleOf']>;

  constructor({ roleOf = async () => undefined, ...options }: IdentityOptions) {
    this.#pool = options.pool;
    this.#secret = options.secret;
    this.#roleOf = roleOf;
    this.#auth = identityLibrary({ ...options, onSession: (userId) => this.noteRole({ userId }) });
  }

  /** The library's own routes: sign in, sign out. */
  handle(request: Request): Promise<Response> {
    return this.#auth.handler(request);
  }

  /** The library's answer to who gave the right password, and whose account asks for a code as well. */
  askForCode(headers: Headers, { email, password }: { readonly email: string; readonly password: string }): Promise<Response> {
    return this.#auth.api.signInEmail({ body: { email, password }, headers, asResponse: true });
  }

  /**
   * An identity for an account. Before the account's event, so that an e-mail address is nobody's twice, and no student joins twice.
   * Without a password nobody signs in with it, until its owner has set one. Answers whether it was made now.
   *
   * @throws EmailTaken, StudentTaken
   */
  async open({ accountId, schoolId, email, password, studentId, proved = true }: NewIdentity): Promise<boolean> {
    const hash = password === undefined ? undefined : await hashPassword(password);
    const { rowCount } = await this.#pool.query(
      `insert into "user" (id, name, email, "emailVerified", "accountId", "schoolId", "studentId") values ($1, '', $2, $3, $4, $5, $6)
       on conflict do nothing`,
      [randomUUID(), email.toLowerCase(), proved, accountId, schoolId, studentId ?? null],
    );
    const { rows } = await this.#pool.query<{ id: string; accountId: string; email: string }>(
      `select id, "accountId", email from "user" where "accountId" = $1 or email = $2 or "studentId" = $3`,
      [accountId, email.toLowerCase(), studentId ?? null],
    );
    const user = rows.find((one) => one.accountId === accountId && one.email === email.toLowerCase());
    if (!user) throw rows.some((one) => one.email === email.toLowerCase()) ? new EmailTaken() : new StudentTaken();
    if (hash === undefined) return rowCount === 1;
    const { internalAdapter } = await this.#auth.$context;
    if (rowCount === 0 && (await internalAdapter.findCredentialAccount(user.id))) return false;
    await internalAdapter.createAccount({ accountId: user.id, providerId: 'credential', userId: user.id, password: hash });
    return rowCount === 1;
  }

  /** A session for who has just proved who he is, without asking for his password: the cookie. */
  async openSession(accountId: string): Promise<string> {
    const { internalAdapter } = await this.#auth.$context;
    const { rows } = await this.#pool.query<{ id: string }>(`select id from "user" where "accountId" = $1`, [accountId]);
    const { token } = await internalAdapter.createSession(rows[0]?.id ?? '');
    return this.#cookieOf(token);
  }

  /** Who would log in with this address, in lower case. */
  async ownerOf(email: string): Promise<Owner | undefined> {
    const { rows } = await this.#pool.query<Owner>({ name: 'owner', text: ownerOfAddress, values: [email] });
    return rows[0];
  }

  /** The role of somebody of staff as the log has it; undefined where there is none, or the log is away. */
  roleInLog({ schoolId, accountId, studentId }: Owner): Promise<string | undefined> {
    return studentId === null ? this.#roleOf(schoolId, accountId) : Promise.resolve(undefined);
  }

  /**
   * A session for who gave the right password: the cookie. `role`: as the log had it meanwhile; see `noteRole`. Undefined where the password
   * or the account is not there any more.
   */
  async beginSession(owner: Owner, { role, address, browser }: Beginning): Promise<string | undefined> {
    const token = randomBytes(24).toString('base64url');
    const { rows } = await this.#pool.query<{ known: string | null }>({
      name: 'begin session',
      text: newSession,
      values: [owner.userId, owner.password, owner.roleNow, role ?? null, randomUUID(), token, SESSION_SECONDS, address, browser ?? null],
    });
    const [begun] = rows;
    if (!begun) return undefined;
    // It was changed by somebody else while the password was checked, and so perhaps in the log too.
    if (role !== undefined && begun.known !== owner.roleNow) await this.noteRole({ userId: owner.userId });
    return this.#cookieOf(token);
  }

  async #cookieOf(token: string): Promise<string> {
    const { authCookies } = await this.#auth.$context;
    const { name, attributes } = authCookies.sessionToken;
    const signature = createHmac('sha256', this.#secret).update(token).digest('base64');
    return serialize(name, `${token}.${signature}`, {
      path: attributes.path ?? '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: attributes.secure ?? false,
      maxAge: SESSION_SECONDS,
    });
  }

  /** Takes an identity back whose account was refused, or is closed; its sessions end with it. */
  async remove(accountId: string): Promise<void> {
    await this.#pool.query(`delete from "user" where "accountId" = $1`, [accountId]);
  }

  /** Ends every session of the account: its rights have changed. */
  async endSessions(accountId: string): Promise<void> {
    await this.#pool.query(`delete from session where "userId" in (select id from "user" where "accountId" = $1)`, [accountId]);
  }

  /**
   * Takes the role from the log: a session that begins while the read model of accounts has stopped must not bring back what a demotion
   * took. Where the log is away, what is known stays.
   */
  async noteRole({ userId = null, accountId = null }: { userId?: string | null; accountId?: string | null }): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; accountId: string; schoolId: string }>(
      `select id, "accountId", "schoolId" from "user" where (id = $1 or "accountId" = $2) and "studentId" is null`,
      [userId, accountId],
    );
    const [user] = rows;
    const role = user && (await this.#roleOf(user.schoolId, user.accountId));
    if (role !== undefined) await this.#pool.query(`update "user" set "roleNow" = $2 where id = $1`, [user?.id, role]);
  }

  /** Before a change of role: should this process die on the way, the read model says what the role is, once it has seen the change. */
  async forgetRole(schoolId: string, accountId: string): Promise<void> {
    await this.#pool.query(`update "user" set "roleNow" = null where "accountId" = $1 and "schoolId" = $2`, [accountId, schoolId]);
  }

  /** Sessions that are over, and identities that never came to an account, because a process died between the two. */
  async sweep(): Promise<void> {
    await this.#pool.query(`delete from session where "expiresAt" < now()`);
    await this.#pool.query(
      `delete from "user" u where u."createdAt" < now() - interval '10 minutes'
         and not exists (select from read.accounts a where a.account_id = u."accountId"::uuid)`,
    );
  }

  /** Who sent the request: his role, subjects and sets as they are now; undefined where nobody is signed in. */
  async authenticate(headers: Headers): Promise<Actor | undefined> {
    const token = await this.sessionToken(headers);
    return token === undefined ? undefined : this.#actor(token);
  }

  /** Who this was when he last asked, and by which session: to be believed only when `sessionQuestion` says the same. */
  async presume(headers: Headers): Promise<Presumption | undefined> {
    const session = await this.sessionToken(headers);
    const actor = session === undefined ? undefined : this.#last.get(session);
    return session === undefined || actor === undefined ? undefined : { session, actor };
  }

  /** By token. Emptied when full, so that memory stays flat. */
  readonly #last = new Map<string, Actor>();

  /** Asked with every request, so those of a moment share one query. Never of one that began before the request came. */
  readonly #actor = together(
    MOST_TOGETHER,
    async (tokens: readonly string[]) => {
      const { rows } = await this.#pool.query<object>({ name: 'actors', text: sessionQuestion.sql('$1', '$2'), values: [null, tokens] });
      const actors = sessionQuestion.actors(rows, tokens);
      if (this.#last.size > MOST_REMEMBERED) this.#last.clear();
      tokens.forEach((token, n) => {
        const actor = actors[n];
        if (actor) this.#last.set(token, actor);
        else this.#last.delete(token);
      });
      return actors;
    },
    1,
  );

  /** Cookies whose signature was found right: it stays so. Emptied when full. */
  readonly #signed = new Map<string, string>();

  /** The token of the session, if the cookie is ours; whether the session still is there, the database says. */
  async sessionToken(headers: Headers): Promise<string | undefined> {
    const cookie = headers.get('cookie');
    if (cookie === null) return undefined;
    const signed = this.#signed.get(cookie);
    if (signed !== undefined) return signed;
    const { authCookies } = await this.#auth.$context;
    const value = parse(cookie, authCookies.sessionToken.name)[authCookies.sessionToken.name];
    const at = value?.lastIndexOf('.') ?? -1;
    if (value === undefined || at < 1) return undefined;
    const token = value.slice(0, at);
    const signature = Buffer.from(value.slice(at + 1), 'base64');
    const right = createHmac('sha256', this.#secret).update(token).digest();
    if (signature.length !== right.length || !timingSafeEqual(signature, right)) return undefined;
    if (this.#signed.size > MOST_REMEMBERED) this.#signed.clear();
    if (cookie.length < LONGEST_REMEMBERED) this.#signed.set(cookie, token);
    return token;
  }
}

const MOST_TOGETHER = 64;
const MOST_REMEMBERED = 5_000;
/** A browser may send cookies of others along. */
const LONGEST_REMEMBERED = 1_000;

/** Who was signed in by a session when it was last used. */
export type Presumption = { readonly session: string; readonly actor: Actor };
