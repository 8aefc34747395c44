import { resource } from '../common/resource.ts';
import { structureRecords } from './school.contract.ts';

/** Year groups, with their numbers of sets and students. Off-Roll is not a year group. */
export const yearGroups = resource({
  record: structureRecords.yearGroups,
  models: ['structure', 'roster'],
  from: `
    select y.year_group_id as id, y.subject_id as "subjectId", y.year,
      (select count(*)::int4 from sets t where t.school_id = $1 and t.year_group_id = y.year_group_id and not t.deleted) as sets,
      (select count(*)::int4 from sets t join enrolments e using (school_id, set_id)
        where t.school_id = $1 and t.year_group_id = y.year_group_id and not t.deleted) as students
    from year_groups y where y.school_id = $1`,
  columns: { subjectId: 'uuid', year: 'int4' },
  sort: 'year',
  subject: 'subjectId',
  edited: ['year'],
  create: { command: 'AddYearGroup', body: ({ subjectId, year }) => ({ subjectId, year }), id: 'yearGroupId' },
  update: { command: 'RenameYearGroup', body: ({ year }, { id, subjectId }) => ({ subjectId, yearGroupId: id, year }) },
  remove: { command: 'DeleteYearGroup', body: ({ id, subjectId }) => ({ subjectId, yearGroupId: id }) },
});
