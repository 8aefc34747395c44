import { randomUUID } from 'node:crypto';
import { format } from 'node:util';
import { betterAuth } from 'better-auth';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import type { Pool } from 'pg';
import { withoutValues } from '../../../events/store/postgres/without-values.ts';
import { email as emailAddress } from '../../contract/fields.ts';
import { startOfWork } from './work-date.ts';
import type { Passwords } from '../password/password-hash.ts';

/** Where the identity library answers. (`/api/auth/*` is left to the documented calls.) */
export const IDENTITY_PATH = '/api/identity';
/** The client's address as seen by our own server, which overwrites this header in every request. */
export const ADDRESS_HEADER = 'x-marktrail-address';
const COOKIE_PREFIX = 'marktrail';
/** Over HTTPS the name begins with `__Secure-`. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
export const SESSION_SECONDS = 60 * 60 * 24 * 7;
/** How long the second step of an account is locked after ten wrong codes. */
export const LOCKED_SECONDS = 900;
export const SOCIAL_PROVIDER = 'school';

export type LibraryOptions = {
  /** Connections whose search_path is `identity`. */
  readonly pool: Pool;
  readonly secret: string;
  readonly passwords: Passwords;
  readonly publicUrl: string;
  /** Whether the first request compares the tables with those that the library expects, which takes longer than a log-in: for a test. */
  readonly checksTables?: boolean;
  /** Called before a session begins, with the library's id of the user. */
  readonly onSession?: ((userId: string) => Promise<void>) | undefined;
};

/** A provider of OpenID Connect. */
export type SocialProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As shown to people: Microsoft, Google, the school's own. */
  readonly name: string;
};

/** The library, configured. Sign-in with an account elsewhere (`social`) requires that there is an account here. */
export const identityLibrary = (
  { pool, secret, passwords, publicUrl, checksTables = false, onSession }: LibraryOptions,
  social?: SocialProvider,
) =>
  betterAuth({
    database: pool,
    secret,
    baseURL: publicUrl,
    basePath: IDENTITY_PATH,
    trustedOrigins: [publicUrl],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: passwords,
    },
    session: { expiresIn: SESSION_SECONDS, cookieCache: { enabled: false } },
    user: {
      additionalFields: {
        accountId: { type: 'string', required: true, input: false },
        schoolId: { type: 'string', required: true, input: false },
      },
    },
    plugins: [
      twoFactor({ issuer: 'Marktrail', accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: LOCKED_SECONDS } }),
      ...(social ? [genericOAuth({ config: [configOf(social)] })] : []),
    ],
    // Only the identity matters; tokens for services elsewhere are not kept.
    databaseHooks: {
      account: { create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS, ...startOfWork() } }) } },
      verification: { create: { before: async (verification) => ({ data: { ...verification, ...startOfWork() } }) } },
      session: {
        create: {
          before: async (session) => {
            await onSession?.(session.userId);
            return { data: { ...session, ...startOfWork() } };
          },
        },
      },
    },
    account: { updateAccountOnSignIn: false },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 600,
      customRules: {
        // A whole school may be behind one address, and an account is locked after ten wrong codes. (Log-ins are limited in log-in.ts.)
        '/two-factor/*': { window: 60, max: 120 },
      },
    },
    advanced: {
      // Left out, the library checks no origin where NODE_ENV is test, and tests would see another product.
      disableOriginCheck: false,
      database: { generateId: () => randomUUID(), validateSchema: checksTables },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      cookiePrefix: COOKIE_PREFIX,
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    // Unexpected errors, such as a database that is away, are answered by our own error handler.
    onAPIError: { throw: true, errorURL: '/auth/callback' },
    logger: {
      level: 'error',
      log: (_level, message, ...args) => void process.stderr.write(`${format(message, ...args.map(withoutValues))}\n`),
    },
    telemetry: { enabled: false },
  });

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };

const configOf = ({ issuer, clientId, clientSecret }: SocialProvider) => ({
  providerId: SOCIAL_PROVIDER,
  discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  requireIdTokenVerification: true,
  disableSignUp: true,
  // The library counts any non-empty text as true, 'false' as well; and whatever is there as an address, such as a list.
  mapProfileToUser: ({ email, email_verified }: Readonly<Record<string, unknown>>) => ({
    email: emailAddress.safeParse(email).data ?? '',
    emailVerified: email_verified === true,
  }),
});
