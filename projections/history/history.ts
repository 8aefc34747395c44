import { PART } from '../../events/codec/parts.ts';
import { type RecordedEvent, schoolOf } from '../../events/store/port.ts';
import { isUuid } from '../../events/uuid.ts';
import { rawProjection } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import { history } from './tables.ts';

/** A row for every event of the log, including parts and unknown types. */
export const historyProjection = rawProjection({
  name: 'history',
  version: 1,
  tables: { history },
  async fold(events, rows) {
    await rows.history.load(events.map(({ stream, position }) => ({ school_id: schoolOf(stream), position })));
    for (const event of events) rows.history.put(rowOf(event));
  },
});

const rowOf = (event: RecordedEvent): Row<typeof history> => {
  const { id, stream, revision, position, type } = event;
  const envelope = objectIn(event.metadata);
  const actor = objectOf(envelope['actor']);
  const data = type === PART ? {} : objectIn(event.data);
  return {
    school_id: schoolOf(stream),
    position,
    event_id: id,
    stream,
    revision,
    type,
    at: instant(envelope['at']),
    account_id: uuid(actor['accountId']),
    role: typeof actor['role'] === 'string' ? actor['role'] : null,
    command_id: uuid(envelope['commandId']),
    subject_id: uuid(data['subjectId']) ?? uuid(/^subject-[^.]*\.(.*)$/.exec(stream)?.[1]),
  };
};

type Fields = Readonly<Record<string, unknown>>;

const objectIn = (json: string): Fields => {
  try {
    return objectOf(JSON.parse(json));
  } catch {
    return {};
  }
};
const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});

const uuid = (value: unknown): string | null => (typeof value === 'string' && isUuid(value) ? value : null);

const instant = (value: unknown): string | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};
