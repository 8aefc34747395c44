import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import pg from 'pg';
import { linkDead, requireUnrevoked } from '../password/links.ts';
import type { AccountForUpdate } from '../profile/account-for-update.ts';
import { askForAddress, notSignedIn, requireUnlocked, revokeAccess, withAccountForUpdate } from '../profile/account-for-update.ts';
import { isAddress, NO_ADDRESS, takeFromUnproved } from '../profile/address-proof.ts';
import type { Passwords } from '../password/password-hash.ts';

const UNIQUE_VIOLATION = '23505';

/** An identity as api/auth needs it. */
export type Credential = {
  readonly accountId: string;
  readonly schoolId: string;
  /** Undefined: the account is invited, or has lost its address to somebody who proved it. */
  readonly email: string | undefined;
  /** Only before the invitation is accepted. */
  readonly invitedEmail: string | null;
  readonly hasPassword: boolean;
  /** Whether the owner has shown by a mailed link that the address is theirs. */
  readonly proved: boolean;
};

/** The e-mail address is already taken, in this school or another. */
export class EmailTaken extends Error {
  override readonly name = 'EmailTaken';
}

/** E-mail addresses and passwords, looked up, checked and changed outside of a log-in. */
export class Credentials {
  readonly #pool: Pool;
  readonly #passwords: Passwords;

  constructor(pool: Pool, passwords: Passwords) {
    this.#pool = pool;
    this.#passwords = passwords;
  }

  byEmail(email: string): Promise<Credential | undefined> {
    return this.#find('u.email = $1', email.toLowerCase());
  }

  byAccount(accountId: string): Promise<Credential | undefined> {
    return this.#find('u."accountId" = $1', accountId);
  }

  /** The account that was invited there last. */
  invitedAt(email: string): Promise<Credential | undefined> {
    return this.#find('u."invitedEmail" = $1 order by u."createdAt" desc limit 1', email.toLowerCase());
  }

  /** Whether another account has proved that the address is its owner's. */
  async isProvedElsewhere(email: string, accountId: string | undefined): Promise<boolean> {
    const found = await this.byEmail(email);
    return found !== undefined && found.proved && found.accountId !== accountId;
  }

  /** Takes the same time if there is no such account or password. */
  async isPassword(accountId: string, password: string): Promise<boolean> {
    const { rows } = await this.#pool.query<{ password: string | null }>(
      `select a.password from identity."account" a join identity."user" u on u.id = a."userId"
        where u."accountId" = $1 and a."providerId" = 'credential'`,
      [accountId],
    );
    return this.#passwords.verify({ hash: rows[0]?.password ?? this.#passwords.nobodysHash, password });
  }

  /**
   * Sets the password, and closes everything else that opened the account. `by`: the mailed link that is being used. `proved`: it was mailed
   * to nobody but the owner of the address.
   *
   * @throws ProblemError `link-dead` if the link was revoked meanwhile
   */
  async setPassword(accountId: string, password: string, { by, proved = true }: NewPassword = {}): Promise<void> {
    const hash = await this.#passwords.hash(password);
    await withAccountForUpdate(this.#pool, accountId, async (account) => {
      if (by !== undefined) await requireUnrevoked(account.client, by);
      await storePassword(account, hash, proved);
      await revokeAccess(account);
    });
  }

  /**
   * What somebody changes in a session with an unlocked profile, all or nothing. A new password closes everything else that opened the
   * account; a new address waits for its owner. If the session is shut out meanwhile, nothing is changed.
   *
   * @throws ProblemError `not-authenticated`, `locked` if the session, or its unlock, has ended by then
   */
  async changeOwn(accountId: string, session: string, { password, email }: OwnChanges): Promise<void> {
    const hash = password === undefined ? undefined : await this.#passwords.hash(password);
    const changed = await withAccountForUpdate(this.#pool, accountId, async (account) => {
      await requireUnlocked(account, session);
      if (hash !== undefined) {
        await storePassword(account, hash, false);
        await revokeAccess(account, { session });
      }
      // After that, because a new password voids an address that waits.
      if (email !== undefined) await askForAddress(account, email);
      return true;
    });
    if (!changed) throw notSignedIn();
  }

  /**
   * The owner of the address has opened the link `by`: it becomes the account's, if that was asked for, and everything else that opened
   * the account is closed, except the session `keep`. It is confirmed also if the account has it already. Returns whether another account
   * has lost it: see `takeFromUnproved`.
   *
   * @throws ProblemError `link-dead`
   * @throws EmailTaken
   */
  async confirmEmail(accountId: string, address: string, { by, keep }: { by: string; keep?: string | undefined }): Promise<boolean> {
    const lost = await withAccountForUpdate(this.#pool, accountId, async (account) => {
      const { client } = account;
      await requireUnrevoked(client, by);
      if (account.email !== address) {
        const { rowCount } = await client.query(
          `delete from identity.email_changes where account_id = $1 and email = $2 and old_email = $3`,
          [accountId, address, account.email],
        );
        if (rowCount === 0) throw linkDead();
      }
      const isLost = await this.#takeProved(account, address);
      if (account.email !== address) await revokeAccess(account, { session: keep, link: by });
      return isLost;
    });
    return lost ?? false;
  }

  /**
   * The owner of the address accepts an invitation by the link `by`: it becomes the account's. Returns whether another account has lost it.
   *
   * @throws ProblemError `link-dead`
   * @throws EmailTaken if the owner has proved it for another account
   */
  async acceptAddress(accountId: string, address: string, by: string): Promise<boolean> {
    const lost = await withAccountForUpdate(this.#pool, accountId, async (account) => {
      await requireUnrevoked(account.client, by);
      return this.#takeProved(account, address);
    });
    return lost ?? false;
  }

  async #takeProved({ client, userId, accountId }: AccountForUpdate, address: string): Promise<boolean> {
    const isLost = await takeFromUnproved(client, address, accountId);
    await client
      .query(`update identity."user" set email = $2, "invitedEmail" = null, "emailVerified" = true, "updatedAt" = now() where id = $1`, [
        userId,
        address,
      ])
      .catch(asTaken);
    return isLost;
  }

  /**
   * Gives the account an address that nobody has proved, unless `proved`; or an invited account another invitation. Links to the one before
   * are dead at once; `close` closes the rest as soon as the event is written. Returns the moment for that.
   *
   * @throws EmailTaken
   */
  async changeEmail(accountId: string, email: string, { proved = false } = {}): Promise<string> {
    const address = email.toLowerCase();
    const { rows } = await this.#pool
      .query<{ moment: string }>(
        `update identity."user" u set
            email = case when "invitedEmail" is null then $2 else email end,
            "invitedEmail" = case when "invitedEmail" is null then null else $2 end,
            "emailVerified" = "invitedEmail" is null and ($3 or ("emailVerified" and email = $2)), "updatedAt" = now()
          where "accountId" = $1 and not exists (
            select from identity."user" o where o.email = $2 and o."accountId" <> $1 and (u."invitedEmail" is null or o."schoolId" = u."schoolId"))
          returning clock_timestamp()::text as moment`,
        [accountId, address, proved],
      )
      .catch(asTaken);
    if (rows[0] === undefined) throw new EmailTaken();
    return rows[0].moment;
  }

  /** Gives the earlier address back, after a refusal. If somebody else has proved it meanwhile, it is lost. */
  async restoreEmail(accountId: string, email: string, { proved }: { proved: boolean }): Promise<void> {
    await this.changeEmail(accountId, email, { proved }).catch(async (error: unknown) => {
      if (!(error instanceof EmailTaken)) throw error;
      await this.takeAway(accountId);
    });
  }

  /** Leaves the account without an address. */
  async takeAway(accountId: string): Promise<void> {
    await this.#pool.query(`update identity."user" set email = ${NO_ADDRESS}, "emailVerified" = false where "accountId" = $1`, [accountId]);
  }

  /** `until`: see `revokeAccess` in account-for-update.ts. */
  async revokeAccess(accountId: string, until?: string): Promise<void> {
    await withAccountForUpdate(this.#pool, accountId, (account) => revokeAccess(account, {}, until));
  }

  async #find(where: string, value: string): Promise<Credential | undefined> {
    const { rows } = await this.#pool.query<Credential & { email: string }>(
      `select u."accountId", u."schoolId", u.email, u."invitedEmail", u."emailVerified" as proved, exists (
         select from identity."account" a where a."userId" = u.id and a."providerId" = 'credential') as "hasPassword"
         from identity."user" u where ${where}`,
      [value],
    );
    const [found] = rows;
    return found && { ...found, email: isAddress(found.email) ? found.email : undefined };
  }
}

type NewPassword = { readonly by?: string | undefined; readonly proved?: boolean };
type OwnChanges = { readonly password?: string | undefined; readonly email?: string | undefined };

const storePassword = async ({ client, userId }: AccountForUpdate, hash: string, proved: boolean): Promise<void> => {
  await client.query(
    `with u as (
       update identity."user" set "emailVerified" = "emailVerified" or $4, "updatedAt" = now() where id = $1
     ), changed as (
       update identity."account" set password = $2, "updatedAt" = now()
        where "providerId" = 'credential' and "userId" = $1 returning id
     )
     insert into identity."account" (id, "accountId", "providerId", "userId", password, "updatedAt")
     select $3, $1, 'credential', $1, $2, now() where not exists (select from changed)`,
    [userId, hash, randomUUID(), proved],
  );
};

/** Another account took the address at the same moment. */
const asTaken = (error: unknown): never => {
  throw error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? new EmailTaken() : error;
};
