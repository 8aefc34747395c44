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
  readonly load: (query: Query, input: Input, actor: Actor) => Promise<Known>;
  /** The same for several inputs of one school, an answer for each: commands that ask at the same time share a round trip. */
  readonly loadAll?: (query: Query, inputs: readonly Input[]) => Promise<readonly Known[]>;
};

/**
 * Runs SQL as the reader of one school. `$1` is the school's id, `values` begin with `$2`: each table is asked for its school by the query
 * itself, and row-level security holds where that was forgotten.
 */
export type Query = <Row extends object>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>;

/** For decisions that stand on their own stream alone. */
export const noFacts: Facts<unknown, undefined> = { models: [], waits: false, load: async () => undefined };
