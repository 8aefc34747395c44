import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import { inOrder } from '../common/in-order.ts';
import type { ReportWords } from '../school/report-words.contract.ts';
import type { Me, MySubject } from './accounts.contract.ts';
import type { RunSql } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { accountQueries } from './accounts.contract.ts';

/** Who is signed in, and their subjects: all subjects of the school for admins and auditors. */
export const me = defineQuery({
  ...accountQueries.me,
  models: ['structure', 'accounts', 'roster'],
  // Pages of students, whose subjects are those of the roster, have no live connection.
  live: { structure: () => 'subjects', roster: null },
  async run(query, _input, actor): Promise<Me> {
    const { accountId, name, email, schoolId, viewAs, studentId } = actor;
    const ofStudent = studentId === null ? [] : await query<MySubject>(SUBJECTS_OF_STUDENT, [studentId]);
    const all = readsWholeSchool(actor);
    const subjects = await query<MySubject>(
      `select subject_id as "subjectId", name from subjects
        where school_id = $1 and ($2 or subject_id = any($3::uuid[])) order by ${inOrder('name')}`,
      [all, actor.subjectIds],
    );
    const removed = await query<{ name: string }>(
      `select name from deleted_subjects where school_id = $1 and subject_id = any($2::uuid[]) order by ${inOrder('name')}`,
      [actor.subjectIds],
    );
    const [school] = await query<{ name: string; structureOpen: boolean; resultsShown: boolean; reports: ReportWords | null }>(
      `select name, structure_open as "structureOpen", results_shown as "resultsShown", report_words as reports
         from schools where school_id = $1`,
    );
    // `system` never signs in.
    const role = actor.role === 'system' ? 'admin' : actor.role;
    return {
      accountId,
      name,
      email,
      role,
      school: {
        schoolId,
        name: school?.name ?? '',
        structureOpen: school?.structureOpen ?? false,
        resultsShown: school?.resultsShown ?? false,
        ...(school?.reports && { reports: school.reports }),
      },
      subjects: actor.role === 'student' ? ofStudent : subjects,
      ...(removed.length > 0 && { removedSubjects: removed.map(({ name: gone }) => gone) }),
      ...(viewAs && { viewAs: { role: viewAs.role, ...(viewAs.id !== undefined && (await viewed(query, viewAs, ofStudent))) } }),
    };
  },
});

const viewed = async (query: RunSql, { role, id = '' }: NonNullable<Actor['viewAs']>, ofStudent: readonly MySubject[]) =>
  role === 'teacher' ? viewedTeacher(query, id) : viewedStudent(query, id, ofStudent);

const viewedTeacher = async (query: RunSql, teacherId: string) => {
  const [teacher] = await query<{ name: string | null; subjectId: string; subject: string; setIds: string[] }>(
    `select t.name, t.subject_id as "subjectId", s.name as subject,
            array(select g.set_id from sets g where g.school_id = $1 and g.set_id = any(t.set_ids) and not g.deleted order by ${inOrder('g.name')}) as "setIds"
       from teachers t join subjects s using (school_id, subject_id)
      where t.school_id = $1 and t.teacher_id = $2`,
    [teacherId],
  );
  return {
    teacherId,
    name: teacher?.name ?? '',
    subjects: teacher ? [{ subjectId: teacher.subjectId, name: teacher.subject }] : [],
    setIds: teacher?.setIds ?? [],
  };
};

const viewedStudent = async (query: RunSql, studentId: string, subjects: readonly MySubject[]) => {
  const [student] = await query<{ name: string | null }>(`select name from students where school_id = $1 and student_id = $2`, [studentId]);
  return { studentId, name: student?.name ?? '', subjects };
};

const SUBJECTS_OF_STUDENT = `
  select s.subject_id as "subjectId", s.name, g.name as set
    from enrolments e
    join subjects s on s.school_id = e.school_id and s.subject_id = e.subject_id
    left join sets g on g.school_id = e.school_id and g.set_id = e.set_id
   where e.school_id = $1 and e.student_id = $2 and e.state <> 'removed' order by ${inOrder('s.name')}`;
