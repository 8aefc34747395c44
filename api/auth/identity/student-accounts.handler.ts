import { account } from '../../../events/accounts/account.ts';
import { openStudentAccount } from '../../accounts/accounts.contract.ts';
import type { CommandHandlers } from '../../commands.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { resetStudentAccount } from '../../contract/auth.ts';
import type { CommandCalls } from '../../contracts.ts';
import type { AccountRequest, AccountsOptions } from './account-commands.ts';
import { AccountCommands } from './account-commands.ts';

/** Who can sign in as a student. */
export const studentAccountHandlers = (options: AccountsOptions): CommandHandlers<AccountRequest> => {
  const { pipeline, credentials, links, mail, publicUrl } = options;
  const commands = new AccountCommands(options);
  const isClosed = async (schoolId: string, accountId: string): Promise<boolean> =>
    (await pipeline.look(account, schoolId, accountId)).status === 'closed';
  return {
    OpenStudentAccount: (request) => commands.open({ name: 'OpenStudentAccount', schema: openStudentAccount, isClosed }, request),
    ChangeStudentDetails: (request) => commands.shown('ChangeStudentDetails', request),
    CloseStudentAccount: (request) => commands.close('CloseStudentAccount', request),

    /** The same link is mailed and shown to the admin in the answer; earlier links stop working. */
    async ResetStudentAccount(request) {
      const { accountId } = validated(resetStudentAccount, request.body);
      const credential = await credentials.byAccount(accountId);
      const email = credential?.email;
      if (credential?.schoolId === request.actor.schoolId) {
        if (email === undefined) throw new ProblemError('refused', authMessages.noAddress);
        await commands.countMails('ResetStudentAccount', request, [email]);
      }
      const answer = await commands.shown('ResetStudentAccount', request);
      const { reset } = answer.result as { reset: number };
      const ordered = await mail.order({
        cause: `student reset ${accountId} ${reset}`,
        kind: 'student-reset',
        about: { accountId },
        days: 1,
      });
      const token = await links.make({ purpose: 'reset-by-admin', subject: accountId, about: email ?? '' }, ordered);
      await links.revoke('reset-by-admin', accountId, { except: token });
      const result: Answer<CommandCalls['ResetStudentAccount']['result']> = { link: `${publicUrl}/email/change-password?token=${token}` };
      return { ...answer, result };
    },
  };
};
