import { inOrder } from '../common/in-order.ts';
import type { Actor } from '../actor.ts';
import type { StudentsToView } from './students.contract.ts';
import { subjectIsThere } from '../common/of-subject.ts';
import { defineQuery } from '../common/query.ts';
import { rosterQueries } from './students.contract.ts';

/**
 * The students as whom the user may view the pages: for admins those of the school, for leaders those of their subjects, for teachers those
 * of their sets. `find`: words, each of which must be in the student's name or in the name of a class.
 */
export const studentsToView = defineQuery({
  ...rosterQueries['students-to-view'],
  models: ['roster', 'structure', 'accounts'],
  async run(query, { find }, actor): Promise<StudentsToView> {
    const rows = await query<StudentsToView['students'][number] & { readonly count: number }>(
      `select "studentId", name, "admissionNo", sets, (count(*) over())::int as count from (
          select s.student_id as "studentId", s.name, s.admission_no as "admissionNo",
                 coalesce(array_agg(g.name order by ${inOrder('g.name')}) filter (where g.name is not null), '{}') as sets
            from students s
            join enrolments e on e.school_id = s.school_id and e.student_id = s.student_id and e.state <> 'removed'
            left join sets g on g.school_id = e.school_id and g.set_id = e.set_id
           where s.school_id = $1 and s.name is not null and ${mine(actor)} and ${subjectIsThere('e')}
           group by s.student_id, s.name, s.admission_no
        ) as found
        where not exists (
          select from unnest($3::text[]) as word where position(word in lower(name || ' ' || array_to_string(sets, ' '))) = 0
        )
        order by ${inOrder('name')}, "studentId" limit ${MOST}`,
      [actor.role === 'teacher' ? actor.setIds : actor.subjectIds, find.toLowerCase().split(/\s+/u).filter(Boolean)],
    );
    return { students: rows.map(({ count: _count, ...student }) => student), count: rows[0]?.count ?? 0 };
  },
});

/** As many as somebody would read in a list. */
const MOST = 50;

const mine = ({ role }: Actor): string =>
  role === 'admin' ? '$2::uuid[] is not null' : role === 'leader' ? 'e.subject_id = any($2::uuid[])' : 'e.set_id = any($2::uuid[])';
