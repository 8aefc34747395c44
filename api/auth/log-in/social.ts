import { randomUUID } from 'node:crypto';
import type { Configuration } from 'openid-client';
import * as oidc from 'openid-client';
import type { Pool } from 'pg';
import { z } from 'zod';
import { email as emailAddress } from '../../contract/fields.ts';
import { withAccountForUpdate } from '../profile/account-for-update.ts';
import type { SignedCookies } from './cookies.ts';
import { STATE_COOKIE } from './cookies.ts';
import type { From, Sessions } from './sessions.ts';

/** A provider of OpenID Connect. */
export type SocialProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As shown to people: Microsoft, Google, the school's own. */
  readonly name: string;
};

/** What the provider is called in the table of accounts elsewhere, and in the address that it sends people back to. */
export const SOCIAL_PROVIDER = 'school';
/** Where the popup ends, with `?error=` after a failure. */
const LANDING = '/auth/callback';
/** How long the provider may take for each answer. */
const TIMEOUT_SECONDS = 10;
/** How long somebody may take there. */
const STATE_SECONDS = 600;

/** What was kept when the popup began: `nonce` comes back in the ID token, `verifier` goes with the code (PKCE). */
const kept = z.object({ nonce: z.string(), verifier: z.string() });
type Begun = z.infer<typeof kept> & { readonly state: string; readonly at: string };
/** Whom the provider vouches for; `email` undefined: it names no address, or several. */
type Person = { readonly sub: string; readonly email: string | undefined; readonly isVerified: boolean };

export type SocialOptions = {
  readonly pool: Pool;
  readonly publicUrl: string;
  readonly cookies: SignedCookies;
  readonly sessions: Sessions;
  /** Prints a line on the console. */
  readonly tell: (line: string) => void;
};

/**
 * Sign-in with an OpenID Connect provider. It leads to the open account whose e-mail address the provider has verified, and never creates
 * one. Of the provider only who somebody is is kept, none of its tokens.
 */
export class SocialSignIn {
  readonly #options: SocialOptions;
  readonly #provider: SocialProvider;
  readonly #back: string;
  #configuration: Promise<Configuration> | undefined;

  constructor(options: SocialOptions, provider: SocialProvider) {
    this.#options = options;
    this.#provider = provider;
    this.#back = `${options.publicUrl}/api/identity/callback/${SOCIAL_PROVIDER}`;
  }

  /** Sends the popup to the provider. */
  async begin(): Promise<Response> {
    const { pool, cookies } = this.#options;
    const provider = await this.#ready();
    if (!provider) return this.#landing('provider_away');
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    await pool.query(
      `insert into identity."verification" (id, identifier, value, "createdAt", "expiresAt")
       values ($1, $2, $3, clock_timestamp(), now() + make_interval(secs => $4))`,
      [randomUUID(), identifierOf(state), JSON.stringify({ nonce, verifier }), STATE_SECONDS],
    );
    const there = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#back,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return redirect(there.href, [cookies.make(STATE_COOKIE, state, STATE_SECONDS)]);
  }

  /** The provider sends the popup back: with what it says, once, and to the browser in which it was begun. */
  async finish({ url, headers }: Pick<Request, 'url' | 'headers'>, from: From): Promise<Response> {
    const { searchParams: answer } = new URL(url);
    const begun = await this.#begunBy(answer, headers);
    if (!begun) return this.#landing('state_not_found');
    const error = answer.get('error');
    if (error !== null) return this.#landing(/^[a-z_]{1,50}$/.test(error) ? error : 'refused');
    const provider = await this.#ready();
    if (!provider) return this.#landing('provider_away');
    const person = await this.#knownBy(provider, answer, begun).catch((failure: unknown) => this.#note(failure));
    if (!person) return this.#landing('provider_failed');
    if (person.email === undefined) return this.#landing('email_not_found');
    return this.#enter({ ...person, email: person.email }, begun, from);
  }

  async #begunBy(answer: URLSearchParams, headers: Headers): Promise<Begun | undefined> {
    const { pool, cookies } = this.#options;
    const state = cookies.in(headers, STATE_COOKIE);
    if (state === undefined || answer.get('state') !== state) return undefined;
    const { rows } = await pool.query<{ value: string; at: string }>(
      `delete from identity."verification" where identifier = $1 and "expiresAt" > now() returning value, "createdAt"::text as at`,
      [identifierOf(state)],
    );
    const [row] = rows;
    return row && { ...kept.parse(JSON.parse(row.value)), state, at: row.at };
  }

  /** @throws what the library says: no answer, one that is not for us, or not signed by the provider */
  async #knownBy(provider: Configuration, answer: URLSearchParams, { state, nonce, verifier }: Begun): Promise<Person> {
    const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${this.#back}?${answer.toString()}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('there is no ID token');
    const asksMore = !claims['email'] && provider.serverMetadata().userinfo_endpoint !== undefined;
    const { email, email_verified: verified } = asksMore ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
    return { sub: claims.sub, email: emailAddress.safeParse(email).data?.toLowerCase(), isVerified: verified === true };
  }

  /** To the account that is linked; else to that with the address, which is linked if it is verified there and proved here. */
  async #enter({ sub, email, isVerified }: Person & { readonly email: string }, { at }: Begun, from: From): Promise<Response> {
    const { pool, sessions } = this.#options;
    const { rows } = await pool.query<{ accountId: string }>(
      `select u."accountId" from identity."user" u where u.id = coalesce(
         (select a."userId" from identity."account" a where a."providerId" = $1 and a."accountId" = $2 limit 1),
         (select o.id from identity."user" o where o.email = $3))`,
      [SOCIAL_PROVIDER, sub, email],
    );
    const [{ accountId } = { accountId: undefined }] = rows;
    if (accountId === undefined) return this.#landing('signup_disabled');
    const entered = await withAccountForUpdate(pool, accountId, async (account) => {
      const { client, userId } = account;
      const { rows: states } = await client.query<{ isClosed: boolean; isLinked: boolean; isProved: boolean }>(
        `select coalesce(u."openingsClosedAt" >= $4::timestamptz, false) as "isClosed", u."emailVerified" as "isProved", exists (
           select from identity."account" a where a."userId" = u.id and a."providerId" = $2 and a."accountId" = $3) as "isLinked"
           from identity."user" u where u.id = $1`,
        [userId, SOCIAL_PROVIDER, sub, at],
      );
      const [state] = states;
      // All that opened the account was closed since the popup began.
      if (!state || state.isClosed) return { error: 'state_not_found' };
      if (!state.isLinked) {
        if (!isVerified || !state.isProved || account.email !== email) return { error: 'account_not_linked' };
        await client.query(
          `insert into identity."account" (id, "accountId", "providerId", "userId", "updatedAt") values ($1, $2, $3, $4, now())`,
          [randomUUID(), sub, SOCIAL_PROVIDER, userId],
        );
      }
      return { cookie: await sessions.begin(account, from) };
    });
    if (entered?.cookie === undefined) return this.#landing(entered?.error ?? 'signup_disabled');
    await sessions.begun(accountId);
    return this.#landing(undefined, [entered.cookie]);
  }

  /**
   * What the provider says of itself is fetched when first needed, and again after a failure, so that one that is down delays no other
   * log-in. Its ID tokens count by its signature.
   */
  async #ready(): Promise<Configuration | undefined> {
    const { issuer, clientId, clientSecret } = this.#provider;
    const address = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    this.#configuration ??= oidc.discovery(address, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      execute: [oidc.enableNonRepudiationChecks, ...(address.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
    });
    return this.#configuration.catch((failure: unknown) => {
      this.#configuration = undefined;
      return this.#note(failure);
    });
  }

  /** Its message and no more: the cause may hold what the provider has answered. */
  #note(failure: unknown): undefined {
    this.#options.tell(`The sign-in provider: ${failure instanceof Error ? failure.message : 'failed'}`);
  }

  #landing(error: string | undefined, cookies: readonly string[] = []): Response {
    return redirect(error === undefined ? LANDING : `${LANDING}?error=${error}`, [...cookies, this.#options.cookies.end(STATE_COOKIE)]);
  }
}

const identifierOf = (state: string): string => `state-${state}`;

const redirect = (url: string, cookies: readonly string[]): Response => {
  const headers = new Headers({ Location: url, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
};
