import type { MiddlewareHandler } from 'hono';
import { ProblemError } from '../../pipeline/problems.ts';
import { isRead } from './request.ts';

/**
 * Refuses writes from other sites' pages: a browser sends our cookie with them too. Our own pages are those of the public address; what
 * the request calls us (`Host`) proves nothing, because any name can be pointed at this server. Programs pass: they send no Origin, and no
 * cookie without being told to.
 */
export const sameOriginOnly = (publicUrl: string): MiddlewareHandler => {
  const own = originsOf(publicUrl);
  return async (c, next) => {
    if (isRead(c)) return next();
    const site = c.req.header('Sec-Fetch-Site');
    const origin = c.req.header('Origin');
    if ((origin !== undefined && !own.has(origin)) || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      throw new ProblemError('cross-site', 'This request came from another site.', { detail: `Pages of Marktrail are at ${publicUrl}.` });
    }
    return next();
  };
};

/** One's own machine has several names, which no other site can have. */
const originsOf = (publicUrl: string): ReadonlySet<string> => {
  const { protocol, port, hostname } = new URL(publicUrl);
  const names = LOOPBACK.includes(hostname) ? LOOPBACK : [];
  return new Set([publicUrl, ...names.map((name) => new URL(`${protocol}//${name}:${port}`).origin)]);
};
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
