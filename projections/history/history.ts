import { schoolOf } from '../../events/store/port.ts';
import { rawProjection } from '../engine/projection.ts';
import { history } from './tables.ts';

/** A row for every event of the log, including parts and unknown types. */
export const historyProjection = rawProjection({
  name: 'history',
  version: 2,
  tables: { history },
  async fold(events, rows) {
    for (const { id, stream, revision, position, metadata } of events)
      rows.history.add({ school_id: schoolOf(stream), position, event_id: id, stream, revision, at: timeIn(metadata) });
  },
});

/** The time of our metadata. */
const timeIn = (metadata: string): string | null => {
  try {
    const envelope: unknown = JSON.parse(metadata);
    const at: unknown = typeof envelope === 'object' && envelope !== null && 'at' in envelope ? envelope.at : undefined;
    const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    return Number.isNaN(time) ? null : new Date(time).toISOString();
  } catch {
    return null;
  }
};
