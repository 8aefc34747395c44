import type { MiddlewareHandler } from 'hono';
import { ProblemError } from '../pipeline/problems.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser sends a cookie along whoever asks; so what changes something must come from our own pages. Programs, which say neither where
 * they are from nor send somebody's cookie unasked, pass.
 */
export const sameOriginOnly =
  (publicUrl: string): MiddlewareHandler =>
  async (c, next) => {
    if (SAFE.has(c.req.method)) return next();
    const site = c.req.header('Sec-Fetch-Site');
    const origin = c.req.header('Origin');
    const own = origin === undefined || origin === publicUrl || origin === new URL(c.req.url).origin;
    if (!own || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      throw new ProblemError('cross-site', 'This request came from another site.');
    }
    return next();
  };
