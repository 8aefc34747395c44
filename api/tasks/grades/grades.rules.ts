/** From a ranking to the end: grades, what the leader decides by hand, and the final check. Pure. */
import type { FeedbackTask } from '../../../events/tasks/feedback-task.ts';
import { resultOf, setsOf } from '../../../events/tasks/feedback-task.ts';
import type { GradeShares } from '../../../events/tasks/grade-profile.ts';
import { ask, refuse, refuseInput } from '../../common/command.ts';
import type { InputError } from '../../contract/problem.ts';
import type { FlaggedTotal } from '../../contract/total-flag.ts';
import type { Decision, Named } from '../feedback-task.rules.ts';
import { endedOrGone, lowest, notRanked } from '../feedback-task.rules.ts';
import { gradeOf, wrongGrades } from './grades.contract.ts';
import { FLAGS } from '../../contract/flags.ts';
import { taskMessages } from '../task-fields.contract.ts';

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
      overtaken.map(([index]) => ({ path: `rows.${index}`, message: 'Somebody else has decided something else.' })),
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

/** Contested totals that the leader does not wait for, and why. */
export type ContestedAnyway = {
  readonly totals: readonly { readonly studentId: string; readonly testId: string }[];
  readonly reason: string;
};
export type Remaining = {
  /** Students of the cohort who are no longer on roll need nothing. */
  readonly left: ReadonlySet<string>;
  readonly flaggedTotals: readonly FlaggedTotal[];
  readonly setName: Named;
};

/** Every set at 5, or at 4 on the same terms: at 6 afterwards. It asks about contested totals of the ranking that are not gone on with. */
export const completeTask = (
  task: FeedbackTask,
  { without, contested }: { readonly without: readonly Without[]; readonly contested?: ContestedAnyway | undefined },
  { left, flaggedTotals, setName }: Remaining,
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
  const open = flaggedTotals.filter(
    ({ studentId, flag }) => flag !== 'above-maximum' && !left.has(studentId) && task.students.get(studentId)?.exempt === false,
  );
  const isNamed = (one: FlaggedTotal): boolean =>
    contested?.totals.some(({ studentId, testId }) => studentId === one.studentId && testId === one.testId) ?? false;
  const unnamed = open.filter((one) => !isNamed(one));
  if (unnamed.length > 0)
    return ask(
      taskMessages.contested(cellsOf(unnamed).length),
      unnamed.map(({ studentId, testId, flag }) => ({ path: `students.${studentId}.${testId}`, message: FLAGS[flag].text })),
      { flaggedTotals: unnamed },
    );
  const anyway = contested && open.length > 0 ? { contested: { totals: cellsOf(open), about: { reason: contested.reason } } } : {};
  return [{ type: 'FeedbackTaskCompleted', data: { without: reasonsOf(task, 5, without), ...anyway } }];
};

/** Each total once. */
const cellsOf = (totals: readonly FlaggedTotal[]): { studentId: string; testId: string }[] => [
  ...new Map(totals.map(({ studentId, testId }) => [`${studentId} ${testId}`, { studentId, testId }])).values(),
];

/** Sets below this status, for which the task has to wait. */
export const waitingFor = (task: FeedbackTask, status: 3 | 5, without: readonly Without[]): readonly string[] => {
  if (!task.teacherInput) return [];
  const skipped = new Set(without.map(({ setId }) => setId));
  return setsOf(task).filter((setId) => (task.statuses.get(setId) ?? 0) < status && !skipped.has(setId));
};

/** Only of sets that have not been checked: for the others nothing is left out. */
const reasonsOf = (task: FeedbackTask, status: 3 | 5, without: readonly Without[]) =>
  without.filter(({ setId }) => (task.statuses.get(setId) ?? status) < status).map(({ setId, reason }) => ({ setId, about: { reason } }));
