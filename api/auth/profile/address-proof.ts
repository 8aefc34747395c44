import type { ClientBase, Pool } from 'pg';
import { systemActor } from '../../actor.ts';
import type { CommandPipeline } from '../../commands.ts';

/** In the place of an address that an account does not have: nobody can guess it, nothing is mailed to it, and no log-in matches it. */
export const NO_ADDRESS = 'gen_random_uuid()::text';
export const isAddress = (email: string): boolean => email.includes('@');

/**
 * Proof beats claim: whoever has an address without having shown by a mailed link that it is theirs loses it to somebody who has. The
 * account stays, with its sessions, and can get another address; links and pending changes that depend on the lost one are dead with it.
 *
 * Returns whether somebody lost it: then `LostAddresses.note` is due once this is committed.
 */
export const takeFromUnproved = async (client: ClientBase, address: string, accountId: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    `update identity."user" set email = ${NO_ADDRESS}, "updatedAt" = now()
      where email = $1 and "accountId" <> $2 and not "emailVerified"`,
    [address, accountId],
  );
  return rowCount !== 0;
};

type LostAddressesOptions = {
  readonly pool: Pool;
  readonly pipeline: Pick<CommandPipeline, 'execute'>;
  /** Fulfilled when the read model of accounts has reached the position. */
  readonly reached: (position: bigint) => Promise<void>;
};

/** Accounts that have lost their address, while the log does not say so yet. */
export class LostAddresses {
  readonly #options: LostAddressesOptions;

  constructor(options: LostAddressesOptions) {
    this.#options = options;
  }

  /**
   * Appends what is missing in the log: after each loss, and from time to time, for processes that died in between. An account that has been
   * given another address in the meantime keeps it. Repeatable.
   */
  async note(): Promise<void> {
    const { pool, pipeline, reached } = this.#options;
    const { rows } = await pool.query<{ accountId: string; schoolId: string; isStudent: boolean; email: string }>(
      `select u."accountId", u."schoolId", u."studentId" is not null as "isStudent", a.email
         from identity."user" u join read.accounts a on a.account_id = u."accountId"::uuid
        where position('@' in u.email) = 0 and u."invitedEmail" is null and a.email is not null and not a.closed`,
    );
    for (const { accountId, schoolId, isStudent, email } of rows) {
      const name = isStudent ? 'LoseStudentAddress' : 'LoseStaffAddress';
      const { position } = await pipeline.execute(name, { actor: systemActor(schoolId), body: { accountId, email } });
      if (position !== null) await reached(BigInt(position));
    }
  }
}
