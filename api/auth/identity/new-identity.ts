import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
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

/**
 * An invitation is refused only for an address of the same school: whether another school has it, nobody learns.
 *
 * @throws EmailTaken, StudentTaken
 */
export const insertIdentity = async (
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
  const own = rows.find((one) => one.accountId === accountId);
  if (own) return { userId: own.id, isNew: rowCount === 1, isLost };
  throw rows.some((one) => one.email === email) ? new EmailTaken() : new StudentTaken(rows[0]?.schoolId);
};
