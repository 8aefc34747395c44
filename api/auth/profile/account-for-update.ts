import type { ClientBase, Pool } from 'pg';
import pg from 'pg';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import { hashOf, OF_ACCOUNTS } from '../password/links.ts';

/** An account while it is changed, on a connection with an open transaction that has locked it. */
export type AccountForUpdate = { readonly client: ClientBase; readonly accountId: string; readonly userId: string; readonly email: string };

/** Requires that the session goes on until this transaction ends: its row is locked. @throws ProblemError `not-authenticated` */
export const requireSession = async ({ client, userId }: AccountForUpdate, session: string): Promise<void> => {
  const { rowCount } = await client.query(
    `select from identity."session" where token = $1 and "userId" = $2 and least("expiresAt", "idleAt") > clock_timestamp() for key share`,
    [session, userId],
  );
  if (rowCount === 0) throw notSignedIn();
};

/** The same, and that its profile is unlocked. @throws ProblemError `not-authenticated`, `locked` */
export const requireUnlocked = async (account: AccountForUpdate, session: string): Promise<void> => {
  await requireSession(account, session);
  const { rowCount } = await account.client.query(
    `select from identity.unlocks where session_token = $1 and until > clock_timestamp() for key share`,
    [session],
  );
  if (rowCount === 0) throw locked();
};

export const notSignedIn = (): ProblemError => new ProblemError('not-authenticated', 'Log in first.');
export const locked = (): ProblemError => new ProblemError('locked', authMessages.locked);

/** The account gets this address once its owner has opened the link that is mailed there. */
export const askForAddress = async ({ client, accountId, email: old }: AccountForUpdate, email: string): Promise<void> => {
  await client.query(
    `insert into identity.email_changes (account_id, email, old_email) values ($1, $2, $3)
     on conflict (account_id) do update set email = excluded.email, old_email = excluded.old_email, requested_at = now()`,
    [accountId, email, old],
  );
};

/** What stays open: the session in which the owner did it, and the link that is being used. */
export type KeptAccess = { readonly session?: string | undefined; readonly link?: string | undefined };

/**
 * Runs `work` in one transaction during which nobody else can change the account, make a link for it or log in to it by its password. `work`
 * sees all that was done before. Undefined: there is no such account.
 */
export const withAccountForUpdate = async <Result>(
  pool: Pool,
  accountId: string,
  work: (account: AccountForUpdate) => Promise<Result>,
): Promise<Result | undefined> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ userId: string; email: string }>(
      `select id as "userId", email from identity."user" where "accountId" = $1 for no key update`,
      [accountId],
    );
    const [user] = rows;
    return user && (await work({ client, accountId, ...user }));
  });

const DEADLOCK = '40P01';
const TIMES = 5;

/**
 * Commits all that `work` did, or nothing. If two wait for each other's accounts, because each takes the other's address, PostgreSQL ends
 * one after a second, whose `work` begins again and sees what the other did. So `work` does nothing outside the database. Locking both in
 * one order would save the second, but whose address it is may change while one waits for the first.
 */
export const inTransaction = async <Result>(pool: Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
  for (let time = 1; ; time++) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (time === TIMES || !(error instanceof pg.DatabaseError && error.code === DEADLOCK)) throw error;
    }
  }
};

const once = async <Result>(pool: Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/**
 * The one place where everything is closed that opens an account besides its address and password, because somebody else may have one of
 * them: mailed links, also those that are ordered and not sent yet; a new address that waits for its owner; accounts elsewhere, which are
 * linked again when their verified address matches; log-ins that wait for a code; sessions, with their unlocked profiles.
 *
 * `until`: only links that were ordered before this moment; left out: now.
 */
export const revokeAccess = async (
  { client, accountId, userId }: AccountForUpdate,
  kept: KeptAccess = {},
  until?: string,
): Promise<void> => {
  await client.query(
    `with links as (
       update identity.links set revoked_at = now()
        where subject = $1 and purpose = any($2::text[]) and revoked_at is null and token_hash <> $3
          and ordered_at <= coalesce($6::timestamptz, clock_timestamp())
     ), changes as (
       delete from identity.email_changes where account_id = $1::uuid
     ), elsewhere as (
       delete from identity."account" where "userId" = $4 and "providerId" <> 'credential'
     ), half_way as (
       delete from identity."verification" where value = $4
     ), sessions as (
       delete from identity."session" where "userId" = $4 and token <> $5
     )
     update identity."user" set "openingsClosedAt" = coalesce($6::timestamptz, clock_timestamp()) where id = $4`,
    [accountId, OF_ACCOUNTS, hashOf(kept.link ?? ''), userId, kept.session ?? '', until ?? null],
  );
};
