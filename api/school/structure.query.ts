import { inOrder } from '../common/in-order.ts';
import { mayWriteSet } from '../actor.ts';
import type { Structure } from './school.contract.ts';
import { theRow } from '../common/facts.ts';
import { defineQuery } from '../common/query.ts';
import { structureQueries } from './school.contract.ts';

/** What a subject consists of: year groups with their sets, assessments, schemes of work, terminal exams and teachers. */
export const structure = defineQuery({
  ...structureQueries.structure,
  models: ['structure', 'roster', 'assessments'],
  async run(query, { subjectId }, actor): Promise<Structure> {
    const { name, ...read } = theRow(await query<Omit<Structure, 'subject'> & { name: string }>(STRUCTURE, [subjectId]));
    const yearGroups = read.yearGroups.map((yearGroup) => ({
      ...yearGroup,
      sets: yearGroup.sets.map((set) => ({ ...set, mayWrite: mayWriteSet(actor, { setId: set.setId, subjectId }) })),
    }));
    return { subject: { subjectId, name }, ...read, yearGroups };
  },
});

const STRUCTURE = `
select s.name,
  (select coalesce(json_agg(json_build_object('schemeId', w.scheme_id, 'name', w.name) order by ${inOrder('w.name')}), '[]')
     from schemes w where w.school_id = $1 and w.subject_id = s.subject_id) as schemes,
  (select coalesce(json_agg(json_build_object('yearGroupId', y.year_group_id, 'year', y.year, 'sets',
     (select coalesce(json_agg(json_build_object(
               'setId', t.set_id, 'name', t.name, 'testIds', t.test_ids, 'schemeId', t.scheme_id,
               'students', (select count(*) from enrolments e where e.school_id = $1 and e.set_id = t.set_id),
               'thresholds', json_build_object('red', t.red, 'amber', t.amber, 'green', t.green)) order by ${inOrder('t.name')}), '[]')
        from sets t where t.school_id = $1 and t.year_group_id = y.year_group_id and not t.deleted)) order by y.year), '[]')
     from year_groups y where y.school_id = $1 and y.subject_id = s.subject_id) as "yearGroups",
  (select coalesce(json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'max', t.max, 'visible', t.visible) order by ${inOrder('t.name')}), '[]')
     from tests t where t.school_id = $1 and t.subject_id = s.subject_id) as tests,
  (select coalesce(json_agg(json_build_object('terminalExamId', x.terminal_exam_id, 'name', x.name, 'yearSat', x.year_sat)
                            order by ${inOrder('x.name')}, x.terminal_exam_id), '[]')
     from terminal_exams x where x.school_id = $1 and x.subject_id = s.subject_id) as exams,
  (select coalesce(json_agg(json_build_object('teacherId', t.teacher_id, 'name', t.name, 'setIds', t.set_ids)
                            order by ${inOrder('t.name')}, t.teacher_id), '[]')
     from teachers t where t.school_id = $1 and t.subject_id = s.subject_id) as teachers
from subjects s
where s.school_id = $1 and s.subject_id = $2`;
