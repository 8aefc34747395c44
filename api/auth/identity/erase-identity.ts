import type { Pool } from 'pg';
import { removeLetters } from '../../mail/delivery.ts';

export type EraseIdentity = (accountIds: readonly string[], emails: readonly string[]) => Promise<void>;

/**
 * Removes what is kept about these accounts and e-mail addresses outside log, keys and read models: addresses in links and registrations,
 * reported errors, waiting mails, mails in files. Repeatable.
 */
export const eraseIdentity =
  (pool: Pool, outboxDir: string): EraseIdentity =>
  async (accountIds, emails) => {
    const addresses = emails.map((email) => email.toLowerCase());
    await pool.query(
      `update mail.outbox set about = null, given_up_at = now()
        where about ->> 'accountId' = any($1) or lower(about ->> 'email') = any($2) or lower(about ->> 'oldEmail') = any($2)`,
      [accountIds, addresses],
    );
    await pool.query(`delete from support.errors where account_id = any($1::uuid[])`, [accountIds]);
    await pool.query(`delete from identity.links where subject = any($1) or lower(about) = any($2)`, [accountIds, addresses]);
    await pool.query(`delete from identity.email_changes where account_id = any($1::uuid[])`, [accountIds]);
    await pool.query(`delete from identity.registrations where lower(email) = any($1)`, [addresses]);
    await removeLetters(outboxDir, addresses);
  };
