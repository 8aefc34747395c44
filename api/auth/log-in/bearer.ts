import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a bearer token is good for. */
export const BEARER_SECONDS = 30 * 24 * 3_600;
/** How the sessions of tokens are told from those of cookies in the table of sessions. */
export const BEARER_PREFIX = 'bearer:';

/**
 * Bearer tokens: sessions of programs, in the table of sessions, so that whatever ends sessions ends them. Stored is only the hash of a
 * token. Each carries a keyed checksum: a forged one is refused without the database, and before its body is read.
 */
export class BearerTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `text`: what the program is given, once; `stored`: under which its session is known. */
  make(): { readonly text: string; readonly stored: string } {
    const random = randomBytes(32).toString('base64url');
    return { text: `${random}.${this.#checksum(random).toString('base64url')}`, stored: storedOf(random) };
  }

  /** Undefined: the request brings none, and its cookie counts. `stored` undefined: it brings one that is not ours. */
  in(headers: Headers): { readonly stored: string | undefined } | undefined {
    const [, text] = BEARER.exec(headers.get('authorization') ?? '') ?? [];
    if (text === undefined) return undefined;
    const [, random = '', checksum = ''] = TOKEN.exec(text) ?? [];
    const given = Buffer.from(checksum, 'base64url');
    const right = this.#checksum(random);
    return { stored: given.length === right.length && timingSafeEqual(given, right) ? storedOf(random) : undefined };
  }

  #checksum(random: string): Buffer {
    return createHmac('sha256', this.#secret).update(`bearer ${random}`).digest();
  }
}

const BEARER = /^bearer\b\s*(.*)$/is;
const TOKEN = /^([\w-]{43})\.([\w-]{43})$/;

const storedOf = (random: string): string => `${BEARER_PREFIX}${createHash('sha256').update(random).digest('hex')}`;
