import type { ClientBase } from 'pg';

/** The role of all queries. It owns no tables, so row-level security applies to it. */
export const READER_ROLE = 'marktrail_reader';
/** The setting with the school whose rows the reader sees; without it, none. */
export const SCHOOL_SETTING = 'marktrail.school';

export class ReaderRoleMissing extends Error {
  override readonly name = 'ReaderRoleMissing';
}

/**
 * Creates the role if it is missing, and grants it to this user. Roles belong to the server, so several databases may do this at the same
 * time: after a conflict it is tried again.
 *
 * @throws ReaderRoleMissing with one line for the administrator, if this user may not create it
 */
export const ensureReaderRole = async (client: ClientBase): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin');
      await makeRole(client);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (error instanceof ReaderRoleMissing) throw error;
      const code = codeOf(error);
      if (code === INSUFFICIENT_PRIVILEGE) throw await missing(client);
      if (!BY_ANOTHER.has(code) || attempt === 10) throw error;
    }
  }
};

const makeRole = async (client: ClientBase): Promise<void> => {
  const {
    rows: [role],
  } = await client.query<{ dangerous: boolean }>('select rolsuper or rolbypassrls as dangerous from pg_roles where rolname = $1', [
    READER_ROLE,
  ]);
  if (!role) await client.query(`create role ${READER_ROLE} nologin`);
  if (role?.dangerous) {
    throw new ReaderRoleMissing(
      `The database role ${READER_ROLE} may bypass row-level security: alter role ${READER_ROLE} nosuperuser nobypassrls.`,
    );
  }
  if (!(await mayTakeIt(client))) {
    await client.query(`grant ${READER_ROLE} to current_user`);
    if (!(await mayTakeIt(client))) throw await missing(client);
  }
};

const mayTakeIt = async (client: ClientBase): Promise<boolean> => {
  await client.query('savepoint taking');
  try {
    await client.query(`set local role ${READER_ROLE}`);
    return true;
  } catch (error) {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    return false;
  } finally {
    await client.query('rollback to savepoint taking');
  }
};

const missing = async (client: ClientBase): Promise<ReaderRoleMissing> => {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name');
  const user = rows[0]?.name ?? 'our user';
  return new ReaderRoleMissing(
    `The database user ${user} may not create the role for queries. ` +
      `As administrator of the server run: create role ${READER_ROLE} nologin; grant ${READER_ROLE} to ${user};`,
  );
};

const INSUFFICIENT_PRIVILEGE = '42501';
/** duplicate_object, unique_violation in pg_authid, "tuple concurrently updated" */
const BY_ANOTHER: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
