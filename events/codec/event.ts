/**
 * What an event is: its version, its schema, which of its parts are personal, and the envelope it travels in.
 *
 * A schema has two faces. As *written* (`EventOf`) a personal part is plain; as *read* (`ReadEventOf`) it is `Sealed<T>`, because the
 * person may have been forgotten since, and the compiler makes every reader say what he does then.
 */
import { z } from 'zod';
import { id } from '../fields.ts';
import type { Position, StreamId } from '../store/port.ts';

/** Stands where a personal part was, once its person's key has been destroyed. There is one value of it: `forgotten`. */
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

/** Text that a user typed and that is about nobody in particular: sealed under the key of the event's author. */
export const sealedByAuthor = <S extends z.ZodObject>(part: S): SealedSchema<S> => mark(part, 'author');

export type SealedSchema<S extends z.ZodObject> = z.ZodType<Sealed<z.output<S>>, z.input<S>>;

/** Who seals this schema's value; undefined for a plain one. */
export const sealedBy = (schema: z.core.$ZodType): SealedBy | undefined => {
  const definition: z.core.$ZodTypeDef & { [MARK]?: SealedBy } = schema._zod.def;
  return definition[MARK];
};

/**
 * The mark lives in the schema's definition, which zod hands on to every copy it makes (`.meta()`, `.refine()`, ...): a refined part
 * stays personal. What the parser answers for it is the plain part, which is one of the two things a reader may meet.
 */
const mark = <S extends z.ZodObject>(part: S, by: SealedBy): SealedSchema<S> => {
  const definition: S['_zod']['def'] = Object.assign({ ...part._zod.def }, { [MARK]: by });
  return part.clone(definition) as unknown as SealedSchema<S>;
};

/** A type of event as of today, and the way to it from each version that the log may still hold. */
export type EventType<S extends z.ZodType = z.ZodType> = {
  readonly version: number;
  readonly schema: S;
  /** by the version they upgrade from: 1 .. version - 1 */
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
  if (Object.keys(upcasters).length !== version - 1) throw new Error(`version ${version} of an event needs ${version - 1} upcasters`);
  const steps = Array.from({ length: version - 1 }, (_, index) => {
    const step = upcasters[index + 1];
    if (step === undefined) throw new Error(`the upcaster from version ${index + 1} is missing`);
    return step;
  });
  steps.forEach((step, index) => {
    const next = steps[index + 1]?.from ?? schema;
    if (step.to !== next) throw new Error(`the upcaster from version ${index + 1} does not lead to version ${index + 2}`);
  });
  const upcast = (data: unknown, from: number): unknown => steps.slice(from - 1).reduce((value, { up }) => up(value as never), data);
  return { version, schema, upcasters, upcast };
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

/** By what the act was allowed: the role alone (the whole school), a subject led, sets taught, or because it is one's own. */
export const right = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('role') }),
  z.strictObject({ by: z.literal('subject'), subjectId: id }),
  z.strictObject({ by: z.literal('sets'), setIds: z.array(id).min(1) }),
  z.strictObject({ by: z.literal('self') }),
]);
export type Right = z.infer<typeof right>;

/** Who did it: an account of ours, the role it acted in, and, while it looked through other eyes, through whose. */
export const actor = z.strictObject({
  accountId: id,
  role,
  viewAs: z.strictObject({ role, id: id.optional() }).optional(),
  right,
});
export type Actor = z.infer<typeof actor>;

/** What a command says about itself; the same for each of its events. */
export const commandMetadata = z.strictObject({
  commandId: id,
  /** first command of the conversation: its own id where there was none before */
  correlationId: id,
  /** what caused it: an event, or the command itself */
  causationId: id,
  actor,
  /** ISO instant, UTC: when the server took it */
  at: z.iso.datetime(),
  /** when it was typed, for what waited offline */
  typedAt: z.iso.datetime().optional(),
  /** HMAC of the request: see `bodyTag` */
  bodyTag: z.string().min(1),
});
export type CommandMetadata = z.infer<typeof commandMetadata>;

/** The envelope of an event. No position of a log ever stands in it. */
export type Metadata = CommandMetadata & {
  readonly schoolId: string;
  readonly schemaVersion: number;
  /**
   * The data was too large for one append and stands in `count` part events of this attempt before it in the stream; `back` further
   * events lie between (absent: none).
   */
  readonly parts?: { readonly attempt: number; readonly count: number; readonly back?: number };
};
