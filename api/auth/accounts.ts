import { commandId, newId } from '../../events/codec/ids.ts';
import type { CommandName } from '../commands/all.ts';
import type { CommandAnswer } from '../contract/live.ts';
import { openStaffAccount, openStudentAccount } from '../contract/structure.ts';
import type { Pipeline, Request } from '../pipeline/pipeline.ts';
import { ProblemError, validated } from '../pipeline/problems.ts';
import { EmailTaken, type Identity } from './identity.ts';

const EMAIL_TAKEN = 'Add teacher failed. Please check the email address is valid, and not already in use';

/**
 * Commands that concern who can sign in. An identity comes before its account's event (its e-mail address must be nobody else's), and
 * goes again if that is refused; sessions end in the request that takes their rights. The password never reaches the pipeline.
 */
export class Accounts {
  readonly #pipeline: Pipeline;
  readonly #identity: Identity;
  readonly #reached: (position: bigint) => Promise<void>;

  /** `reached`: fulfilled when the read model of accounts has come to the position. */
  constructor(pipeline: Pipeline, identity: Identity, reached: (position: bigint) => Promise<void>) {
    this.#pipeline = pipeline;
    this.#identity = identity;
    this.#reached = reached;
  }

  async execute(name: CommandName, request: Request): Promise<CommandAnswer<unknown>> {
    switch (name) {
      case 'OpenStaffAccount':
        return this.#open(name, openStaffAccount, request);
      case 'OpenStudentAccount':
        return this.#open(name, openStudentAccount, request);
      case 'CloseStaffAccount':
      case 'CloseStudentAccount':
        return this.#andThen(name, request, (accountId) => this.#identity.remove(accountId));
      case 'ChangeStaffRole':
      case 'LinkTeacher':
        return this.#andThen(name, request, (accountId) => this.#identity.endSessions(accountId));
      default:
        return this.#pipeline.execute(name, request);
    }
  }

  /** Shuts somebody out once the event is written, however far the read model of accounts has come. */
  async #andThen(name: CommandName, request: Request, shutOut: (accountId: string) => Promise<void>): Promise<CommandAnswer<unknown>> {
    const answer = await this.#pipeline.execute(name, request);
    await shutOut(accountIn(request.body));
    await this.#settled(answer);
    return answer;
  }

  async #open(
    name: CommandName,
    schema: typeof openStaffAccount | typeof openStudentAccount,
    request: Request,
  ): Promise<CommandAnswer<unknown>> {
    const { password, ...account } = validated(schema, request.body);
    const key = request.key ?? crypto.randomUUID();
    const { actor } = request;
    const accountId = newId(commandId(actor.accountId, key), 'account');
    this.#pipeline.authorise(name, actor);
    let isNew: boolean;
    try {
      isNew = await this.#identity.open({ accountId, schoolId: actor.schoolId, email: account.email, password });
    } catch (error) {
      if (error instanceof EmailTaken)
        throw new ProblemError('invalid-input', EMAIL_TAKEN, { errors: [{ path: 'email', message: EMAIL_TAKEN }] });
      throw error;
    }
    try {
      const answer = await this.#pipeline.execute(name, { ...request, key, body: account });
      await this.#settled(answer);
      return answer;
    } catch (error) {
      // Only what this request made, and what is sure not to have happened: after an unknown outcome the identity stays, and the sweep
      // decides. A key that was used before has its account, whoever made the identity.
      if (isNew && error instanceof ProblemError && error.problem.status < 500 && error.problem.code !== 'key-reused')
        await this.#identity.remove(accountId);
      throw error;
    }
  }

  async #settled({ position }: CommandAnswer<unknown>): Promise<void> {
    if (position !== null) await this.#reached(BigInt(position));
  }
}

const accountIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'accountId' in body ? String(body.accountId).toLowerCase() : '';
