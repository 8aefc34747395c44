import { account } from '../../../events/accounts/account.ts';
import { commandId } from '../../../events/codec/ids.ts';
import { openStudentAccount } from '../../accounts/accounts.contract.ts';
import type { CommandHandlers } from '../../commands.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { issueJoinCode, resetStudentAccount } from '../../contract/auth.ts';
import type { CommandCalls } from '../../contracts.ts';
import type { AccountRequest } from '../auth.ts';
import type { AccountsOptions } from './account-commands.ts';
import { AccountCommands } from './account-commands.ts';

/** Who can sign in as a student, and the codes by which students join: the log holds the tag of a code, the answer the code. */
export const studentAccountHandlers = (options: AccountsOptions): CommandHandlers<AccountRequest> => {
  const { pipeline, credentials, joinCodes, links, mail, publicUrl } = options;
  const commands = new AccountCommands(options);
  const isClosed = async (schoolId: string, accountId: string): Promise<boolean> =>
    (await pipeline.look(account, schoolId, accountId)).status === 'closed';
  return {
    OpenStudentAccount: (request) => commands.open({ name: 'OpenStudentAccount', schema: openStudentAccount, isClosed }, request),
    ChangeStudentDetails: (request) => commands.shown('ChangeStudentDetails', request),
    CloseStudentAccount: (request) => commands.close('CloseStudentAccount', request),
    ChangeJoinDomain: (request) => commands.shown('ChangeJoinDomain', request),
    JoinByCode: (request) => commands.shown('JoinByCode', request),

    async IssueJoinCode(request) {
      const { subjectId } = validated(issueJoinCode, request.body);
      const { actor, key = crypto.randomUUID() } = request;
      const { code, codeTag } = await joinCodes.make({
        schoolId: actor.schoolId,
        subjectId,
        commandId: commandId(actor.accountId, key),
      });
      const answer = await commands.shown('IssueJoinCode', { ...request, key, body: { subjectId, codeTag } });
      const result: Answer<CommandCalls['IssueJoinCode']['result']> = { code };
      return { ...answer, result };
    },

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
