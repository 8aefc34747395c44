import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import { unlessForgotten } from '../aggregate.ts';
import type { ReadEventOf, Sealed } from '../codec/event.ts';
import { event, sealed } from '../codec/event.ts';
import { id } from '../fields.ts';

const person = sealed('accountId', z.strictObject({ name: z.string(), email: z.string() }));

/** Storage contract of `account-{schoolId}.{accountId}`: one student's account. */
export const accountEvents = {
  StudentAccountOpened: event(
    1,
    z.strictObject({
      accountId: id,
      studentId: id,
      person,
    }),
  ),
  /** The student joined with a subject's joining code, identified by date of birth and name. */
  StudentJoined: event(
    1,
    z.strictObject({
      accountId: id,
      studentId: id,
      subjectId: id,
      person,
    }),
  ),
  /** Both name and e-mail, even if only one has changed. */
  StudentDetailsChanged: event(1, z.strictObject({ accountId: id, person })),
  /** Somebody else has proved that the account's address is theirs. The account has none until `StudentDetailsChanged`. */
  StudentAddressLost: event(1, z.strictObject({ accountId: id })),
  /** An admin requested a link for a new password. `reset`: 1 for the first, ... */
  StudentAccountReset: event(1, z.strictObject({ accountId: id, reset: z.int().min(1) })),
  StudentAccountClosed: event(1, z.strictObject({ accountId: id })),
  /** The account's key was destroyed before this was written: see StudentForgotten. */
  StudentAccountForgotten: event(1, z.strictObject({ accountId: id })),
};

/** `name` and `email` are undefined if the person was forgotten, `email` also if it was lost; empty after another change: still none. */
export type Account =
  | { status: 'none' }
  | { status: 'open'; studentId: string; name: string | undefined; email: string | undefined; resets: number }
  | { status: 'closed'; studentId: string; forgotten: boolean };

export const account: Aggregate<Account, ReadEventOf<typeof accountEvents>> = {
  category: 'account',
  initial: () => ({ status: 'none' }),
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'StudentAccountOpened':
      case 'StudentJoined':
        return { status: 'open', studentId: data.studentId, resets: 0, ...detailsOf(data.person) };
      case 'StudentDetailsChanged':
        return state.status === 'open' ? { ...state, ...detailsOf(data.person) } : state;
      case 'StudentAddressLost':
        return state.status === 'open' ? { ...state, email: undefined } : state;
      case 'StudentAccountReset':
        return state.status === 'open' ? { ...state, resets: data.reset } : state;
      case 'StudentAccountClosed':
        return state.status === 'none' ? state : { status: 'closed', studentId: state.studentId, forgotten: false };
      case 'StudentAccountForgotten':
        return state.status === 'none' ? state : { status: 'closed', studentId: state.studentId, forgotten: true };
    }
  },
};

const detailsOf = (person: Sealed<{ name: string; email: string }>): { name: string | undefined; email: string | undefined } => ({
  name: unlessForgotten(person)?.name,
  email: unlessForgotten(person)?.email,
});
