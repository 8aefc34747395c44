import type { Context, MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthServices } from '../../auth/auth.ts';
import type { Limit } from '../../auth/limits.ts';
import { ofNetwork } from '../../auth/limits.ts';
import type { ErrorReport, Reported } from '../../contract/errors.ts';
import { errorReport, loggedErrors, reported, status } from '../../contract/errors.ts';
import type { ErrorLog } from '../../security/error-log.ts';
import { validated } from '../../common/problems.ts';
import type { Health } from './health.ts';
import type { Sender } from '../body.ts';
import { addressOf } from '../request/address.ts';
import { getJson, postJson } from '../openapi/route-docs.ts';
import { recognised, signedInAdmin } from '../request/request.ts';

export type ErrorOptions = { readonly auth: AuthServices; readonly errors: ErrorLog; readonly health: () => Promise<Health> };

/** Against pages that fail in a loop, and people who flood the error log. */
const REPORTS: Limit = { name: 'error reports', most: 120, seconds: 600 };
export const REPORTS_OF_STRANGERS: Limit = { name: 'error reports of strangers', most: 300, seconds: 600 };

const position = z.string().regex(/^\d{1,18}$/, 'This is not the number of an error.');

/** Counts a report before its body is read, by account or network, and notes it. */
export const reportingErrors =
  ({ auth: { sessions, limits }, errors }: Pick<ErrorOptions, 'auth' | 'errors'>) =>
  async (c: Context, body: (sender: Sender) => Promise<ErrorReport>): Promise<Reported> => {
    const actor = await recognised(sessions, c);
    if (actor) await limits.count(REPORTS, actor.accountId);
    else await limits.countAll(ofNetwork(REPORTS_OF_STRANGERS, addressOf(c)));
    const report = await body({ actor });
    return errors.report(actor && (await recognised(sessions, c)), report);
  };

/** `/api/errors` and `/api/status`. */
export const errorRoutes = ({ auth, errors, health }: ErrorOptions): Hono => {
  const { sessions, mail } = auth;
  const http = new Hono();

  http.use('/errors', notStored);
  http.use('/status', notStored);

  const reporting = { does: 'Reports an error of a page.', takes: errorReport, answers: reported };
  const report = reportingErrors({ auth, errors });
  postJson(http)('/errors', reporting, (c, body) => report(c, body));
  const get = getJson(http);
  get(
    '/errors',
    {
      does: 'The newest 200 errors of the school, or those before a number.',
      for: 'admin',
      asks: z.object({ before: position.optional() }),
      answers: loggedErrors,
    },
    async (c) => {
      const { schoolId } = await signedInAdmin(sessions, c);
      return { errors: await errors.list(schoolId, validated(position.optional(), c.req.query('before'))) };
    },
  );
  get(
    '/status',
    { does: 'Health; waiting mail and errors of the last 24 hours, in the school of the admin.', for: 'admin', answers: status },
    async (c) => {
      const { schoolId } = await signedInAdmin(sessions, c);
      const [{ status: state, problems, facts }, sending, errorsToday] = await Promise.all([
        health(),
        mail.state(schoolId),
        errors.countToday(schoolId),
      ]);
      return { health: { status: state, problems, facts }, mail: sending, errorsToday };
    },
  );
  return http;
};

const notStored: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
};
