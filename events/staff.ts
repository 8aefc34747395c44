import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf, ReadEventOf } from './codec/event.ts';
import { event, sealed } from './codec/event.ts';
import { id } from './fields.ts';

export const staffRole = z.enum(['admin', 'leader', 'teacher', 'auditor']);
export type StaffRole = z.infer<typeof staffRole>;

/** A teacher record of a subject. */
const teacherLink = z.strictObject({ subjectId: id, teacherId: id });

/** Storage contract of `staff-{schoolId}`: the accounts of a school's staff. Credentials are never in the log. */
export const staffEvents = {
  StaffAccountOpened: event(
    1,
    z.strictObject({
      accountId: id,
      role: staffRole,
      person: sealed('accountId', z.strictObject({ name: z.string(), email: z.string() })),
    }),
  ),
  StaffRoleChanged: event(1, z.strictObject({ accountId: id, role: staffRole })),
  /** The account's teacher records, one per subject; the whole list each time. */
  StaffTeacherLinked: event(1, z.strictObject({ accountId: id, teachers: z.array(teacherLink) })),
  StaffAccountClosed: event(1, z.strictObject({ accountId: id })),
};

export type StaffEvent = EventOf<typeof staffEvents>;
type Read = ReadEventOf<typeof staffEvents>;
export type StaffAccount = { role: StaffRole; teachers: readonly z.infer<typeof teacherLink>[]; closed: boolean };
export type Staff = { accounts: Map<string, StaffAccount> };

export const staff: Aggregate<Staff, Read> = {
  category: 'staff',
  initial: () => ({ accounts: new Map() }),
  evolve: (state, { type, data }) => {
    const account = state.accounts.get(data.accountId);
    switch (type) {
      case 'StaffAccountOpened':
        state.accounts.set(data.accountId, { role: data.role, teachers: [], closed: false });
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
    }
    return state;
  },
};
