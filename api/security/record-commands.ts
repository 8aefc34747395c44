import { randomUUID } from 'node:crypto';
import { commandId } from '../../events/codec/ids.ts';
import type { AroundCommands, CommandName } from '../commands.ts';
import type { SecurityKind, SecurityLog } from './security-log.ts';

type RecordOptions = {
  readonly security: Pick<SecurityLog, 'note'>;
  /** The role that a staff account has now; undefined: there is none. */
  readonly roleOf: (schoolId: string, accountId: string) => Promise<string | undefined>;
};

/** Executes commands; if one changed who may do what, that is in the security log. */
export const recordCommands =
  ({ security, roleOf }: RecordOptions): AroundCommands =>
  async (name, request, handle) => {
    const { actor, body, key = randomUUID() } = request;
    const kind =
      name === 'ChangeStaffAccount'
        ? await kindOfChange(body, async (id) => roleOf(actor.schoolId, id))
        : name === 'LetTeacherLeave' && idIn(body) === undefined
          ? undefined
          : KINDS[name];
    if (kind === undefined) return handle(request);
    const answer = await handle({ ...request, key });
    if (answer.position !== null)
      security.note({ kind, actor, about: idIn(body) ?? idIn(answer.result), name, commandId: commandId(actor.accountId, key) });
    return answer;
  };

const KINDS: { readonly [Name in CommandName]?: SecurityKind } = {
  OpenStaffAccount: 'account-opened',
  OpenStudentAccount: 'account-opened',
  InviteStaff: 'account-opened',
  InviteStaffAgain: 'account-opened',
  JoinByCode: 'account-opened',
  CloseStaffAccount: 'account-closed',
  LetTeacherLeave: 'account-closed',
  CloseStudentAccount: 'account-closed',
  ResetStudentAccount: 'password-reset',
  IssueJoinCode: 'code-issued',
  OpenStructureToLeaders: 'rights-changed',
  RecordHandOut: 'export',
  ForgetStudent: 'forgotten',
  ForgetStaffAccount: 'forgotten',
};

/** Forms send the role that the account has, too. */
const kindOfChange = async (body: unknown, roleOf: (accountId: string) => Promise<string | undefined>): Promise<SecurityKind> => {
  if (typeof body !== 'object' || body === null || !('role' in body) || body.role === undefined) return 'account-changed';
  return body.role === (await roleOf(idIn(body) ?? '')) ? 'account-changed' : 'role-changed';
};

const idIn = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const field of ['accountId', 'studentId'] as const) {
    const value: unknown = field in body ? Reflect.get(body, field) : undefined;
    if (typeof value === 'string') return value.toLowerCase();
  }
  return undefined;
};
