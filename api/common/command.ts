import type { z } from 'zod';
import type { Aggregate } from '../../events/aggregate.ts';
import type { Actor } from '../actor.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { InputError, Problem, ProblemCode } from '../contract/problem.ts';
import type { Answer, nothing } from '../contract/answer.ts';
import type { Largest } from './body-size.ts';
import type { Facts } from './facts.ts';
import { noFacts } from './facts.ts';

/**
 * A command for one stream, and the pure function that decides which events result.
 *
 * `decide` has no I/O, no clock and no random ids. If nothing changes it returns no events, and nothing is written.
 */
export type Command<Input, State, Known> = {
  readonly input: z.ZodType<Input>;
  /** How much staff may send: `upload` where it takes a row for each student or mark. */
  readonly largest?: Largest;
  /** The id in the stream's name; undefined if a school has only one such stream. */
  readonly streamId: (input: Input, context: Context) => string | undefined;
  readonly facts: Facts<Input, Known>;
  readonly decide: (input: Input, state: State, facts: Known, context: Context) => readonly MarktrailEvent[] | Refused;
  /** Whether outdated facts may have led to the decision: it leaves out part of the input, or repeats a value that may no longer be the only one. */
  readonly doubts?: (input: Input, decided: readonly MarktrailEvent[]) => boolean;
  /** The id of an earlier command of this stream with the same content: its answer is returned, and nothing is decided. */
  readonly repeats?: (input: Input, state: State, context: Context) => string | undefined;
  /**
   * The subject of a stream that is not the subject's own; undefined: the stream does not exist yet. While that subject is removed, the
   * command is refused.
   */
  readonly subjectOf?: (state: State) => string | undefined;
  /** The subject and the sets that the decided events touch: the basis for checking the right to do it. */
  readonly touches?: (input: Input, facts: Known, decided: readonly MarktrailEvent[]) => Touched;
  readonly aggregate: Aggregate<State, RecordedEvent>;
  /**
   * The response, made from the command's events; there are none if it changed nothing. A repeated command (`context.repeated`) gets the same
   * response: what was taken from facts, which may have changed, is left out and named (`leftOut` in api/contract/answer.ts).
   */
  readonly answer: (input: Input, events: readonly RecordedEvent[], facts: Known, context: Context) => unknown;
};

export type Touched = { readonly subjectId: string; readonly setIds: readonly string[] };

/** A command with its types erased, as the pipeline handles it. */
export type AnyCommand = Command<never, never, never>;

type Of<Types extends string> = Extract<RecordedEvent, { type: Types }>;

/** A command without its stream. */
export type Decider<Schema extends z.ZodType, Result extends z.ZodType, State, Known> = {
  readonly largest?: Largest;
  readonly input: Schema;
  /** What `answer` returns, for the API's description. */
  readonly result: Result;
  /** Left out: the decision depends on its own stream only. */
  readonly facts?: Facts<z.output<Schema>, Known>;
  readonly decide: (input: z.output<Schema>, state: State, facts: Known, context: Context) => readonly MarktrailEvent[] | Refused;
  readonly doubts?: (input: z.output<Schema>, decided: readonly MarktrailEvent[]) => boolean;
  readonly repeats?: (input: z.output<Schema>, state: State, context: Context) => string | undefined;
  readonly subjectOf?: (state: State) => string | undefined;
  readonly touches?: (input: z.output<Schema>, facts: Known, decided: readonly MarktrailEvent[]) => Touched;
} & (typeof nothing extends Result
  ? { readonly answer?: AnswerOf<Schema, Result, Known> }
  : { readonly answer: AnswerOf<Schema, Result, Known> });

type AnswerOf<Schema extends z.ZodType, Result extends z.ZodType, Known> = (
  input: z.output<Schema>,
  events: readonly Of<string>[],
  facts: Known,
  context: Context,
) => Answer<Result>;

/**
 * Makes a command; its types are inferred from its parts. The aggregate folds only the events of its own stream, which is all that the
 * pipeline reads. `streamId` is left out if a school has only one such stream.
 */
export const command = <Schema extends z.ZodType, Result extends z.ZodType, State, Event extends { type: string }, Known = undefined>(
  definition: Decider<Schema, Result, State, Known> & {
    readonly aggregate: Aggregate<State, Event>;
    readonly streamId?: (input: z.output<Schema>, context: Context) => string | undefined;
  },
): AnyCommand => ({ streamId: () => undefined, facts: noFacts, answer: () => ({}), ...definition }) as unknown as AnyCommand;

/** The request, for a decision. */
export type Context = {
  readonly schoolId: string;
  readonly commandId: string;
  readonly actor: Actor;
  /** When it is decided. */
  readonly at: Date;
  /** The id of something that this command creates; the same for a repeated command. */
  readonly newId: (label: string) => string;
  /** The HMAC of a personal value that must be unique in the school; the same for all spellings. */
  readonly tag: (kind: 'admission-number' | 'teacher-name', value: string) => string;
  /** For `answer`: the command was stored before. */
  readonly repeated?: true;
};

/**
 * A refusal: a value, not an exception.
 *
 * Rules for missing things: if the command's target or its container never existed, `not-found`, also for a deletion; deleting a deleted
 * thing again succeeds without an event. A missing thing chosen by a field (the scheme of work of a set, the class of a student) is
 * `invalid-input` at that field. Rows of a grid are answered one by one (EnterMarks): no mark is refused because of another.
 */
export class Refused {
  readonly code: ProblemCode;
  readonly title: string;
  readonly errors: readonly InputError[];
  readonly asks: Problem['asks'] | undefined;
  constructor(code: ProblemCode, title: string, errors: readonly InputError[] = [], asks?: Problem['asks']) {
    this.code = code;
    this.title = title;
    this.errors = errors;
    this.asks = asks;
  }
}

export const refuse = (code: ProblemCode, title: string, errors: readonly InputError[] = []): Refused => new Refused(code, title, errors);
/** Asks before anything is changed: the command is accepted when it is sent again with the answers. `errors`: the same for people. */
export const ask = (title: string, errors: readonly InputError[], asks: NonNullable<Problem['asks']>): Refused =>
  new Refused('answers-needed', title, errors, asks);
/** Refuses one field of the input. */
export const refuseInput = (path: string, message: string): Refused => new Refused('invalid-input', message, [{ path, message }]);

/**
 * Whether a decision does less than was requested, or doubts its facts. If these were read without waiting for the read models, the command is
 * decided again on fresh ones, so that nothing is refused or left out because of outdated facts.
 */
export const isDoubtful = <Input>(
  { doubts }: Pick<Command<Input, unknown, unknown>, 'doubts'>,
  input: Input,
  decision: readonly MarktrailEvent[] | Refused,
): boolean => decision instanceof Refused || decision.length === 0 || (doubts?.(input, decision) ?? false);
