import type { z } from 'zod';
import type { InputError, Problem, ProblemCode } from '../contract/problem.ts';
import { problemStatus } from '../contract/problem.ts';

/** Ends a request with a problem; `retryAfter`: seconds until a retry makes sense. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly retryAfter: number | undefined;
  /** The name of the limit that was hit. */
  readonly limit: string | undefined;
  constructor(
    code: ProblemCode,
    title: string,
    options: {
      detail?: string;
      errors?: readonly InputError[];
      asks?: Problem['asks'] | undefined;
      stored?: readonly string[];
      retryAfter?: number;
      limit?: string;
      cause?: unknown;
    } = {},
  ) {
    super(title, { cause: options.cause });
    const { detail, errors, asks, stored, retryAfter, limit } = options;
    this.retryAfter = retryAfter;
    this.limit = limit;
    this.problem = {
      type: 'about:blank',
      title,
      status: problemStatus[code],
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined || errors.length === 0 ? {} : { errors }),
      ...(asks === undefined ? {} : { asks }),
      ...(stored === undefined ? {} : { stored }),
    };
  }
}

/** The limit that was hit, also if the error is the cause of this one. */
export const limitOf = (error: unknown): string | undefined =>
  error instanceof ProblemError ? (error.limit ?? limitOf(error.cause)) : undefined;

/** Refuses one field of the input. */
export const invalidInput = (path: string, message: string): ProblemError =>
  new ProblemError('invalid-input', message, { errors: [{ path, message }] });

export const notYourSubject = (): ProblemError => new ProblemError('forbidden', 'This subject is not one of yours.');

export const notYourSet = (): ProblemError => new ProblemError('not-your-set', 'You see your own classes only.');

/** At most this many errors are listed: a file of rubbish has thousands. */
const MOST_ERRORS = 1_000;

/** The input as parsed by its schema. @throws ProblemError `invalid-input` with the schema's messages */
export const validated = <S extends z.ZodType>(schema: S, input: unknown): z.output<S> => {
  const large = holdsMoreThan(MOST_DESCRIBED, input);
  const result = schema.safeParse(input, large ? FIRST_ONLY : ALL);
  if (!result.success && large)
    throw new ProblemError('invalid-input', INVALID, { detail: 'It has too many values to say what is wrong with each: send fewer.' });
  const errors = result.success
    ? unstorable(result.data)
    : result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  if (result.success && errors.length === 0) return result.data;
  throw new ProblemError('invalid-input', errors[0]?.message ?? INVALID, { errors: errors.slice(0, MOST_ERRORS) });
};

const INVALID = 'The request is not valid.';
const MOST_DESCRIBED = 50_000;

const holdsMoreThan = (most: number, input: unknown): boolean => {
  let count = 1;
  const left = [input];
  for (let one = left.pop(); count <= most && one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inner: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    count += inner.length;
    if (count <= most) for (const value of inner) left.push(value);
  }
  return count > most;
};

/** Messages for people where a field has none of its own. Undefined: zod's message, which only programs will see. */
const inWords = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'Required.';
  if (issue.code === 'invalid_format' && issue.format === 'date') return 'This is not a date.';
  const most = issue.code === 'too_big';
  if (!most && issue.code !== 'too_small') return undefined;
  if (!most && issue.origin === 'string' && issue.minimum === 1) return 'Required.';
  const bound = most ? `At most ${issue.maximum}` : `At least ${issue.minimum}`;
  return issue.origin === 'string' ? `${bound} characters.` : `${bound}.`;
};

type Context = z.core.ParseContextInternal<z.core.$ZodIssue>;
const ALL: Context = { error: inWords };
/** A description of what is wrong with each of a million values would fill the memory. */
const FIRST_ONLY: Context = { ...ALL, abortEarly: true };

/** Values that JSON allows but the log or a database cannot store: NUL, lone surrogates, -0. */
const unstorable = (value: unknown): InputError[] => (isStorable(value) ? [] : faultsOf(value, []));

/** Without the paths of faults, because a file has a million values and normally none. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return !Object.is(value, -0);
  return Array.isArray(value) ? value.every(isStorable) : Object.values(value).every(isStorable);
};

const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const faultsOf = (value: unknown, path: readonly string[]): InputError[] => {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, one]) => faultsOf(one, [...path, key]));
  if (isStorable(value)) return [];
  const message = typeof value === 'string' ? 'This text contains a character that cannot be stored.' : 'Write 0 without a sign.';
  return [{ path: path.join('.'), message }];
};
