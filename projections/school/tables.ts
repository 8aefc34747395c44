import { harmless, json, personal, table } from '../engine/tables/table.ts';

export const schools = table('schools', {
  key: {},
  columns: {
    name: harmless('text'),
    /** open to leaders, in their own subjects */
    structure_open: 'bool',
    /** students see rank, score and grade of complete tasks on their home */
    results_shown: 'bool',
    /** what its reports say; null: the usual words */
    report_words: harmless('json?'),
  },
});
const subject = { key: { subject_id: 'uuid' }, columns: { name: harmless('text') } } as const;
export const subjects = table('subjects', subject);
/** In separate tables, as all that is deleted but sets, so that queries need no filter. What a removed subject holds stays where it is. */
export const deletedSubjects = table('deleted_subjects', subject);
const yearGroup = {
  key: { year_group_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    year: 'int4',
    /** what it was called and since when, oldest first: figures of a day go by the year of that day */
    years: harmless(json<readonly { readonly year: number; readonly from: string }[]>()),
  },
  indexes: [['school_id', 'subject_id']],
} as const;
export const yearGroups = table('year_groups', yearGroup);
export const deletedYearGroups = table('deleted_year_groups', yearGroup);
export const sets = table('sets', {
  key: { set_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    year_group_id: 'uuid',
    /** where it was and since when, oldest first, the current one last */
    year_groups: harmless(json<readonly { readonly yearGroupId: string; readonly from: string }[]>()),
    name: harmless('text'),
    scheme_id: 'uuid',
    /** the set's assessments */
    test_ids: 'uuid[]',
    red: 'int4',
    amber: 'int4',
    green: 'int4',
    /** the day on which the set sat an assessment, by assessment, where somebody has said so */
    sat_on: harmless(json<Readonly<Record<string, string>>>()),
    /** kept, so that history can name it */
    deleted: 'bool',
  },
  indexes: [
    ['school_id', 'subject_id'],
    ['school_id', 'year_group_id'],
  ],
});
const teacher = {
  key: { teacher_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    /** null: forgotten */
    name: personal('text?', 'teacher_id'),
    /** current sets, or those at the time of removal; includes deleted sets */
    set_ids: 'uuid[]',
  },
  indexes: [['school_id', 'subject_id']],
} as const;
export const teachers = table('teachers', teacher);
export const deletedTeachers = table('deleted_teachers', teacher);
const scheme = {
  key: { scheme_id: 'uuid' },
  columns: { subject_id: 'uuid', name: harmless('text'), topics: harmless(json<readonly { topicId: string; name: string }[]>()) },
  indexes: [['school_id', 'subject_id']],
} as const;
export const schemes = table('schemes', scheme);
/** Mappings to their topics stay where they are. */
export const deletedSchemes = table('deleted_schemes', scheme);
const terminalExam = {
  key: { terminal_exam_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    name: harmless('text'),
    /** the school year in which students sit it */
    year_sat: 'int4',
  },
  indexes: [['school_id', 'subject_id']],
} as const;
export const terminalExams = table('terminal_exams', terminalExam);
export const deletedTerminalExams = table('deleted_terminal_exams', terminalExam);
