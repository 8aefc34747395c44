import { resource } from '../common/resource.ts';
import { structureRecords } from './school.contract.ts';

/** Deleted things of a subject that can be restored; a removed subject is listed under itself. Forgotten people are left out. */
export const deleted = resource({
  record: structureRecords.deleted,
  models: ['structure', 'assessments'],
  from: `
    select set_id as id, subject_id as "subjectId", 'set' as kind, name from sets where school_id = $1 and deleted
    union all
    select year_group_id, subject_id, 'yearGroup', 'Year ' || year from deleted_year_groups where school_id = $1
    union all
    select teacher_id, subject_id, 'teacher', name from deleted_teachers where school_id = $1 and name is not null
    union all
    select scheme_id, subject_id, 'scheme', name from deleted_schemes where school_id = $1
    union all
    select test_id, subject_id, 'assessment', name from deleted_tests where school_id = $1
    union all
    select terminal_exam_id, subject_id, 'terminalExam', name || ', year ' || year_sat from deleted_terminal_exams where school_id = $1
    union all
    select subject_id, subject_id, 'subject', name from deleted_subjects where school_id = $1`,
  columns: { subjectId: 'uuid', kind: 'text', name: 'text' },
  search: ['name'],
  sort: 'name',
  subject: 'subjectId',
});
