import { commandId, newId } from '../../../events/codec/ids.ts';
import { school } from '../../../events/school/school.ts';
import type { openStaffAccount, openStudentAccount } from '../../accounts/accounts.contract.ts';
import type { CommandName, CommandPipeline } from '../../commands.ts';
import { invalidInput, ProblemError, validated } from '../../common/problems.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import type { inviteStaff } from '../../contract/auth.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import type { Request } from '../../pipeline/pipeline.ts';
import type { AccountRequest, AuthServices } from '../auth.ts';
import type { JoinCodes } from '../joining/join-codes.ts';
import { countMails } from '../mails/mail-limits.ts';
import { requireGoodPassword } from '../password/password-rules.ts';
import { EmailTaken } from './credentials.ts';
import { StudentTaken } from './identities.ts';

export type AccountsOptions = Pick<
  AuthServices,
  'identities' | 'roles' | 'sessions' | 'credentials' | 'links' | 'limits' | 'takenAddresses' | 'lostAddresses' | 'mail' | 'publicUrl'
> & {
  readonly pipeline: CommandPipeline;
  readonly joinCodes: JoinCodes;
  /** Fulfilled when the read model of accounts has reached the position. */
  readonly reached: (position: bigint) => Promise<void>;
};

type Opening = {
  readonly name: CommandName;
  readonly schema: typeof openStaffAccount | typeof openStudentAccount | typeof inviteStaff;
  /** Whether the log says by now that the account is closed. */
  readonly isClosed: (schoolId: string, accountId: string) => Promise<boolean>;
};

/**
 * What the commands that change who can sign in have in common. An identity is made before its account's event, because its e-mail address
 * must be unique, and removed if the event is refused. Sessions end in the request that takes their rights. No password and no joining code
 * reaches the pipeline.
 */
export class AccountCommands {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** The next request sees it in the read model. */
  async shown(name: CommandName, request: Request): Promise<CommandAnswer<unknown>> {
    return this.settled(await this.#options.pipeline.execute(name, request));
  }

  async settled(answer: CommandAnswer<unknown>): Promise<CommandAnswer<unknown>> {
    if (answer.position !== null) await this.#options.reached(BigInt(answer.position));
    return answer;
  }

  async open({ name, schema, isClosed }: Opening, accountRequest: AccountRequest): Promise<CommandAnswer<unknown>> {
    const { identities, lostAddresses } = this.#options;
    const { anyPassword = false, proved = false, ...request } = accountRequest;
    const input = validated(schema, request.body);
    const { password, ...details } = { password: undefined, ...input };
    const { actor, key = crypto.randomUUID() } = request;
    const { schoolId } = actor;
    if (password !== undefined && !anyPassword) requireGoodPassword(password, { ...details, school: await this.#schoolName(schoolId) });
    const accountId = newId(commandId(actor.accountId, key), 'account');
    const studentId = 'studentId' in details ? details.studentId : undefined;
    const opened = { accountId, schoolId, email: details.email, invited: password === undefined, password, studentId, proved };
    const { isNew, isLost } = await this.giving(request, () => identities.open(opened), !opened.invited);
    if (isLost) await lostAddresses.note();
    try {
      const answer = await this.shown(name, { ...request, key, body: details });
      // A repeated request for an account that was closed in the meantime: it stays closed.
      if (isNew && (await isClosed(schoolId, accountId))) await identities.remove(accountId);
      return answer;
    } catch (error) {
      // Only if this request made it and nothing was written. After an unknown outcome the identity stays until the sweep. A key that was
      // used before has an account already.
      if (isNew && error instanceof ProblemError && error.problem.status < 500 && error.problem.code !== 'key-reused')
        await identities.remove(accountId);
      throw error;
    }
  }

  /** Ends somebody's access as soon as the event is written, without waiting for the read model of accounts. */
  async close(name: 'CloseStaffAccount' | 'CloseStudentAccount', request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, identities } = this.#options;
    const answer = await pipeline.execute(name, request);
    await identities.remove(accountIn(request.body));
    return this.settled(answer);
  }

  /**
   * `work` gives somebody an address; `tells`: whether a refusal may tell of an account in another school.
   *
   * @throws ProblemError if somebody has the address, or if the user has had too many such answers
   */
  async giving<Result>({ actor }: Request, work: () => Promise<Result>, tells: boolean): Promise<Result> {
    const { accountId, schoolId, role } = actor;
    try {
      return await (tells && role !== 'system' ? this.#options.takenAddresses.run({ accountId, among: schoolId }, work) : work());
    } catch (error) {
      throw asRefusal(error, schoolId);
    }
  }

  /**
   * Counts the mails that the request is about to cause. A repeated one causes none, because they were ordered the first time; returns
   * whether it is one.
   */
  async countMails(name: CommandName, request: Request, recipients: readonly string[]): Promise<boolean> {
    const { pipeline, limits } = this.#options;
    const isRepeat = await pipeline.holds(name, request);
    if (!isRepeat) await countMails(limits, request.actor, recipients);
    return isRepeat;
  }

  async #schoolName(schoolId: string): Promise<string | undefined> {
    const state = await this.#options.pipeline.look(school, schoolId);
    return state.status === 'none' ? undefined : state.name;
  }
}

/** The student of another school does not exist in this one. */
const asRefusal = (error: unknown, schoolId: string): unknown => {
  if (error instanceof StudentTaken)
    return error.schoolId === schoolId
      ? new ProblemError('joined-already', 'This student has joined already.')
      : invalidInput('studentId', authMessages.noStudent);
  if (!(error instanceof EmailTaken)) return error;
  return invalidInput('email', authMessages.addTeacherFailed);
};

export const accountIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'accountId' in body ? String(body.accountId).toLowerCase() : '';
