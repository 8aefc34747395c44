import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Answered } from '../commands/command.ts';
import type { Query } from '../facts/facts.ts';
import { ProblemError } from '../pipeline/problems.ts';

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

export const question = <Schema extends z.ZodType, Answer>(definition: {
  readonly input: Schema;
  readonly models: readonly string[];
  readonly run: (query: Query, input: z.output<Schema>, actor: Actor) => Promise<Answer>;
}): AnyQuestion & Answered<Answer> => definition as unknown as AnyQuestion & Answered<Answer>;

/**
 * For questions about a subject whose own SQL would find nothing where there is none. Of what is not there, and of what is not the asker's,
 * all questions say the same:
 *
 * - A subject that is none of his own is refused before (403), whether there is one or not; who may see them all is told (404).
 * - Whatever else is named (a year group, an assessment, a cell) is not there for who may not see its subject: 404 in either case.
 * - In a subject of his own he knows what there is: a class that is not his is refused (403).
 *
 * @throws ProblemError `not-found`
 */
export const requireSubject = async (query: Query, subjectId: string): Promise<void> => {
  const found = await query(`select from subjects where school_id = $1 and subject_id = $2 and not removed`, [subjectId]);
  if (found.length === 0) throw new ProblemError('not-found', 'There is no such subject.');
};

/** An answer that is JSON text already; `shape`: its type, and never there. */
export class JsonText<Shape> {
  declare readonly shape?: Shape;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
