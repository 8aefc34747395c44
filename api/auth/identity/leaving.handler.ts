import { randomUUID } from 'node:crypto';
import { staff } from '../../../events/accounts/staff.ts';
import type { CommandHandlers } from '../../commands.ts';
import { invalidInput, validated } from '../../common/problems.ts';
import type { StepName } from '../../history/acts.handler.ts';
import { together } from '../../history/acts.handler.ts';
import type { Step } from '../../pipeline/jobs.ts';
import { Jobs } from '../../pipeline/jobs.ts';
import { setsCommands } from '../../school/sets/sets.contract.ts';
import type { AccountRequest } from '../auth.ts';
import type { AccountsOptions } from './account-commands.ts';
import { AccountCommands } from './account-commands.ts';

type LeavingOptions = AccountsOptions & { readonly jobs: Jobs<StepName> };

/** A teacher leaves: the classes are handed over and, if it is asked for, the log-in is closed, as one act. */
export const leavingHandlers = (options: LeavingOptions): CommandHandlers<AccountRequest> => {
  const { pipeline, jobs, identities } = options;
  const commands = new AccountCommands(options);
  return {
    async LetTeacherLeave(sent) {
      const request = { ...sent, key: sent.key ?? randomUUID() };
      const { accountId, ...leaving } = validated(setsCommands.LetTeacherLeave.input, request.body);
      if (accountId === undefined) return pipeline.execute('LetTeacherLeave', request);
      pipeline.authorise('CloseStaffAccount', request.actor);
      // For good, and so the last: a refusal takes back the rest.
      const steps: readonly Step<StepName>[] = [
        { name: 'LetTeacherLeave', body: leaving },
        { name: 'CloseStaffAccount', body: { accountId } },
      ];
      const { accounts } = await pipeline.look(staff, request.actor.schoolId);
      const isTheirs = accounts.get(accountId)?.teachers.some(({ teacherId }) => teacherId === leaving.teacherId) === true;
      if (!isTheirs) throw invalidInput('accountId', 'This is not the log-in of this teacher.');
      const answers = await jobs.run(request, steps);
      await identities.remove(accountId);
      return commands.settled({ ...together(answers), result: { actId: Jobs.ids(request).jobId } });
    },
  };
};
