import { resource } from '../common/resource.ts';
import { rosterRecords } from './students.contract.ts';

/** Who was removed from a subject, by whom and when, with the set to which they come back. Forgotten people are left out. */
export const removedStudents = resource({
  record: rosterRecords.removedStudents,
  models: ['structure', 'roster', 'accounts', 'record'],
  live: { accounts: null, record: null },
  from: `
    select md5(e.subject_id::text || e.student_id::text)::uuid as id, e.subject_id as "subjectId", e.student_id as "studentId",
      s.admission_no as "admissionNo", s.name, coalesce(t.name, 'Off-Roll') as set,
      m.at as "removedAt",
      (select a.name from record r join accounts a on a.school_id = $1 and a.account_id = r.account_id
        where r.school_id = $1 and r.at = m.at and r.subject_id = e.subject_id and e.student_id = any(r.things)
        order by r.position desc limit 1) as "removedBy"
    from enrolments e
    cross join lateral (select (e.memberships->-1->>'from')::timestamptz as at, (e.memberships->-2->>'setId')::uuid as set_id) m
    join students s on s.school_id = $1 and s.student_id = e.student_id and s.name is not null
    left join sets t on t.school_id = $1 and t.set_id = m.set_id and not t.deleted
    where e.school_id = $1 and e.state = 'removed'`,
  columns: { subjectId: 'uuid', admissionNo: 'text', name: 'text', set: 'text', removedAt: 'timestamptz' },
  search: ['admissionNo', 'name'],
  sort: 'name',
  subject: 'subjectId',
});
