import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthServices } from '../../auth/auth.ts';
import type { Problem } from '../../contract/problem.ts';
import { securityEntries } from '../../contract/security.ts';
import { validated } from '../../common/problems.ts';
import type { SecurityKind } from '../../security/security-log.ts';
import { addressOf } from '../request/address.ts';
import { getJson } from '../openapi/route-docs.ts';
import { routeOf } from './metrics.ts';
import { actorOf, signedInAdmin } from '../request/request.ts';

const position = z.string().regex(/^\d{1,18}$/, 'This is not the number of an entry.');

/** `/api/security-log` */
export const securityRoutes = ({ auth: { sessions, security } }: { readonly auth: AuthServices }): Hono => {
  const http = new Hono();
  const description = {
    does: 'The newest 200 entries of the security log of the school, or those before a number. Ids only.',
    for: 'admin',
    asks: z.object({ before: position.optional() }),
    answers: securityEntries,
  };
  getJson(http)('/security-log', description, async (c) => {
    const { schoolId } = await signedInAdmin(sessions, c);
    c.header('Cache-Control', 'no-store');
    return { entries: await security.list({ schoolId, before: validated(position.optional(), c.req.query('before')) }) };
  });
  return http;
};

/** Notes a problem that concerns security. `limit`: the limit that was hit. */
export const noteProblem = (
  { security }: Pick<AuthServices, 'security'>,
  c: Context,
  { code, status }: Problem,
  limit: string | undefined,
): void => {
  const kind = kindOf(code, status, limit);
  if (kind === undefined) return;
  const route = `${c.req.method} ${routeOf(c.req.path)}`;
  security.note({ kind, actor: actorOf(c), name: limit === undefined ? route : `${limit}: ${route}`, address: addressOf(c) });
};

const kindOf = (code: string, status: number, limit: string | undefined): SecurityKind | undefined => {
  // Nobody tries anything: the read models need a moment.
  if (code === 'too-fast' && limit === undefined) return undefined;
  if (status === 429) return 'limited';
  if (code === 'wrong-code' || code === 'wrong-password') return 'log-in-failed';
  return status === 403 ? 'refused' : undefined;
};
