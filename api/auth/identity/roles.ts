import type { ClientBase, Pool } from 'pg';

/** The role of a staff account according to the log; undefined: the log is away, or knows no such account. */
type RoleOf = (schoolId: string, accountId: string) => Promise<string | undefined>;
type Account = { readonly accountId: string; readonly schoolId: string; readonly studentId: string | null };

/**
 * Roles as the log had them at the last log-in, beside the identities: one that is there takes precedence over a read model that may be behind.
 */
export class Roles {
  readonly #pool: Pool;
  readonly #roleOf: RoleOf;

  constructor(pool: Pool, roleOf: RoleOf = async () => undefined) {
    this.#pool = pool;
    this.#roleOf = roleOf;
  }

  /** The role of a staff account according to the log; undefined: a student, or the log is away. */
  inLog({ schoolId, accountId, studentId }: Account): Promise<string | undefined> {
    return studentId === null ? this.#roleOf(schoolId, accountId) : Promise.resolve(undefined);
  }

  /**
   * Copies the role from the log: a session that begins while the read model of accounts has stopped must not restore the rights that a
   * demotion took. If the log is away, the role stays as it is. Returns the account, if there is one.
   */
  async note(accountId: string): Promise<Account | undefined> {
    const { rows } = await this.#pool.query<Account>(
      `select "accountId", "schoolId", "studentId" from identity."user" where "accountId" = $1`,
      [accountId],
    );
    const [account] = rows;
    const role = account && (await this.inLog(account));
    if (role !== undefined) await this.write(this.#pool, accountId, role);
    return account;
  }

  /** Writes it beside what else is changed. */
  async write(client: Pick<ClientBase, 'query'>, accountId: string, role: string): Promise<void> {
    await client.query(`update identity."user" set "roleNow" = $2 where "accountId" = $1`, [accountId, role]);
  }

  /** Before a change of role: if this process dies on the way, the read model's role counts once it has seen the change. */
  async forget(schoolId: string, accountId: string): Promise<void> {
    await this.#pool.query(`update identity."user" set "roleNow" = null where "accountId" = $1 and "schoolId" = $2`, [accountId, schoolId]);
  }
}
