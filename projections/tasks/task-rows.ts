import { idIn, unlessForgotten } from '../../events/aggregate.ts';
import type { ReadEventOf, Recorded, Sealed } from '../../events/codec/event.ts';
import type { feedbackTaskEvents } from '../../events/tasks/feedback-task.ts';
import type { Rows } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import { feedbackTasks, taskRecorded, taskSets, taskStudents } from './tables.ts';

export type TaskEvent = ReadEventOf<typeof feedbackTaskEvents>;
export type EventOf<Type extends TaskEvent['type']> = Recorded<Extract<TaskEvent, { type: Type }>>;

export const tables = { feedbackTasks, taskSets, taskStudents, taskRecorded };
export type Tables = Rows<typeof tables>;
export type Task = Row<typeof feedbackTasks>;
type TaskSet = Row<typeof taskSets>;
type TaskStudent = Row<typeof taskStudents>;

export const keyOf = ({ metadata, stream }: Pick<Recorded<TaskEvent>, 'metadata' | 'stream'>) => ({
  school_id: metadata.schoolId,
  task_id: idIn(stream),
});

/** The rows of one task, as an event changes them. */
export class TaskRows {
  readonly rows: Tables;
  readonly students: readonly TaskStudent[];
  readonly #task: Task;
  readonly #sets: readonly TaskSet[];

  constructor(rows: Tables, task: Task) {
    this.rows = rows;
    this.#task = task;
    this.#sets = rows.taskSets.where('task_id', task.task_id);
    this.students = rows.taskStudents.where('task_id', task.task_id);
  }

  change(to: Partial<Task>): void {
    this.rows.feedbackTasks.put({ ...this.#task, ...to });
  }

  changeSets(to: (set: TaskSet) => Partial<TaskSet>): void {
    for (const set of this.#sets) this.rows.taskSets.put({ ...set, ...to(set) });
  }

  changeSet(setId: string, to: (set: TaskSet) => Partial<TaskSet>): void {
    this.changeSets((set) => (set.set_id === setId ? to(set) : {}));
  }

  /** `setId`: only those of a class. */
  changeStudents(to: (student: TaskStudent) => Partial<TaskStudent>, setId?: string): void {
    for (const student of this.students)
      if (setId === undefined || student.set_id === setId) this.rows.taskStudents.put({ ...student, ...to(student) });
  }

  forgetStudents(): void {
    for (const student of this.students) this.rows.taskStudents.delete(student);
  }

  forgetRecorded(): void {
    for (const row of this.rows.taskRecorded.where('task_id', this.#task.task_id)) this.rows.taskRecorded.delete(row);
  }
}

/** A class that is saved again keeps the time of the first time. */
export const movedTo = (set: TaskSet, status: number, at: string): Partial<TaskSet> => (set.status === status ? {} : { status, since: at });

export const commentOf = (row: { readonly comment?: Sealed<{ readonly text: string }> | undefined } | undefined): string | null =>
  row?.comment === undefined ? null : (unlessForgotten(row.comment)?.text ?? null);

/** By class: the reason given for continuing without its check. */
export const reasonsOf = (
  without: readonly { readonly setId: string; readonly about: Sealed<{ readonly reason: string }> }[],
): ReadonlyMap<string, string | null> => new Map(without.map(({ setId, about }) => [setId, unlessForgotten(about)?.reason ?? null]));

export const UNCHECKED = {
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
export const UNCHECKED_GRADE = { grade_flag: false, grade_comment: null } as const;
