import { inOrder } from '../common/in-order.ts';
import { naturalOrder } from '../contract/order.ts';
import type { Actor } from '../actor.ts';
import type { StudentsToView } from './students.contract.ts';
import { subjectIsThere } from '../common/of-subject.ts';
import { plainText } from '../common/plain-text.ts';
import { defineQuery } from '../common/query.ts';
import { rosterQueries } from './students.contract.ts';

/**
 * The students whom the user may find, and view the pages as: for admins those of the school, for leaders those of their subjects, for
 * teachers those of their sets. `find`: words, each of which must be in the student's name, the StudentID or the name of a class.
 */
export const studentsToView = defineQuery({
  ...rosterQueries['students-to-view'],
  models: ['roster', 'structure', 'accounts'],
  async run(query, { find }, actor): Promise<StudentsToView> {
    const rows = await query<StudentsToView['students'][number] & { readonly count: number }>(
      `select "studentId", name, "admissionNo", places, (count(*) over())::int as count
        from (select ${plainText('$3::text')} as asked) as question, (
          select s.student_id as "studentId", s.name, s.admission_no as "admissionNo",
                 ${plainText('s.name')} as "plainName", ${plainText('s.admission_no')} as "plainId",
                 ${plainText("coalesce(string_agg(g.name, ' '), '')")} as classes,
                 json_agg(json_build_object('subjectId', e.subject_id, 'setId', g.set_id, 'set', g.name, 'year', y.year)) as places
            from students s
            join enrolments e on e.school_id = s.school_id and e.student_id = s.student_id and e.state <> 'removed'
            left join sets g on g.school_id = e.school_id and g.set_id = e.set_id and not g.deleted
            left join year_groups y on y.school_id = g.school_id and y.year_group_id = g.year_group_id
           where s.school_id = $1 and s.name is not null and ${mine(actor)} and ${subjectIsThere('e')}
           group by s.student_id, s.name, s.admission_no
        ) as found
        where not exists (
          select from unnest(string_to_array(asked, ' ')) as word
           where position(word in concat_ws(' ', "plainName", "plainId", classes)) = 0
        )
        order by case when "plainId" = asked then 0 when starts_with("plainId", asked) or position(' ' || asked in ' ' || "plainName") > 0 then 1 else 2 end,
                 ${inOrder('name')}, "studentId" limit ${MOST}`,
      [actor.role === 'teacher' ? actor.setIds : actor.subjectIds, find.split(/\s+/u).filter(Boolean).join(' ')],
    );
    const students = rows.map(({ count: _count, places, ...student }) => ({ ...student, places: places.toSorted(byClass) }));
    return { students, count: rows[0]?.count ?? 0 };
  },
});

type Place = StudentsToView['students'][number]['places'][number];
const byClass = (a: Place, b: Place): number => naturalOrder(a.set ?? '', b.set ?? '');

/** As many as somebody would read in a list. */
const MOST = 50;

const mine = ({ role }: Actor): string =>
  role === 'admin' ? '$2::uuid[] is not null' : role === 'leader' ? 'e.subject_id = any($2::uuid[])' : 'e.set_id = any($2::uuid[])';
