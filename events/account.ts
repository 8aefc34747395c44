import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import type { EventOf, ReadEventOf } from './codec/event.ts';
import { event, sealed } from './codec/event.ts';
import { id } from './fields.ts';

/** Storage contract of `account-{schoolId}.{accountId}`: one student's account. */
export const accountEvents = {
  StudentAccountOpened: event(
    1,
    z.strictObject({
      accountId: id,
      studentId: id,
      person: sealed('accountId', z.strictObject({ name: z.string(), email: z.string() })),
    }),
  ),
  StudentAccountClosed: event(1, z.strictObject({ accountId: id })),
};

export type AccountEvent = EventOf<typeof accountEvents>;
export type Account = { status: 'none' } | { status: 'open'; studentId: string } | { status: 'closed'; studentId: string };

export const account: Aggregate<Account, ReadEventOf<typeof accountEvents>> = {
  category: 'account',
  initial: () => ({ status: 'none' }),
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'StudentAccountOpened':
        return { status: 'open', studentId: data.studentId };
      case 'StudentAccountClosed':
        return state.status === 'none' ? state : { status: 'closed', studentId: state.studentId };
    }
  },
};
