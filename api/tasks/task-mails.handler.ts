import { randomUUID } from 'node:crypto';
import { commandId } from '../../events/codec/ids.ts';
import { feedbackTask } from '../../events/tasks/feedback-task.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Handlers } from '../pipeline/command-bus.ts';
import type { Pipeline, Request } from '../pipeline/pipeline.ts';
import { validated } from '../common/problems.ts';
import { editFeedbackTask, remindTeachers } from './feedback-task.contract.ts';
import type { FeedbackTaskResult } from './feedback-task.contract.ts';
import { remindedText } from './task-fields.contract.ts';
import type { News, Notified, NotifyOptions, Sender } from './notify-teachers.ts';
import { notifyTeachers } from './notify-teachers.ts';

type TaskCommand = 'CreateFeedbackTask' | 'EditFeedbackTask' | 'RemindTeachers';

export type TaskHandlersOptions = NotifyOptions & {
  readonly pipeline: Pick<Pipeline<TaskCommand>, 'execute' | 'holds' | 'look'>;
  /** Fulfilled when the read models of tasks and their teachers have reached the position. */
  readonly shown: (position: bigint) => Promise<void>;
};

/** The commands about which teachers are notified by mail. Each mail goes out once for its cause; the answer says who gets none, and why. */
export const taskHandlers = (options: TaskHandlersOptions): Required<Handlers<TaskCommand, Request>> => {
  const { pipeline, limits } = options;
  const settled = async ({ position }: CommandAnswer<unknown>): Promise<void> => {
    if (position !== null) await options.shown(BigInt(position));
  };
  /** With who is notified: a repeated command no longer knows. */
  const withNotified = (
    answer: CommandAnswer<unknown>,
    isRepeat: boolean,
    { notified, notNotified }: Notified,
  ): CommandAnswer<unknown> => ({
    ...answer,
    result: {
      ...(answer.result as object),
      ...(isRepeat ? { notified: 0, notNotified: [], leftOut: ['notified', 'notNotified'] } : { notified, notNotified }),
    },
  });
  return {
    async CreateFeedbackTask(request: Request): Promise<CommandAnswer<unknown>> {
      const isRepeat = await pipeline.holds('CreateFeedbackTask', request);
      const answer = await pipeline.execute('CreateFeedbackTask', request);
      await settled(answer);
      const { taskId } = answer.result as FeedbackTaskResult<'CreateFeedbackTask'>;
      return withNotified(answer, isRepeat, await notifyTeachers(options, request.actor, newTask(taskId)));
    },

    /** The teachers of classes that are added are notified as for a new task. */
    async EditFeedbackTask(request: Request): Promise<CommandAnswer<unknown>> {
      const { actor, body } = request;
      const { taskId, maps } = validated(editFeedbackTask, body);
      const isRepeat = maps !== undefined && (await pipeline.holds('EditFeedbackTask', request));
      const before = maps && (await pipeline.look(feedbackTask, actor.schoolId, taskId)).maps.map(({ setId }) => setId);
      const answer = await pipeline.execute('EditFeedbackTask', request);
      await settled(answer);
      const added = maps?.map(({ setId }) => setId).filter((setId) => before?.includes(setId) === false) ?? [];
      const notified = added.length === 0 ? NOBODY : await notifyTeachers(options, actor, { ...newTask(taskId), setIds: added });
      return withNotified(answer, isRepeat, notified);
    },

    async RemindTeachers(sent: Request): Promise<CommandAnswer<unknown>> {
      const request = { ...sent, key: sent.key ?? randomUUID() };
      const { actor } = request;
      const { taskId, setIds } = validated(remindTeachers, request.body);
      const isRepeat = await pipeline.holds('RemindTeachers', request);
      // Counted after the right has been checked, and once: the pipeline may decide again.
      let counted: Promise<void> | undefined;
      const precondition = () => (counted ??= limits.countReminder(actor.schoolId, taskId));
      const answer = await pipeline.execute('RemindTeachers', { ...request, precondition });
      const id = commandId(actor.accountId, request.key);
      const { reminder } = await pipeline.look(feedbackTask, actor.schoolId, taskId);
      // Another one has followed: this one's mails were ordered.
      if (reminder?.commandId !== id) return answer;
      await settled(answer);
      const { notified, classes, notNotified } = await notifyTeachers(options, actor, {
        taskId,
        setIds,
        status: reminder.check === 'ranking' ? 2 : 4,
        accountIds: reminder.accountIds,
        mail: (accountId) => ({
          cause: `reminded ${id} ${accountId}`,
          kind: 'task-check',
          about: { accountId, taskId, check: reminder.check, setIds: reminder.setIds },
        }),
      });
      if (isRepeat) return answer;
      return { ...answer, result: { message: remindedText(notified, classes, notNotified), teachers: notified, notNotified } };
    },
  };
};

const NOBODY: Notified = { notified: 0, classes: [], notNotified: [] };

export const newTask = (taskId: string): News => ({
  taskId,
  mail: (accountId) => ({ cause: `task ${taskId} ${accountId}`, kind: 'task-created', about: { accountId, taskId } }),
});

/**
 * Notifies teachers of new tasks who have not been notified: because a process died, or because they got a class of the task, or proved their
 * address, within two days. Whoever created the task is left out, and so is what a request is working on.
 */
export const notifyMissed = async (options: NotifyOptions): Promise<void> => {
  const { rows } = await options.pool.query<Sender & { taskId: string; setIds: readonly string[] }>(
    `select k.school_id as "schoolId", k.created_by as "accountId", k.task_id as "taskId", array_agg(distinct s.set_id) as "setIds"
       from read.feedback_tasks k
       join read.task_sets s on s.school_id = k.school_id and s.task_id = k.task_id and coalesce(s.status, 0) < 2
       join read.sets g on g.school_id = s.school_id and g.set_id = s.set_id and not g.deleted
       join read.teachers t on t.school_id = s.school_id and t.subject_id = g.subject_id and s.set_id = any(t.set_ids)
       join read.accounts a on a.school_id = s.school_id and a.activated and not a.closed and a.account_id <> k.created_by
       join identity."user" u on u."accountId" = a.account_id::text and u."emailVerified" and position('@' in u.email) > 0
      cross join lateral json_array_elements(a.teachers) r
      where (r ->> 'teacherId')::uuid = t.teacher_id and not k.deleted
        and k.created_at > now() - interval '2 days' and k.created_at < now() - interval '1 minute'
        and not exists (select from mail.outbox o where o.cause = 'task ' || k.task_id || ' ' || a.account_id)
      group by 1, 2, 3`,
  );
  for (const { taskId, setIds, ...by } of rows) await notifyTeachers(options, by, { ...newTask(taskId), setIds });
};
