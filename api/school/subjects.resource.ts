import { resource } from '../common/resource.ts';
import { structureRecords } from './school.contract.ts';

/** The school's subjects with their contents: what would be removed with one, and what a new one needs before its first marks. */
export const subjects = resource({
  record: structureRecords.subjects,
  models: ['structure', 'roster', 'assessments', 'results', 'accounts'],
  // It only shows how many marks there are, and whoever removes a subject is told the number again.
  live: { results: null },
  from: `
    select s.subject_id as id, s.name,
      (select count(*)::int4 from year_groups y where y.school_id = $1 and y.subject_id = s.subject_id) as "yearGroups",
      (select count(*)::int4 from sets t where t.school_id = $1 and t.subject_id = s.subject_id and not t.deleted) as sets,
      (select count(*)::int4 from teachers t where t.school_id = $1 and t.subject_id = s.subject_id) as teachers,
      (select count(*)::int4 from schemes w where w.school_id = $1 and w.subject_id = s.subject_id) as schemes,
      (select count(*)::int4 from tests t where t.school_id = $1 and t.subject_id = s.subject_id) as assessments,
      (select count(*)::int4 from enrolments e where e.school_id = $1 and e.subject_id = s.subject_id and e.state = 'set') as students,
      (select count(*)::int4 from enrolments e where e.school_id = $1 and e.subject_id = s.subject_id and e.state = 'off-roll') as "offRoll",
      exists (select from schemes w where w.school_id = $1 and w.subject_id = s.subject_id and json_array_length(w.topics) > 0) as "schemesWithTopics",
      exists (select from tests t where t.school_id = $1 and t.subject_id = s.subject_id and t.max is not null) as "assessmentsWithQuestions",
      exists (select from sets t join tests a on a.school_id = t.school_id and a.test_id = any (t.test_ids)
               where t.school_id = $1 and t.subject_id = s.subject_id and not t.deleted and a.max is not null) as "setsWithAssessments",
      exists (select from teachers t join sets c on c.school_id = t.school_id and c.set_id = any (t.set_ids)
               where t.school_id = $1 and t.subject_id = s.subject_id and not c.deleted) as "teachersWithClasses",
      exists (select from accounts a, json_array_elements(a.teachers) l
               where a.school_id = $1 and not a.closed and (l ->> 'subjectId')::uuid = s.subject_id) as "teachersInvited",
      exists (select from join_codes j where j.school_id = $1 and j.subject_id = s.subject_id and j.code_tag is not null) as "hasJoinCode",
      (select coalesce(sum(m.effective_count), 0) + count(m.total) from tests t join markbook m using (school_id, test_id)
        where t.school_id = $1 and t.subject_id = s.subject_id)::int4 as marks
    from subjects s where s.school_id = $1`,
  columns: { name: 'text' },
  search: ['name'],
  sort: 'name',
  edited: ['name'],
  create: { command: 'AddSubject', body: ({ name }) => ({ name }), id: 'subjectId' },
  update: { command: 'RenameSubject', body: ({ name }, { id }) => ({ subjectId: id, name }) },
  remove: { command: 'RemoveSubject', body: ({ id }) => ({ subjectId: id }) },
});
