import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import type { identityLibrary } from '../identity/library.ts';
import { SESSION_SECONDS } from '../identity/library.ts';

/** How many cookies are remembered. */
const MOST_REMEMBERED = 5_000;
/** In characters: browsers may send other cookies along. */
const LONGEST_REMEMBERED = 1_000;

/** The cookie of a session: its token, signed as the identity library does. */
export class SessionCookie {
  readonly #auth: ReturnType<typeof identityLibrary>;
  readonly #secret: string;
  /** Tokens of cookies with a verified signature, which stays valid. Emptied when full. */
  readonly #verified = new Map<string, string>();

  constructor(auth: ReturnType<typeof identityLibrary>, secret: string) {
    this.#auth = auth;
    this.#secret = secret;
  }

  /** The value of Set-Cookie. */
  async make(token: string): Promise<string> {
    const { name, attributes } = await this.#settings();
    return serialize(name, `${token}.${this.#signatureOf(token).toString('base64')}`, {
      path: attributes.path ?? '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: attributes.secure ?? false,
      maxAge: SESSION_SECONDS,
    });
  }

  /** The token, if the cookie is genuine. Whether the session still exists is left to the database. */
  async tokenIn(headers: Headers): Promise<string | undefined> {
    const cookie = headers.get('cookie');
    if (cookie === null) return undefined;
    const verified = this.#verified.get(cookie);
    if (verified !== undefined) return verified;
    const { name } = await this.#settings();
    const token = this.#genuine(cookie, name);
    if (token === undefined) return undefined;
    if (this.#verified.size > MOST_REMEMBERED) this.#verified.clear();
    if (cookie.length < LONGEST_REMEMBERED) this.#verified.set(cookie, token);
    return token;
  }

  /** The same for a log-in that waits for a code: the name under which the library knows it. */
  async halfWayIn(headers: Headers): Promise<string | undefined> {
    const { createAuthCookie } = await this.#auth.$context;
    return this.#genuine(headers.get('cookie') ?? '', createAuthCookie('two_factor').name);
  }

  /**
   * The Cookie header of a request with this session alone, or with this log-in alone that waits for a code. The library reads cookies in
   * its own way: in a header with several it could find another one than we do.
   */
  async alone({ session, halfWay }: { readonly session?: string | undefined; readonly halfWay?: string | undefined }): Promise<string> {
    const { authCookies, createAuthCookie } = await this.#auth.$context;
    const of = (name: string, value: string): string => serialize(name, `${value}.${this.#signatureOf(value).toString('base64')}`);
    if (session !== undefined) return of(authCookies.sessionToken.name, session);
    return halfWay === undefined ? '' : of(createAuthCookie('two_factor').name, halfWay);
  }

  /** The value of a cookie that was signed here. */
  #genuine(cookie: string, name: string): string | undefined {
    const value = parse(cookie, name)[name];
    const dot = value?.lastIndexOf('.') ?? -1;
    if (value === undefined || dot < 1) return undefined;
    const signature = Buffer.from(value.slice(dot + 1), 'base64');
    const right = this.#signatureOf(value.slice(0, dot));
    return signature.length === right.length && timingSafeEqual(signature, right) ? value.slice(0, dot) : undefined;
  }

  async #settings() {
    return (await this.#auth.$context).authCookies.sessionToken;
  }

  #signatureOf(token: string): Buffer {
    return createHmac('sha256', this.#secret).update(token).digest();
  }
}
