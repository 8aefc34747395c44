import type { FeedbackTaskNorms } from '../../events/tasks/ranking.ts';
import type { GradeKeys, GradeShares } from '../../events/tasks/grade-profile.ts';
import { harmless, json, personal, table } from '../engine/tables/table.ts';

export const gradeProfiles = table('grade_profiles', {
  key: { grade_profile_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    year_group_id: 'uuid',
    name: harmless('text'),
    grades: harmless(json<Readonly<GradeShares>>()),
    keys: harmless(json<Readonly<GradeKeys>>()),
    deleted: 'bool',
  },
  indexes: [['school_id', 'year_group_id']],
});

/** The last ranking of a task, and who made it. */
export type StoredRanking = {
  readonly rankingId: string;
  readonly by: string;
  readonly at: string;
  /** `client`: made elsewhere and sent; there are no norms */
  readonly formula: 'R3' | 'client';
  readonly terminalExamId: string | null;
  readonly norms: FeedbackTaskNorms;
};
/** The grades as they were allocated last. */
export type StoredGrades = {
  readonly gradesId: string;
  readonly by: string;
  readonly at: string;
  readonly gradeProfileId: string | null;
  readonly shares: Readonly<GradeShares>;
};

export const feedbackTasks = table('feedback_tasks', {
  key: { task_id: 'uuid' },
  columns: {
    subject_id: 'uuid',
    year_group_id: 'uuid',
    /** who gave it the name */
    named_by: 'uuid',
    name: personal('text?', 'named_by'),
    created_by: 'uuid',
    created_at: 'timestamptz',
    expiry: 'date',
    teacher_input: 'bool',
    deleted: 'bool',
    /** who deleted it last; null: nobody did, or it was restored */
    deleted_by: 'uuid?',
    /** null: not ranked */
    ranked_at: 'timestamptz?',
    /** in the log: which of two rankings is the later one */
    ranked_position: 'int8?',
    /** a StoredRanking; null: not ranked */
    ranking: harmless('json?'),
    /** StoredGrades; null: none are allocated */
    grades: harmless('json?'),
    /** who ended the task while totals were contested; null: it has not ended, or nothing was contested */
    contested_by: 'uuid?',
    contested_reason: personal('text?', 'contested_by'),
    /** how many totals were */
    contested_totals: 'int4?',
  },
  indexes: [
    ['school_id', 'year_group_id'],
    ['school_id', 'named_by'],
    ['school_id', 'contested_by'],
  ],
});

/** A class of a task. */
export const taskSets = table('task_sets', {
  key: { task_id: 'uuid', set_id: 'uuid' },
  columns: {
    /** the assessments that it sits for the task */
    test_ids: 'uuid[]',
    /** 2 to 6; null: below, and then it follows from the totals */
    status: 'int4?',
    /** when it came to this status; null of a class below 2: when it began to wait for the ranking */
    since: 'timestamptz',
    ranking_checked_by: 'uuid?',
    ranking_checked_role: harmless('text?'),
    ranking_checked_at: 'timestamptz?',
    grades_checked_by: 'uuid?',
    grades_checked_role: harmless('text?'),
    grades_checked_at: 'timestamptz?',
    /** The leader went on to the grades without the check of the ranking. */
    without_ranking_by: 'uuid?',
    without_ranking_reason: personal('text?', 'without_ranking_by'),
    /** The leader ended the task without the check of the grades. */
    without_grades_by: 'uuid?',
    without_grades_reason: personal('text?', 'without_grades_by'),
  },
  indexes: [
    ['school_id', 'set_id'],
    ['school_id', 'without_ranking_by'],
    ['school_id', 'without_grades_by'],
  ],
});

/** A student of the cohort that was ranked. */
export const taskStudents = table('task_students', {
  key: { task_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** of the moment of the ranking */
    set_id: 'uuid',
    /** as typed, and in points; null: none */
    prior_score: harmless('text?'),
    prior: 'float8?',
    /** in the order of the norms' tests; null: did not sit it */
    totals: harmless(json<readonly (number | null)[]>()),
    score: 'float8?',
    ranking: 'int4?',
    residual: 'int4?',
    grade: harmless('text?'),
    /** what the leader decided by hand; null: as it was computed */
    decided_score: 'float8?',
    decided_ranking: 'int4?',
    decided_grade: harmless('text?'),
    /** left out of the task */
    exempt: 'bool',
    decided_by: 'uuid?',
    decided_at: 'timestamptz?',
    teacher_rank: 'int4?',
    ranking_flag: 'bool',
    ranking_comment: personal('text?', 'student_id'),
    grade_flag: 'bool',
    grade_comment: personal('text?', 'student_id'),
  },
  indexes: [['school_id', 'student_id']],
});

/** What was sent of a ranking that was made elsewhere; it counts only where it was adopted, checked, graded or decided. */
export const taskRecorded = table('task_recorded', {
  key: { task_id: 'uuid', student_id: 'uuid' },
  columns: {
    /** of the moment when it was sent last */
    set_id: 'uuid',
    test_ids: 'uuid[]',
    ranking: 'int4?',
    score: 'float8?',
    grade: harmless('text?'),
    teacher_rank: 'int4?',
    flag: 'bool',
    comment: personal('text?', 'student_id'),
  },
  indexes: [['school_id', 'student_id']],
});
