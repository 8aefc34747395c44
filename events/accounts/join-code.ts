import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id } from '../fields.ts';

/**
 * Storage contract of `joincode-{schoolId}.{subjectId}`: the codes by which students join a subject. A code is a credential: the log holds
 * only its tag, an HMAC under a key of the school. Only the newest code is valid.
 */
export const joinCodeEvents = {
  JoinCodeIssued: event(1, z.strictObject({ subjectId: id, codeTag: z.string().min(1) })),
  /** The domain of the students' e-mail addresses, appended to what they type; null: they type the whole address. */
  JoinDomainChanged: event(1, z.strictObject({ subjectId: id, domain: z.string().nullable() })),
};

export type JoinCodeEvent = EventOf<typeof joinCodeEvents>;
export type JoinCode = { codeTag: string | undefined; domain: string | null };

export const joinCode: Aggregate<JoinCode, JoinCodeEvent> = {
  category: 'joincode',
  initial: () => ({ codeTag: undefined, domain: null }),
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'JoinCodeIssued':
        return { ...state, codeTag: data.codeTag };
      case 'JoinDomainChanged':
        return { ...state, domain: data.domain };
    }
  },
};
