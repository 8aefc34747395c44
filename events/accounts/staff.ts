import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { ReadEventOf } from '../codec/event.ts';
import { event, sealed } from '../codec/event.ts';
import { id } from '../fields.ts';

export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor']);
export type StaffRole = z.infer<typeof staffRole>;

/** A teacher record of a subject. */
const teacherLink = z.strictObject({ subjectId: id, teacherId: id });

const person = sealed('accountId', z.strictObject({ name: z.string(), email: z.string() }));

/** Storage contract of `staff-{schoolId}`: the accounts of a school's staff. Credentials are never in the log. */
export const staffEvents = {
  StaffAccountOpened: event(
    1,
    z.strictObject({
      accountId: id,
      role: staffRole,
      person,
    }),
  ),
  /** Without a password: the owner sets one by the link in a mail. */
  StaffInvited: event(
    1,
    z.strictObject({
      accountId: id,
      role: staffRole,
      person,
    }),
  ),
  /** Another mail; only its link works. `invitation`: 2 for the second, ... */
  StaffInvitedAgain: event(1, z.strictObject({ accountId: id, invitation: z.int().min(2) })),
  /** The owner of an invited account has set a password and confirmed the name. */
  StaffAccountActivated: event(1, z.strictObject({ accountId: id, person: sealed('accountId', z.strictObject({ name: z.string() })) })),
  /** Both name and e-mail, even if only one has changed. */
  StaffDetailsChanged: event(1, z.strictObject({ accountId: id, person })),
  /** Somebody else has proved that the account's address is theirs. The account has none until `StaffDetailsChanged`. */
  StaffAddressLost: event(1, z.strictObject({ accountId: id })),
  StaffRoleChanged: event(1, z.strictObject({ accountId: id, role: staffRole })),
  /** The account's teacher records, one per subject; the complete list each time. */
  StaffTeacherLinked: event(1, z.strictObject({ accountId: id, teachers: z.array(teacherLink) })),
  StaffAccountClosed: event(1, z.strictObject({ accountId: id })),
  /** The account's key was destroyed before this was written: nobody can read the name any more. The person's actions stay. */
  StaffAccountForgotten: event(1, z.strictObject({ accountId: id })),
};

type Read = ReadEventOf<typeof staffEvents>;
export type StaffAccount = {
  role: StaffRole;
  teachers: readonly z.infer<typeof teacherLink>[];
  /** false: invited, but not activated yet */
  activated: boolean;
  /** number of mails with a link to activate it */
  invitations: number;
  /** undefined: forgotten */
  name: string | undefined;
  /** undefined: forgotten, or lost; empty after another change of details: still none */
  email: string | undefined;
  closed: boolean;
  forgotten: boolean;
};
export type Staff = { accounts: Map<string, StaffAccount> };

export const staff: Aggregate<Staff, Read> = {
  category: 'staff',
  initial: () => ({ accounts: new Map() }),
  evolve: (state, { type, data }) => {
    const account = state.accounts.get(data.accountId);
    switch (type) {
      case 'StaffAccountOpened':
      case 'StaffInvited':
        state.accounts.set(data.accountId, {
          role: data.role,
          teachers: [],
          activated: type === 'StaffAccountOpened',
          invitations: type === 'StaffInvited' ? 1 : 0,
          name: unlessForgotten(data.person)?.name,
          email: unlessForgotten(data.person)?.email,
          closed: false,
          forgotten: false,
        });
        break;
      case 'StaffInvitedAgain':
        if (account) account.invitations = data.invitation;
        break;
      case 'StaffAccountActivated':
        if (account) {
          account.activated = true;
          account.name = unlessForgotten(data.person)?.name;
        }
        break;
      case 'StaffDetailsChanged':
        if (account) {
          account.name = unlessForgotten(data.person)?.name;
          account.email = unlessForgotten(data.person)?.email;
        }
        break;
      case 'StaffAddressLost':
        if (account) account.email = undefined;
        break;
      case 'StaffRoleChanged':
        if (account) account.role = data.role;
        break;
      case 'StaffTeacherLinked':
        if (account) account.teachers = data.teachers;
        break;
      case 'StaffAccountClosed':
        if (account) account.closed = true;
        break;
      case 'StaffAccountForgotten':
        if (account) Object.assign(account, { closed: true, forgotten: true, name: undefined, email: undefined });
        break;
    }
    return state;
  },
};
