import type { z } from 'zod';
import type { InputError, Problem, ProblemCode } from '../contract/problem.ts';
import { problemStatus } from '../contract/problem.ts';

/** A request that ends with a problem; `retryAfter`: seconds until it is worth asking again. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly retryAfter: number | undefined;
  constructor(code: ProblemCode, title: string, options: { detail?: string; errors?: readonly InputError[]; retryAfter?: number; cause?: unknown } = {}) {
    super(title, { cause: options.cause });
    const { detail, errors, retryAfter } = options;
    this.retryAfter = retryAfter;
    this.problem = {
      type: 'about:blank',
      title,
      status: problemStatus[code],
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined || errors.length === 0 ? {} : { errors }),
    };
  }
}

/** At most this many places are named: a file of rubbish has thousands. */
const MOST_ERRORS = 1_000;

/** The input as its schema has it. @throws ProblemError `invalid-input`: where and why, in the schema's words */
export const validated = <S extends z.ZodType>(schema: S, input: unknown): z.output<S> => {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, MOST_ERRORS).map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new ProblemError('invalid-input', errors[0]?.message ?? 'The request is not valid.', { errors });
};
