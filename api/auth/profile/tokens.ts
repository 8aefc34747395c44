import type { Actor } from '../../actor.ts';
import type { TokenMade } from '../../contract/auth.ts';
import type { AuthServices } from '../auth.ts';
import type { Limit } from '../limits.ts';
import { notSignedIn, requireUnlocked, withAccountForUpdate } from './account-for-update.ts';
import { Profile } from './profile.ts';

const NEW_TOKENS: Limit = { name: 'new tokens of a profile', most: 10, seconds: 3_600 };

export type Wanted = { readonly name: string; readonly days: number; readonly address: string };

/**
 * Makes a bearer token for a program, once the profile is unlocked: for accounts with two-step sign-in, which get none for a password alone,
 * and for whoever would rather not give a program their password. Not stored if this session is shut out meanwhile.
 *
 * @throws ProblemError `locked`, `not-authenticated`, `rate-limited`
 */
export const makeToken = async (auth: AuthServices, actor: Actor, session: string, { name, days, address }: Wanted): Promise<TokenMade> => {
  const { pool, sessions, limits, security } = auth;
  const { accountId } = actor;
  await new Profile(auth).requireUnlocked(session);
  await limits.count(NEW_TOKENS, accountId);
  const made = await withAccountForUpdate(pool, accountId, async (account) => {
    await requireUnlocked(account, session);
    return sessions.beginToken(account, { address, browser: undefined }, { name, days });
  });
  if (made === undefined) throw notSignedIn();
  security.note({ kind: 'token-made', actor, about: accountId, name: `${days} days`, address });
  return { token: made.text, until: made.until.toISOString() };
};
