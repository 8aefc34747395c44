import type { MiddlewareHandler } from 'hono';
import { ProblemError } from '../pipeline/problems.ts';
import { isRead } from './request.ts';

/**
 * Refuses writes from other sites' pages: a browser sends our cookie with them too. Programs pass: they send no Origin, and no cookie
 * without being told to.
 */
export const sameOriginOnly =
  (publicUrl: string): MiddlewareHandler =>
  async (c, next) => {
    if (isRead(c)) return next();
    const site = c.req.header('Sec-Fetch-Site');
    const origin = c.req.header('Origin');
    const own = origin === undefined || origin === publicUrl || origin === new URL(c.req.url).origin;
    if (!own || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      throw new ProblemError('cross-site', 'This request came from another site.');
    }
    return next();
  };
