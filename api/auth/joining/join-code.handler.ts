import { commandId } from '../../../events/codec/ids.ts';
import type { CommandHandlers } from '../../commands.ts';
import { validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { issueJoinCode } from '../../contract/auth.ts';
import type { CommandCalls } from '../../contracts.ts';
import type { AccountsOptions } from '../identity/account-commands.ts';
import { AccountCommands } from '../identity/account-commands.ts';

/** Joining codes, and who may join by one. The log holds the tag of a code, the answer the code. */
export const joinCodeHandlers = (options: AccountsOptions): CommandHandlers => {
  const { joinCodes } = options;
  const commands = new AccountCommands(options);
  return {
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
    ChangeJoinDomain: (request) => commands.shown('ChangeJoinDomain', request),
    JoinByCode: (request) => commands.shown('JoinByCode', request),
  };
};
