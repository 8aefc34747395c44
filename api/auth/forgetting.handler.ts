import type { Forgetting, Forgettings } from '../../events/codec/forgettings.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import type { KeyRing } from '../../events/codec/keys.ts';
import type { Actor } from '../actor.ts';
import type { Identities } from './identity/identities.ts';
import type { EraseIdentity } from './identity/erase-identity.ts';
import type { AroundCommands, CommandHandlers, CommandName, CommandPipeline, Commands } from '../commands.ts';
import type { CommandAnswer } from '../contract/live.ts';
import { forgetStaffAccount } from '../accounts/accounts.contract.ts';
import { forgetStudent } from '../students/students.contract.ts';
import type { RunSql } from '../common/facts.ts';
import type { Request } from '../pipeline/pipeline.ts';
import { ProblemError, validated } from '../common/problems.ts';

export type ForgettingOptions = {
  /** Closes accounts. */
  readonly bus: Commands;
  /** Writes the events. */
  readonly pipeline: Pick<CommandPipeline, 'execute' | 'requireStanding'>;
  /** Goes around what `goOn` finishes, as the bus lets it go around everything else. */
  readonly around: AroundCommands;
  readonly identities: Pick<Identities, 'remove'>;
  readonly eraseIdentity: EraseIdentity;
  readonly keys: Pick<KeyRing, 'forget'>;
  readonly forgettings: Forgettings;
  /** Runs `work` as the reader of one school once the read models have reached the head of the log. */
  readonly readNow: <T>(schoolId: string, work: (query: RunSql) => Promise<T>) => Promise<T>;
  /** Fulfilled when the read models have reached the position. */
  readonly shown: (position: bigint) => Promise<void>;
  /** Called when somebody was forgotten, to drop cached answers. */
  readonly onForgotten?: (accountIds: readonly string[]) => Promise<void>;
};

/**
 * Forgets a person irrevocably: a student with their accounts, staff with their teacher records. Marks and actions stay and count.
 *
 * 1. What can be refused comes first: accounts are closed, and their log-ins end.
 * 2. Mails and links with the person's address are removed.
 * 3. The forgetting is written to a file outside the database, then the keys are destroyed, then events record it in the log. Once the file
 * is written it is certain: the next start (`goOn`) finishes what was interrupted, and repeats what a restored backup reverted.
 *
 * The events hold ids only. Running read models clear the person's fields when they see them; a rebuild cannot decrypt these fields in the
 * first place, so both agree. A batch that was decoded before the key was destroyed is committed before the event, which then cleans up.
 */
export class Forgetter {
  readonly #options: ForgettingOptions;

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /** For the command bus. */
  readonly handlers: CommandHandlers = {
    ForgetStudent: (request) => this.#student(request),
    ForgetStaffAccount: (request) => this.#staff(request),
  };

  /** At a start: writes the events and removes the log-ins that the file asks for and that are missing or still there. */
  async goOn(actorOf: (schoolId: string) => Actor): Promise<void> {
    const { forgettings, around } = this.#options;
    for (const one of forgettings.all()) {
      const { name, body } = commandOf(one);
      const request = { actor: actorOf(one.schoolId), key: keyOf(one), body };
      await around(name, request, (tracked) => this.#write(one, tracked)).catch((error: unknown) => {
        // The school is not, or no longer, in this log.
        if (!(error instanceof ProblemError) || error.problem.status >= 500) throw error;
      });
    }
  }

  async #student(request: Request): Promise<CommandAnswer<unknown>> {
    const { actor } = request;
    const { studentId } = validated(forgetStudent, request.body);
    const { schoolId } = actor;
    const { exists, accounts } = await this.#options.readNow(schoolId, async (query) => ({
      exists: (await query(`select from read.students where school_id = $1 and student_id = $2`, [studentId])).length > 0,
      accounts: await query<{ accountId: string; email: string | null; closed: boolean }>(
        `select account_id as "accountId", email, closed from read.accounts where school_id = $1 and student_id = $2`,
        [studentId],
      ),
    }));
    if (!exists) throw new ProblemError('not-found', 'There is no such student.');
    await this.#options.pipeline.requireStanding(actor);
    for (const { accountId, closed } of accounts) if (!closed) await this.#close('CloseStudentAccount', accountId, request);
    await this.#removeTraces(accounts);
    return this.#forget(request, [
      { person: studentId, kind: 'student' },
      ...accounts.map(({ accountId }) => ({ person: accountId, kind: 'student-account' as const })),
    ]);
  }

  async #staff(request: Request): Promise<CommandAnswer<unknown>> {
    const { actor } = request;
    const { accountId } = validated(forgetStaffAccount, request.body);
    const [account] = await this.#options.readNow(actor.schoolId, (query) =>
      query<{ email: string | null; teachers: readonly { subjectId: string; teacherId: string }[] }>(
        `select email, teachers from read.accounts where school_id = $1 and account_id = $2 and role <> 'student'`,
        [accountId],
      ),
    );
    if (!account) throw new ProblemError('not-found', 'There is no such account.');
    // Refused for the last admin of a school.
    await this.#close('CloseStaffAccount', accountId, request);
    await this.#removeTraces([{ accountId, email: account.email }]);
    return this.#forget(request, [
      { person: accountId, kind: 'staff-account' },
      ...account.teachers.map(({ subjectId, teacherId }) => ({ person: teacherId, kind: 'teacher' as const, subjectId })),
    ]);
  }

  #removeTraces(accounts: readonly { readonly accountId: string; readonly email: string | null }[]): Promise<void> {
    return this.#options.eraseIdentity(
      accounts.map(({ accountId }) => accountId),
      accounts.flatMap(({ email }) => email ?? []),
    );
  }

  #close(name: 'CloseStudentAccount' | 'CloseStaffAccount', accountId: string, { actor, key }: Request): Promise<unknown> {
    return this.#options.bus.execute(name, { actor, key: key && uuidv5(`close ${accountId}`, key), body: { accountId } });
  }

  /**
   * Returns the answer for the first of them. Nothing refuses it once the keys are gone, not even that its author has just forgotten their own
   * account.
   */
  async #forget(request: Request, persons: readonly Pick<Forgetting, 'person' | 'kind' | 'subjectId'>[]): Promise<CommandAnswer<unknown>> {
    const { forgettings, keys, shown, onForgotten } = this.#options;
    const all = persons.map((one): Forgetting => ({ ...one, schoolId: request.actor.schoolId, at: new Date().toISOString() }));
    await forgettings.add(all);
    for (const { person } of all) await keys.forget(person);
    const answers = [];
    for (const [index, one] of all.entries()) {
      answers.push(await this.#write(one, { ...request, ...(index === 0 ? {} : { actor: systemOf(request.actor), key: keyOf(one) }) }));
    }
    const positions = answers.flatMap(({ position }) => (position === null ? [] : [BigInt(position)]));
    if (positions.length > 0) await shown(positions.reduce((highest, position) => (position > highest ? position : highest)));
    await onForgotten?.(all.filter(({ kind }) => kind.endsWith('account')).map(({ person }) => person));
    return answers[0] ?? { position: null, revision: null, result: {} };
  }

  async #write(one: Forgetting, request: Request): Promise<CommandAnswer<unknown>> {
    const { pipeline, identities } = this.#options;
    const { person, kind } = one;
    if (kind === 'student-account' || kind === 'staff-account') {
      await this.#removeTraces([{ accountId: person, email: null }]);
      await identities.remove(person);
    }
    const { name, body } = commandOf(one);
    return pipeline.execute(name, { ...request, body, begun: true });
  }
}

/** The command that says in the log that somebody was forgotten. */
const commandOf = ({ person, kind, subjectId }: Forgetting): { readonly name: CommandName; readonly body: object } => {
  switch (kind) {
    case 'student':
      return { name: 'ForgetStudent', body: { studentId: person } };
    case 'teacher':
      return { name: 'ForgetTeacher', body: { subjectId, teacherId: person } };
    case 'student-account':
      return { name: 'ForgetStudentAccount', body: { accountId: person } };
    case 'staff-account':
      return { name: 'ForgetStaffAccount', body: { accountId: person } };
  }
};

/** At a start, before anything is read: destroys the keys that an older backup restored. Returns how many there were. */
export const destroyAgain = async (keys: Pick<KeyRing, 'forget' | 'notForgotten'>, forgettings: Forgettings): Promise<number> => {
  const back = await keys.notForgotten(forgettings.all().map(({ person }) => person));
  for (const person of back) await keys.forget(person);
  return back.length;
};

/** Accounts and teacher records of a forgotten person are forgotten by the installation, not by the user. */
const systemOf = ({ schoolId, ...actor }: Actor): Actor => ({ ...actor, schoolId, role: 'system', accountId: schoolId });

const keyOf = ({ person }: Pick<Forgetting, 'person'>): string => uuidv5('forget', person);
