import { randomUUID } from 'node:crypto';
import { commandId } from '../../events/codec/ids.ts';
import type { CommandName } from '../commands.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Request } from '../pipeline/pipeline.ts';
import type { SecurityKind, SecurityLog } from './security-log.ts';

/** Executes a command; if it changed who may do what, that is in the security log. `roleBefore`: of the account that it changes. */
export const noting = async <Asked extends Request>(
  security: Pick<SecurityLog, 'note'>,
  name: CommandName,
  request: Asked,
  execute: (request: Asked) => Promise<CommandAnswer<unknown>>,
  roleBefore?: string,
): Promise<CommandAnswer<unknown>> => {
  const kind = kindOf(name, request.body, roleBefore);
  if (kind === undefined) return execute(request);
  const { actor, key = randomUUID() } = request;
  const answer = await execute({ ...request, key });
  if (answer.position !== null)
    security.note({ kind, actor, about: idIn(request.body) ?? idIn(answer.result), name, commandId: commandId(actor.accountId, key) });
  return answer;
};

const kindOf = (name: CommandName, body: unknown, roleBefore: string | undefined): SecurityKind | undefined => {
  switch (name) {
    case 'OpenStaffAccount':
    case 'OpenStudentAccount':
    case 'InviteStaff':
    case 'InviteStaffAgain':
    case 'JoinByCode':
      return 'account-opened';
    case 'ChangeStaffAccount':
      return isOtherRole(body, roleBefore) ? 'role-changed' : 'account-changed';
    case 'CloseStaffAccount':
    case 'CloseStudentAccount':
      return 'account-closed';
    case 'ResetStudentAccount':
      return 'password-reset';
    case 'IssueJoinCode':
      return 'code-issued';
    case 'OpenStructureToLeaders':
      return 'rights-changed';
    case 'ForgetStudent':
    case 'ForgetStaffAccount':
      return 'forgotten';
    default:
      return undefined;
  }
};

/** Forms send the role that the account has, too. */
const isOtherRole = (body: unknown, before: string | undefined): boolean =>
  typeof body === 'object' && body !== null && 'role' in body && body.role !== undefined && body.role !== before;

const idIn = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const field of ['accountId', 'studentId'] as const) {
    const value: unknown = field in body ? Reflect.get(body, field) : undefined;
    if (typeof value === 'string') return value.toLowerCase();
  }
  return undefined;
};
