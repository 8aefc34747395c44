import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MOST_TOKEN_DAYS } from '../../contract/auth-messages.ts';

/** How long a token is good for that a password is given for. */
export const BEARER_SECONDS = MOST_TOKEN_DAYS * 24 * 3_600;
/** How the sessions of tokens are told from those of cookies in the table of sessions; sessions.ts knows it in its SQL. */
export const BEARER_PREFIX = 'bearer:';

/** By the right password, or in the profile of whoever is signed in. Each has a checksum and a name in the table of its own. */
type Kind = 'password' | 'profile';
const KINDS = {
  password: { signs: 'bearer', prefix: BEARER_PREFIX },
  profile: { signs: 'bearer of a profile', prefix: `${BEARER_PREFIX}profile:` },
} as const;

/** Whether it is the session of a token that was made in a profile: it changes neither password nor address. */
export const isOfProfile = (stored: string): boolean => stored.startsWith(KINDS.profile.prefix);

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
  make(kind: Kind): { readonly text: string; readonly stored: string } {
    const random = randomBytes(32).toString('base64url');
    return { text: `${random}.${this.#checksum(kind, random).toString('base64url')}`, stored: storedOf(kind, random) };
  }

  /** Undefined: the request brings none, and its cookie counts. `stored` undefined: it brings one that is not ours. */
  in(headers: Headers): { readonly stored: string | undefined } | undefined {
    const [, text] = BEARER.exec(headers.get('authorization') ?? '') ?? [];
    if (text === undefined) return undefined;
    const [, random = '', checksum = ''] = TOKEN.exec(text) ?? [];
    const given = Buffer.from(checksum, 'base64url');
    const kind = (['password', 'profile'] as const).find((one) => {
      const right = this.#checksum(one, random);
      return given.length === right.length && timingSafeEqual(given, right);
    });
    return { stored: kind && storedOf(kind, random) };
  }

  #checksum(kind: Kind, random: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${KINDS[kind].signs} ${random}`).digest();
  }
}

const BEARER = /^bearer\b\s*(.*)$/is;
const TOKEN = /^([\w-]{43})\.([\w-]{43})$/;

const storedOf = (kind: Kind, random: string): string => `${KINDS[kind].prefix}${createHash('sha256').update(random).digest('hex')}`;
