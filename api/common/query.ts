import type { z } from 'zod';
import type { RecordedEvent } from '../../events/registry.ts';
import type { HandOut } from '../contract/hand-outs.ts';
import type { Actor } from '../actor.ts';
import type { Answer } from '../contract/answer.ts';
import type { Largest } from './body-size.ts';
import type { RunSql } from './facts.ts';
import type { About } from './about.ts';
import type { Declared } from './models.ts';

/**
 * A query of the read models, run as the reader of the user's school.
 *
 * Its SQL names tables without a schema: the connection decides whether they are those of now or of an earlier moment.
 *
 * `models`, `live` and `marks`: see `Declared`. `run` returns an object, or a `JsonText` made by the database. It only runs for those who may
 * see what it is `about`, as api/access.ts declares.
 */
export type QueryDefinition<Input> = Declared & {
  /** How much staff may send to ask it: `upload` where it takes the rows of a file. */
  readonly largest?: Largest;
  readonly input: z.ZodType<Input>;
  readonly run: (query: RunSql, input: Input, actor: Actor, about: About, log: ReadLog, maySend: MaySend) => Promise<unknown>;
  /** What is recorded before it is given: its answer becomes a file, or shows on a `screen` what was. */
  readonly handsOut?: (input: Input) => HandedOut;
  /** Left out: the answers differ too much from reader to reader. */
  readonly shared?: Shared<Input>;
};

/**
 * An answer that is the same for all who may see it, except for some fields, and so is read once for all of them (api/live). `read` leaves
 * those fields out, and returns the `facts` from which `ownFields` makes them for each reader, with today's rights.
 *
 * `again` reads only what may have changed: nothing but marks, of these `parts` of subjects (see `Channel`). Undefined: everything has to
 * be read.
 *
 * `part`: the input may ask for some elements of the answer's list only. All of them are then read once for everybody, and each reader gets
 * the elements at these places.
 */
export type Shared<Input> = {
  readonly part?: Part<unknown, Input>;
  readonly read: (query: RunSql, input: Input, about: About) => Promise<ReadPart<unknown, unknown>>;
  readonly again?: (query: RunSql, facts: unknown, parts: readonly string[]) => Promise<ReadPart<unknown, unknown> | undefined>;
  readonly ownFields: (facts: unknown, actor: Actor, input: Input, about: About) => object;
};
/**
 * `whole`: the input of the whole answer. `places` (undefined: all) is called once it is known that the reader may see that part.
 */
export type Part<Facts, Input> = {
  readonly whole: (input: Input) => Input;
  readonly places: (facts: Facts, input: Input) => readonly number[] | undefined;
};

/** `text`: a JSON object with at least one field. */
type ReadPart<Shape, Facts> = { readonly text: JsonText<Shape>; readonly facts: Facts };

/** The whole answer as JSON text. */
export const withOwn = (text: string, ownFields: object): string => {
  const fields = JSON.stringify(ownFields).slice(1, -1);
  return fields === '' ? text : `${text.slice(0, text.lastIndexOf('}'))},${fields}}`;
};
/** `as`: left out, a file. */
export type HandedOut = Omit<HandOut, 'as'> & { readonly as?: 'screen' };
export type AnyQuery = QueryDefinition<never>;

export const defineQuery = <Input extends z.ZodType, Shape extends z.ZodType>(
  definition: Declared & {
    readonly largest?: Largest;
    readonly input: Input;
    readonly answer: Shape;
    readonly handsOut?: (input: z.output<Input>) => HandedOut;
    readonly run: (
      query: RunSql,
      input: z.output<Input>,
      actor: Actor,
      about: About,
      log: ReadLog,
      maySend: MaySend,
    ) => Promise<Answer<Shape> | JsonText<Answer<Shape>>>;
  },
): AnyQuery => definition as unknown as AnyQuery;

/** Whether the reader's role may send a command at all: for what an answer offers. */
export type MaySend = (command: string) => boolean;

/** Where an event lies, as the record says. */
export type EventPlace = { readonly position: string; readonly eventId: string };
/** The events at these places, in their order, each with its hash in the ledger: for what read models do not hold. */
export type ReadLog = (places: readonly EventPlace[]) => Promise<readonly { readonly event: RecordedEvent; readonly hash: string }[]>;

/** A query whose answer is shared; see `Shared`. */
export const defineSharedQuery = <Input extends z.ZodType, Shape extends z.ZodType, Facts, Own extends Partial<Answer<Shape>>>(
  definition: Declared & {
    readonly input: Input;
    readonly answer: Shape;
    readonly part?: Part<Facts, z.output<Input>>;
    readonly read: (query: RunSql, input: z.output<Input>, about: About) => Promise<ReadPart<Omit<Answer<Shape>, keyof Own>, Facts>>;
    readonly again?: (
      query: RunSql,
      facts: Facts,
      parts: readonly string[],
    ) => Promise<ReadPart<Omit<Answer<Shape>, keyof Own>, Facts> | undefined>;
    readonly ownFields: (facts: Facts, actor: Actor, input: z.output<Input>, about: About) => Own;
  },
): AnyQuery => {
  const { part, read, again, ownFields, ...declared } = definition;
  return {
    ...declared,
    run: async (query: RunSql, input: z.output<Input>, actor: Actor, about: About) => {
      const { text, facts } = await read(query, part ? part.whole(input) : input, about);
      const fields = ownFields(facts, actor, input, about);
      const places = part?.places(facts, input);
      return new JsonText(withOwn((places ? text.at(places) : text).text, fields));
    },
    shared: { part, read, again, ownFields },
  } as unknown as AnyQuery;
};

/** A query whose answer is the same for all who may see it. */
export const defineCommonQuery = <Input extends z.ZodType, Shape extends z.ZodType>({
  read,
  ...declared
}: Declared & {
  readonly input: Input;
  readonly answer: Shape;
  readonly read: (query: RunSql, input: z.output<Input>, about: About) => Promise<Answer<Shape>>;
}): AnyQuery =>
  defineSharedQuery({
    ...declared,
    read: async (query, input, about) => ({ text: new JsonText(JSON.stringify(await read(query, input, about))), facts: undefined }),
    ownFields: () => ({}),
  });

/** An answer that already is JSON text. `shape` only carries its type. */
export class JsonText<Shape> {
  declare readonly shape?: Shape;
  /** Set if its last field is a list: two versions are then quickly compared. */
  readonly list: TextOfList | undefined;
  readonly length: number;
  #text: string | undefined;

  constructor(text: string | TextOfList) {
    [this.#text, this.list] = typeof text === 'string' ? [text, undefined] : [undefined, text];
    this.length = typeof text === 'string' ? text.length : text.elements.reduce((sum, { length }) => sum + length + 1, text.head.length);
  }

  /** Put together when all of it is read. */
  get text(): string {
    return (this.#text ??= this.list ? textOf(this.list) : '');
  }

  /** With these elements of its list only. */
  at(places: readonly number[]): JsonText<Shape> {
    return this.list ? new JsonText({ ...this.list, elements: atPlaces(this.list.elements, places) }) : this;
  }
}

/** The fields before the list (an object with at least one), and the text of each element. */
export type TextOfList = { readonly head: string; readonly name: string; readonly elements: readonly string[] };

export const atPlaces = <One>(all: readonly One[], places: readonly number[]): readonly One[] =>
  places.flatMap((place) => all.slice(place, place + 1));

const textOf = ({ head, name, elements }: TextOfList): string => `${head.slice(0, -1)},${JSON.stringify(name)}:[${elements.join()}]}`;
