/** What becomes of rows of a ranking that was made elsewhere. Pure. */
import type { FeedbackTask, Result } from '../../../events/tasks/feedback-task.ts';
import { resultOf, setsOf } from '../../../events/tasks/feedback-task.ts';
import { refuse } from '../../common/command.ts';
import type { Decision, Named } from '../feedback-task.rules.ts';
import { endedOrGone, lowest, mapStatus, notRanked } from '../feedback-task.rules.ts';
import { waitingFor } from '../grades/grades.rules.ts';
import { taskMessages } from '../task-fields.contract.ts';

export type SentRow = {
  readonly studentId: string;
  readonly testIds?: readonly string[] | undefined;
  readonly ranking?: number | null | undefined;
  readonly score?: number | null | undefined;
  readonly grade?: string | null | undefined;
  readonly teacherRank?: number | null | undefined;
  readonly flag?: boolean | undefined;
  readonly comment?: string | undefined;
};

/** By student, the class that they are in: those on roll in the task's classes. */
export type Cohort = ReadonlyMap<string, string>;

/** Stores what is otherwise than before. A teacher may send a row as it stands, with what they say about it. */
export const recordRanking = (
  task: FeedbackTask,
  rows: readonly SentRow[],
  {
    cohort,
    comments,
    leads,
    mayWrite,
  }: {
    readonly cohort: Cohort;
    readonly comments: ReadonlyMap<string, string>;
    readonly leads: boolean;
    /** Whether the author may say something about this class. */
    readonly mayWrite: (setId: string) => boolean;
  },
): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  const setOf = ({ studentId }: SentRow): string | undefined => task.students.get(studentId)?.setId ?? cohort.get(studentId);
  const unknown = rows.findIndex((row) => setOf(row) === undefined);
  if (unknown >= 0) return refuse('not-found', taskMessages.noStudent, [{ path: `rows.${unknown}`, message: taskMessages.noStudent }]);
  // Of all that was sent, changed or not: what is refused of another class must not depend on what stands there.
  const foreign = rows.findIndex((row) => !mayWrite(setOf(row) ?? ''));
  if (foreign >= 0) return refuse('not-your-set', NOT_YOURS, [{ path: `rows.${foreign}`, message: NOT_YOURS }]);
  const forbidden = leads ? -1 : rows.findIndex((row) => !sameResult(row, standing(task, row.studentId)));
  if (forbidden >= 0)
    return refuse('forbidden', taskMessages.onlyLeadersRank, [{ path: `rows.${forbidden}`, message: taskMessages.onlyLeadersRank }]);
  const changed = rows.flatMap((row) => {
    const was = task.recorded.get(row.studentId);
    const { studentId, testIds, ranking, score, grade, teacherRank, flag, comment } = row;
    const same =
      was !== undefined &&
      (ranking === undefined || ranking === was.ranking) &&
      (score === undefined || score === was.score) &&
      (grade === undefined || grade === was.grade) &&
      (teacherRank === undefined || teacherRank === was.teacherRank) &&
      (flag === undefined || flag === was.flag) &&
      (comment === undefined || comment === (comments.get(studentId) ?? ''));
    const setId = setOf(row);
    if (same || setId === undefined) return [];
    return [
      {
        studentId,
        setId,
        ...(testIds && { testIds: [...testIds] }),
        ...(ranking !== undefined && { ranking }),
        ...(score !== undefined && { score }),
        ...(grade !== undefined && { grade }),
        ...(teacherRank !== undefined && { teacherRank }),
        ...(flag !== undefined && { flag }),
        ...(comment !== undefined && { comment: { text: comment } }),
      },
    ];
  });
  return changed.length === 0 ? [] : [{ type: 'RankingRecorded', data: { formula: 'client', rows: changed } }];
};

const NOT_YOURS = 'This class is not one of yours.';

/** What counts of a student, else what was sent last. */
const standing = ({ students, recorded }: FeedbackTask, studentId: string): Result => {
  const [student, sent] = [students.get(studentId), recorded.get(studentId)];
  const counts = student ? resultOf(student) : { ranking: null, score: null, grade: null };
  return {
    ranking: counts.ranking ?? sent?.ranking ?? null,
    score: counts.score ?? sent?.score ?? null,
    grade: counts.grade ?? sent?.grade ?? null,
  };
};
const sameResult = ({ ranking, score, grade }: SentRow, stands: Result): boolean =>
  (ranking === undefined || ranking === stands.ranking) &&
  (score === undefined || score === stands.score) &&
  (grade === undefined || grade === stands.grade);

/** At 1 to 3: what was sent is the ranking, every set is at 2 afterwards, and checks are void. */
export const adoptRanking = (
  task: FeedbackTask,
  { cohort, hasTotals, setName }: { readonly cohort: Cohort; readonly hasTotals: Parameters<typeof mapStatus>[2]; readonly setName: Named },
): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (lowest(task) >= 4) return refuse('refused', taskMessages.reopenFirst);
  if (task.maps.length === 0) return refuse('refused', taskMessages.noMaps);
  const waiting = setsOf({ maps: task.maps.filter((map) => mapStatus(task, map, hasTotals) === 0) });
  if (waiting.length > 0) return refuse('refused', taskMessages.noTotals(waiting.map(setName)));
  if (![...task.recorded.values()].some(({ ranking }) => ranking !== null)) return refuse('refused', taskMessages.notRecorded);
  const rows = [...cohort].map(([studentId, setId]) => {
    const { ranking = null, score = null } = task.recorded.get(studentId) ?? {};
    return { studentId, setId, ranking, score };
  });
  return [{ type: 'RankingAdopted', data: { formula: 'client', rows } }];
};

/** On the terms of allocating grades by a profile: the grades that were sent. */
export const assignRecordedGrades = (task: FeedbackTask, setName: Named): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (lowest(task) >= 4) return refuse('refused', taskMessages.reopenFirst);
  const waiting = waitingFor(task, 3, []);
  if (waiting.length > 0) return refuse('refused', taskMessages.notChecked(waiting.map(setName)));
  const rows = [...task.students].flatMap(([studentId, { exempt }]) => {
    const grade = task.recorded.get(studentId)?.grade ?? null;
    return grade === null || exempt ? [] : [{ studentId, grade }];
  });
  if (rows.length === 0) return refuse('refused', taskMessages.noGradesRecorded);
  return [{ type: 'GradesAssigned', data: { gradeProfileId: null, grades: [], rows, without: [] } }];
};
