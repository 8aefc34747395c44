/**
 * The status machine of a feedback task: what may be done in which state. Pure; who may do it at all is for api/access.ts. Here: from a new
 * task to its ranking; the rest is in checks.rules.ts and grades/grades.rules.ts.
 *
 * An assessment of a set is at 0 or 1 by its totals, and at 2 to 6 by events, with the others of its set: 2 ranked, 3 its teacher has checked the ranking, 4 graded, 5 its teacher
 * has checked the grades, 6 complete. The steps to 2, 4 and 6 are of all sets at once.
 */
import type { FeedbackTask, FeedbackTaskEvent, SetStatus, TaskMap } from '../../events/tasks/feedback-task.ts';
import { setsOf } from '../../events/tasks/feedback-task.ts';
import type { Ranking } from '../../events/tasks/ranking.ts';
import { digestOfRanking } from '../../events/tasks/ranking.ts';
import type { Refused } from '../common/command.ts';
import { refuse, refuseInput } from '../common/command.ts';
import { isEnoughPrior } from '../prior/prior-score.contract.ts';
import type { Coverage } from './task-fields.contract.ts';
import { NO_TEST, taskMessages } from './task-fields.contract.ts';

export type Decision = readonly FeedbackTaskEvent[] | Refused;

/** How far an assessment of a set is: 0 awaiting totals, 1 once there is any, 2 to 6 by events. */
export const mapStatus = ({ statuses }: FeedbackTask, map: TaskMap, hasTotals: (map: TaskMap) => boolean): 0 | 1 | SetStatus =>
  statuses.get(map.setId) ?? (hasTotals(map) ? 1 : 0);

/** Names of sets, for people. */
export type Named = (setId: string) => string;

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

/** Assessments can be changed only while nothing is ranked; everything else until the task is complete. */
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

/** What the leader decided by hand about a student, without a grade: with every ranking, the grades are gone. */
export type HandResult = {
  readonly studentId: string;
  readonly ranking: number | null;
  readonly score: number | null;
  readonly exempt: boolean;
};

/**
 * What becomes of decisions by hand when the students are ranked again. A student who had no score and still has none keeps their rank, or
 * stays exempt. Decisions that overrode a computed score, or about a student whose score is computed now, are dropped.
 */
export const handResultsAfter = (
  { students }: Pick<FeedbackTask, 'students'>,
  { rows }: Pick<Ranking, 'rows'>,
): { readonly kept: readonly HandResult[]; readonly gone: readonly HandResult[] } => {
  const unscored = new Set(rows.flatMap(({ studentId, score }) => (score === null ? [studentId] : [])));
  const byHand = [...students].flatMap(
    ([
      studentId,
      {
        computed,
        decided: { ranking, score },
        exempt,
      },
    ]) =>
      exempt || ranking !== null || score !== null
        ? [{ isKept: computed.score === null && unscored.has(studentId), row: { studentId, ranking, score, exempt } }]
        : [],
  );
  return {
    kept: byHand.filter(({ isKept }) => isKept).map(({ row }) => row),
    gone: byHand.filter(({ isKept }) => !isKept).map(({ row }) => row),
  };
};

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
  if (task.maps.length === 0) return refuse('refused', taskMessages.noMaps);
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
  const { kept } = handResultsAfter(task, ranking);
  return [{ type: 'TaskRanked', data: { ...ranking, ...(kept.length > 0 && { kept: [...kept] }) } }];
};

/** At 2 or 3: every set is below 2 again. `rankingId`: the one that its author means. */
export const removeRanking = (task: FeedbackTask, rankingId?: string): Decision => {
  const ended = endedOrGone(task);
  if (ended) return ended;
  if (task.statuses.size === 0 && task.recorded.size === 0) return [];
  if (rankingId !== undefined && rankingId !== task.ranking?.rankingId) return refuse('conflict', taskMessages.rankedMeanwhile);
  return lowest(task) >= 4 ? refuse('refused', taskMessages.reopenFirst) : [{ type: 'RankingRemoved', data: {} }];
};

export const noTask = (): Refused => refuse('not-found', 'There is no such feedback task.');

/** A deleted task is not there; a complete one can only be deleted. */
export const endedOrGone = (task: FeedbackTask): Refused | undefined => {
  if (task.subjectId === undefined || task.deleted) return noTask();
  return lowest(task) === 6 ? refuse('refused', taskMessages.ended) : undefined;
};

export const notRanked = ({ statuses }: FeedbackTask): Refused | undefined =>
  statuses.size === 0 ? refuse('refused', taskMessages.notRanked) : undefined;

/** 0: not ranked. */
export const lowest = ({ statuses }: FeedbackTask): number => (statuses.size === 0 ? 0 : Math.min(...statuses.values()));

const wrongMaps = (maps: readonly TaskMap[]): Refused | undefined => {
  const twice = maps.findIndex((map, index) => maps.findIndex((other) => sameMap(map, other)) < index);
  return twice >= 0 ? refuseInput(`maps.${twice}`, taskMessages.twice) : undefined;
};

const sameMap = (a: TaskMap, b: TaskMap): boolean => a.setId === b.setId && a.testId === b.testId;
const sameMaps = (a: readonly TaskMap[], b: readonly TaskMap[]): boolean =>
  a.length === b.length && a.every((map) => b.some((other) => sameMap(map, other)));
