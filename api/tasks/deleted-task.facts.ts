import type { RunSql } from '../common/facts.ts';
import type { About } from '../common/query.ts';
import { subjectIsThere } from '../common/of-subject.ts';
import { ProblemError } from '../common/problems.ts';
import { taskMessages } from './task-fields.contract.ts';

export const NO_TASK = 'There is no such feedback task.';

/** What is left of a task that was deleted. */
export type DeletedTask = { readonly subjectId: string; readonly deletedBy: string | null };

/** @throws ProblemError `not-found`: there never was one */
export const readDeletedTask = async (query: RunSql, taskId: string, about: About): Promise<DeletedTask> => {
  const [deleted] = await query<DeletedTask & { readonly yearGroupId: string }>(DELETED, [taskId]);
  if (!deleted) throw new ProblemError('not-found', NO_TASK);
  const { subjectId, yearGroupId, deletedBy } = deleted;
  about({ subjectId, yearGroupId });
  return { subjectId, deletedBy };
};

/** For those only who may see the task. */
export const wasDeleted = ({ deletedBy }: DeletedTask): ProblemError =>
  new ProblemError('not-found', taskMessages.deleted(deletedBy ?? 'somebody who was forgotten'));

/** $1 school; $2 task. */
const DELETED = `
select k.subject_id as "subjectId", k.year_group_id as "yearGroupId", a.name as "deletedBy"
from feedback_tasks k left join accounts a on a.school_id = $1 and a.account_id = k.deleted_by
where k.school_id = $1 and k.task_id = $2 and k.deleted and ${subjectIsThere('k')}`;
