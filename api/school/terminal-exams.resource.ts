import { resource } from '../common/resource.ts';
import { structureRecords } from './school.contract.ts';

/** The final examinations of a subject, by the school year in which students sit them. */
export const terminalExams = resource({
  record: structureRecords.terminalExams,
  models: ['structure'],
  from: `
    select terminal_exam_id as id, subject_id as "subjectId", name, year_sat as "yearSat"
    from terminal_exams where school_id = $1`,
  columns: { subjectId: 'uuid', name: 'text', yearSat: 'int4' },
  subject: 'subjectId',
  search: ['name'],
  sort: 'yearSat',
  create: {
    command: 'AddTerminalExam',
    body: ({ subjectId, name, yearSat }) => ({ subjectId, name, yearSat }),
    id: 'terminalExamId',
  },
  edited: ['name', 'yearSat'],
  update: {
    command: 'ChangeTerminalExam',
    body: ({ name, yearSat }, { id, subjectId }) => ({ subjectId, terminalExamId: id, name, yearSat }),
  },
  remove: { command: 'RemoveTerminalExam', body: ({ id, subjectId }) => ({ subjectId, terminalExamId: id }) },
});
