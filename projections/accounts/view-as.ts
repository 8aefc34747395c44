import type { lookEvents } from '../../events/accounts/view-as.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import { projection } from '../engine/projection.ts';
import { looks } from './tables.ts';

/** Who has looked at which student: students may ask. */
export const looksProjection = projection<ReadEventOf<typeof lookEvents>>()({
  name: 'looks',
  version: 1,
  tables: { looks },
  on: ['StudentLookedAt'],
  async load(events, rows) {
    await rows.looks.load(events.map(keyOf));
  },
  apply(event, rows) {
    const { actor, at } = event.metadata;
    rows.looks.put({ ...keyOf(event), account_id: actor.accountId, role: actor.role, at });
  },
  channels: () => [],
});

type Look = { readonly id: string; readonly data: { readonly studentId: string }; readonly metadata: { readonly schoolId: string } };
const keyOf = ({ id, data, metadata }: Look) => ({ school_id: metadata.schoolId, student_id: data.studentId, event_id: id });
