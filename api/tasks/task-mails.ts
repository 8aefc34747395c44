import type { Pool } from 'pg';
import { dateText } from '../contract/dates.ts';
import type { Letter } from '../mail/letter.ts';
import { quoted, typed } from '../mail/letter.ts';
import type { Composers } from '../mail/outbox.ts';

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

/** All mails to a teacher about feedback tasks go together, whatever they are about. */
export const newsOf = (accountId: string): string => `tasks ${accountId}`;

/** An account's owner with the name of the school, and their address. */
type Addressee = { readonly person: { readonly name: string | null; readonly school: string }; readonly email: string };

export type TaskMailOptions = {
  readonly pool: Pool;
  /** undefined: there is no such account, or its address is not proved. */
  readonly ofAccount: (accountId: string) => Promise<Addressee | undefined>;
  readonly page: (path: string) => string;
};

/** Composed when they are sent, and then not for a task that was deleted, nor for classes that have been checked or passed to somebody else. */
export const taskMails = ({ pool, ofAccount, page }: TaskMailOptions): Composers<TaskMails> => {
  const concerned = async (
    accountId: string,
    taskId: string,
    setIds?: readonly string[],
    status?: number,
  ): Promise<Concerned | undefined> => {
    const { rows } = await pool.query<Concerned>(CONCERNED, [accountId, taskId, setIds ?? null, status ?? null]);
    return rows[0];
  };
  return {
    async 'task-created'({ accountId, taskId }) {
      const [account, task] = await Promise.all([ofAccount(accountId), concerned(accountId, taskId)]);
      if (!account || !task) return undefined;
      return {
        ...letter(account, page('/teacher'), `${typed(account.person.school)}: a new feedback task`, [
          `There is a new feedback task for ${task.classes.map(typed).join(', ')}${task.name === null ? '' : `: ${quoted(task.name)}`}. It runs until ${dateText(task.expiry)}.`,
        ]),
        notes: ['Please enter the totals of your classes. You will find each task under your classes.'],
      };
    },
    async 'task-check'({ accountId, taskId, check, setIds }) {
      const [account, task] = await Promise.all([ofAccount(accountId), concerned(accountId, taskId, setIds, check === 'ranking' ? 2 : 4)]);
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
  subjectOfSeveral: `${typed(person.school)}: news of your feedback tasks`,
  paragraphs: [person.name === null ? 'Hello,' : `Hello ${typed(person.name)},`, ...paragraphs],
  link: { label: 'Open my classes', url },
  notes: [],
});

type Concerned = { readonly name: string | null; readonly expiry: string; readonly classes: readonly string[] };

/** $1 account; $2 task; $3 classes; $4 status. */
const CONCERNED = `
select k.name, k.expiry::text as expiry, array_agg(distinct g.name order by g.name) as classes
from read.feedback_tasks k
join read.task_sets s on s.school_id = k.school_id and s.task_id = k.task_id
join read.sets g on g.school_id = s.school_id and g.set_id = s.set_id and not g.deleted
join read.teachers t on t.school_id = s.school_id and t.subject_id = g.subject_id and s.set_id = any(t.set_ids)
join read.accounts a on a.school_id = s.school_id and a.activated and not a.closed
cross join lateral json_array_elements(a.teachers) r
where (r ->> 'teacherId')::uuid = t.teacher_id and a.account_id = $1 and k.task_id = $2 and not k.deleted
  and ($3::uuid[] is null or s.set_id = any($3)) and ($4::int is null or s.status = $4)
group by k.name, k.expiry`;
