/**
 * Event types: version, schema, personal parts, and the metadata of events.
 *
 * A schema has two types. When *written* (`EventOf`) a personal part is plain; when *read* (`ReadEventOf`) it is `Sealed<T>`, because the
 * person may have been forgotten since, and the compiler makes every reader handle that.
 */
import { z } from 'zod';
import { id } from '../fields.ts';
import type { Position, StreamId } from '../store/port.ts';

/** Replaces a personal part once its person's key has been destroyed. Its only value is `forgotten`. */
export type Forgotten = { readonly forgotten: true };
export type Sealed<T> = T | Forgotten;

export const forgotten: Forgotten = Object.freeze({ forgotten: true });
export const isForgotten = (value: unknown): value is Forgotten => value === forgotten;

/** Whose key seals a part: the person named by a field beside it, or the author of the event. */
export type SealedBy = { readonly field: string } | 'author';

const MARK = 'sealedBy';

/**
 * A personal part: plain when written and read, one ciphertext in the log, under the key of the person whose id stands in
 * `personField` of the same object.
 *
 *     z.strictObject({ studentId: id, person: sealed('studentId', z.strictObject({ name: z.string() })) })
 */
export const sealed = <S extends z.ZodObject>(personField: string, part: S): SealedSchema<S> => mark(part, { field: personField });

/** Text that a user typed and that is not about a particular person: sealed under the key of the event's author. */
export const sealedByAuthor = <S extends z.ZodObject>(part: S): SealedSchema<S> => mark(part, 'author');

export type SealedSchema<S extends z.ZodObject> = z.ZodType<Sealed<z.output<S>>, z.input<S>>;

/** Whose key seals values of this schema; undefined: not personal. */
export const sealedBy = (schema: z.core.$ZodType): SealedBy | undefined => {
  const definition: z.core.$ZodTypeDef & { [MARK]?: SealedBy } = schema._zod.def;
  return definition[MARK];
};

/**
 * The mark is part of the schema's definition, which zod passes on to every copy (`.meta()`, `.refine()`, ...), so a refined part stays
 * personal. The parser returns the plain part, which is one of the two cases of `Sealed`.
 */
const mark = <S extends z.ZodObject>(part: S, by: SealedBy): SealedSchema<S> => {
  const definition: S['_zod']['def'] = Object.assign({ ...part._zod.def }, { [MARK]: by });
  return part.clone(definition) as unknown as SealedSchema<S>;
};

/** The newest version of an event type, and the upcasters from each version that the log may hold. */
export type EventType<S extends z.ZodType = z.ZodType> = {
  readonly version: number;
  /** The oldest version that logs may hold. Older ones were never released. */
  readonly oldest: number;
  readonly schema: S;
  /** by the version they upgrade from: oldest .. version - 1 */
  readonly upcasters: Readonly<Record<number, Upcaster>>;
  /** Data as read in that version -> data as read in today's. */
  readonly upcast: (data: unknown, version: number) => unknown;
};

export type Upcaster = { readonly from: z.ZodType; readonly to: z.ZodType; readonly up: (data: never) => unknown };

/**
 * One step from a version to the next: pure, and ready for `Forgotten` in the personal parts, which are opened before.
 * The old schema stays in the code, because it says which parts of the old events are sealed.
 */
export const upcaster = <From, To>(from: z.ZodType<From>, to: z.ZodType<To>, up: (data: From) => To): Upcaster => ({ from, to, up });

/**
 * Declares a type of event. Its name and shape are in the log for ever: a new shape is a new version with an upcaster, a new meaning
 * is a new type.
 *
 *     event(2, second, { 1: upcaster(first, second, (data) => ({ ...data, reason: 'unknown' })) })
 *
 * @throws Error when the versions are not consecutive or an upcaster does not lead to the next version's schema
 */
export const event = <S extends z.ZodType>(
  version: number,
  schema: S,
  upcasters: Readonly<Record<number, Upcaster>> = {},
): EventType<S> => {
  const oldest = Math.min(version, ...Object.keys(upcasters).map(Number));
  const steps = Array.from({ length: version - oldest }, (_, index) => {
    const step = upcasters[oldest + index];
    if (step === undefined) throw new Error(`the upcaster from version ${oldest + index} is missing`);
    return step;
  });
  steps.forEach((step, index) => {
    const next = steps[index + 1]?.from ?? schema;
    if (step.to !== next) throw new Error(`the upcaster from version ${oldest + index} does not lead to version ${oldest + index + 1}`);
  });
  const upcast = (data: unknown, from: number): unknown => steps.slice(from - oldest).reduce((value, { up }) => up(value as never), data);
  return { version, oldest, schema, upcasters, upcast };
};

/** By the name of the type. */
export type EventTypes = Readonly<Record<string, EventType>>;

/** Events as they are written: personal parts plain. */
export type EventOf<Types extends EventTypes> = {
  [Type in keyof Types & string]: { readonly type: Type; readonly data: z.input<Types[Type]['schema']> };
}[keyof Types & string];

/** Events as they are read: personal parts may be `Forgotten`. */
export type ReadEventOf<Types extends EventTypes> = {
  [Type in keyof Types & string]: { readonly type: Type; readonly data: z.output<Types[Type]['schema']> };
}[keyof Types & string];

/** An event with its place in the log. */
export type Recorded<Event> = Event & {
  readonly id: string;
  readonly stream: StreamId;
  readonly revision: bigint;
  readonly position: Position;
  readonly metadata: Metadata;
};

/** The names of the types, in their order. */
export const typesOf = <Types extends EventTypes>(types: Types): readonly (keyof Types & string)[] =>
  Object.keys(types).filter((type): type is keyof Types & string => Object.hasOwn(types, type));

/** Narrows any event to those of some types: `events.filter(among(rosterEvents))`. */
export const among =
  <Types extends EventTypes>(types: Types) =>
  (event: { readonly type: string }): event is Recorded<ReadEventOf<Types>> =>
    Object.hasOwn(types, event.type);

/**
 * The types of several stream kinds as one registry.
 *
 * @throws Error where two kinds claim one name
 */
export const registry = <Kinds extends readonly EventTypes[]>(...kinds: Kinds): Merged<Kinds> => {
  const all: Record<string, EventType> = {};
  for (const [name, type] of kinds.flatMap((kind) => Object.entries(kind))) {
    if (Object.hasOwn(all, name)) throw new Error(`two stream kinds have an event ${name}`);
    all[name] = type;
  }
  return Object.freeze(all) as Merged<Kinds>;
};

type Merged<Kinds extends readonly EventTypes[]> = Kinds extends readonly [infer First, ...infer Rest extends readonly EventTypes[]]
  ? First & Merged<Rest>
  : unknown;

export const role = z.enum(['admin', 'leader', 'teacher', 'student', 'auditor', 'system']);
export type Role = z.infer<typeof role>;

/** Why the act was allowed: by role (for the whole school), for a subject, for sets, or because it concerns oneself. */
export const right = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('role') }),
  z.strictObject({ by: z.literal('subject'), subjectId: id }),
  z.strictObject({ by: z.literal('sets'), setIds: z.array(id).min(1) }),
  z.strictObject({ by: z.literal('self') }),
]);
export type Right = z.infer<typeof right>;

/** Who did it: the account, its role, and whom it viewed the site as, if anybody. */
export const actor = z.strictObject({
  accountId: id,
  role,
  viewAs: z.strictObject({ role, id: id.optional() }).optional(),
  right,
});
export type Actor = z.infer<typeof actor>;

/** Metadata of a command, the same for each of its events. */
export const commandMetadata = z.strictObject({
  commandId: id,
  /** the first command of the conversation: its own id if there was none before */
  correlationId: id,
  /** what caused it: an event, or the command itself */
  causationId: id,
  actor,
  /** ISO instant, UTC: when the server accepted it */
  at: z.iso.datetime(),
  /** when it was typed, if it waited offline; in older events as the device reported it */
  typedAt: z.iso.datetime().optional(),
  /** what the device reported, if that cannot be true: its clock is wrong, or the time is invented */
  typedAtClaimed: z.iso.datetime().optional(),
  /** HMAC of the request: see `bodyTag` */
  bodyTag: z.string().min(1),
});
export type CommandMetadata = z.infer<typeof commandMetadata>;

/** The metadata of an event. It never holds a position of the log, because positions change when a log is copied. */
export type Metadata = CommandMetadata & {
  readonly schoolId: string;
  readonly schemaVersion: number;
  /**
   * The data was too large for one append and is in the `count` part events of this attempt before it in the stream, with `back` other
   * events in between (absent: none).
   */
  readonly parts?: { readonly attempt: number; readonly count: number; readonly back?: number };
};
