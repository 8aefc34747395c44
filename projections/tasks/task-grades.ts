import { unlessForgotten } from '../../events/aggregate.ts';
import type { StoredGrades } from './tables.ts';
import type { EventOf, TaskRows } from './task-rows.ts';
import { commentOf, movedTo, reasonsOf, UNCHECKED_GRADE } from './task-rows.ts';

export const graded = ({ data, metadata: { commandId, actor, at } }: EventOf<'GradesAssigned'>, task: TaskRows): void => {
  const { gradeProfileId, grades: shares, without, rows } = data;
  const grades: StoredGrades = { gradesId: commandId, by: actor.accountId, at, gradeProfileId, shares };
  task.change({ grades: JSON.stringify(grades) });
  const reasons = reasonsOf(without);
  task.changeSets(({ set_id, ranking_checked_at }) => ({
    status: 4,
    since: at,
    // When reopened grades are allocated again, no reason is asked for again: the one given before stays.
    ...(reasons.has(set_id) && { without_ranking_by: actor.accountId, without_ranking_reason: reasons.get(set_id) ?? null }),
    ...(ranking_checked_at !== null && { without_ranking_by: null, without_ranking_reason: null }),
  }));
  const given = new Map(rows.map(({ studentId, grade }) => [studentId, grade]));
  task.changeStudents(({ student_id }) => ({ grade: given.get(student_id) ?? null }));
};

export const reopened = ({ metadata: { at } }: EventOf<'GradesReopened'>, task: TaskRows): void => {
  task.change({ grades: null });
  task.changeSets(() => ({ status: 3, since: at, grades_checked_by: null, grades_checked_role: null, grades_checked_at: null }));
  task.changeStudents(() => ({ grade: null, decided_grade: null, ...UNCHECKED_GRADE }));
};

export const gradesChecked = ({ data: { setId, rows }, metadata: { actor, at } }: EventOf<'GradesChecked'>, task: TaskRows): void => {
  const byStudent = new Map(rows.map((row) => [row.studentId, row]));
  const checked = { grades_checked_by: actor.accountId, grades_checked_role: actor.role, grades_checked_at: at };
  task.changeSet(setId, (set) => ({ ...movedTo(set, 5, at), ...checked }));
  task.changeStudents(({ student_id }) => {
    const row = byStudent.get(student_id);
    return { grade_flag: row?.flag ?? false, grade_comment: commentOf(row) };
  }, setId);
};

export const decided = ({ data: { rows }, metadata: { actor, at } }: EventOf<'ResultsDecided'>, task: TaskRows): void => {
  const byStudent = new Map(rows.map((row) => [row.studentId, row]));
  task.changeStudents(({ student_id }) => {
    const row = byStudent.get(student_id);
    if (!row) return {};
    const { ranking, score, grade, exempt } = row;
    return {
      decided_ranking: ranking,
      decided_score: score,
      decided_grade: grade,
      exempt,
      decided_by: actor.accountId,
      decided_at: at,
    };
  });
};

export const completed = (
  { data: { contested, without }, metadata: { actor, at } }: EventOf<'FeedbackTaskCompleted'>,
  task: TaskRows,
): void => {
  if (contested)
    task.change({
      contested_by: actor.accountId,
      contested_reason: unlessForgotten(contested.about)?.reason ?? null,
      contested_totals: contested.totals.length,
    });
  const reasons = reasonsOf(without);
  task.changeSets(({ set_id }) => ({
    status: 6,
    since: at,
    without_grades_by: reasons.has(set_id) ? actor.accountId : null,
    without_grades_reason: reasons.get(set_id) ?? null,
  }));
};
