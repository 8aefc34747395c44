/**
 * Converts between events in the code and text in the log.
 *
 * Writing validates the schema (unknown fields are refused), encrypts the personal parts and makes JSON that survives a round trip. Reading
 * checks the version, decrypts the personal parts of that version, and runs the upcasters; it does not validate the schema, so that a
 * rebuild stays fast.
 */
import type { KeyObject } from 'node:crypto';
import type { z } from 'zod';
import type { NewEvent, RecordedEvent } from '../store/port.ts';
import type { CommandMetadata, EventOf, EventType, EventTypes, Forgotten, Metadata, ReadEventOf, Recorded } from './event.ts';
import { commandMetadata, isForgotten } from './event.ts';
import { toText } from './json.ts';
import type { KeyRing } from './keys.ts';
import { joined, PART, type ReadStream } from './parts.ts';
import { open, seal } from './personal.ts';
import { sealedParts, type Slot } from './sealed-parts.ts';

export interface Codec<Types extends EventTypes> {
  /**
   * The command's events, ready for `split` and the store. The keys of the persons in them are committed when this returns.
   *
   * @throws InvalidEvent, NotJson, UnknownEventType, PersonForgotten
   */
  encode(
    schoolId: string,
    events: readonly EventOf<Types>[],
    /** one per event, see `eventId` */
    ids: readonly string[],
    metadata: CommandMetadata,
  ): Promise<NewEvent[]>;

  /**
   * The events in order, in their newest versions. Parts are skipped (see `partOf`); the event that closes them reads them back by
   * `readStream`. Keys are loaded in one query.
   *
   * @throws UnknownEventType, UnknownEventVersion, KeyMissing, SealBroken, PartsBroken
   */
  decode(recorded: readonly RecordedEvent[], readStream: ReadStream): Promise<Recorded<ReadEventOf<Types>>[]>;
}

/** A decided event does not fit its schema: a mistake in the code. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
  readonly type: string;
  readonly issues: readonly EventIssue[];
  constructor(type: string, issues: readonly EventIssue[]) {
    super(`${type} cannot be written: ${issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ')}`);
    this.type = type;
    this.issues = issues;
  }
}

export type EventIssue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** No such type in this version of the program. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
  readonly type: string;
  constructor(type: string, where: string) {
    super(`unknown event type ${type}${where}`);
    this.type = type;
  }
}

/** The event was written by a newer version of the program, or its version is invalid. */
export class UnknownEventVersion extends Error {
  override readonly name = 'UnknownEventVersion';
  readonly type: string;
  readonly version: number;
  readonly newest: number;
  constructor(type: string, version: number, newest: number, where: string) {
    super(`${type} of version ${version} is unknown, the newest is ${newest}${where}`);
    this.type = type;
    this.version = version;
    this.newest = newest;
  }
}

export type CodecOptions<Types extends EventTypes> = {
  readonly registry: Types;
  readonly keys: Pick<KeyRing, 'forWriting' | 'forReading'>;
};

/** @throws TypeError when the registry holds a schema that events cannot use */
export const codec = <Types extends EventTypes>({ registry, keys }: CodecOptions<Types>): Codec<Types> => {
  const types = new Map(
    Object.entries(registry).map(([type, { version, oldest, schema, upcasters, upcast }]) => {
      const schemas = Array.from({ length: version - oldest + 1 }, (_, index) => upcasters[oldest + index]?.from ?? schema);
      return [type, { version, oldest, schema, upcast, slots: schemas.map(sealedParts) } satisfies KnownType] as const;
    }),
  );
  if (types.has(PART)) throw new TypeError(`the name ${PART} is taken by the parts of large events`);

  return {
    async encode(schoolId, events, ids, metadata) {
      if (ids.length !== events.length) throw new RangeError(`${events.length} events with ${ids.length} ids`);
      const command = { ...checked('the envelope', commandMetadata, metadata), schoolId };
      const author = command.actor.accountId;
      const drafts = events.map(({ type, data }, index) => {
        const eventType = types.get(type);
        if (eventType === undefined) throw new UnknownEventType(type, '');
        const value = checked(type, eventType.schema, data);
        return { id: ids[index]!, type, data: value, version: eventType.version, slots: eventType.slots.at(-1)?.(value, author) ?? [] };
      });

      const persons = personsOf(drafts);
      const personKeys = persons.length === 0 ? NO_KEYS : await keys.forWriting(schoolId, persons);
      const envelopes = new Map<number, string>();
      const envelope = (schemaVersion: number): string => {
        const text = envelopes.get(schemaVersion) ?? toText({ ...command, schemaVersion });
        envelopes.set(schemaVersion, text);
        return text;
      };
      return drafts.map(({ id, type, data, version, slots }) => {
        for (const slot of slots) {
          slot.holder[slot.key] = seal(personKeys.get(slot.person)!, { eventId: id, type, ...slot }, toText(slot.holder[slot.key]));
        }
        return { id, type, data: toText(data), metadata: envelope(version) };
      });
    },

    async decode(recorded, readStream) {
      const drafts: Draft[] = [];
      for (const event of recorded) {
        if (event.type === PART) continue;
        const eventType = types.get(event.type);
        if (eventType === undefined) throw new UnknownEventType(event.type, where(event));
        const metadata = JSON.parse(event.metadata) as Metadata;
        const version = metadata.schemaVersion;
        if (!(Number.isInteger(version) && version >= eventType.oldest && version <= eventType.version)) {
          throw new UnknownEventVersion(event.type, version, eventType.version, where(event));
        }
        const text = metadata.parts === undefined ? event.data : await joined(event, { ...metadata, parts: metadata.parts }, readStream);
        const data: unknown = JSON.parse(text);
        drafts.push({
          event,
          metadata,
          eventType,
          data,
          slots: eventType.slots[version - eventType.oldest]?.(data, metadata.actor.accountId) ?? [],
        });
      }

      const persons = personsOf(drafts);
      const personKeys = persons.length === 0 ? NO_KEYS : await keys.forReading(persons);
      return drafts.map(({ event: { id, type, stream, revision, position }, metadata, eventType, data, slots }) => {
        for (const slot of slots) slot.holder[slot.key] = opened(personKeys.get(slot.person)!, id, type, slot);
        const today = metadata.schemaVersion === eventType.version ? data : eventType.upcast(data, metadata.schemaVersion);
        return { id, type, data: today, stream, revision, position, metadata } as Recorded<ReadEventOf<Types>>;
      });
    },
  };
};

type KnownType = Pick<EventType, 'version' | 'oldest' | 'schema' | 'upcast'> & {
  readonly slots: readonly ReturnType<typeof sealedParts>[];
};

type Draft = {
  readonly event: RecordedEvent;
  readonly metadata: Metadata;
  readonly eventType: KnownType;
  readonly data: unknown;
  readonly slots: readonly Slot[];
};

const NO_KEYS: ReadonlyMap<string, KeyObject> = new Map();

const personsOf = (drafts: readonly { readonly slots: readonly Slot[] }[]): string[] => {
  const persons = new Set<string>();
  for (const { slots } of drafts) for (const { person } of slots) persons.add(person);
  return [...persons];
};

const opened = (key: KeyObject | Forgotten, eventId: string, type: string, { holder, key: field, person, place }: Slot): unknown =>
  isForgotten(key) ? key : JSON.parse(open(key, { eventId, type, person, place }, String(holder[field])));

const where = ({ id, stream, revision }: RecordedEvent): string => ` (event ${id}, ${stream}, revision ${revision})`;

/**
 * A copy of the value as parsed by the schema, with the fields in the schema's order.
 *
 * @throws InvalidEvent also for fields that the schema does not know and would drop
 */
const checked = <S extends z.ZodType>(type: string, schema: S, value: unknown): z.output<S> => {
  const result = schema.safeParse(value);
  if (!result.success) throw new InvalidEvent(type, result.error.issues);
  if (isWhole(value, result.data)) return result.data;
  const issues: EventIssue[] = [];
  compare(value, result.data, [], issues);
  if (issues.length > 0) throw new InvalidEvent(type, issues);
  return result.data;
};

/** Whether the schema dropped nothing and there is nothing undefined: nearly always, and without a path to each field. */
const isWhole = (given: unknown, kept: unknown): boolean => {
  if (typeof given !== 'object' || typeof kept !== 'object' || given === null || kept === null || given === kept) return true;
  if (Array.isArray(given) && Array.isArray(kept)) {
    for (let index = 0; index < given.length; index++)
      if (typeof given[index] === 'object' && !isWhole(given[index], kept[index])) return false;
    return true;
  }
  const source = given as Record<string, unknown>;
  const copy = kept as Record<string, unknown>;
  for (const key in source) {
    if (source[key] === undefined || !Object.hasOwn(copy, key) || !isWhole(source[key], copy[key])) return false;
  }
  return true;
};

/** Lists the fields that the schema dropped, and removes undefined ones from the copy: undefined means absent. */
const compare = (given: unknown, kept: unknown, path: PropertyKey[], issues: EventIssue[]): void => {
  if (typeof given !== 'object' || typeof kept !== 'object' || given === null || kept === null || given === kept) return;
  if (Array.isArray(given) && Array.isArray(kept)) {
    for (let index = 0; index < given.length; index++) {
      if (typeof given[index] === 'object') compare(given[index], kept[index], [...path, index], issues);
    }
    return;
  }
  const source = given as Record<string, unknown>;
  const copy = kept as Record<string, unknown>;
  for (const key of Object.keys(source)) {
    const at = [...path, key];
    if (source[key] === undefined) delete copy[key];
    else if (!Object.hasOwn(copy, key)) issues.push({ path: at, message: 'is not in the schema' });
    else compare(source[key], copy[key], at, issues);
  }
};
