import type { z } from 'zod';
import type { Aggregate } from '../../events/aggregate.ts';
import type { Actor } from '../actor.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { InputError, ProblemCode } from '../contract/problem.ts';
import type { Facts } from '../facts/facts.ts';

/**
 * A command: what somebody asks to happen, to one stream, and the pure function that says what does happen.
 *
 * `decide` has no I/O, no clock and no random ids. A decision that changes nothing answers no events, and nothing is written.
 */
export type Command<Input, State, Known> = {
  readonly input: z.ZodType<Input>;
  readonly aggregate: Aggregate<State, RecordedEvent>;
  /** The id in the stream's name; undefined where a school has one such stream. */
  readonly streamId: (input: Input, context: Context) => string | undefined;
  readonly facts: Facts<Input, Known>;
  readonly decide: (input: Input, state: State, known: Known, context: Context) => readonly MarktrailEvent[] | Refused;
  /** Whether the decision leaves out something of the input: it changes nothing there, or may not. */
  readonly leavesOut?: (input: Input, decided: readonly MarktrailEvent[]) => boolean;
  /** A command of this stream that said the same already: it is answered, and nothing is decided. */
  readonly repeats?: (input: Input, state: State, context: Context) => string | undefined;
  /** The subject of a stream whose commands do not name it (`subjectId` of the input); undefined: there is none yet. */
  readonly subjectOf?: (state: State) => string | undefined;
  /** The subject and the sets that a decision touches, as far as it was decided: what the right to do it stands on. */
  readonly touches?: (input: Input, known: Known, decided: readonly MarktrailEvent[]) => Touched;
  /** Answer of the command, the same when it is repeated: from its events, none if it changed nothing. */
  readonly answer: (input: Input, events: readonly RecordedEvent[], known: Known, context: Context) => unknown;
};

export type Touched = { readonly subjectId: string; readonly setIds: readonly string[] };

/** A command of which the types are forgotten, as the pipeline handles them. */
export type AnyCommand = Command<never, never, never>;

/** Carries the type of an answer, and is never there: programs are told by it what to expect (api/http/answers.ts). */
export type Answered<Answer> = { readonly answered?: Answer };
export type AnswerOf<Some> = Some extends Answered<infer Answer> ? Answer : never;

type Of<Types extends string> = Extract<RecordedEvent, { type: Types }>;

/**
 * Makes a command; its types follow from its parts. An aggregate takes only the events of its own streams, which is all that the
 * pipeline reads for it.
 */
export const command = <Schema extends z.ZodType, State, Event extends { type: string }, Known, Answer>(definition: {
  readonly input: Schema;
  readonly aggregate: Aggregate<State, Event>;
  readonly streamId: (input: z.output<Schema>, context: Context) => string | undefined;
  readonly facts: Facts<z.output<Schema>, Known>;
  readonly decide: (input: z.output<Schema>, state: State, known: Known, context: Context) => readonly MarktrailEvent[] | Refused;
  readonly leavesOut?: (input: z.output<Schema>, decided: readonly MarktrailEvent[]) => boolean;
  readonly repeats?: (input: z.output<Schema>, state: State, context: Context) => string | undefined;
  readonly subjectOf?: (state: State) => string | undefined;
  readonly touches?: (input: z.output<Schema>, known: Known, decided: readonly MarktrailEvent[]) => Touched;
  readonly answer: (input: z.output<Schema>, events: readonly Of<string>[], known: Known, context: Context) => Answer;
}): AnyCommand & Answered<Answer> => definition as unknown as AnyCommand & Answered<Answer>;

/** What a decision may know of the request. */
export type Context = {
  readonly schoolId: string;
  readonly commandId: string;
  readonly actor: Actor;
  /** The id of something that this command makes, the same when it is repeated. */
  readonly newId: (label: string) => string;
  /** A tag of a secret value that must be unique in the school: the same for all its spellings. */
  readonly tag: (kind: 'admission-number' | 'teacher-name', value: string) => string;
};

/**
 * A refusal: a value, not an exception.
 *
 * Of things that are not there: what a command is about, or what it is to make something in, is `not-found` where it never was, also for a
 * deletion; what was deleted before is deleted again without an event. What a field chooses (the scheme of work of a set, the class of a
 * student) is refused at that field, `invalid-input`. Rows of a grid are answered one by one (EnterMarks), and no mark is refused for another.
 */
export class Refused {
  readonly code: ProblemCode;
  readonly title: string;
  readonly errors: readonly InputError[];
  constructor(code: ProblemCode, title: string, errors: readonly InputError[] = []) {
    this.code = code;
    this.title = title;
    this.errors = errors;
  }
}

export const refuse = (code: ProblemCode, title: string, errors: readonly InputError[] = []): Refused => new Refused(code, title, errors);
/** Refuses one field of the input. */
export const refuseInput = (path: string, message: string): Refused => new Refused('invalid-input', message, [{ path, message }]);

/**
 * Whether a decision does less than was asked for. Where its facts did not wait, they are read again then: nothing is refused on old ones,
 * and no mark is taken for what is there already because something newer is not in the read model yet.
 */
export const isDoubtful = <Input>(
  { leavesOut }: Pick<Command<Input, unknown, unknown>, 'leavesOut'>,
  input: Input,
  decision: readonly MarktrailEvent[] | Refused,
): boolean => decision instanceof Refused || decision.length === 0 || (leavesOut?.(input, decision) ?? false);
