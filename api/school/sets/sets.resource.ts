import { resource } from '../../common/resource.ts';
import { setsRecords } from './sets.contract.ts';

/** Sets with their year, scheme of work, assessments (the names as one text) and thresholds. */
export const sets = resource({
  record: setsRecords.sets,
  models: ['structure', 'roster', 'assessments'],
  from: `
    select t.set_id as id, t.subject_id as "subjectId", t.year_group_id as "yearGroupId", t.name, t.scheme_id as "schemeId",
      array(select a.test_id from unnest(t.test_ids) with ordinality as chosen (test_id, place)
              join tests a on a.school_id = $1 and a.test_id = chosen.test_id order by place) as "testIds",
      json_build_object('red', t.red, 'amber', t.amber, 'green', t.green) as thresholds,
      (select count(*)::int4 from enrolments e where e.school_id = $1 and e.set_id = t.set_id) as students,
      y.year, w.name as scheme,
      (select string_agg(a.name, '; ' order by a.name) from tests a where a.school_id = $1 and a.test_id = any(t.test_ids)) as assessments
    from sets t
    left join year_groups y on y.school_id = $1 and y.year_group_id = t.year_group_id
    left join schemes w on w.school_id = $1 and w.scheme_id = t.scheme_id
    where t.school_id = $1 and not t.deleted`,
  columns: { subjectId: 'uuid', yearGroupId: 'uuid', schemeId: 'uuid', name: 'text', year: 'int4', scheme: 'text', students: 'int4' },
  search: ['name'],
  sort: 'name',
  subject: 'subjectId',
  edited: ['name', 'schemeId', 'testIds', 'thresholds'],
  create: {
    command: 'AddSet',
    body: ({ subjectId, yearGroupId, name, schemeId }) => ({ subjectId, yearGroupId, name, schemeId }),
    id: 'setId',
  },
  update: {
    command: 'ChangeSet',
    body: ({ name, schemeId, testIds, thresholds }, { id, subjectId }) => ({ subjectId, setId: id, name, schemeId, testIds, thresholds }),
  },
  remove: { command: 'DeleteSet', body: ({ id, subjectId }) => ({ subjectId, setId: id }) },
});
