import { typesOf } from '../../events/codec/event.ts';
import type { MarktrailReadEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import { isUuid } from '../../events/uuid.ts';
import { projection } from '../engine/projection.ts';
import { record, recordThings, streamSubjects } from './tables.ts';

/** The record of all that happened. Without personal data: ids only. */
export const recordProjection = projection<MarktrailReadEvent>()({
  name: 'record',
  version: 3,
  tables: { record, recordThings, streamSubjects },
  on: typesOf(eventTypes),

  async load(events, rows) {
    await rows.record.load(events.map(({ metadata, position }) => ({ school_id: metadata.schoolId, position })));
    await rows.record.loadWhere(
      'command_id',
      events.flatMap((event) => takenBackBy(event) ?? []),
    );
    await rows.streamSubjects.load(events.map((event) => ({ school_id: event.metadata.schoolId, stream: namingStream(event) })));
  },

  apply(event, rows) {
    const { id, stream, revision, position, type, data, metadata } = event;
    const { schoolId: school_id, at, actor, commandId, correlationId, causationId } = metadata;
    const key = { school_id, stream: namingStream(event) };
    const named = rows.streamSubjects.get(key)?.subject_id;
    const subject = subjectIn(data) ?? subjectOfStream(stream) ?? named ?? null;
    if (subject !== null && named === undefined) rows.streamSubjects.put({ ...key, subject_id: subject });
    const things = new Set(idsIn(data));
    if (causationId !== commandId) things.add(causationId);
    for (const thing of stream
      .slice(stream.indexOf('-') + 1)
      .split('.')
      .slice(1))
      if (isUuid(thing)) things.add(thing);
    const takenBack = takenBackBy(event);
    if (takenBack !== undefined)
      for (const row of rows.record.where('command_id', takenBack))
        if (row.school_id === school_id) for (const thing of row.things) things.add(thing);
    for (const thing of things) rows.recordThings.add({ school_id, thing, position });
    rows.record.put({
      school_id,
      position,
      event_id: id,
      stream,
      revision,
      type,
      at,
      account_id: actor.accountId,
      role: actor.role,
      viewed_as: actor.viewAs?.role ?? null,
      viewed_as_id: actor.viewAs?.id ?? null,
      command_id: commandId,
      act_id: correlationId,
      cause_id: causationId === commandId ? null : causationId,
      subject_id: subject,
      things: [...things],
    });
  },
});

type Read = { readonly type: string; readonly stream: string; readonly data: unknown };

/** The command that an event takes back or brings back: what that was about, this is about too. */
const takenBackBy = ({ type, data }: Read): string | undefined =>
  type === 'CommandUndone' || type === 'CommandRedone' ? textIn(data, 'commandId') : undefined;

/** The stream whose first event names the subject: an undo is of an entry. */
const namingStream = ({ stream }: Read): string => (stream.startsWith('undo-') ? stream.replace('undo-', 'entry-') : stream);

const subjectIn = (data: unknown): string | undefined => textIn(data, 'subjectId');

/** Of a subject itself, its mappings and its revision lists. */
const subjectOfStream = (stream: string): string | undefined => /^(?:subject|mapping|revision)-[^.]*\.(.*)$/.exec(stream)?.[1];

const textIn = (data: unknown, field: string): string | undefined => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, field) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** All ids in the data of an event, however deep. */
function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value.length === 36 && isUuid(value)) yield value;
  } else if (Array.isArray(value)) {
    for (const element of value) yield* idsIn(element);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      if (key.length === 36 && isUuid(key)) yield key;
      yield* idsIn(field);
    }
  }
}
