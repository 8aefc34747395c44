import { subjectIsThere } from '../common/of-subject.ts';
import { resource } from '../common/resource.ts';
import { accountRecords } from './accounts.contract.ts';

/** Student accounts, each with its student and the student's subjects. */
export const studentUsers = resource({
  record: accountRecords.studentUsers,
  models: ['accounts', 'roster', 'structure'],
  written: ['accounts'],
  from: `
    select a.account_id as id, a.name, a.email, a.student_id as "studentId", st.name as student, st.admission_no as "admissionNo",
      a.opened_at as joined,
      (select string_agg(s.name, ', ' order by s.name) from enrolments e
         join subjects s on s.school_id = $1 and s.subject_id = e.subject_id
        where e.school_id = $1 and e.student_id = a.student_id and e.state <> 'removed') as subject,
      array(select e.subject_id from enrolments e
        where e.school_id = $1 and e.student_id = a.student_id and e.state <> 'removed' and ${subjectIsThere('e')}
        order by e.subject_id) as "subjectIds"
    from accounts a left join students st on st.school_id = $1 and st.student_id = a.student_id
    where a.school_id = $1 and a.role = 'student' and not a.closed`,
  columns: { name: 'text', email: 'text', student: 'text', subject: 'text', subjectIds: 'uuid[]', joined: 'timestamptz' },
  search: ['name', 'email', 'student', 'admissionNo'],
  sort: 'name',
  remove: { command: 'CloseStudentAccount', body: ({ id }) => ({ accountId: id }) },
});
