import type { Pool } from 'pg';
import { removeLetters } from '../../mail/delivery.ts';

export type Traces = {
  /** Removes what the front door and the mails keep about these accounts and e-mail addresses. Repeatable. */
  remove(accountIds: readonly string[], emails: readonly string[]): Promise<void>;
};

/**
 * What is kept about a person outside log, keys and read models: addresses in links and registrations, reported errors, waiting mails,
 * mails in files.
 */
export const traces = (pool: Pool, outboxDir: string): Traces => ({
  async remove(accountIds, emails) {
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
  },
});
