import { resource } from '../common/resource.ts';
import { assessmentRecords } from './assessments.contract.ts';

/** A subject's assessments. The query `assessment` has the contents of one. */
export const assessments = resource({
  record: assessmentRecords.assessments,
  models: ['structure', 'assessments'],
  from: `
    select t.test_id as id, t.subject_id as "subjectId", t.name, t.visible, t.max,
      (select count(*)::int4 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden) as questions
    from tests t where t.school_id = $1`,
  columns: { subjectId: 'uuid', name: 'text', visible: 'bool', max: 'int4', questions: 'int4' },
  search: ['name'],
  sort: 'name',
  subject: 'subjectId',
  edited: ['name'],
  create: { command: 'CreateAssessment', body: ({ subjectId, name }) => ({ subjectId, name }), id: 'testId' },
  update: { command: 'RenameAssessment', body: ({ name }, { id }) => ({ testId: id, name }) },
  remove: { command: 'DeleteAssessment', body: ({ id }) => ({ testId: id }) },
});
