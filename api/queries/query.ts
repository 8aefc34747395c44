import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Query } from '../facts/facts.ts';

/**
 * A question asked of the read models, as the reader of the asker's school.
 *
 * SQL names tables without a schema: the connection says whether they are those of now or of an earlier moment.
 *
 * `models`: those that it reads; a request with X-Min-Position waits for them. `run` answers an object, or a `JsonText` that the database
 * has made already.
 */
export type Question<Input> = {
  readonly input: z.ZodType<Input>;
  readonly models: readonly string[];
  readonly run: (query: Query, input: Input, actor: Actor) => Promise<unknown>;
};

export type AnyQuestion = Question<never>;

export const question = <Schema extends z.ZodType>(definition: {
  readonly input: Schema;
  readonly models: readonly string[];
  readonly run: (query: Query, input: z.output<Schema>, actor: Actor) => Promise<unknown>;
}): AnyQuestion => definition as unknown as AnyQuestion;

/** An answer that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
