import { unlessForgotten } from '../../events/aggregate.ts';
import type { Row } from '../engine/tables/table.ts';
import type { StoredRanking, taskRecorded } from './tables.ts';
import type { EventOf, TaskRows } from './task-rows.ts';
import { commentOf, keyOf, movedTo, UNCHECKED, UNCHECKED_GRADE } from './task-rows.ts';

export const UNRANKED = { ranked_at: null, ranked_position: null, ranking: null, grades: null } as const;
const UNDECIDED = { decided_score: null, decided_ranking: null, decided_grade: null, decided_by: null, decided_at: null } as const;
/** Of a ranking that was made elsewhere only ranks and scores are known. */
const WITHOUT_NORMS = { prior_score: null, prior: null, totals: [], residual: null } as const;
const NO_NORMS = { prior: { n: 0, mean: null, sd: null }, tests: [] };
const UNCHECKED_RANK = { teacher_rank: null, ranking_flag: false, ranking_comment: null } as const;

export const ranked = (event: EventOf<'TaskRanked'>, task: TaskRows): void => {
  const { accountId } = event.metadata.actor;
  const { at } = event.metadata;
  const { formula, terminalExamId, norms } = event.data;
  const kept = new Map(event.data.kept?.map((row) => [row.studentId, row]));
  const last = new Map(task.students.map((student) => [student.student_id, student]));
  begun(event, task, { formula, terminalExamId, norms });
  task.forgetRecorded();
  for (const { studentId, setId, priorScore, prior, totals, score, ranking, residual } of event.data.rows) {
    const byHand = kept.get(studentId);
    task.rows.taskStudents.put({
      ...keyOf(event),
      student_id: studentId,
      set_id: setId,
      prior_score: priorScore,
      prior,
      totals,
      score,
      ranking,
      residual,
      grade: null,
      ...UNDECIDED,
      // The author of the decision stays, whoever ranks again.
      ...(byHand && {
        decided_ranking: byHand.ranking,
        decided_score: byHand.score,
        decided_by: last.get(studentId)?.decided_by ?? accountId,
        decided_at: last.get(studentId)?.decided_at ?? at,
      }),
      exempt: byHand?.exempt ?? false,
      ...UNCHECKED_RANK,
      ...UNCHECKED_GRADE,
    });
  }
};

export const adopted = (event: EventOf<'RankingAdopted'>, task: TaskRows): void => {
  begun(event, task, { formula: event.data.formula, terminalExamId: null, norms: NO_NORMS });
  for (const { studentId, setId, score, ranking } of event.data.rows)
    task.rows.taskStudents.put({
      ...keyOf(event),
      student_id: studentId,
      set_id: setId,
      ...WITHOUT_NORMS,
      score,
      ranking,
      grade: null,
      ...UNDECIDED,
      exempt: false,
      ...UNCHECKED_RANK,
      ...UNCHECKED_GRADE,
    });
};

/** A new ranking replaces the last one and voids its checks. */
const begun = (
  { position, metadata: { commandId, actor, at } }: EventOf<'TaskRanked' | 'RankingAdopted'>,
  task: TaskRows,
  how: Pick<StoredRanking, 'formula' | 'terminalExamId' | 'norms'>,
): void => {
  const ranking: StoredRanking = { rankingId: commandId, by: actor.accountId, at, ...how };
  task.change({ ranked_at: at, ranked_position: position, ranking: JSON.stringify(ranking), grades: null });
  task.changeSets(() => ({ ...UNCHECKED, status: 2, since: at }));
  task.forgetStudents();
};

export const unranked = ({ metadata: { at } }: EventOf<'RankingRemoved'>, task: TaskRows): void => {
  task.change(UNRANKED);
  task.forgetRecorded();
  task.changeSets(() => ({ ...UNCHECKED, status: null, since: at }));
  task.forgetStudents();
};

export const recorded = (event: EventOf<'RankingRecorded'>, { rows }: TaskRows): void => {
  for (const row of event.data.rows) {
    const key = { ...keyOf(event), student_id: row.studentId };
    rows.taskRecorded.put({ ...key, ...recordedOver(rows.taskRecorded.get(key), row) });
  }
};

/** Fields that are left out stay as they were sent before. */
const recordedOver = (
  was: Row<typeof taskRecorded> | undefined,
  { setId, testIds, ranking, score, grade, teacherRank, flag, comment }: EventOf<'RankingRecorded'>['data']['rows'][number],
): Omit<Row<typeof taskRecorded>, 'school_id' | 'task_id' | 'student_id'> => ({
  set_id: setId,
  test_ids: testIds ?? was?.test_ids ?? [],
  ranking: ranking === undefined ? (was?.ranking ?? null) : ranking,
  score: score === undefined ? (was?.score ?? null) : score,
  grade: grade === undefined ? (was?.grade ?? null) : grade,
  teacher_rank: teacherRank === undefined ? (was?.teacher_rank ?? null) : teacherRank,
  flag: flag ?? was?.flag ?? false,
  comment: comment === undefined ? (was?.comment ?? null) : (unlessForgotten(comment)?.text ?? null),
});

export const rankingChecked = ({ data: { setId, rows }, metadata: { actor, at } }: EventOf<'RankingChecked'>, task: TaskRows): void => {
  const byStudent = new Map(rows.map((row) => [row.studentId, row]));
  const checked = { ranking_checked_by: actor.accountId, ranking_checked_role: actor.role, ranking_checked_at: at };
  task.changeSet(setId, (set) => ({ ...movedTo(set, 3, at), ...checked }));
  task.changeStudents(({ student_id }) => {
    const row = byStudent.get(student_id);
    return { teacher_rank: row?.teacherRank ?? null, ranking_flag: row?.flag ?? false, ranking_comment: commentOf(row) };
  }, setId);
};
