import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { ReadEventOf, Recorded, Sealed } from '../../events/codec/event.ts';
import type { rosterEvents } from '../../events/students/roster.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import type { TaskMap } from '../../events/tasks/feedback-task.ts';
import { projection } from '../engine/projection.ts';
import { emptied } from '../engine/tables/personal.ts';
import { taskRecorded, taskStudents } from './tables.ts';
import { completed, decided, graded, gradesChecked, reopened } from './task-grades.ts';
import { adopted, ranked, rankingChecked, recorded, unranked, UNRANKED } from './task-ranking.ts';
import type { Task, TaskEvent, Tables } from './task-rows.ts';
import { keyOf, tables, TaskRows, UNCHECKED } from './task-rows.ts';

type Forgetting =
  | Extract<ReadEventOf<typeof staffEvents>, { type: 'StaffAccountForgotten' }>
  | Extract<ReadEventOf<typeof rosterEvents>, { type: 'StudentForgotten' }>;

/** Feedback tasks with their classes, and what was ranked, checked, graded and decided by hand. */
export const tasksProjection = projection<TaskEvent | Forgetting>()({
  name: 'tasks',
  version: 6,
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
    // Rows that the events create.
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
    const { accountId } = event.metadata.actor;
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
    const task = new TaskRows(rows, before);
    switch (event.type) {
      case 'FeedbackTaskRenamed':
        return task.change(named(accountId, event.data.about));
      case 'FeedbackTaskExpiryChanged':
        return task.change({ expiry: event.data.expiry });
      case 'FeedbackTaskTeacherInputChanged':
        return task.change({ teacher_input: event.data.teacherInput });
      case 'FeedbackTaskMapsChanged':
        return replaceMaps(rows, keyOf(event), event.data.maps, at);
      case 'FeedbackTaskDeleted':
        return task.change({ deleted: true, deleted_by: accountId });
      case 'FeedbackTaskRestored':
        return task.change({ deleted: false, deleted_by: null });
      case 'TaskRanked':
        return ranked(event, task);
      case 'RankingRecorded':
        return recorded(event, task);
      case 'RankingAdopted':
        return adopted(event, task);
      case 'RankingRemoved':
        return unranked(event, task);
      case 'RankingChecked':
        return rankingChecked(event, task);
      case 'GradesAssigned':
        return graded(event, task);
      case 'GradesReopened':
        return reopened(event, task);
      case 'GradesChecked':
        return gradesChecked(event, task);
      case 'ResultsDecided':
        return decided(event, task);
      case 'FeedbackTaskCompleted':
        return completed(event, task);
    }
  },

  channels: (event, rows) => {
    if (isForgetting(event)) return [];
    const task = rows.feedbackTasks.get(keyOf(event));
    return task ? [`tasks:${task.subject_id}`] : [];
  },
});

const isForgetting = <Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { type: 'StaffAccountForgotten' | 'StudentForgotten' }> =>
  event.type === 'StaffAccountForgotten' || event.type === 'StudentForgotten';

const mapsIn = (event: TaskEvent): readonly TaskMap[] =>
  event.type === 'FeedbackTaskCreated' || event.type === 'FeedbackTaskMapsChanged' ? event.data.maps : [];

const named = (accountId: string, about: Sealed<{ readonly name: string }>): Pick<Task, 'named_by' | 'name'> => ({
  named_by: accountId,
  name: unlessForgotten(about)?.name ?? null,
});

const UNCONTESTED = { contested_by: null, contested_reason: null, contested_totals: null } as const;

/** A class that stays in the task keeps the time from which it has been waiting. */
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
