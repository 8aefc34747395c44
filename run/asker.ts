import type { Accounts } from '../api/auth/accounts.ts';
import type { CommandName } from '../api/commands/all.ts';
import type { Actor } from '../api/actor.ts';
import { ProblemError } from '../api/pipeline/problems.ts';
import { uuidv5 } from '../events/codec/ids.ts';
import { StartError } from './start-error.ts';

/** What the installation itself does in a school, such as opening it: its account is the school's own id. */
export const systemActor = (schoolId: string): Actor => ({
  accountId: schoolId,
  schoolId,
  role: 'system',
  name: 'Marktrail',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId: null,
});

/** Asks for commands as one actor. `act` names each within the school: doing it again answers what it did the first time. */
export const asker =
  (accounts: Pick<Accounts, 'execute'>, actor: Actor) =>
  async (act: string, name: CommandName, body: unknown): Promise<Record<string, string>> => {
    try {
      const { result } = await accounts.execute(name, { actor, key: keyOf(actor.schoolId, act, name), body });
      return typeof result === 'object' && result !== null ? { ...result } : {};
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const why = error.problem.errors?.[0]?.message ?? '';
      throw new StartError(`${name} was refused: ${error.problem.title}${why === '' || why === error.problem.title ? '' : ` (${why})`}`);
    }
  };

/** The idempotency key of an act. */
export const keyOf = (schoolId: string, act: string, name: CommandName): string => uuidv5(`${act} ${name}`, schoolId);
