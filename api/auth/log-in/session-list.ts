import type { Pool } from 'pg';
import type { Sessions } from '../../contract/auth.ts';
import { ProblemError } from '../../common/problems.ts';
import { BEARER_PREFIX } from './bearer.ts';
import { networkOf } from '../../common/networks.ts';

/** An account of a school, as the caller's rights allow. */
type Of = { readonly accountId: string; readonly schoolId: string };
type Row = {
  readonly sessionId: string | null;
  readonly token: string | null;
  readonly since: Date;
  readonly lastUsed: Date;
  readonly address: string | null;
  readonly browser: string | null;
  readonly until: Date;
  readonly tokenName: string | null;
};

/** The sessions of an account, to end one. They are named by an id that opens nothing. */
export class SessionList {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The most recently used first. `own`: the token of the session that asks. @throws ProblemError `not-found` */
  async of({ accountId, schoolId }: Of, ownToken?: string): Promise<Sessions> {
    const { rows } = await this.#pool.query<Row>(
      `select s.id as "sessionId", s.token, s."createdAt" as since, coalesce(s."usedAt", s."createdAt") as "lastUsed",
              s."ipAddress" as address, s."userAgent" as browser, s."expiresAt" as until, s."tokenName"
         from identity."user" u
         left join identity."session" s on s."userId" = u.id and s."expiresAt" > now() and s."idleAt" > now()
        where u."accountId" = $1 and u."schoolId" = $2 order by "lastUsed" desc, s.id`,
      [accountId, schoolId],
    );
    if (rows.length === 0) throw new ProblemError('not-found', 'There is no such account, or it is closed.');
    return {
      sessions: rows.flatMap(({ sessionId, token, since, lastUsed, address, browser, until, tokenName }) => {
        if (sessionId === null) return [];
        const isToken = token?.startsWith(BEARER_PREFIX) === true;
        return {
          sessionId,
          browser: isToken ? 'A program, by a token' : browserIn(browser ?? ''),
          token: isToken ? { name: tokenName, until: until.toISOString() } : null,
          network: address === null || address === '' ? null : coarse(address),
          since: since.toISOString(),
          lastUsed: lastUsed.toISOString(),
          isThis: token === ownToken,
        };
      }),
    };
  }

  /** @throws ProblemError `not-found` if this account has no such session, or not any more */
  async end({ accountId, schoolId }: Of, sessionId: string): Promise<void> {
    const { rowCount } = await this.#pool.query(
      `delete from identity."session" s using identity."user" u
        where u.id = s."userId" and u."accountId" = $1 and u."schoolId" = $2 and s.id = $3`,
      [accountId, schoolId, sessionId],
    );
    if (rowCount === 0) throw new ProblemError('not-found', 'There is no such session any more.');
  }
}

/** Enough to tell home from school, and too little to tell one pupil's home from the neighbours'. */
const coarse = (address: string): string => {
  const network = networkOf(address);
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}:*` : network.replace(/\.\d+$/, '.*');
};

/** In the order of asking: most browsers name others too. */
const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['Windows', /\bWindows\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Firefox on Windows */
const browserIn = (userAgent: string): string => {
  const named = (names: typeof BROWSERS | typeof SYSTEMS): string | undefined => names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return system === undefined ? 'An unknown program' : `A program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
};
