import type { SchoolIndex } from '../engine/as-of/school-events.ts';
import { historyProjection } from './history.ts';

/** The index of a school's events, from the history read model. */
export const schoolIndex: SchoolIndex = {
  name: historyProjection.name,

  async cut(ask, schoolId, moment) {
    const [row] = await ask<{ position: string; eventId: string; at: Date }>(
      `select position, event_id as "eventId", at from history
        where school_id = $1 and at <= $2::timestamptz
        order by position desc
        limit 1`,
      [schoolId, moment],
    );
    return row && { position: BigInt(row.position), eventId: row.eventId, at: row.at.toISOString() };
  },

  async count(ask, schoolId, upTo) {
    const [row] = await ask<{ count: string }>('select count(*) as count from history where school_id = $1 and position <= $2', [
      schoolId,
      String(upTo),
    ]);
    return Number(row?.count ?? 0);
  },

  async page(ask, schoolId, after, upTo, most) {
    const rows = await ask<{ position: string; eventId: string; stream: string; revision: string }>(
      `select position, event_id as "eventId", stream, revision from history
        where school_id = $1 and position > $2 and position <= $3
        order by position
        limit $4`,
      [schoolId, String(after), String(upTo), most],
    );
    return rows.map(({ position, revision, ...row }) => ({ ...row, position: BigInt(position), revision: BigInt(revision) }));
  },
};
