import type { Context } from 'hono';
import type { Logger } from 'pino';
import { withoutValues } from '../../events/store/postgres/without-values.ts';
import type { AuthServices } from '../auth/auth.ts';
import type { Sessions } from '../auth/log-in/sessions.ts';
import type { ErrorLog } from '../security/error-log.ts';
import { asProblem } from '../pipeline/as-problem.ts';
import { noteFailure } from '../common/failures.ts';
import { limitOf, ProblemError } from '../common/problems.ts';
import { noteProblem } from './routes/security.ts';
import { inDialect } from './routes/rest.ts';

export type ProblemAnswerOptions = {
  readonly auth: Pick<AuthServices, 'security'>;
  readonly sessions: Sessions;
  readonly errors: ErrorLog;
  readonly log: Logger;
};

/** Answers whatever a request failed with as `application/problem+json`. */
export const problemAnswer = async (c: Context, thrown: Error, options: ProblemAnswerOptions): Promise<Response> => {
  const error = asProblem(thrown);
  noteFailure(error);
  if (error instanceof ProblemError) noteProblem(options.auth, c, error.problem, limitOf(error));
  return asAnswer(c, error instanceof ProblemError ? error : await internalError(c, error, options));
};

/** A problem as the answer to a request. */
export const asAnswer = (c: Context, { problem, retryAfter }: ProblemError): Response => {
  const body = c.req.path.startsWith('/api/rest/') ? inDialect(problem) : problem;
  return c.body(JSON.stringify(body), problem.status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
};

/** An unexpected error: logged under a number that the user can pass on. */
const internalError = async (c: Context, thrown: unknown, { log, errors, sessions }: ProblemAnswerOptions): Promise<ProblemError> => {
  const error = withoutValues(thrown);
  const actor = await sessions.authenticate(c.req.raw.headers).catch(() => undefined);
  const where = `${c.req.method} ${c.req.path}`;
  const number = await errors.note(actor, { message: `${where}: ${String(error)}`, status: 500 }).catch(() => undefined);
  log.error({ err: error, method: c.req.method, path: c.req.path, number }, 'a request failed');
  const detail = number === undefined ? {} : { detail: `Error number ${number}.` };
  return new ProblemError('internal-error', 'Something went wrong here. It has been logged; nothing was changed.', detail);
};
