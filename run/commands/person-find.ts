import { normalised } from '../../events/codec/tags.ts';
import type { Backend } from '../backend.ts';
import { StartError } from '../start-error.ts';
import { withClient } from '../with-client.ts';

/** A student with all their accounts, or a staff account. */
export type Person =
  | { readonly kind: 'student'; readonly studentId: string; readonly accountIds: readonly string[] }
  | { readonly kind: 'staff'; readonly accountId: string; readonly teacherIds: readonly string[] };

/** By its id or its name. @throws StartError */
export const findSchool = async (databaseUrl: string, school: string): Promise<string> => {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ schoolId: string; name: string }>(`select school_id as "schoolId", name from read.schools`),
  );
  const found = rows.filter(({ schoolId, name }) => schoolId === school.toLowerCase() || name === school);
  if (found.length === 1 && found[0]) return found[0].schoolId;
  if (found.length > 1)
    throw new StartError(`There are ${found.length} schools of this name: ${found.map(({ schoolId }) => schoolId).join(', ')}.`);
  throw new StartError(`There is no school "${school}". There are: ${rows.map(({ name }) => name).join(', ') || 'none'}.`);
};

/** By StudentID, e-mail address, or the id of the student or account. A student's account counts as the student. @throws StartError */
export const findPerson = async ({ readAs, progress, store }: Backend, schoolId: string, who: string): Promise<Person> => {
  await progress.waitFor(['roster', 'accounts'], await store.head(), 10_000);
  const { students, accounts } = await readAs(schoolId, async (query) => ({
    students: await query<{ studentId: string }>(
      `select student_id as "studentId" from read.students where school_id = $1 and (student_id::text = lower($2) or admission_key = $3)`,
      [who, normalised(who)],
    ),
    accounts: await query<{ accountId: string; studentId: string | null; teachers: readonly { teacherId: string }[] }>(
      `select account_id as "accountId", student_id as "studentId", teachers from read.accounts
        where school_id = $1 and (account_id::text = lower($2) or lower(email) = lower($2))`,
      [who],
    ),
  }));
  const staff = accounts.filter(({ studentId }) => studentId === null);
  const studentIds = [...new Set([...students.map(({ studentId }) => studentId), ...accounts.flatMap(({ studentId }) => studentId ?? [])])];
  if (staff.length + studentIds.length > 1) throw new StartError(`"${who}" is more than one person here: use the id.`);
  const [account] = staff;
  if (account) return { kind: 'staff', accountId: account.accountId, teacherIds: account.teachers.map(({ teacherId }) => teacherId) };
  const [studentId] = studentIds;
  if (studentId === undefined) throw new StartError(`There is nobody "${who}" in this school.`);
  const accountsOfStudent = await readAs(schoolId, (query) =>
    query<{ accountId: string }>(`select account_id as "accountId" from read.accounts where school_id = $1 and student_id = $2`, [
      studentId,
    ]),
  );
  return { kind: 'student', studentId, accountIds: accountsOfStudent.map(({ accountId }) => accountId) };
};
