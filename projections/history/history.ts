import { PART } from '../../events/codec/parts.ts';
import { type RecordedEvent, schoolOf } from '../../events/store/port.ts';
import { isUuid, UUID_TEXT } from '../../events/uuid.ts';
import { rawProjection } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import { history } from './tables.ts';

/** A row for every event of the log, including parts and unknown types. */
export const historyProjection = rawProjection({
  name: 'history',
  version: 1,
  tables: { history },
  async fold(events, rows) {
    for (const event of events) rows.history.add(rowOf(event));
  },
});

const rowOf = (event: RecordedEvent): Row<typeof history> => {
  const { id, stream, revision, position, type } = event;
  const envelope = objectIn(event.metadata);
  const actor = objectOf(envelope['actor']);
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
    subject_id: (type === PART ? null : subjectIn(event.data)) ?? uuid(/^subject-[^.]*\.(.*)$/.exec(stream)?.[1]),
  };
};

/** Nearly all events with a subject begin with it: then the rest, which may be a large file, is not parsed. */
const subjectIn = (data: string): string | null => BEGINS_WITH_SUBJECT.exec(data)?.[1] ?? uuid(objectIn(data)['subjectId']);
const BEGINS_WITH_SUBJECT = new RegExp(`^\\{"subjectId":"(${UUID_TEXT})"`);

type Fields = Readonly<Record<string, unknown>>;

const objectIn = (json: string): Fields => {
  try {
    return objectOf(JSON.parse(json));
  } catch {
    return {};
  }
};
const objectOf = (value: unknown): Fields => (isObject(value) ? value : {});
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const uuid = (value: unknown): string | null => (typeof value === 'string' && isUuid(value) ? value : null);

const instant = (value: unknown): string | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};
