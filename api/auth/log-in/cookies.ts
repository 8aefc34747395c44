import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';

/** Over HTTPS their names begin with `__Secure-`. */
export const SESSION_COOKIE = 'marktrail.session_token';
/** Of a log-in that waits for a code. */
export const HALF_WAY_COOKIE = 'marktrail.two_factor';
/** Of a log-in at a provider. */
export const STATE_COOKIE = 'marktrail.state';
type Name = typeof SESSION_COOKIE | typeof HALF_WAY_COOKIE | typeof STATE_COOKIE;

/** Cookies whose value is signed. Whether it still opens anything is left to the database. */
export class SignedCookies {
  readonly #secret: string;
  readonly #secure: boolean;

  constructor({ secret, publicUrl }: { readonly secret: string; readonly publicUrl: string }) {
    this.#secret = secret;
    this.#secure = publicUrl.startsWith('https://');
  }

  /** A value of Set-Cookie. */
  make(name: Name, value: string, seconds: number): string {
    return this.#set(name, `${value}.${this.#signatureOf(value).toString('base64')}`, seconds);
  }

  /** A value of Set-Cookie: the browser forgets it. */
  end(name: Name): string {
    return this.#set(name, '', 0);
  }

  /** The value, if it was signed here. */
  in(headers: Headers, name: Name): string | undefined {
    const full = this.#nameOf(name);
    const value = parse(headers.get('cookie') ?? '', full)[full];
    const dot = value?.lastIndexOf('.') ?? -1;
    if (value === undefined || dot < 1) return undefined;
    const signature = Buffer.from(value.slice(dot + 1), 'base64');
    const right = this.#signatureOf(value.slice(0, dot));
    return signature.length === right.length && timingSafeEqual(signature, right) ? value.slice(0, dot) : undefined;
  }

  #set(name: Name, value: string, maxAge: number): string {
    return serialize(this.#nameOf(name), value, { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#secure, maxAge });
  }

  #nameOf(name: Name): string {
    return this.#secure ? `__Secure-${name}` : name;
  }

  #signatureOf(value: string): Buffer {
    return createHmac('sha256', this.#secret).update(value).digest();
  }
}
