/** Which teachers of a feedback task are notified by mail, and which are not, and why. */
import type { Pool } from 'pg';
import type { MailOrder } from '../mail/outbox.ts';
import type { NotNotified, ReasonNotNotified } from './task-fields.contract.ts';
import type { TaskMails } from './task-mails.ts';
import { newsOf } from './task-mails.ts';

/** An outbox that takes these mails, and notes that one was not sent. */
export type Orders = {
  order(order: MailOrder<TaskMails>): Promise<unknown>;
  leaveOut(cause: string, kind: keyof TaskMails, why: string): Promise<void>;
};

/** How much may be sent (api/auth/mails/task-mail-limits.ts). */
export type TaskMailLimits = {
  /**
   * Counts a mail. Returns why it must not be sent: the account or the school has caused too many, or the teacher has had enough. `isMore`: it
   * does not join one that waits.
   */
  countMail(by: Sender, email: string, isMore: boolean): Promise<'too-many' | 'enough' | undefined>;
  /** @throws ProblemError `rate-limited` */
  countReminder(schoolId: string, taskId: string): Promise<void>;
};

export type NotifyOptions = { readonly pool: Pool; readonly limits: TaskMailLimits; readonly mail: Orders };

/** Who causes the mails: the limits are theirs. */
export type Sender = { readonly accountId: string; readonly schoolId: string };

/** What the mails are about: which classes of a task, and which mail each account gets. */
export type News = {
  readonly taskId: string;
  /** left out: all of the task */
  readonly setIds?: readonly string[] | undefined;
  /** only classes at this status */
  readonly status?: number | undefined;
  /** only these accounts of the classes' teachers; left out: all but the sender's */
  readonly accountIds?: readonly string[] | undefined;
  readonly mail: (accountId: string) => MailOrder<TaskMails>;
};

export type Notified = { readonly notified: number; readonly classes: readonly string[]; readonly notNotified: readonly NotNotified[] };

/**
 * Orders a mail to each teacher of the classes who has a proved address, within the limits. A mail that was decided on before is left as it is.
 * Mails to one teacher go together (`newsOf`): one that joins another is not counted again for the teacher.
 */
export const notifyTeachers = async ({ pool, limits, mail }: NotifyOptions, by: Sender, news: News): Promise<Notified> => {
  const { rows: teachers } = await pool.query<Teacher>(TEACHERS, [by.schoolId, news.taskId, news.setIds ?? null, news.status ?? null]);
  const reasons = new Map<string, ReasonNotNotified | undefined>();
  const recipients = teachers.flatMap(({ accountId, ...one }) =>
    accountId !== null && (news.accountIds?.includes(accountId) ?? accountId !== by.accountId) ? [{ accountId, ...one }] : [],
  );
  for (const { accountId, email, isProved } of recipients) {
    if (reasons.has(accountId)) continue;
    reasons.set(accountId, isProved ? await decide({ pool, limits, mail }, by, news.mail(accountId), email) : 'not-proved');
  }
  const notified = recipients.filter(({ accountId }) => reasons.get(accountId) === undefined);
  const notNotified = teachers.flatMap(({ accountId, teacher, name }): NotNotified[] => {
    if (accountId === null) return teacher === null ? [{ name, why: 'no-teacher' }] : [{ name: teacher.name, why: 'no-account' }];
    const reason = reasons.get(accountId);
    return reason === undefined ? [] : [{ name: teacher?.name ?? null, why: reason }];
  });
  return {
    notified: new Set(notified.map(({ accountId }) => accountId)).size,
    classes: [...new Set(notified.map(({ name }) => name))],
    notNotified: [...new Map(notNotified.map((one) => [JSON.stringify(one), one])).values()],
  };
};

/** undefined: it is sent. */
const decide = async (
  { pool, limits, mail }: NotifyOptions,
  by: Sender,
  order: MailOrder<TaskMails>,
  email: string,
): Promise<ReasonNotNotified | undefined> => {
  const together = newsOf(order.about.accountId);
  const { rows } = await pool.query<{ decided: boolean; trouble: string | null; joins: boolean }>(
    `select exists (select from mail.outbox where cause = $1) as decided,
            (select trouble from mail.outbox where cause = $1 and about is null and sent_at is null and given_up_at is null) as trouble,
            exists (select from mail.waiting where together = $2) as joins`,
    [order.cause, together],
  );
  const [before] = rows;
  if (before?.decided === true) return isLimit(before.trouble) ? before.trouble : undefined;
  const why = await limits.countMail(by, email, before?.joins !== true);
  await (why === undefined ? mail.order({ ...order, together }) : mail.leaveOut(order.cause, order.kind, why));
  return why;
};

const isLimit = (trouble: string | null): trouble is 'too-many' | 'enough' => trouble === 'too-many' || trouble === 'enough';

type Teacher = {
  /** of the class */
  readonly name: string;
  readonly teacher: { readonly name: string | null } | null;
  readonly accountId: string | null;
  readonly email: string;
  readonly isProved: boolean;
};

/** $1 school; $2 task; $3 classes; $4 status: each class with each of its teachers, or once without. */
const TEACHERS = `
select g.name, case when t.teacher_id is not null then json_build_object('name', t.name) end as teacher,
       a.account_id as "accountId", coalesce(u.email, '') as email, coalesce(u."emailVerified" and position('@' in u.email) > 0, false) as "isProved"
from read.task_sets s
join read.sets g on g.school_id = s.school_id and g.set_id = s.set_id and not g.deleted
left join read.teachers t on t.school_id = s.school_id and t.subject_id = g.subject_id and s.set_id = any(t.set_ids)
left join read.accounts a on a.school_id = s.school_id and a.activated and not a.closed
  and exists (select from json_array_elements(a.teachers) r where (r ->> 'teacherId')::uuid = t.teacher_id)
left join identity."user" u on u."accountId" = a.account_id::text
where s.school_id = $1 and s.task_id = $2 and ($3::uuid[] is null or s.set_id = any($3)) and ($4::int is null or s.status = $4)
order by g.name, t.name`;
