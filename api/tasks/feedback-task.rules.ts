/**
 * The status machine of a feedback task: what may be done in which state. Pure; who may do it at all is for api/access.ts.
 *
 * An assessment of a set is at 0 or 1 by its totals, and at 2 to 6 by events, with the others of its set: 2 ranked, 3 its teacher has checked the ranking, 4 graded, 5 its teacher
 * has checked the grades, 6 complete. The steps to 2, 4 and 6 are of all sets at once.
 */
import type { FeedbackTask, FeedbackTaskEvent, Ranking, SetStatus, TaskMap } from '../../events/tasks/feedback-task.ts';
import { digestOfRanking, resultOf, setsOf } from '../../events/tasks/feedback-task.ts';
import type { GradeShares } from '../../events/tasks/grade-profile.ts';
import type { Refused } from '../common/command.ts';
import { refuse, refuseInput } from '../common/command.ts';
import type { InputError } from '../contract/problem.ts';
import { isEnoughPrior } from '../prior/prior-score.contract.ts';
import type { Coverage } from './task-fields.contract.ts';
import { gradeOf, wrongGrades } from './grades.contract.ts';
import { NO_TEST, taskMessages } from './task-fields.contract.ts';

type Decision = readonly FeedbackTaskEvent[] | Refused;

/** How far an assessment of a set is: 0 awaiting totals, 1 once there is any, 2 to 6 by events. */
export const mapStatus = ({ statuses }: FeedbackTask, map: TaskMap, hasTotals: (map: TaskMap) => boolean): 0 | 1 | SetStatus =>
  statuses.get(map.setId) ?? (hasTotals(map) ? 1 : 0);

/** Names of sets, for people. */
type Named = (setId: string) => string;

export type NewTask = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly name: string;
  readonly expiry: string;
  readonly teacherInput: boolean;
  readonly maps: readonly TaskMap[];
};

/** `prior`: of the terminal exam that covers most of the year group. */
export const createTask = ({ name, maps, ...task }: NewTask, prior: Coverage): Decision => {
  if (!isEnoughPrior(prior.scores, prior.students)) return refuse('refused', taskMessages.noPrior);
  return wrongMaps(maps) ?? [{ type: 'FeedbackTaskCreated', data: { ...task, about: { name }, maps: [...maps] } }];
};

/** Fields of a task; those that are left out are not changed, or not asked for. */
export type TaskEdit = {
  readonly name?: string | undefined;
  readonly expiry?: string | undefined;
  readonly teacherInput?: boolean | undefined;
  readonly maps?: readonly TaskMap[] | undefined;
};

/** What the author of an edit saw. `name` null: it is forgotten. */
export type WasTask = Omit<TaskEdit, 'name'> & { readonly name?: string | null | undefined };

/** Assessments change only while nothing is ranked; the rest until the task is complete. */
export const editTask = (task: FeedbackTask, { name, expiry, teacherInput, maps }: TaskEdit, was: WasTask = {}): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  const mapsDiffer = maps !== undefined && !sameMaps(maps, task.maps);
  const overtaken =
    (name !== undefined && name !== task.name && was.name !== undefined && was.name !== (task.name ?? null)) ||
    (expiry !== undefined && expiry !== task.expiry && was.expiry !== undefined && was.expiry !== task.expiry) ||
    (teacherInput !== undefined && was.teacherInput !== undefined && was.teacherInput !== task.teacherInput) ||
    (mapsDiffer && was.maps !== undefined && !sameMaps(was.maps, task.maps));
  if (overtaken) return refuse('conflict', taskMessages.changedMeanwhile);
  if (mapsDiffer && task.statuses.size > 0) return refuse('refused', taskMessages.mapsFixed);
  const wrong = mapsDiffer ? wrongMaps(maps) : undefined;
  if (wrong) return wrong;
  const events: FeedbackTaskEvent[] = [];
  if (name !== undefined && name !== task.name) events.push({ type: 'FeedbackTaskRenamed', data: { about: { name } } });
  if (expiry !== undefined && expiry !== task.expiry) events.push({ type: 'FeedbackTaskExpiryChanged', data: { expiry } });
  if (teacherInput !== undefined && teacherInput !== task.teacherInput)
    events.push({ type: 'FeedbackTaskTeacherInputChanged', data: { teacherInput } });
  if (mapsDiffer) events.push({ type: 'FeedbackTaskMapsChanged', data: { maps: [...maps] } });
  return events;
};

/** In any state, also after the task is complete. */
export const deleteTask = (task: FeedbackTask): Decision => {
  if (task.subjectId === undefined) return noTask();
  return task.deleted ? [] : [{ type: 'FeedbackTaskDeleted', data: {} }];
};

export const restoreTask = (task: FeedbackTask): Decision => {
  if (task.subjectId === undefined) return noTask();
  return task.deleted ? [{ type: 'FeedbackTaskRestored', data: {} }] : [];
};

export type RankingFacts = {
  readonly hasTotals: (map: TaskMap) => boolean;
  readonly setName: Named;
  /** of the chosen exam */
  readonly prior: Coverage & { readonly mixed: boolean };
};

/** What the author of a ranking saw: the ranking that stood, null: none; and what the new one was to be (`digestOfRanking`). */
export type WasRanked = { readonly was?: string | null | undefined; readonly preview?: string | undefined };

/** At 1 to 3: every set is at 2 afterwards, and checks are void. The same ranking again changes nothing, and no check. */
export const rankTask = (
  task: FeedbackTask,
  ranking: Ranking,
  { hasTotals, setName, prior }: RankingFacts,
  { was, preview }: WasRanked = {},
): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (lowest(task) >= 4) return refuse('refused', taskMessages.reopenFirst);
  const awaited = task.maps.filter((map) => mapStatus(task, map, hasTotals) === 0);
  const waiting = setsOf({ maps: awaited });
  if (waiting.length > 0)
    return refuse(
      'refused',
      taskMessages.noTotals(waiting.map(setName)),
      waiting.map((setId) => ({ path: `sets.${setId}`, message: setName(setId) })),
    );
  if (!isEnoughPrior(prior.scores, prior.students)) return refuse('refused', taskMessages.priorShort(prior));
  if (prior.mixed) return refuse('refused', taskMessages.mixedPrior);
  if (ranking.norms.tests.length === 0) return refuseInput('testIds', NO_TEST);
  const digest = digestOfRanking(ranking);
  if (task.ranking?.digest === digest) return [];
  if (was !== undefined && was !== (task.ranking?.rankingId ?? null)) return refuse('conflict', taskMessages.rankedMeanwhile);
  if (preview !== undefined && preview !== digest) return refuse('conflict', taskMessages.otherThanSeen);
  return [{ type: 'TaskRanked', data: ranking }];
};

/** At 2 or 3: every set is below 2 again. `rankingId`: the one that its author means. */
export const removeRanking = (task: FeedbackTask, rankingId?: string): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (task.statuses.size === 0) return [];
  if (rankingId !== undefined && rankingId !== task.ranking?.rankingId) return refuse('conflict', taskMessages.rankedMeanwhile);
  return lowest(task) >= 4 ? refuse('refused', taskMessages.reopenFirst) : [{ type: 'RankingRemoved', data: {} }];
};

type Flagged = { readonly studentId: string; readonly flag: boolean; readonly comment?: string | undefined };
export type RankCheck = Flagged & { readonly teacherRank: number | null };

/** At 2 to 3; at 3 it may be saved again. `seen`: the ranking that the teacher saw. */
export const checkRanking = (task: FeedbackTask, setId: string, rows: readonly RankCheck[], seen?: string): Decision => {
  const refused = checkable(task, setId, [2, 3], rows);
  if (refused) return refused;
  if (seen !== undefined && seen !== task.ranking?.rankingId) return refuse('conflict', taskMessages.checkedAnother);
  return [
    {
      type: 'RankingChecked',
      data: { setId, rows: rows.map(({ teacherRank, ...row }) => ({ teacherRank, ...flagsOf(row) })) },
    },
  ];
};

/** At 4 to 5; at 5 it may be saved again. `seen`: the grades that the teacher saw. */
export const checkGrades = (task: FeedbackTask, setId: string, rows: readonly Flagged[], seen?: string): Decision => {
  const refused = checkable(task, setId, [4, 5], rows);
  if (refused) return refused;
  if (seen !== undefined && seen !== task.gradesId) return refuse('conflict', taskMessages.otherGrades);
  return [{ type: 'GradesChecked', data: { setId, rows: rows.map(flagsOf) } }];
};

/** A set whose check the leader does not wait for. */
export type Without = { readonly setId: string; readonly reason: string };

/** Every set at 3, or at 2 where its check is not waited for: at 4 afterwards, and each ranked student has a grade. */
export const assignGrades = (
  task: FeedbackTask,
  {
    gradeProfileId,
    grades,
    without,
  }: { readonly gradeProfileId: string | null; readonly grades: GradeShares; readonly without: readonly Without[] },
  setName: Named,
): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (lowest(task) >= 4) return refuse('refused', taskMessages.reopenFirst);
  const wrong = wrongGrades(grades);
  if (wrong !== undefined) return refuseInput('grades', wrong);
  const waiting = waitingFor(task, 3, without);
  if (waiting.length > 0) return refuse('refused', taskMessages.notChecked(waiting.map(setName)));
  const ranked = [...task.students].flatMap(([studentId, student]) => {
    const { ranking } = resultOf(student);
    return ranking === null || student.exempt ? [] : [{ studentId, ranking }];
  });
  const rows = ranked.flatMap(({ studentId, ranking }) => {
    const grade = gradeOf(grades, ranked.length, ranking);
    return grade === undefined ? [] : [{ studentId, grade }];
  });
  return [{ type: 'GradesAssigned', data: { gradeProfileId, grades, rows, without: reasonsOf(task, 3, without) } }];
};

/** At 4 or 5: every set is at 3 again. */
export const reopenGrades = (task: FeedbackTask): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  return lowest(task) < 4 ? refuse('refused', taskMessages.noGrades) : [{ type: 'GradesReopened', data: {} }];
};

export type DecidedResult = {
  readonly studentId: string;
  readonly ranking: number | null;
  readonly score: number | null;
  readonly grade: string | null;
  readonly exempt: boolean;
};
/** `was`: what was decided when its author looked. */
export type Decided = DecidedResult & { readonly was?: Omit<DecidedResult, 'studentId'> | undefined };

/** What the leader decides by hand in the final check, at 4 or 5. */
export const decideResults = (task: FeedbackTask, rows: readonly Decided[]): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (lowest(task) < 4) return refuse('refused', taskMessages.noGrades);
  const unknown = rows.findIndex(({ studentId }) => !task.students.has(studentId));
  if (unknown >= 0) return refuse('not-found', taskMessages.noStudent, [{ path: `rows.${unknown}`, message: taskMessages.noStudent }]);
  const twice = rows.findIndex(({ studentId }, index) => rows.findIndex((other) => other.studentId === studentId) < index);
  if (twice >= 0) return refuseInput(`rows.${twice}`, taskMessages.studentTwice);
  const differing = rows.filter((row) => !sameDecision(row, decidedOf(task, row.studentId)));
  const overtaken = [...rows.entries()].filter(
    ([, row]) => differing.includes(row) && row.was && !sameDecision(row.was, decidedOf(task, row.studentId)),
  );
  if (overtaken.length > 0)
    return refuse(
      'conflict',
      taskMessages.decidedMeanwhile,
      overtaken.map(([index]) => ({ path: `rows.${index}`, message: 'Decided otherwise by somebody else.' })),
    );
  if (differing.length === 0) return [];
  return [{ type: 'ResultsDecided', data: { rows: differing.map(({ was: _was, ...row }) => row) } }];
};

const decidedOf = (task: FeedbackTask, studentId: string): Omit<DecidedResult, 'studentId'> | undefined => {
  const student = task.students.get(studentId);
  return student && { ...student.decided, exempt: student.exempt };
};
const sameDecision = (a: Omit<DecidedResult, 'studentId'>, b: Omit<DecidedResult, 'studentId'> | undefined): boolean =>
  b !== undefined && a.ranking === b.ranking && a.score === b.score && a.grade === b.grade && a.exempt === b.exempt;

/** Every set at 5, or at 4 on the same terms: at 6 afterwards. `left`: students of the cohort who are no longer on roll need nothing. */
export const completeTask = (
  task: FeedbackTask,
  without: readonly Without[],
  { left, setName }: { readonly left: ReadonlySet<string>; readonly setName: Named },
): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (lowest(task) < 4) return refuse('refused', taskMessages.noGrades);
  const waiting = waitingFor(task, 5, without);
  if (waiting.length > 0) return refuse('refused', taskMessages.notChecked(waiting.map(setName)));
  const missing = [...task.students].flatMap(([studentId, student]): InputError[] => {
    if (student.exempt || left.has(studentId)) return [];
    const { ranking, score, grade } = resultOf(student);
    return [
      ...(grade === null ? [{ path: `students.${studentId}.grade`, message: 'Required.' }] : []),
      ...(ranking === null ? [{ path: `students.${studentId}.ranking`, message: 'Required.' }] : []),
      ...(score === null ? [{ path: `students.${studentId}.score`, message: 'Required.' }] : []),
    ];
  });
  if (missing.length > 0)
    return refuse('refused', taskMessages.incomplete(new Set(missing.map(({ path }) => path.split('.')[1])).size), missing);
  return [{ type: 'FeedbackTaskCompleted', data: { without: reasonsOf(task, 5, without) } }];
};

/** A class, and the accounts of its teachers to which a mail can go. */
export type TaughtSet = { readonly name: string; readonly accountIds: readonly string[] };

/**
 * At 2 the teachers of classes whose ranking is not checked are reminded, at 4 those whose grades are not. `setIds`: of these classes only.
 * A class without anybody to write to is refused if it was asked for, or if there is no other.
 */
export const remindTeachers = (
  task: FeedbackTask,
  setIds: readonly string[] | undefined,
  sets: ReadonlyMap<string, TaughtSet>,
): Decision => {
  const refused = endedOrGone(task) ?? notRanked(task);
  if (refused) return refused;
  if (!task.teacherInput) return refuse('refused', taskMessages.noTeacherInput);
  const foreign = setIds?.findIndex((setId) => !task.statuses.has(setId)) ?? -1;
  if (foreign >= 0) return refuse('not-found', taskMessages.noSet, [{ path: `setIds.${foreign}`, message: taskMessages.noSet }]);
  const at = lowest(task) >= 4 ? 4 : 2;
  const waiting = (setIds ?? setsOf(task)).filter((setId, index, all) => task.statuses.get(setId) === at && all.indexOf(setId) === index);
  if (waiting.length === 0) return refuse('refused', taskMessages.nothingToRemind);
  const [reached, alone] = [
    waiting.filter((setId) => sets.get(setId)?.accountIds.length),
    waiting.filter((setId) => !sets.get(setId)?.accountIds.length),
  ];
  if (reached.length === 0 || (setIds && alone.length > 0))
    return refuse('refused', taskMessages.noAccount(alone.map((setId) => sets.get(setId)?.name ?? 'a class')));
  const accountIds = [...new Set(reached.flatMap((setId) => sets.get(setId)?.accountIds ?? []))];
  return [{ type: 'TeachersReminded', data: { check: at === 4 ? 'grades' : 'ranking', setIds: reached, accountIds } }];
};

export const noTask = (): Refused => refuse('not-found', 'There is no such feedback task.');

/** A deleted task is not there; a complete one can only be deleted. */
const endedOrGone = (task: FeedbackTask): Refused | undefined => {
  if (task.subjectId === undefined || task.deleted) return noTask();
  return lowest(task) === 6 ? refuse('refused', taskMessages.ended) : undefined;
};

const notRanked = ({ statuses }: FeedbackTask): Refused | undefined =>
  statuses.size === 0 ? refuse('refused', taskMessages.notRanked) : undefined;

/** 0: not ranked. */
const lowest = ({ statuses }: FeedbackTask): number => (statuses.size === 0 ? 0 : Math.min(...statuses.values()));

/** Sets below this status, for which the task has to wait. */
const waitingFor = (task: FeedbackTask, status: 3 | 5, without: readonly Without[]): readonly string[] => {
  if (!task.teacherInput) return [];
  const skipped = new Set(without.map(({ setId }) => setId));
  return setsOf(task).filter((setId) => (task.statuses.get(setId) ?? 0) < status && !skipped.has(setId));
};

/** Only of sets that have not been checked: for the others nothing is left out. */
const reasonsOf = (task: FeedbackTask, status: 3 | 5, without: readonly Without[]) =>
  without.filter(({ setId }) => (task.statuses.get(setId) ?? status) < status).map(({ setId, reason }) => ({ setId, about: { reason } }));

const checkable = (task: FeedbackTask, setId: string, at: readonly SetStatus[], rows: readonly Flagged[]): Refused | undefined => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (!task.maps.some((map) => map.setId === setId)) return refuse('not-found', taskMessages.noSet);
  if (!task.teacherInput) return refuse('refused', taskMessages.noTeacherInput);
  const status = task.statuses.get(setId) ?? 0;
  if (status < (at[0] ?? 0)) return refuse('refused', taskMessages.notYet);
  if (!at.some((one) => one === status)) return refuse('refused', taskMessages.pastCheck);
  const foreign = rows.findIndex(({ studentId }) => task.students.get(studentId)?.setId !== setId);
  if (foreign >= 0) return refuse('not-found', taskMessages.noStudent, [{ path: `rows.${foreign}`, message: taskMessages.noStudent }]);
  const twice = rows.findIndex(({ studentId }, index) => rows.findIndex((other) => other.studentId === studentId) < index);
  if (twice >= 0) return refuseInput(`rows.${twice}`, taskMessages.studentTwice);
  const unflagged = rows.findIndex(({ flag, comment = '' }) => !flag && comment !== '');
  return unflagged >= 0 ? refuseInput(`rows.${unflagged}.comment`, taskMessages.commentNeedsFlag) : undefined;
};

const flagsOf = ({ studentId, flag, comment = '' }: Flagged) => ({
  studentId,
  flag,
  ...(comment === '' ? {} : { comment: { text: comment } }),
});

const wrongMaps = (maps: readonly TaskMap[]): Refused | undefined => {
  const twice = maps.findIndex((map, index) => maps.findIndex((other) => sameMap(map, other)) < index);
  return twice >= 0 ? refuseInput(`maps.${twice}`, taskMessages.twice) : undefined;
};

const sameMap = (a: TaskMap, b: TaskMap): boolean => a.setId === b.setId && a.testId === b.testId;
const sameMaps = (a: readonly TaskMap[], b: readonly TaskMap[]): boolean =>
  a.length === b.length && a.every((map) => b.some((other) => sameMap(map, other)));
