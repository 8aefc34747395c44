import { inOrder } from '../common/in-order.ts';
import type { NamedStudent } from '../contract/names.ts';
import type { RunSql } from '../common/facts.ts';
import { theRow } from '../common/facts.ts';
import type { Thresholds } from './topics.formula.ts';

/** A class and who is in it now, by name: its figures are theirs, wherever they sat a test. */
export type ClassOf = {
  readonly setId: string;
  readonly name: string;
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemeId: string;
  readonly thresholds: Thresholds;
  readonly students: readonly (NamedStudent & { readonly studentId: string })[];
};

export const classOf = async (query: RunSql, setId: string): Promise<ClassOf> => theRow(await query<ClassOf>(CLASS, [setId]));

/** $1 school; $2 set. */
const CLASS = `
select s.set_id as "setId", s.name, s.subject_id as "subjectId", s.year_group_id as "yearGroupId", s.scheme_id as "schemeId",
  json_build_object('red', s.red, 'amber', s.amber, 'green', s.green) as thresholds,
  (select coalesce(json_agg(json_build_object('studentId', e.student_id, 'name', p.name, 'admissionNo', p.admission_no)
                           order by ${inOrder('p.name')}, e.student_id), '[]')
     from enrolments e
     join students p on p.school_id = $1 and p.student_id = e.student_id
    where e.school_id = $1 and e.set_id = s.set_id) as students
from sets s
where s.school_id = $1 and s.set_id = $2`;
