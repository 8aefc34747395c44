import type { Pool } from 'pg';

/** An account with its school. `name` is null if the person was forgotten. */
export type NamedAccount = {
  readonly accountId: string;
  readonly schoolId: string;
  readonly school: string;
  readonly role: 'admin' | 'leader' | 'teacher' | 'student' | 'auditor';
  readonly name: string | null;
  readonly activated: boolean;
  readonly invitations: number;
  readonly studentId: string | null;
};

/** Undefined: no such account, or it is closed. Reads across schools, because nobody is signed in yet. */
export const findNamedAccount = async (pool: Pool, accountId: string): Promise<NamedAccount | undefined> => {
  const { rows } = await pool.query<NamedAccount>(
    `select a.account_id as "accountId", a.school_id as "schoolId", coalesce(s.name, '') as school, a.role, a.name, a.activated, a.invitations,
            a.student_id as "studentId"
       from read.accounts a left join read.schools s on s.school_id = a.school_id
      where a.account_id = $1 and not a.closed`,
    [accountId],
  );
  return rows[0];
};
