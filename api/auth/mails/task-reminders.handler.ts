import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { commandId } from '../../../events/codec/ids.ts';
import { feedbackTask } from '../../../events/tasks/feedback-task.ts';
import { dateText } from '../../contract/dates.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import type { Letter } from '../../mail/letter.ts';
import { quoted, typed } from '../../mail/letter.ts';
import type { Composers, MailOrder } from '../../mail/outbox.ts';
import type { CommandHandlers, CommandPipeline } from '../../commands.ts';
import type { Request } from '../../pipeline/pipeline.ts';
import { validated } from '../../common/problems.ts';
import { remindTeachers } from '../../tasks/feedback-task.contract.ts';
import type { Limit, Limits } from '../limits.ts';
import type { Addressee } from './letters.ts';
import { countMails } from './mail-limits.ts';

/** The mails of feedback tasks, with their data. */
export type TaskMails = {
  'task-created': { readonly accountId: string; readonly taskId: string };
  'task-check': {
    readonly accountId: string;
    readonly taskId: string;
    readonly check: 'ranking' | 'grades';
    readonly setIds: readonly string[];
  };
};

/** An outbox that takes them. */
type Orders = { order(order: MailOrder<TaskMails>): Promise<unknown> };

export type TaskMailOptions = {
  readonly pool: Pool;
  readonly ofAccount: (accountId: string) => Promise<Addressee | undefined>;
  readonly page: (path: string) => string;
};

/** Composed when they are sent: not for a task that was deleted meanwhile, nor for classes that are checked or somebody else's by then. */
export const taskMails = ({ pool, ofAccount, page }: TaskMailOptions): Composers<TaskMails> => {
  const about = async (accountId: string, taskId: string, setIds?: readonly string[], status?: number): Promise<Concerned | undefined> => {
    const { rows } = await pool.query<Concerned>(CONCERNED, [accountId, taskId, setIds ?? null, status ?? null]);
    return rows[0];
  };
  return {
    async 'task-created'({ accountId, taskId }) {
      const [account, task] = await Promise.all([ofAccount(accountId), about(accountId, taskId)]);
      if (!account || !task) return undefined;
      return letter(account, page('/teacher'), `${typed(account.person.school)}: a new feedback task`, [
        `There is a new feedback task for ${task.classes.map(typed).join(', ')}${task.name === null ? '' : `: ${quoted(task.name)}`}. It runs until ${dateText(task.expiry)}.`,
        'Please enter the totals of your classes. You will find the task under your classes.',
      ]);
    },
    async 'task-check'({ accountId, taskId, check, setIds }) {
      const [account, task] = await Promise.all([ofAccount(accountId), about(accountId, taskId, setIds, check === 'ranking' ? 2 : 4)]);
      if (!account || !task) return undefined;
      return letter(account, page('/teacher'), `${typed(account.person.school)}: please check the ${check} of your classes`, [
        `The ${check} of ${task.classes.map(typed).join(', ')} ${check === 'ranking' ? 'waits' : 'wait'} for your check${task.name === null ? '' : `, for the feedback task ${quoted(task.name)}`}. It runs until ${dateText(task.expiry)}.`,
      ]);
    },
  };
};

const letter = ({ person, email }: Addressee, url: string, subject: string, paragraphs: readonly string[]): Letter => ({
  to: email,
  from: typed(person.school),
  subject,
  paragraphs: [person.name === null ? 'Hello,' : `Hello ${typed(person.name)},`, ...paragraphs],
  link: { label: 'Open my classes', url },
  notes: [],
});

type Concerned = { readonly name: string | null; readonly expiry: string; readonly classes: readonly string[] };

/** Classes of set `s` that the account teaches. */
const TAUGHT = `
read.task_sets s
join read.sets g on g.school_id = s.school_id and g.set_id = s.set_id and not g.deleted
join read.teachers t on t.school_id = s.school_id and t.subject_id = g.subject_id and s.set_id = any(t.set_ids) and not t.removed
join read.accounts a on a.school_id = s.school_id and a.activated and not a.closed
cross join lateral json_array_elements(a.teachers) r`;

/** $1 account; $2 task; $3 classes; $4 status. */
const CONCERNED = `
select k.name, k.expiry::text as expiry, array_agg(distinct g.name order by g.name) as classes
from read.feedback_tasks k join ${TAUGHT} on (r ->> 'teacherId')::uuid = t.teacher_id
where s.school_id = k.school_id and s.task_id = k.task_id and a.account_id = $1 and k.task_id = $2 and not k.deleted
  and ($3::uuid[] is null or s.set_id = any($3)) and ($4::int is null or s.status = $4)
group by k.name, k.expiry`;

/**
 * Orders the mail about a new task to each of its teachers who has no order yet, so that it is sent once whatever dies in between. Whoever
 * gets a class of the task in these days is told too; whoever created it is not.
 */
export const orderTaskMails = async (pool: Pool, outbox: Orders): Promise<void> => {
  const { rows } = await pool.query<TaskMails['task-created'] & { cause: string }>(
    `select distinct a.account_id as "accountId", k.task_id as "taskId", 'task ' || k.task_id || ' ' || a.account_id as cause
       from read.feedback_tasks k join ${TAUGHT} on (r ->> 'teacherId')::uuid = t.teacher_id
      where s.school_id = k.school_id and s.task_id = k.task_id and not k.deleted and k.created_at > now() - interval '2 days'
        and a.account_id <> k.created_by and coalesce(s.status, 0) < 2
        and not exists (select from mail.outbox o where o.cause = 'task ' || k.task_id || ' ' || a.account_id)`,
  );
  for (const { cause, ...task } of rows) await outbox.order({ cause, kind: 'task-created', about: task });
};

export type RemindingOptions = {
  readonly pipeline: Pick<CommandPipeline, 'execute' | 'holds' | 'look'>;
  readonly pool: Pool;
  readonly limits: Limits;
  readonly mail: Orders;
};

/** Somebody presses the button again; nobody presses it all day. */
const REMINDERS: Limit = { name: 'reminders of a feedback task', most: 5, seconds: 3_600 };

/** Reminds teachers by mail: the event says whom, each mail goes out once for it. */
export const reminding = ({ pipeline, pool, limits, mail }: RemindingOptions): CommandHandlers => ({
  async RemindTeachers(asked: Request): Promise<CommandAnswer<unknown>> {
    const request = { ...asked, key: asked.key ?? randomUUID() };
    const { actor } = request;
    const { taskId, setIds } = validated(remindTeachers, request.body);
    if (!(await pipeline.holds('RemindTeachers', request))) {
      await limits.count(REMINDERS, actor.schoolId, taskId);
      await countMails(limits, actor, await addresses(pool, actor.schoolId, taskId, setIds));
    }
    const answer = await pipeline.execute('RemindTeachers', request);
    const id = commandId(actor.accountId, request.key);
    const { reminder } = await pipeline.look(feedbackTask, actor.schoolId, taskId);
    // Another one has followed: this one's mails were ordered.
    if (reminder?.commandId === id)
      for (const accountId of reminder.accountIds) {
        const about = { accountId, taskId, check: reminder.check, setIds: reminder.setIds };
        await mail.order({ cause: `reminded ${id} ${accountId}`, kind: 'task-check', about });
      }
    return answer;
  },
});

/** To which a reminder may go; of a task of the actor's school. */
const addresses = async (pool: Pool, schoolId: string, taskId: string, setIds: readonly string[] | undefined): Promise<string[]> => {
  const { rows } = await pool.query<{ email: string }>(
    `select distinct a.email from ${TAUGHT}
      where (r ->> 'teacherId')::uuid = t.teacher_id and s.school_id = $1 and s.task_id = $2 and ($3::uuid[] is null or s.set_id = any($3))
        and a.email is not null`,
    [schoolId, taskId, setIds ?? null],
  );
  return rows.map(({ email }) => email);
};
