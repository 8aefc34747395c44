import { account } from '../../../events/accounts/account.ts';
import { commandId, newId } from '../../../events/codec/ids.ts';
import { school } from '../../../events/school/school.ts';
import { staff } from '../../../events/accounts/staff.ts';
import type { CommandHandlers, CommandName, CommandPipeline } from '../../commands.ts';
import type { Answer } from '../../contract/answer.ts';
import type { CommandCalls } from '../../contracts.ts';
import { inviteStaff, issueJoinCode, resetStudentAccount } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { sameAddress } from '../../contract/fields.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import { changeStaffAccount, openStaffAccount, openStudentAccount } from '../../accounts/accounts.contract.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { InternalRequest, Request } from '../../pipeline/pipeline.ts';
import { invalidInput, ProblemError, validated } from '../../common/problems.ts';
import type { Credentials } from './credentials.ts';
import { EmailTaken } from './credentials.ts';
import type { Identity } from './identity.ts';
import { StudentTaken } from './new-identity.ts';
import type { JoinCodes } from '../joining/join-codes.ts';
import type { AuthMails } from '../mails/auth-mails.ts';
import type { Limits } from '../limits.ts';
import type { Links } from '../password/links.ts';
import { countMails } from '../mails/mail-limits.ts';
import { requireGoodPassword } from '../password/password-rules.ts';
import type { LostAddresses } from '../profile/address-proof.ts';
import type { TakenAddressLimit } from '../registration/address-taken.ts';

export type AccountsOptions = {
  readonly pipeline: CommandPipeline;
  readonly identity: Identity;
  readonly credentials: Credentials;
  readonly joinCodes: JoinCodes;
  readonly links: Links;
  readonly limits: Limits;
  readonly takenAddresses: TakenAddressLimit;
  readonly lostAddresses: LostAddresses;
  readonly mail: Outbox<AuthMails>;
  /** Fulfilled when the read model of accounts has reached the position. */
  readonly reached: (position: bigint) => Promise<void>;
  readonly publicUrl: string;
};

/** What is answered to a command. */
type Result<Name extends keyof CommandCalls> = Answer<CommandCalls[Name]['result']>;

/**
 * `anyPassword`: the password is public anyway, as the demo school's are. `proved`: the owner has shown by a mailed link that the address is
 * theirs. Neither is ever set from an HTTP request.
 */
export type AccountRequest = InternalRequest & { readonly anyPassword?: boolean; readonly proved?: boolean };

/**
 * Commands that change who can sign in. An identity is made before its account's event, because its e-mail address must be unique, and
 * removed if the event is refused. Sessions end in the request that takes their rights. No password and no joining code reaches the
 * pipeline.
 */
export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** For the command bus. */
  readonly handlers: CommandHandlers<AccountRequest> = {
    OpenStaffAccount: (request) => this.#open('OpenStaffAccount', openStaffAccount, request),
    OpenStudentAccount: (request) => this.#open('OpenStudentAccount', openStudentAccount, request),
    InviteStaff: async (request) => this.#invited(await this.#open('InviteStaff', inviteStaff, request)),
    InviteStaffAgain: (request) => this.#invitedAgain(request),
    CloseStaffAccount: (request) => this.#close('CloseStaffAccount', request),
    CloseStudentAccount: (request) => this.#close('CloseStudentAccount', request),
    ChangeStaffAccount: (request) => this.#changeStaff(request),
    ResetStudentAccount: (request) => this.#resetStudent(request),
    IssueJoinCode: (request) => this.#issueJoinCode(request),
    ChangeJoinDomain: (request) => this.#shown('ChangeJoinDomain', request),
    ActivateStaffAccount: (request) => this.#shown('ActivateStaffAccount', request),
    ChangeStaffDetails: (request) => this.#shown('ChangeStaffDetails', request),
    ChangeStudentDetails: (request) => this.#shown('ChangeStudentDetails', request),
    JoinByCode: (request) => this.#shown('JoinByCode', request),
  };

  /** The next request sees it in the read model. */
  async #shown(name: CommandName, request: Request): Promise<CommandAnswer<unknown>> {
    return this.#settled(await this.#options.pipeline.execute(name, request));
  }

  /** Ends somebody's access as soon as the event is written, without waiting for the read model of accounts. */
  async #close(name: 'CloseStaffAccount' | 'CloseStudentAccount', request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, identity } = this.#options;
    const answer = await pipeline.execute(name, request);
    await identity.remove(accountIn(request.body));
    return this.#settled(answer);
  }

  async #open(
    name: CommandName,
    schema: typeof openStaffAccount | typeof openStudentAccount | typeof inviteStaff,
    { anyPassword = false, proved = false, ...request }: AccountRequest,
  ): Promise<CommandAnswer<unknown>> {
    const { pipeline, identity } = this.#options;
    const input = validated(schema, request.body);
    const { password, ...details } = { password: undefined, ...input };
    if (name === 'InviteStaff') await this.#countMails(name, { ...request, body: details }, [details.email]);
    if (password !== undefined && !anyPassword)
      requireGoodPassword(password, { ...details, school: await this.#schoolName(request.actor.schoolId) });
    const key = request.key ?? crypto.randomUUID();
    const { actor } = request;
    const { schoolId } = actor;
    const accountId = newId(commandId(actor.accountId, key), 'account');
    const studentId = 'studentId' in details ? details.studentId : undefined;
    const opened = { accountId, schoolId, email: details.email, invited: password === undefined, password, studentId, proved };
    const { isNew, isLost } = await this.#giving(request, () => identity.open(opened), !opened.invited);
    if (isLost) await this.#options.lostAddresses.note();
    try {
      const answer = await this.#settled(await pipeline.execute(name, { ...request, key, body: details }));
      // A repeated request for an account that was closed in the meantime: it stays closed.
      if (isNew && (await this.#isClosed(name, actor.schoolId, accountId))) await identity.remove(accountId);
      return answer;
    } catch (error) {
      // Only if this request made it and nothing was written. After an unknown outcome the identity stays until the sweep. A key that was
      // used before has an account already.
      if (isNew && error instanceof ProblemError && error.problem.status < 500 && error.problem.code !== 'key-reused')
        await identity.remove(accountId);
      throw error;
    }
  }

  /**
   * `work` gives somebody an address; `tells`: whether a refusal may tell of an account in another school.
   *
   * @throws ProblemError if somebody has the address, or if the user has had too many such answers
   */
  async #giving<Result>({ actor }: Request, work: () => Promise<Result>, tells: boolean): Promise<Result> {
    const { accountId, schoolId, role } = actor;
    try {
      return await (tells && role !== 'system' ? this.#options.takenAddresses.run({ accountId, among: schoolId }, work) : work());
    } catch (error) {
      throw asRefusal(error, schoolId);
    }
  }

  async #schoolName(schoolId: string): Promise<string | undefined> {
    const state = await this.#options.pipeline.look(school, schoolId);
    return state.status === 'none' ? undefined : state.name;
  }

  async #isClosed(name: CommandName, schoolId: string, accountId: string): Promise<boolean> {
    const { pipeline } = this.#options;
    if (name === 'OpenStudentAccount') return (await pipeline.look(account, schoolId, accountId)).status === 'closed';
    return (await pipeline.look(staff, schoolId)).accounts.get(accountId)?.closed ?? false;
  }

  async #invitedAgain(request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, links } = this.#options;
    const accountId = accountIn(request.body);
    const { email } = (await pipeline.look(staff, request.actor.schoolId)).accounts.get(accountId) ?? {};
    const isRepeat = await this.#countMails('InviteStaffAgain', request, email === undefined ? [] : [email]);
    const answer = await pipeline.execute('InviteStaffAgain', request);
    // The link of a repeated request may be in its mail by now.
    if (!isRepeat) await links.revoke('activation', accountId);
    await this.#settled(answer);
    const { invitation } = answer.result as { invitation: number };
    return this.#invited({ ...answer, result: { accountId, invitation } satisfies Result<'InviteStaffAgain'> });
  }

  /**
   * Changes the identity before the events, as when it is opened: the address must be unique, and no stored role counts while it changes.
   */
  async #changeStaff(request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, identity, credentials, mail } = this.#options;
    const { accountId, email, role } = validated(changeStaffAccount, request.body);
    const { actor, key = crypto.randomUUID() } = request;
    if (actor.byProfileToken && accountId === actor.accountId && email !== undefined)
      throw new ProblemError('forbidden', authMessages.tokenOfProfile);
    const open = async (): Promise<{ readonly email: string | undefined } | undefined> => {
      const found = (await pipeline.look(staff, actor.schoolId)).accounts.get(accountId);
      return found?.closed ? undefined : found;
    };
    const [found, before] = await Promise.all([open(), credentials.byAccount(accountId)]);
    const oldEmail = found?.email || undefined;
    if (email !== undefined && found && !sameAddress(email, oldEmail ?? ''))
      await this.#countMails('ChangeStaffAccount', request, oldEmail === undefined ? [email] : [email, oldEmail]);
    const changed =
      email === undefined || !found
        ? undefined
        : await this.#giving(request, () => credentials.changeEmail(accountId, email), before?.invitedEmail === null);
    if (role !== undefined) await identity.forgetRole(actor.schoolId, accountId);
    let answer: CommandAnswer<unknown>;
    try {
      answer = await pipeline.execute('ChangeStaffAccount', { ...request, key });
      if (answer.position !== null) await identity.endSessions(accountId);
      if (changed !== undefined && isOtherEmail(answer) && sameAddress((await open())?.email ?? '', email ?? ''))
        await credentials.revokeAccess(accountId, changed);
    } finally {
      // After a refusal or a repeated old request: back to the address in the log, as proved as it was.
      const logged = changed === undefined ? undefined : await open();
      if (logged && !sameAddress(logged.email ?? '', email ?? '')) {
        const proved = before?.proved === true && sameAddress(logged.email ?? '', before.email ?? '');
        await (logged.email ? credentials.restoreEmail(accountId, logged.email, { proved }) : credentials.takeAway(accountId));
      }
      if (role !== undefined) await identity.noteRole({ accountId });
    }
    await this.#settled(answer);
    if (!isOtherEmail(answer) || !found || email === undefined) return answer;

    const { invitation } = answer.result as Result<'ChangeStaffAccount'>;
    if (invitation > 0) {
      await this.#invited({ ...answer, result: { accountId, invitation } });
      return answer;
    }
    const cause = commandId(actor.accountId, key);
    await mail.order({ cause: `email corrected ${cause}`, kind: 'email-corrected', about: { accountId, email } });
    if (oldEmail !== undefined)
      await mail.order({ cause: `email taken away ${cause}`, kind: 'email-taken-away', about: { accountId, oldEmail } });
    return answer;
  }

  /** The same link is mailed and shown to the admin in the answer; earlier links stop working. */
  async #resetStudent(request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, credentials, links, mail, publicUrl } = this.#options;
    const { accountId } = validated(resetStudentAccount, request.body);
    const credential = await credentials.byAccount(accountId);
    const email = credential?.email;
    if (credential?.schoolId === request.actor.schoolId) {
      if (email === undefined) throw new ProblemError('refused', authMessages.noAddress);
      await this.#countMails('ResetStudentAccount', request, [email]);
    }
    const answer = await this.#settled(await pipeline.execute('ResetStudentAccount', request));
    const { reset } = answer.result as { reset: number };
    const ordered = await mail.order({
      cause: `student reset ${accountId} ${reset}`,
      kind: 'student-reset',
      about: { accountId },
      days: 1,
    });
    const token = await links.make({ purpose: 'reset-by-admin', subject: accountId, about: email ?? '' }, ordered);
    await links.revoke('reset-by-admin', accountId, { except: token });
    return { ...answer, result: { link: `${publicUrl}/email/change-password?token=${token}` } satisfies Result<'ResetStudentAccount'> };
  }

  /**
   * Counts the mails that the request is about to cause. A repeated one causes none, because they were ordered the first time; returns
   * whether it is one.
   */
  async #countMails(name: CommandName, request: Request, recipients: readonly string[]): Promise<boolean> {
    const { pipeline, limits } = this.#options;
    const isRepeat = await pipeline.holds(name, request);
    if (!isRepeat) await countMails(limits, request.actor, recipients);
    return isRepeat;
  }

  /** If this process dies before it orders the mail, another one does: see `orderMissedInvitations`. */
  async #invited(answer: CommandAnswer<unknown>): Promise<CommandAnswer<unknown>> {
    const { accountId, invitation } = answer.result as { accountId: string; invitation: number };
    await this.#options.mail.order(invitationMail(accountId, invitation));
    return answer;
  }

  async #issueJoinCode(request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, joinCodes } = this.#options;
    const { subjectId } = validated(issueJoinCode, request.body);
    const { actor, key = crypto.randomUUID() } = request;
    const { schoolId } = actor;
    const { code, codeTag } = await joinCodes.make({ schoolId, subjectId, commandId: commandId(actor.accountId, key) });
    const answer = await pipeline.execute('IssueJoinCode', { ...request, key, body: { subjectId, codeTag } });
    await this.#settled(answer);
    return { ...answer, result: { code } satisfies Result<'IssueJoinCode'> };
  }

  async #settled(answer: CommandAnswer<unknown>): Promise<CommandAnswer<unknown>> {
    if (answer.position !== null) await this.#options.reached(BigInt(answer.position));
    return answer;
  }
}

export const invitationMail = (accountId: string, invitation: number) =>
  ({ cause: `invited ${accountId} ${invitation}`, kind: 'invited', about: { accountId, invitation }, days: 7 }) as const;

const isOtherEmail = ({ result }: CommandAnswer<unknown>): boolean => (result as Result<'ChangeStaffAccount'>).isOtherEmail;

/** The student of another school does not exist in this one. */
const asRefusal = (error: unknown, schoolId: string): unknown => {
  if (error instanceof StudentTaken)
    return error.schoolId === schoolId
      ? new ProblemError('joined-already', 'This student has joined already.')
      : invalidInput('studentId', authMessages.noStudent);
  if (!(error instanceof EmailTaken)) return error;
  return invalidInput('email', authMessages.addTeacherFailed);
};

const accountIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'accountId' in body ? String(body.accountId).toLowerCase() : '';
