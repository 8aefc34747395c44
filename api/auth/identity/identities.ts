import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Passwords } from '../password/password-hash.ts';
import { inTransaction } from '../profile/account-for-update.ts';
import { NO_ADDRESS, takeFromUnproved } from '../profile/address-proof.ts';
import { EmailTaken } from './credentials.ts';

export type NewIdentity = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly email: string;
  /** The address is the owner's only once the invitation is accepted. */
  readonly invited?: boolean;
  /** Left out: the owner sets one when opening the invitation. */
  readonly password?: string | undefined;
  /** The student of the account: a student has one account. */
  readonly studentId?: string | undefined;
  /** The owner has shown by a mailed link that the address is theirs, and takes it from an account that has not. */
  readonly proved: boolean;
};

/** The student already has an account. */
export class StudentTaken extends Error {
  override readonly name = 'StudentTaken';
  /** The school of the account that the student has. */
  readonly schoolId: string | undefined;
  constructor(schoolId: string | undefined) {
    super();
    this.schoolId = schoolId;
  }
}

/** Who can log in: identities, which are made before their accounts and removed with them. */
export class Identities {
  readonly #pool: Pool;
  readonly #passwords: Passwords;

  constructor(pool: Pool, passwords: Passwords) {
    this.#pool = pool;
    this.#passwords = passwords;
  }

  /**
   * Makes the identity of an account, before the account's event, so that no e-mail address and no student gets two. Without a password
   * nobody can log in until the owner has set one. Repeatable: returns whether it was made now, and whether another account has lost the
   * address.
   *
   * @throws EmailTaken, StudentTaken
   */
  async open(opened: NewIdentity): Promise<{ readonly isNew: boolean; readonly isLost: boolean }> {
    const hash = opened.password === undefined ? undefined : await this.#passwords.hash(opened.password);
    return inTransaction(this.#pool, async (client) => {
      const { userId, isNew, isLost } = await insertIdentity(client, opened);
      if (hash !== undefined) await client.query(firstPassword, [randomUUID(), userId, hash]);
      return { isNew, isLost };
    });
  }

  /** Removes the identity of an account that was refused or closed, with its sessions. */
  async remove(accountId: string): Promise<void> {
    await this.#pool.query(`delete from identity."user" where "accountId" = $1`, [accountId]);
  }

  /** Removes those whose account was never opened, or was closed, and a process died in between. */
  async sweep(): Promise<void> {
    await this.#pool.query(
      `delete from identity."user" u where u."createdAt" < now() - interval '10 minutes'
         and not exists (select from read.accounts a where a.account_id = u."accountId"::uuid and not a.closed)`,
    );
  }
}

const firstPassword = `
insert into identity."account" (id, "accountId", "providerId", "userId", password, "updatedAt")
select $1, $2, 'credential', $2, $3, now()
 where not exists (select from identity."account" where "userId" = $2 and "providerId" = 'credential')`;

/**
 * An invitation is refused only for an address of the same school: whether another school has it, nobody learns.
 *
 * @throws EmailTaken, StudentTaken
 */
const insertIdentity = async (
  client: ClientBase,
  { accountId, schoolId, email: typed, invited = false, studentId, proved }: NewIdentity,
): Promise<{ userId: string; isNew: boolean; isLost: boolean }> => {
  const email = typed.toLowerCase();
  const isLost = proved && (await takeFromUnproved(client, email, accountId));
  const { rowCount } = await client.query(
    `insert into identity."user" (id, name, email, "invitedEmail", "emailVerified", "accountId", "schoolId", "studentId")
       select $1, '', case when $7 then ${NO_ADDRESS} else $2 end, case when $7 then $2 end, $3, $4, $5, $6
        where not ($7 and exists (select from identity."user" where email = $2 and "schoolId" = $5 and "accountId" <> $4))
     on conflict do nothing`,
    [randomUUID(), email, proved, accountId, schoolId, studentId ?? null, invited],
  );
  const { rows } = await client.query<{ id: string; accountId: string; schoolId: string; email: string }>(
    `select id, "accountId", "schoolId", email from identity."user" where "accountId" = $1 or email = $2 or "studentId" = $3`,
    [accountId, email, studentId ?? null],
  );
  const mine = rows.find((one) => one.accountId === accountId);
  if (mine) return { userId: mine.id, isNew: rowCount === 1, isLost };
  throw rows.some((one) => one.email === email) ? new EmailTaken() : new StudentTaken(rows[0]?.schoolId);
};
