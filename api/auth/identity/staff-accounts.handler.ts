import { staff } from '../../../events/accounts/staff.ts';
import { commandId } from '../../../events/codec/ids.ts';
import { changeStaffAccount, openStaffAccount } from '../../accounts/accounts.contract.ts';
import type { CommandHandlers } from '../../commands.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { inviteStaff } from '../../contract/auth.ts';
import { sameAddress } from '../../contract/fields.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import type { CommandCalls } from '../../contracts.ts';
import type { AccountRequest } from '../auth.ts';
import type { AccountsOptions } from './account-commands.ts';
import { AccountCommands, accountIn } from './account-commands.ts';
import type { Credentials } from './credentials.ts';

type Changed = Answer<CommandCalls['ChangeStaffAccount']['result']>;
type Credential = Awaited<ReturnType<Credentials['byAccount']>>;
/** An account, and the address that it is to have. */
type WithEmail = { readonly schoolId: string; readonly accountId: string; readonly email: string };

/** Who can sign in as staff. */
export const staffAccountHandlers = (options: AccountsOptions): CommandHandlers<AccountRequest> => {
  const { pipeline, roles, sessions, credentials, links, mail } = options;
  const commands = new AccountCommands(options);
  const inLog = async (schoolId: string, accountId: string) => (await pipeline.look(staff, schoolId)).accounts.get(accountId);
  const openInLog = async (schoolId: string, accountId: string) => {
    const found = await inLog(schoolId, accountId);
    return found?.closed ? undefined : found;
  };
  const isClosed = async (schoolId: string, accountId: string): Promise<boolean> => (await inLog(schoolId, accountId))?.closed ?? false;

  /** If this process dies before it orders the mail, another one does: see `orderMissedInvitations`. */
  const invited = async (answer: CommandAnswer<unknown>): Promise<CommandAnswer<unknown>> => {
    const { accountId, invitation } = answer.result as { accountId: string; invitation: number };
    await mail.order(invitationMail(accountId, invitation));
    return answer;
  };

  /** After a refusal or a repeated old request: back to the address in the log, as proved as it was `before`. */
  const putBackEmail = async ({ schoolId, accountId, email }: WithEmail, before: Credential): Promise<void> => {
    const logged = await openInLog(schoolId, accountId);
    if (!logged || sameAddress(logged.email ?? '', email)) return;
    const proved = before?.proved === true && sameAddress(logged.email ?? '', before.email ?? '');
    await (logged.email ? credentials.restoreEmail(accountId, logged.email, { proved }) : credentials.takeAway(accountId));
  };

  /** Tells the new address, and the old one. Whoever has not accepted their invitation is invited at the new one instead. */
  const tellOfEmail = async (
    { invitation }: Changed,
    { accountId, email }: WithEmail,
    old: { cause: string; email: string | undefined },
  ) => {
    if (invitation > 0) return mail.order(invitationMail(accountId, invitation));
    await mail.order({ cause: `email corrected ${old.cause}`, kind: 'email-corrected', about: { accountId, email } });
    if (old.email !== undefined)
      await mail.order({ cause: `email taken away ${old.cause}`, kind: 'email-taken-away', about: { accountId, oldEmail: old.email } });
    return undefined;
  };

  return {
    OpenStaffAccount: (request) => commands.open({ name: 'OpenStaffAccount', schema: openStaffAccount, isClosed }, request),
    async InviteStaff(request) {
      const details = validated(inviteStaff, request.body);
      await commands.countMails('InviteStaff', { ...request, body: details }, [details.email]);
      return invited(await commands.open({ name: 'InviteStaff', schema: inviteStaff, isClosed }, request));
    },
    async InviteStaffAgain(request) {
      const accountId = accountIn(request.body);
      const { email } = (await inLog(request.actor.schoolId, accountId)) ?? {};
      const isRepeat = await commands.countMails('InviteStaffAgain', request, email === undefined ? [] : [email]);
      const answer = await pipeline.execute('InviteStaffAgain', request);
      // The link of a repeated request may be in its mail by now.
      if (!isRepeat) await links.revoke('activation', accountId);
      await commands.settled(answer);
      const { invitation } = answer.result as { invitation: number };
      const result: Answer<CommandCalls['InviteStaffAgain']['result']> = { accountId, invitation };
      return invited({ ...answer, result });
    },
    ActivateStaffAccount: (request) => commands.shown('ActivateStaffAccount', request),
    ChangeStaffDetails: (request) => commands.shown('ChangeStaffDetails', request),
    CloseStaffAccount: (request) => commands.close('CloseStaffAccount', request),

    /**
     * Changes the identity before the events, as when it is opened: the address must be unique, and no stored role counts while it changes.
     */
    async ChangeStaffAccount(request) {
      const { accountId, email, role } = validated(changeStaffAccount, request.body);
      const { actor, key = crypto.randomUUID() } = request;
      const { schoolId } = actor;
      if (actor.byProfileToken && accountId === actor.accountId && email !== undefined)
        throw new ProblemError('forbidden', authMessages.tokenOfProfile);
      const [found, before] = await Promise.all([openInLog(schoolId, accountId), credentials.byAccount(accountId)]);
      const oldEmail = found?.email || undefined;
      const to = found && email !== undefined ? { schoolId, accountId, email } : undefined;
      if (to && !sameAddress(to.email, oldEmail ?? ''))
        await commands.countMails('ChangeStaffAccount', request, oldEmail === undefined ? [to.email] : [to.email, oldEmail]);
      const give = to && (() => credentials.changeEmail(accountId, to.email));
      const changed = give && (await commands.giving(request, give, before?.invitedEmail === null));
      if (role !== undefined) await roles.forget(schoolId, accountId);
      let answer: CommandAnswer<unknown>;
      try {
        answer = await pipeline.execute('ChangeStaffAccount', { ...request, key });
        if (answer.position !== null) await sessions.endAll(accountId);
        const isTaken = changed !== undefined && (answer.result as Changed).isOtherEmail;
        if (isTaken && sameAddress((await openInLog(schoolId, accountId))?.email ?? '', email ?? ''))
          await credentials.revokeAccess(accountId, changed);
      } finally {
        if (to && changed !== undefined) await putBackEmail(to, before);
        if (role !== undefined) await roles.note(accountId);
      }
      await commands.settled(answer);
      const result = answer.result as Changed;
      if (to && result.isOtherEmail) await tellOfEmail(result, to, { cause: commandId(actor.accountId, key), email: oldEmail });
      return answer;
    },
  };
};

export const invitationMail = (accountId: string, invitation: number) =>
  ({ cause: `invited ${accountId} ${invitation}`, kind: 'invited', about: { accountId, invitation }, days: 7 }) as const;
