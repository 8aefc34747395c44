import { ProblemError } from '../../common/problems.ts';
import type { TaskMailLimits } from '../../tasks/notify-teachers.ts';
import type { Limit, Limits, Tried } from '../limits.ts';
import { mailboxOf, OF_ACCOUNT, OF_SCHOOL, TO_ONE, TO_ONE_IN_ALL } from './mail-limits.ts';

/** Somebody presses the button again; nobody presses it all day. */
const REMINDERS: Limit = { name: 'reminders of a feedback task', most: 5, seconds: 3_600 };

/** The limits of mails about feedback tasks, apart from those of all other mail: no task keeps an admin from inviting somebody. */
export const taskMailLimits = (limits: Limits): TaskMailLimits => {
  const ofTasks = (limit: Limit, ...who: readonly string[]): Tried => ({ limit: { ...limit, name: `${limit.name}, of tasks` }, who });
  const isRefused = (tried: readonly Tried[]): Promise<boolean> =>
    limits.countAll(tried).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ProblemError && error.problem.code === 'rate-limited') return true;
        throw error;
      },
    );
  return {
    async countMail({ accountId, schoolId }, email, isMore) {
      if (await isRefused(OF_ACCOUNT.map((limit) => ofTasks(limit, accountId)))) return 'too-many';
      if (await isRefused([ofTasks(OF_SCHOOL, schoolId)])) return 'too-many';
      if (!isMore) return undefined;
      const toOne = [...TO_ONE.map((limit) => ofTasks(limit, schoolId, email)), { limit: TO_ONE_IN_ALL, who: [mailboxOf(email)] }];
      return (await isRefused(toOne)) ? 'enough' : undefined;
    },
    countReminder: (schoolId, taskId) => limits.count(REMINDERS, schoolId, taskId),
  };
};
