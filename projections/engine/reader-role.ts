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

/**
 * Prepares the log-in with which queries connect, so that nothing sent over their connections can return to the owner's rights: creates it if
 * it is missing, and grants it the reader's role, which is all that it has. `renew`: gives it the password of the address in any case.
 *
 * @param client of the owner
 * @param url the connection string of the log-in
 * @throws ReaderRoleMissing with one line for the administrator
 */
export const ensureReaderLogIn = async (client: ClientBase, url: string, { renew = false } = {}): Promise<void> => {
  const { username, password } = new URL(url);
  const name = decodeURIComponent(username);
  const quoted = client.escapeIdentifier(name);
  const secret = client.escapeLiteral(decodeURIComponent(password));
  await ensureReaderRole(client);
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await client.query<{ dangerous: boolean; isReader: boolean }>(
        `select rolsuper or rolbypassrls or rolcreaterole or pg_has_role(oid, current_user, 'member') as dangerous,
                pg_has_role(oid, $2, 'member') as "isReader"
           from pg_roles where rolname = $1`,
        [name, READER_ROLE],
      );
      const [role] = rows;
      if (role?.dangerous)
        throw new ReaderRoleMissing(
          `The database role ${quoted} may do more than read: queries need one that is no superuser, may not bypass row-level security, may not create roles, and is not the owner.`,
        );
      if (!role) await client.query(`create role ${quoted} login password ${secret}`);
      else if (renew) await client.query(`alter role ${quoted} login password ${secret}`);
      if (!role?.isReader) await client.query(`grant ${READER_ROLE} to ${quoted}`);
      return;
    } catch (error) {
      if (codeOf(error) === INSUFFICIENT_PRIVILEGE)
        throw new ReaderRoleMissing(
          `The log-in of queries cannot be prepared. As administrator of the server run: create role ${quoted} login password '...'; grant ${READER_ROLE} to ${quoted};`,
        );
      if (!BY_ANOTHER.has(codeOf(error)) || attempt === 10) throw error;
    }
  }
};

const INSUFFICIENT_PRIVILEGE = '42501';
/** duplicate_object, unique_violation in pg_authid, "tuple concurrently updated" */
const BY_ANOTHER: ReadonlySet<string> = new Set(['42710', '23505', 'XX000']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
