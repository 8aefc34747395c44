/** Which teachers of a feedback task are told by mail, and which are not, and why. */
import type { Pool } from 'pg';
import type { NotNotified, ReasonNotNotified } from '../../tasks/task-fields.contract.ts';
import type { MailOrder } from '../../mail/outbox.ts';
import type { Limits } from '../limits.ts';
import { countTaskMail } from './mail-limits.ts';
import type { TaskMails } from './task-mails.ts';
import { newsOf } from './task-mails.ts';

/** An outbox that takes these mails, and notes that one was not sent. */
export type Orders = {
  order(order: MailOrder<TaskMails>): Promise<unknown>;
  leaveOut(cause: string, kind: keyof TaskMails, why: string): Promise<void>;
};

export type TellingOptions = { readonly pool: Pool; readonly limits: Limits; readonly mail: Orders };

/** Who causes the mails: the limits are theirs. */
export type Teller = { readonly accountId: string; readonly schoolId: string };

/** What the mails are about: which classes of a task, and which mail each account gets. */
export type News = {
  readonly taskId: string;
  /** left out: all of the task */
  readonly setIds?: readonly string[] | undefined;
  /** only classes at this status */
  readonly status?: number | undefined;
  /** only these accounts of the classes' teachers; left out: all but whoever tells it */
  readonly accountIds?: readonly string[] | undefined;
  readonly mail: (accountId: string) => MailOrder<TaskMails>;
};

export type Notified = { readonly notified: number; readonly classes: readonly string[]; readonly notNotified: readonly NotNotified[] };

/**
 * Orders a mail to each teacher of the classes, as far as there is a proved address and the limits allow; whose mail was decided before is left
 * as it is. Mails to one teacher go together (`newsOf`): what joins one that waits is no mail more for them.
 */
export const notifyTeachers = async ({ pool, limits, mail }: TellingOptions, by: Teller, news: News): Promise<Notified> => {
  const { rows: teachers } = await pool.query<Teacher>(TEACHERS, [by.schoolId, news.taskId, news.setIds ?? null, news.status ?? null]);
  const why = new Map<string, ReasonNotNotified | undefined>();
  const asked = teachers.flatMap(({ accountId, ...one }) =>
    accountId !== null && (news.accountIds?.includes(accountId) ?? accountId !== by.accountId) ? [{ accountId, ...one }] : [],
  );
  for (const { accountId, email, isProved } of asked) {
    if (why.has(accountId)) continue;
    why.set(accountId, isProved ? await decide({ pool, limits, mail }, by, news.mail(accountId), email) : 'not-proved');
  }
  const notified = asked.filter(({ accountId }) => why.get(accountId) === undefined);
  const alone = teachers.flatMap(({ accountId, teacher, name }): NotNotified[] => {
    if (accountId === null) return teacher === null ? [{ name, why: 'no-teacher' }] : [{ name: teacher.name, why: 'no-account' }];
    const because = why.get(accountId);
    return because === undefined ? [] : [{ name: teacher?.name ?? null, why: because }];
  });
  return {
    notified: new Set(notified.map(({ accountId }) => accountId)).size,
    classes: [...new Set(notified.map(({ name }) => name))],
    notNotified: [...new Map(alone.map((one) => [JSON.stringify(one), one])).values()],
  };
};

/** Undefined: it is sent. */
const decide = async (
  { pool, limits, mail }: TellingOptions,
  by: Teller,
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
  const why = await countTaskMail(limits, by, email, { isMore: before?.joins !== true });
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
