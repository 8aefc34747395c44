import { resource } from '../common/resource.ts';
import { rosterRecords } from './students.contract.ts';

/** The students of a subject, with their set, or Off-Roll (`setId` null). A deleted set is shown as Off-Roll. */
export const students = resource({
  record: rosterRecords.students,
  models: ['structure', 'roster'],
  from: `
    select md5(e.subject_id::text || e.student_id::text)::uuid as id, e.subject_id as "subjectId", e.student_id as "studentId",
      s.admission_no as "admissionNo", s.name, s.date_of_birth as "dateOfBirth", t.set_id as "setId", coalesce(t.name, 'Off-Roll') as set
    from enrolments e
    join students s using (school_id, student_id)
    left join sets t on t.school_id = $1 and t.set_id = e.set_id and not t.deleted
    where e.school_id = $1 and e.state <> 'removed'`,
  columns: {
    subjectId: 'uuid',
    studentId: 'uuid',
    setId: 'uuid',
    admissionNo: 'text',
    name: 'text',
    dateOfBirth: 'date',
    set: 'text',
  },
  search: ['admissionNo', 'name'],
  sort: 'name',
  subject: 'subjectId',
});
