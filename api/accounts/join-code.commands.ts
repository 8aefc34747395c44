import { z } from 'zod';
import { joinCode } from '../../events/accounts/join-code.ts';
import { issueJoinCode } from '../contract/auth.ts';
import { command } from '../common/command.ts';
import { bySubject } from '../common/of-subject.ts';
import { nothing } from '../contract/answer.ts';
import { accountCommands } from './accounts.contract.ts';

/** A new code, which replaces the previous one. api/auth has made the code: the decision sees only its tag. */
export const IssueJoinCode = command({
  result: nothing,
  input: issueJoinCode.extend({ codeTag: z.string().min(1) }),
  aggregate: joinCode,
  streamId: bySubject,
  decide: ({ subjectId, codeTag }, state) => (state.codeTag === codeTag ? [] : [{ type: 'JoinCodeIssued', data: { subjectId, codeTag } }]),
});

export const ChangeJoinDomain = command({
  ...accountCommands.ChangeJoinDomain,
  aggregate: joinCode,
  streamId: bySubject,
  decide({ subjectId, domain: typed }, state) {
    const domain = typed === '' ? null : typed;
    return state.domain === domain ? [] : [{ type: 'JoinDomainChanged', data: { subjectId, domain } }];
  },
});
