import type { Actor } from '../../actor.ts';

/**
 * The current accounts of sessions, as a query that can run alone or as part of another: its SQL, given the placeholders of school and
 * sessions, and the conversion of its rows to an actor for each session; undefined: none.
 */
export const sessionQuery = {
  sql: (school: string, sessions: string): string => actorsOf(school, sessions),
  actors(rows: readonly unknown[], sessions: readonly string[]): (Actor | undefined)[] {
    const actors = new Map((rows as readonly ActorRow[]).map((row) => [row.token, actorOf(row)]));
    return sessions.map((session) => actors.get(session));
  },
};

type ActorRow = Omit<Actor, 'name' | 'email' | 'subjectIds' | 'setIds'> & {
  readonly token: string;
  readonly name: string | null;
  readonly email: string | null;
  /** the teacher records of the account */
  readonly works: readonly { readonly subjectId: string; readonly setIds: readonly string[] }[];
};

const actorOf = ({ token: _, works, name, email, ...row }: ActorRow): Actor => ({
  ...row,
  name: name ?? '',
  email: email ?? '',
  subjectIds: [...new Set(works.map(({ subjectId }) => subjectId))],
  setIds: [...new Set(works.flatMap(({ setIds }) => setIds))],
});

/**
 * Session, account and rights in one query: a demotion takes effect with the next request. A removed teacher record gives no rights.
 * `school`: the school of the reading role; null for the owner.
 */
const actorsOf = (school: string, sessions: string): string => `
select s.token, a.account_id as "accountId", a.school_id as "schoolId", coalesce(s.role, a.role) as role, a.name, a.email, a.student_id as "studentId",
  coalesce(s.role, a.role) = 'leader'
    and exists (select from read.schools o where o.school_id = a.school_id and o.structure_open) as configures,
  (select coalesce(json_agg(json_build_object('subjectId', r.subject_id, 'setIds', r.set_ids)), '[]')
     from json_array_elements(a.teachers) t
     join read.teachers r on r.school_id = a.school_id and r.teacher_id = (t ->> 'teacherId')::uuid
    where not r.removed) as works
from identity.signed_in(${sessions}) s
join read.accounts a on a.school_id = s.school_id and a.account_id = s.account_id
where a.school_id = coalesce(${school}, a.school_id) and not a.closed`;
