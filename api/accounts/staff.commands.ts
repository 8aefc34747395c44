import { z } from 'zod';
import type { Staff, StaffAccount } from '../../events/accounts/staff.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import { staff } from '../../events/accounts/staff.ts';
import { accountCommands, openStaffAccount } from './accounts.contract.ts';
import type { inviteStaff } from '../contract/auth.ts';
import { inviteStaffAgain } from '../contract/auth.ts';
import { authMessages } from '../contract/auth-messages.ts';
import { id, personName, sameAddress } from '../contract/fields.ts';
import type { TeacherLink } from '../school/teachers/teachers.facts.ts';
import { teacherFacts, teacherFactsAtOnce } from '../school/teachers/teachers.facts.ts';
import { command, refuse, refuseInput, Refused } from '../common/command.ts';
import { nothing } from '../contract/answer.ts';

const NO_ADMIN_LEFT = 'A school needs an admin: make somebody else an admin first.';
const NO_ACCOUNT = 'There is no such account, or it is closed.';

/** The account has the id of the identity, which was created before with the password: no credential reaches a decision. */
export const OpenStaffAccount = command({
  result: accountCommands.OpenStaffAccount.result,
  input: openStaffAccount.omit({ password: true }),
  aggregate: staff,
  facts: teacherFacts,
  decide: (input, state, facts, { newId }) => opened('StaffAccountOpened', newId('account'), input, state, facts),
  answer: (_input, _events, _facts, { newId }) => ({ accountId: newId('account') }),
});

/** The same without a password: the owner sets one, using a link in a mail. */
export const InviteStaff = command({
  ...accountCommands.InviteStaff,
  aggregate: staff,
  facts: teacherFacts,
  decide: (input, state, facts, { newId }) => opened('StaffInvited', newId('account'), input, state, facts),
  answer: (_input, _events, _facts, { newId }) => ({ accountId: newId('account'), invitation: 1 }),
});

/** Sends another mail; the earlier link stops working. */
export const InviteStaffAgain = command({
  input: inviteStaffAgain,
  result: z.object({ invitation: z.int() }),
  aggregate: staff,
  decide({ accountId }, state) {
    const account = openAccount(state, accountId);
    if (account instanceof Refused) return account;
    if (account.activated) return refuse('refused', 'This account is active already.');
    return [{ type: 'StaffInvitedAgain', data: { accountId, invitation: account.invitations + 1 } }];
  },
  answer: (_input, events) => ({ invitation: invitationIn(events) }),
});

/** Given by the owner, who has opened the link. */
export const ActivateStaffAccount = command({
  result: nothing,
  input: z.strictObject({ name: personName }),
  aggregate: staff,
  decide({ name }, state, _facts, { actor: { accountId } }) {
    const account = openAccount(state, accountId);
    if (account instanceof Refused) return account;
    return account.activated ? [] : [{ type: 'StaffAccountActivated', data: { accountId, person: { name } } }];
  },
});

/** The user's own details, on the profile page. `email`: proved by its owner; left out: as it is. */
export const ChangeStaffDetails = command({
  result: nothing,
  input: z.strictObject({ name: personName, email: z.string().optional() }),
  aggregate: staff,
  decide({ name, email }, state, _facts, { actor: { accountId } }) {
    const account = openAccount(state, accountId);
    if (account instanceof Refused) return account;
    const before = account.email ?? '';
    const person = { name, email: email ?? before };
    return account.name === name && before === person.email ? [] : [{ type: 'StaffDetailsChanged', data: { accountId, person } }];
  },
});

/** Somebody else has proved that this address is theirs: see api/auth/profile/address-proof.ts. Nothing if the account has another one by now. */
export const LoseStaffAddress = command({
  result: nothing,
  input: z.strictObject({ accountId: id, email: z.string() }),
  aggregate: staff,
  decide({ accountId, email }, { accounts }) {
    const account = accounts.get(accountId);
    if (account?.email === undefined || account.closed || !sameAddress(account.email, email)) return [];
    return [{ type: 'StaffAddressLost', data: { accountId } }];
  },
});

/** Given by an admin: address, role and teacher records. An account that is not yet active is invited again at a new address. */
export const ChangeStaffAccount = command({
  ...accountCommands.ChangeStaffAccount,
  aggregate: staff,
  facts: teacherFactsAtOnce,
  decide({ accountId, email, role, teachers }, state, records) {
    const account = openAccount(state, accountId);
    if (account instanceof Refused) return account;
    const isOtherRole = role !== undefined && role !== account.role;
    if (isOtherRole && isLastAdmin(state, accountId)) return refuse('refused', NO_ADMIN_LEFT);
    const isOtherLink = teachers !== undefined && JSON.stringify(teachers) !== JSON.stringify(account.teachers);
    const isOtherEmail = email !== undefined && !sameAddress(email, account.email ?? '');
    const wrongEmail = isOtherEmail ? wrongAddress(email, state, accountId) : undefined;
    if (wrongEmail) return wrongEmail;
    // Links that are kept need no check.
    const wrong = isOtherLink ? wrongLinks(teachers, state, [...records, ...account.teachers], accountId) : undefined;
    if (wrong) return wrong;
    const isInvitedAnew = isOtherEmail && !account.activated;
    return [
      ...(isOtherLink ? [{ type: 'StaffTeacherLinked' as const, data: { accountId, teachers } }] : []),
      ...(isOtherRole ? [{ type: 'StaffRoleChanged' as const, data: { accountId, role } }] : []),
      ...(isOtherEmail ? [{ type: 'StaffDetailsChanged' as const, data: { accountId, person: { name: account.name, email } } }] : []),
      ...(isInvitedAnew ? [{ type: 'StaffInvitedAgain' as const, data: { accountId, invitation: account.invitations + 1 } }] : []),
    ];
  },
  answer: (_input, events) => ({
    isOtherEmail: events.some(({ type }) => type === 'StaffDetailsChanged'),
    invitation: invitationIn(events),
  }),
});

export const CloseStaffAccount = command({
  ...accountCommands.CloseStaffAccount,
  aggregate: staff,
  decide({ accountId }, state) {
    const account = state.accounts.get(accountId);
    if (!account) return refuse('not-found', NO_ACCOUNT);
    if (account.closed) return [];
    if (isLastAdmin(state, accountId)) return refuse('refused', NO_ADMIN_LEFT);
    return [{ type: 'StaffAccountClosed', data: { accountId } }];
  },
});

/** The account's part of forgetting, after it was closed: see api/auth/forgetting.handler.ts. */
export const ForgetStaffAccount = command({
  ...accountCommands.ForgetStaffAccount,
  aggregate: staff,
  decide({ accountId }, state, _facts, { actor }) {
    const account = state.accounts.get(accountId);
    if (!account) return refuse('not-found', NO_ACCOUNT);
    // After a restore the account may be open although its key is gone already.
    if (!account.closed && actor.role !== 'system') return refuse('refused', 'Close this account first.');
    return account.forgotten ? [] : [{ type: 'StaffAccountForgotten', data: { accountId } }];
  },
});

const opened = (
  type: 'StaffAccountOpened' | 'StaffInvited',
  accountId: string,
  { name, email, role, teachers }: z.output<typeof inviteStaff>,
  state: Staff,
  records: readonly TeacherLink[],
) =>
  wrongLinks(teachers, state, records, undefined) ??
  wrongAddress(email, state, undefined) ?? [
    { type, data: { accountId, role, person: { name, email } } },
    ...(teachers.length > 0 ? [{ type: 'StaffTeacherLinked' as const, data: { accountId, teachers } }] : []),
  ];

/** The account, unless it is closed or forgotten. */
const openAccount = ({ accounts }: Staff, accountId: string): (StaffAccount & { readonly name: string }) | Refused => {
  const account = accounts.get(accountId);
  if (!account || account.closed || account.name === undefined) return refuse('not-found', NO_ACCOUNT);
  return { ...account, name: account.name };
};

const isLastAdmin = ({ accounts }: Staff, accountId: string): boolean =>
  accounts.get(accountId)?.role === 'admin' &&
  ![...accounts].some(([id, { role, activated, closed }]) => id !== accountId && role === 'admin' && activated && !closed);

/** The number of the invitation, 0 if there is none. */
const invitationIn = (events: readonly { type: string }[]): number =>
  events.flatMap((event) => (isInvitedAgain(event) ? [event.data.invitation] : []))[0] ?? 0;

const isInvitedAgain = (event: { type: string }): event is Extract<RecordedEvent, { type: 'StaffInvitedAgain' }> =>
  event.type === 'StaffInvitedAgain';

/** The refusal if another account of the school has the address, or is invited there. Students' accounts are looked up elsewhere. */
const wrongAddress = (email: string, { accounts }: Staff, accountId: string | undefined): Refused | undefined => {
  const taken = [...accounts].some(([id, other]) => id !== accountId && !other.closed && sameAddress(other.email ?? '', email));
  return taken ? refuseInput('email', authMessages.addTeacherFailed) : undefined;
};

/** The refusal if a teacher record does not exist, or is linked to another account. */
const wrongLinks = (
  teachers: readonly TeacherLink[],
  { accounts }: Staff,
  records: readonly TeacherLink[],
  accountId: string | undefined,
): Refused | undefined => {
  for (const [index, link] of teachers.entries()) {
    if (!records.some((one) => sameLink(one, link))) return refuseInput(`teachers.${index}`, 'There is no such teacher in this subject.');
    const taken = [...accounts].some(
      ([id, other]) => id !== accountId && !other.closed && other.teachers.some((one) => sameLink(one, link)),
    );
    if (taken) return refuseInput(`teachers.${index}`, 'This teacher has an account already.');
  }
  return undefined;
};

const sameLink = (a: TeacherLink, b: TeacherLink): boolean => a.subjectId === b.subjectId && a.teacherId === b.teacherId;
