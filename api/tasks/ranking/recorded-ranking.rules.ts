/** What becomes of rows of a ranking that was made elsewhere. Pure. */
import type { FeedbackTask, FeedbackTaskEvent, Result } from '../../../events/tasks/feedback-task.ts';
import { resultOf, setsOf } from '../../../events/tasks/feedback-task.ts';
import { Refused, refuse } from '../../common/command.ts';
import type { RankCheck } from '../checks.rules.ts';
import { checkGrades, checkRanking } from '../checks.rules.ts';
import type { Decision, Named } from '../feedback-task.rules.ts';
import { endedOrGone, lowest, mapStatus, notRanked } from '../feedback-task.rules.ts';
import { decideResults, waitingFor } from '../grades/grades.rules.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { taskMessages } from '../task-fields.contract.ts';

export type SentRow = {
  readonly studentId: string;
  /** The class in which the student is said to be. */
  readonly setId?: string | undefined;
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

/** What its teacher has said about a student. */
export type Checked = { readonly teacherRank: number | null; readonly flag: boolean; readonly comment: string };
/** By student, in the classes whose ranking is checked, at 3, or whose grades are, at 5. */
export type Checks = ReadonlyMap<string, Checked>;

export type RecordingFacts = {
  readonly cohort: Cohort;
  readonly comments: ReadonlyMap<string, string>;
  readonly checks: Checks;
  /** The assessments of the subject. */
  readonly tests: ReadonlySet<string>;
  readonly leads: boolean;
  /** Whether the author may say something about this class. */
  readonly mayWrite: (setId: string) => boolean;
};

/**
 * Stores what is otherwise than before. A teacher may send a row as it stands, with what they say about it. Where the task is past the step by
 * which the rows would count, the leader decides by hand with them, and the teacher checks again.
 */
export const recordRanking = (task: FeedbackTask, rows: readonly SentRow[], facts: RecordingFacts): Decision => {
  const refused = endedOrGone(task) ?? wrongRows(task, rows, facts);
  if (refused) return refused;
  const events: FeedbackTaskEvent[] = [];
  for (const decision of [
    changedRows(task, rows, facts),
    facts.leads ? decidedWith(task, rows) : [],
    ...checkedAgain(task, rows, facts.checks),
  ]) {
    if (decision instanceof Refused) return decision;
    events.push(...decision);
  }
  return events;
};

const setOf = (task: FeedbackTask, cohort: Cohort, { studentId }: SentRow): string | undefined =>
  task.students.get(studentId)?.setId ?? cohort.get(studentId);

const wrongRows = (
  task: FeedbackTask,
  rows: readonly SentRow[],
  { cohort, tests, leads, mayWrite }: RecordingFacts,
): Refused | undefined => {
  const wrong = (
    code: ProblemCode,
    message: string,
    isWrong: (row: SentRow, index: number) => boolean,
    field = '',
  ): Refused | undefined => {
    const at = rows.findIndex(isWrong);
    return at < 0 ? undefined : refuse(code, message, [{ path: `rows.${at}${field}`, message }]);
  };
  const classOf = (row: SentRow): string | undefined => setOf(task, cohort, row);
  const isOtherClass = (row: SentRow): boolean =>
    row.setId !== undefined && row.setId !== classOf(row) && row.setId !== task.recorded.get(row.studentId)?.setId;
  return (
    wrong(
      'invalid-input',
      taskMessages.studentTwice,
      ({ studentId }, at) => rows.findIndex((other) => other.studentId === studentId) < at,
    ) ??
    wrong('not-found', NO_TEST, ({ testIds = [] }) => testIds.some((testId) => !tests.has(testId)), '.testIds') ??
    wrong('not-found', taskMessages.noStudent, (row) => classOf(row) === undefined) ??
    // Of all that was sent, changed or not: what is refused of another class must not depend on what stands there.
    wrong('not-your-set', NOT_YOURS, (row) => !mayWrite(classOf(row) ?? '')) ??
    wrong('not-found', OTHER_CLASS, isOtherClass, '.setId') ??
    (leads ? undefined : wrong('forbidden', taskMessages.onlyLeadersRank, (row) => !sameResult(row, standing(task, row.studentId))))
  );
};
const NO_TEST = 'There is no such assessment in this subject.';
const NOT_YOURS = 'This class is not one of yours.';
const OTHER_CLASS = 'This student is not in this class of the feedback task.';

const changedRows = (task: FeedbackTask, rows: readonly SentRow[], { cohort, comments }: RecordingFacts): Decision => {
  const changed = rows.flatMap((row) => {
    const was = task.recorded.get(row.studentId);
    const { studentId, testIds, ranking, score, grade, teacherRank, flag, comment } = row;
    const same =
      was !== undefined &&
      sameResult(row, was) &&
      (teacherRank === undefined || teacherRank === was.teacherRank) &&
      (flag === undefined || flag === was.flag) &&
      (comment === undefined || comment === (comments.get(studentId) ?? ''));
    const setId = setOf(task, cohort, row);
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

/** Once grades are allocated: what is sent otherwise than it counts is decided by hand. */
const decidedWith = (task: FeedbackTask, rows: readonly SentRow[]): Decision => {
  if (lowest(task) < 4) return [];
  const decided = rows.flatMap((row) => {
    const student = task.students.get(row.studentId);
    if (!student || sameResult(row, resultOf(student))) return [];
    const { computed, exempt } = student;
    const counts = resultOf(student);
    const { studentId, ranking = counts.ranking, score = counts.score, grade = counts.grade } = row;
    return [
      {
        studentId,
        ranking: ranking === computed.ranking ? null : ranking,
        score: score === computed.score ? null : score,
        grade: grade === computed.grade ? null : grade,
        exempt,
      },
    ];
  });
  return decided.length === 0 ? [] : decideResults(task, decided);
};

/** In classes that are checked already: the whole check is saved again, if anything is said otherwise. */
const checkedAgain = (task: FeedbackTask, rows: readonly SentRow[], checks: Checks): readonly Decision[] => {
  const sent = new Map(rows.map((row) => [row.studentId, row]));
  const students = [...task.students].flatMap(([studentId, { setId }]) => {
    const check = checks.get(studentId);
    return check ? [{ studentId, setId, check }] : [];
  });
  return [...Map.groupBy(students, ({ setId }) => setId)].map(([setId, ofClass]) => {
    const isOfGrades = task.statuses.get(setId) === 5;
    const now = ofClass.map(({ studentId, check }) => {
      const { teacherRank, flag, comment } = sent.get(studentId) ?? {};
      const rank = teacherRank === undefined || isOfGrades ? check.teacherRank : teacherRank;
      return { studentId, teacherRank: rank, flag: flag ?? check.flag, comment: comment ?? check.comment };
    });
    const isSame = now.every((row, index) => textOf(row) === textOf(ofClass[index]?.check));
    return isSame ? [] : isOfGrades ? checkGrades(task, setId, saidIn(now)) : checkRanking(task, setId, saidIn(now));
  });
};

/** A comment counts with a flag only. */
const textOf = (check: Checked | undefined): string => JSON.stringify([check?.teacherRank, check?.flag, check?.flag ? check.comment : '']);

/** The check of a class by the rows that were sent of it: of its grades without the ranks that its teacher gave. */
export const sentCheck = (task: FeedbackTask, setId: string, comments: ReadonlyMap<string, string>): readonly RankCheck[] =>
  saidIn(
    [...task.students].flatMap(([studentId, student]) => {
      const sent = student.setId === setId ? task.recorded.get(studentId) : undefined;
      return sent ? [{ studentId, teacherRank: sent.teacherRank, flag: sent.flag, comment: comments.get(studentId) ?? '' }] : [];
    }),
  );

/** Only students about whom something is said. */
const saidIn = (rows: readonly (Checked & { readonly studentId: string })[]): RankCheck[] =>
  rows.flatMap((row) => (row.flag ? [row] : row.teacherRank === null ? [] : [{ ...row, comment: '' }]));

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
  if (lowest(task) === 2 && [...task.statuses.values()].every((status) => status === 2) && isAdopted(task)) return [];
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

/** Whether every rank and score that was sent counts already. */
const isAdopted = ({ recorded, students }: FeedbackTask): boolean =>
  [...recorded].every(([studentId, sent]) => {
    const student = students.get(studentId);
    const { ranking = null, score = null } = student ? resultOf(student) : {};
    return (sent.ranking === null || sent.ranking === ranking) && (sent.score === null || sent.score === score);
  });

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
