import type { Forgetter } from './auth/forgetting.handler.ts';
import type { AccountRequest } from './auth/auth.ts';
import type { AccountsOptions } from './auth/identity/account-commands.ts';
import { staffAccountHandlers } from './auth/identity/staff-accounts.handler.ts';
import { leavingHandlers } from './auth/identity/leaving.handler.ts';
import { studentAccountHandlers } from './auth/identity/student-accounts.handler.ts';
import type { ActHandlersOptions } from './history/acts.handler.ts';
import { actHandlers } from './history/acts.handler.ts';
import type { TaskHandlersOptions } from './tasks/task-mails.handler.ts';
import { taskHandlers } from './tasks/task-mails.handler.ts';
import type { SchoolYearHandlersOptions } from './school/school-year/school-year.handler.ts';
import { schoolYearHandlers } from './school/school-year/school-year.handler.ts';
import type { CommandHandlers } from './commands.ts';

export type HandlersOptions = {
  readonly accounts: AccountsOptions;
  readonly forgetter: Forgetter;
  readonly tasks: TaskHandlersOptions;
  readonly acts: ActHandlersOptions;
  readonly schoolYear: SchoolYearHandlersOptions;
};

/**
 * Every command that a decision on one stream cannot carry out by itself, with what does: it makes a log-in, sends mail, or writes to several
 * streams. All other commands go to the pipeline.
 */
export const handlers = ({ accounts, forgetter, tasks, acts, schoolYear }: HandlersOptions): CommandHandlers<AccountRequest> => ({
  ...staffAccountHandlers(accounts),
  ...studentAccountHandlers(accounts),
  ...leavingHandlers({ ...accounts, jobs: acts.jobs }),
  ...forgetter.handlers,
  ...taskHandlers(tasks),
  ...actHandlers(acts),
  ...schoolYearHandlers(schoolYear),
});
