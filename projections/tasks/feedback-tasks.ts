import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { ReadEventOf, Recorded, Sealed } from '../../events/codec/event.ts';
import type { rosterEvents } from '../../events/students/roster.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import type { feedbackTaskEvents, TaskMap } from '../../events/tasks/feedback-task.ts';
import type { Rows } from '../engine/projection.ts';
import { projection } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import type { Row } from '../engine/tables/table.ts';
import type { StoredGrades, StoredRanking } from './tables.ts';
import { feedbackTasks, taskRecorded, taskSets, taskStudents } from './tables.ts';

type TaskEvent = ReadEventOf<typeof feedbackTaskEvents>;
type Forgetting =
  | Extract<ReadEventOf<typeof staffEvents>, { type: 'StaffAccountForgotten' }>
  | Extract<ReadEventOf<typeof rosterEvents>, { type: 'StudentForgotten' }>;

const tables = { feedbackTasks, taskSets, taskStudents, taskRecorded };
type Tables = Rows<typeof tables>;
type Task = Row<typeof feedbackTasks>;
type TaskSet = Row<typeof taskSets>;
type TaskStudent = Row<typeof taskStudents>;

/** Feedback tasks with their classes, and what was ranked, checked, graded and decided by hand. */
export const tasksProjection = projection<TaskEvent | Forgetting>()({
  name: 'tasks',
  version: 5,
  tables,
  on: [
    'FeedbackTaskCreated',
    'FeedbackTaskRenamed',
    'FeedbackTaskExpiryChanged',
    'FeedbackTaskTeacherInputChanged',
    'FeedbackTaskMapsChanged',
    'FeedbackTaskDeleted',
    'FeedbackTaskRestored',
    'TaskRanked',
    'RankingRecorded',
    'RankingAdopted',
    'RankingRemoved',
    'RankingChecked',
    'GradesAssigned',
    'GradesReopened',
    'GradesChecked',
    'ResultsDecided',
    'FeedbackTaskCompleted',
    'StaffAccountForgotten',
    'StudentForgotten',
  ],

  async load(events, rows) {
    const of = events.filter((event) => !isForgetting(event));
    const taskIds = [...new Set(of.map(({ stream }) => idIn(stream)))];
    await rows.feedbackTasks.load(of.map(keyOf));
    await rows.taskSets.loadWhere('task_id', taskIds);
    await rows.taskStudents.loadWhere('task_id', taskIds);
    await rows.taskRecorded.loadWhere('task_id', taskIds);
    // Those that come with the events.
    await rows.taskSets.load(of.flatMap((event) => mapsIn(event).map(({ setId }) => ({ ...keyOf(event), set_id: setId }))));
    await rows.taskStudents.load(
      of.flatMap((event) =>
        event.type === 'TaskRanked' || event.type === 'RankingAdopted'
          ? event.data.rows.map(({ studentId }) => ({ ...keyOf(event), student_id: studentId }))
          : [],
      ),
    );
    await rows.taskRecorded.load(
      of.flatMap((event) =>
        event.type === 'RankingRecorded' ? event.data.rows.map(({ studentId }) => ({ ...keyOf(event), student_id: studentId })) : [],
      ),
    );
    const accountIds = events.flatMap(({ type, data }) => (type === 'StaffAccountForgotten' ? [data.accountId] : []));
    await rows.feedbackTasks.loadWhere('named_by', accountIds);
    await rows.feedbackTasks.loadWhere('contested_by', accountIds);
    await rows.taskSets.loadWhere('without_ranking_by', accountIds);
    await rows.taskSets.loadWhere('without_grades_by', accountIds);
    const studentIds = events.flatMap(({ type, data }) => (type === 'StudentForgotten' ? [data.studentId] : []));
    await rows.taskStudents.loadWhere('student_id', studentIds);
    await rows.taskRecorded.loadWhere('student_id', studentIds);
  },

  apply(event, rows) {
    if (isForgetting(event)) return forget(event, rows);
    const { accountId, role } = event.metadata.actor;
    const { at } = event.metadata;
    const before = rows.feedbackTasks.get(keyOf(event));
    if (event.type === 'FeedbackTaskCreated') {
      const { subjectId, yearGroupId, about, expiry, teacherInput, maps } = event.data;
      rows.feedbackTasks.put({
        ...keyOf(event),
        subject_id: subjectId,
        year_group_id: yearGroupId,
        ...named(accountId, about),
        created_by: accountId,
        created_at: at,
        expiry,
        teacher_input: teacherInput,
        deleted: false,
        deleted_by: null,
        ...UNRANKED,
        ...UNCONTESTED,
      });
      replaceMaps(rows, keyOf(event), maps, at);
      return;
    }
    if (!before) return;
    const change = (to: Partial<Task>): void => rows.feedbackTasks.put({ ...before, ...to });
    const sets = rows.taskSets.where('task_id', before.task_id);
    const changeSets = (to: (set: TaskSet) => Partial<TaskSet>): void => sets.forEach((set) => rows.taskSets.put({ ...set, ...to(set) }));
    const students = rows.taskStudents.where('task_id', before.task_id);
    const changeStudents = (some: readonly TaskStudent[], to: (student: TaskStudent) => Partial<TaskStudent>): void =>
      some.forEach((student) => rows.taskStudents.put({ ...student, ...to(student) }));
    const forgetRecorded = (): void => rows.taskRecorded.where('task_id', before.task_id).forEach((row) => rows.taskRecorded.delete(row));
    const inSet = (setId: string) => students.filter(({ set_id }) => set_id === setId);
    switch (event.type) {
      case 'FeedbackTaskRenamed':
        return change(named(accountId, event.data.about));
      case 'FeedbackTaskExpiryChanged':
        return change({ expiry: event.data.expiry });
      case 'FeedbackTaskTeacherInputChanged':
        return change({ teacher_input: event.data.teacherInput });
      case 'FeedbackTaskMapsChanged':
        return replaceMaps(rows, keyOf(event), event.data.maps, at);
      case 'FeedbackTaskDeleted':
        return change({ deleted: true, deleted_by: accountId });
      case 'FeedbackTaskRestored':
        return change({ deleted: false, deleted_by: null });
      case 'TaskRanked': {
        const { formula, terminalExamId, norms } = event.data;
        const kept = new Map(event.data.kept?.map((row) => [row.studentId, row]));
        const last = new Map(students.map((student) => [student.student_id, student]));
        change({
          ranked_at: at,
          ranked_position: event.position,
          ranking: JSON.stringify({
            rankingId: event.metadata.commandId,
            by: accountId,
            at,
            formula,
            terminalExamId,
            norms,
          } satisfies StoredRanking),
          grades: null,
        });
        changeSets(() => ({ ...UNCHECKED, status: 2, since: at }));
        forgetRecorded();
        students.forEach((student) => rows.taskStudents.delete(student));
        for (const { studentId, setId, priorScore, prior, totals, score, ranking, residual } of event.data.rows) {
          const byHand = kept.get(studentId);
          rows.taskStudents.put({
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
            // Still by whom it was decided, whoever ranks again.
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
        return undefined;
      }
      case 'RankingRecorded':
        for (const row of event.data.rows) {
          const key = { ...keyOf(event), student_id: row.studentId };
          rows.taskRecorded.put({ ...key, ...recordedOver(rows.taskRecorded.get(key), row) });
        }
        return undefined;
      case 'RankingAdopted': {
        change({
          ranked_at: at,
          ranked_position: event.position,
          ranking: JSON.stringify({
            rankingId: event.metadata.commandId,
            by: accountId,
            at,
            formula: event.data.formula,
            terminalExamId: null,
            norms: { prior: { n: 0, mean: null, sd: null }, tests: [] },
          } satisfies StoredRanking),
          grades: null,
        });
        changeSets(() => ({ ...UNCHECKED, status: 2, since: at }));
        students.forEach((student) => rows.taskStudents.delete(student));
        for (const { studentId, setId, score, ranking } of event.data.rows)
          rows.taskStudents.put({
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
        return undefined;
      }
      case 'RankingRemoved':
        change(UNRANKED);
        forgetRecorded();
        changeSets(() => ({ ...UNCHECKED, status: null, since: at }));
        return students.forEach((student) => rows.taskStudents.delete(student));
      case 'RankingChecked': {
        const { setId } = event.data;
        const said = new Map(event.data.rows.map((row) => [row.studentId, row]));
        const checked = { ranking_checked_by: accountId, ranking_checked_role: role, ranking_checked_at: at };
        changeSets((set) => (set.set_id === setId ? { ...movedTo(set, 3, at), ...checked } : {}));
        return changeStudents(inSet(setId), ({ student_id }) => {
          const row = said.get(student_id);
          return { teacher_rank: row?.teacherRank ?? null, ranking_flag: row?.flag ?? false, ranking_comment: commentOf(row) };
        });
      }
      case 'GradesAssigned': {
        const { gradeProfileId, grades, without } = event.data;
        change({
          grades: JSON.stringify({
            gradesId: event.metadata.commandId,
            by: accountId,
            at,
            gradeProfileId,
            shares: grades,
          } satisfies StoredGrades),
        });
        const reasons = new Map(without.map(({ setId, about }) => [setId, unlessForgotten(about)?.reason ?? null]));
        changeSets(({ set_id }) => ({
          status: 4,
          since: at,
          without_ranking_by: reasons.has(set_id) ? accountId : null,
          without_ranking_reason: reasons.get(set_id) ?? null,
        }));
        const given = new Map(event.data.rows.map(({ studentId, grade }) => [studentId, grade]));
        return changeStudents(students, ({ student_id }) => ({ grade: given.get(student_id) ?? null }));
      }
      case 'GradesReopened':
        change({ grades: null });
        changeSets(() => ({ status: 3, since: at, grades_checked_by: null, grades_checked_role: null, grades_checked_at: null }));
        return changeStudents(students, () => ({ grade: null, decided_grade: null, ...UNCHECKED_GRADE }));
      case 'GradesChecked': {
        const { setId } = event.data;
        const said = new Map(event.data.rows.map((row) => [row.studentId, row]));
        const checked = { grades_checked_by: accountId, grades_checked_role: role, grades_checked_at: at };
        changeSets((set) => (set.set_id === setId ? { ...movedTo(set, 5, at), ...checked } : {}));
        return changeStudents(inSet(setId), ({ student_id }) => {
          const row = said.get(student_id);
          return { grade_flag: row?.flag ?? false, grade_comment: commentOf(row) };
        });
      }
      case 'ResultsDecided': {
        const decided = new Map(event.data.rows.map((row) => [row.studentId, row]));
        return changeStudents(students, ({ student_id }) => {
          const row = decided.get(student_id);
          if (!row) return {};
          const { ranking, score, grade, exempt } = row;
          return {
            decided_ranking: ranking,
            decided_score: score,
            decided_grade: grade,
            exempt,
            decided_by: accountId,
            decided_at: at,
          };
        });
      }
      case 'FeedbackTaskCompleted': {
        const { contested } = event.data;
        if (contested)
          change({
            contested_by: accountId,
            contested_reason: unlessForgotten(contested.about)?.reason ?? null,
            contested_totals: contested.totals.length,
          });
        const reasons = new Map(event.data.without.map(({ setId, about }) => [setId, unlessForgotten(about)?.reason ?? null]));
        return changeSets(({ set_id }) => ({
          status: 6,
          since: at,
          without_grades_by: reasons.has(set_id) ? accountId : null,
          without_grades_reason: reasons.get(set_id) ?? null,
        }));
      }
    }
  },

  topics: (event, rows) => {
    if (isForgetting(event)) return [];
    const task = rows.feedbackTasks.get(keyOf(event));
    return task ? [`tasks:${task.subject_id}`] : [];
  },
});

const isForgetting = <Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: 'StaffAccountForgotten' | 'StudentForgotten' }> =>
  event.type === 'StaffAccountForgotten' || event.type === 'StudentForgotten';

const keyOf = ({ metadata, stream }: Pick<Recorded<TaskEvent>, 'metadata' | 'stream'>) => ({
  school_id: metadata.schoolId,
  task_id: idIn(stream),
});

const mapsIn = (event: TaskEvent): readonly TaskMap[] =>
  event.type === 'FeedbackTaskCreated' || event.type === 'FeedbackTaskMapsChanged' ? event.data.maps : [];

const named = (accountId: string, about: Sealed<{ readonly name: string }>): Pick<Task, 'named_by' | 'name'> => ({
  named_by: accountId,
  name: unlessForgotten(about)?.name ?? null,
});

const UNRANKED = { ranked_at: null, ranked_position: null, ranking: null, grades: null } as const;
const UNCONTESTED = { contested_by: null, contested_reason: null, contested_totals: null } as const;
const UNDECIDED = { decided_score: null, decided_ranking: null, decided_grade: null, decided_by: null, decided_at: null } as const;
/** Of a ranking that was made elsewhere nobody knows more than rank and score. */
const WITHOUT_NORMS = { prior_score: null, prior: null, totals: [], residual: null } as const;
const UNCHECKED_RANK = { teacher_rank: null, ranking_flag: false, ranking_comment: null } as const;
const UNCHECKED_GRADE = { grade_flag: false, grade_comment: null } as const;
const UNCHECKED = {
  ranking_checked_by: null,
  ranking_checked_role: null,
  ranking_checked_at: null,
  grades_checked_by: null,
  grades_checked_role: null,
  grades_checked_at: null,
  without_ranking_by: null,
  without_ranking_reason: null,
  without_grades_by: null,
  without_grades_reason: null,
} as const;

/** Saved again, it has been there since the first time. */
const movedTo = (set: TaskSet, status: number, at: string): Partial<TaskSet> => (set.status === status ? {} : { status, since: at });

const commentOf = (row: { readonly comment?: Sealed<{ readonly text: string }> | undefined } | undefined): string | null =>
  row?.comment === undefined ? null : (unlessForgotten(row.comment)?.text ?? null);

type RecordedEvent = Extract<TaskEvent, { type: 'RankingRecorded' }>['data']['rows'][number];

/** What is left out stays as it was sent before. */
const recordedOver = (
  was: Row<typeof taskRecorded> | undefined,
  { setId, testIds, ranking, score, grade, teacherRank, flag, comment }: RecordedEvent,
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

/** A class that stays keeps the moment since which it waits. */
const replaceMaps = (
  rows: Tables,
  key: { readonly school_id: string; readonly task_id: string },
  maps: readonly TaskMap[],
  at: string,
): void => {
  const tests = Map.groupBy(maps, ({ setId }) => setId);
  for (const set of rows.taskSets.where('task_id', key.task_id)) if (!tests.has(set.set_id)) rows.taskSets.delete(set);
  for (const [setId, of] of tests) {
    const test_ids = of.map(({ testId }) => testId);
    const before = rows.taskSets.get({ ...key, set_id: setId });
    rows.taskSets.put(before ? { ...before, test_ids } : { ...key, set_id: setId, test_ids, status: null, since: at, ...UNCHECKED });
  }
};

const forget = (event: Recorded<Forgetting>, rows: Tables): void => {
  if (event.type === 'StudentForgotten') {
    for (const student of rows.taskStudents.where('student_id', event.data.studentId))
      rows.taskStudents.put(emptied(taskStudents, student));
    for (const row of rows.taskRecorded.where('student_id', event.data.studentId)) rows.taskRecorded.put(emptied(taskRecorded, row));
    return;
  }
  const { accountId } = event.data;
  // Name and reason of a task, and the two reasons of a class, may be of two people.
  for (const task of rows.feedbackTasks.where('named_by', accountId)) rows.feedbackTasks.put({ ...task, name: null });
  for (const task of rows.feedbackTasks.where('contested_by', accountId)) rows.feedbackTasks.put({ ...task, contested_reason: null });
  for (const set of rows.taskSets.where('without_ranking_by', accountId)) rows.taskSets.put({ ...set, without_ranking_reason: null });
  for (const set of rows.taskSets.where('without_grades_by', accountId)) rows.taskSets.put({ ...set, without_grades_reason: null });
};
