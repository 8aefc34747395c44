import type { Actor } from '../actor.ts';

/**
 * What a decision needs to know from elsewhere, read before deciding from the read models.
 *
 * `waits`: the models must first have reached the head of the log as it was when the request arrived; what stands on a whole roster
 * or paper does, typing does not, unless it would be refused.
 */
export type Facts<Input, Known> = {
  readonly models: readonly string[];
  readonly waits: boolean;
  /** What decisions on these facts change themselves, such as names that must be unique: those of a school are made one after the other. */
  readonly alone?: 'subjects' | 'schemes' | 'assessments';
  readonly load: (query: Query, input: Input, actor: Actor) => Promise<Known>;
  /** The same as one question for several inputs of one school: commands that ask at the same time share a round trip. */
  readonly inOne?: OneQuestion<Input, Known>;
};

/** SQL of one column `known`, JSON, and what its values mean. `$1` is the school's id, `values` begin with `$2`. */
export type OneQuestion<Input, Known> = {
  /** by which it is prepared */
  readonly name: string;
  readonly sql: string;
  readonly values: (inputs: readonly Input[]) => readonly unknown[];
  /** An answer for each input. */
  readonly answers: (known: readonly unknown[], inputs: readonly Input[]) => readonly Known[];
};

/**
 * Runs SQL as the reader of one school. `$1` is the school's id, `values` begin with `$2`: each table is asked for its school by the query
 * itself, and row-level security holds where that was forgotten.
 */
export type Query = <Row extends object>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>;

/** For decisions that stand on their own stream alone. */
export const noFacts: Facts<unknown, undefined> = { models: [], waits: false, load: async () => undefined };
