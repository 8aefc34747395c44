import { setTimeout as pause } from 'node:timers/promises';
import type { AccountRequest } from '../api/auth/auth.ts';
import type { CommandName, Commands } from '../api/commands.ts';
import type { Actor } from '../api/actor.ts';
import { ProblemError } from '../api/common/problems.ts';
import { uuidv5 } from '../events/codec/ids.ts';
import { StartError } from './start-error.ts';

/**
 * Executes commands as one actor. `act` names each command within the school: repeating it returns the first result. There is no user who
 * could retry, so it waits up to a minute for read models and log, which may be late on a busy machine.
 */
export const commandClient =
  (bus: Commands<AccountRequest>, actor: Actor, more: Pick<AccountRequest, 'anyPassword' | 'at'> = {}) =>
  async (act: string, name: CommandName, body: unknown): Promise<Record<string, string>> => {
    const key = keyOf(actor.schoolId, act, name);
    for (const until = Date.now() + PATIENCE_MS; ;) {
      try {
        const { result } = await bus.execute(name, { ...more, actor, key, body });
        return typeof result === 'object' && result !== null ? { ...result } : {};
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        if (!PASSING.includes(error.problem.code) || Date.now() > until) throw new StartError(`${name} was refused: ${reason(error)}`);
        await pause((error.retryAfter ?? 1) * 1_000);
      }
    }
  };

const PATIENCE_MS = 60_000;
const PASSING: readonly string[] = ['read-model-behind', 'store-unavailable'];

const reason = ({ problem: { title, errors } }: ProblemError): string => {
  const why = errors?.[0]?.message ?? '';
  return `${title}${why === '' || why === title ? '' : ` (${why})`}`;
};

/** The idempotency key of an act. */
export const keyOf = (schoolId: string, act: string, name: CommandName): string => uuidv5(`${act} ${name}`, schoolId);
