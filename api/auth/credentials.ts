import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import pg from 'pg';
import { NOBODYS_HASH, hashPassword, verifyPassword } from './password-hash.ts';

const UNIQUE_VIOLATION = '23505';

/** An identity as the front door needs it. */
export type Credential = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly email: string;
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

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  byEmail(email: string): Promise<Credential | undefined> {
    return this.#find('u.email = $1', email.toLowerCase());
  }

  byAccount(accountId: string): Promise<Credential | undefined> {
    return this.#find('u."accountId" = $1', accountId);
  }

  /** Takes the same time if there is no such account or password. */
  async isPassword(accountId: string, password: string): Promise<boolean> {
    const { rows } = await this.#pool.query<{ password: string | null }>(
      `select a.password from identity."account" a join identity."user" u on u.id = a."userId"
        where u."accountId" = $1 and a."providerId" = 'credential'`,
      [accountId],
    );
    return verifyPassword({ hash: rows[0]?.password ?? NOBODYS_HASH, password });
  }

  /** Sets the password and ends every session except `except`. `proved`: the owner came by a mailed link, which proves the address. */
  async setPassword(accountId: string, password: string, { except = '', proved = true } = {}): Promise<void> {
    const hash = await hashPassword(password);
    await this.#pool.query(
      `with u as (
         update identity."user" set "emailVerified" = "emailVerified" or $5, "updatedAt" = now() where "accountId" = $1 returning id
       ), changed as (
         update identity."account" set password = $2, "updatedAt" = now()
          where "providerId" = 'credential' and "userId" in (select id from u) returning id
       ), made as (
         insert into identity."account" (id, "accountId", "providerId", "userId", password, "updatedAt")
         select $3, id, 'credential', id, $2, now() from u where not exists (select from changed)
       )
       delete from identity."session" where "userId" in (select id from u) and token <> $4`,
      [accountId, hash, randomUUID(), except, proved],
    );
  }

  /** `proved`: the owner has shown that the address is theirs. @throws EmailTaken */
  async changeEmail(accountId: string, email: string, { proved = true } = {}): Promise<void> {
    const address = email.toLowerCase();
    const { rowCount } = await this.#pool
      .query(
        `update identity."user" set email = $2, "emailVerified" = $3 or ("emailVerified" and email = $2), "updatedAt" = now()
          where "accountId" = $1 and not exists (select from identity."user" where email = $2 and "accountId" <> $1)`,
        [accountId, address, proved],
      )
      .catch((error: unknown) => {
        // Another account took it at the same moment.
        throw error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? new EmailTaken() : error;
      });
    if (rowCount === 0) throw new EmailTaken();
  }

  async #find(where: string, value: string): Promise<Credential | undefined> {
    const { rows } = await this.#pool.query<Credential>(
      `select u."accountId", u."schoolId", u.email, u."emailVerified" as proved, exists (
         select from identity."account" a where a."userId" = u.id and a."providerId" = 'credential') as "hasPassword"
         from identity."user" u where ${where}`,
      [value],
    );
    return rows[0];
  }
}
