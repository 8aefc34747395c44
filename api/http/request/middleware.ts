import type { Context, MiddlewareHandler } from 'hono';
import type { Sessions } from '../../auth/log-in/sessions.ts';
import { isRead } from './request.ts';
import { ProblemError } from '../../common/problems.ts';

/** Refuses a request, or lets it pass. @throws ProblemError */
export type Check = (c: Context) => void;

/** Several checks as one middleware: each layer around a request costs as much as its checks. */
export const checking =
  (...checks: readonly Check[]): MiddlewareHandler =>
  (c, next) => {
    for (const check of checks) check(c);
    return next();
  };

/**
 * Refuses writes from other sites' pages: a browser sends our cookie with them too. Our own pages are those of the public address; what
 * the request calls us (`Host`) proves nothing, because any name can be pointed at this server. Programs pass: they send no Origin, and no
 * cookie without being told to.
 */
export const sameOriginOnly = (publicUrl: string): Check => {
  const ownOrigins = originsOf(publicUrl);
  return (c) => {
    if (isRead(c)) return;
    const site = c.req.header('Sec-Fetch-Site');
    const origin = c.req.header('Origin');
    if ((origin !== undefined && !ownOrigins.has(origin)) || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      throw new ProblemError('cross-site', 'This request came from another site.', { detail: `Pages of Marktrail are at ${publicUrl}.` });
    }
  };
};

/** Refuses a read that changes something unless it comes from our own page: a link or picture anywhere sends our cookie with it. */
export const fromOwnPage = (c: Context): void => {
  if (c.req.header('Sec-Fetch-Site') !== 'same-origin')
    throw new ProblemError('cross-site', 'This request came from another site.', {
      detail: 'Send it from a page of Marktrail, or with a bearer token.',
    });
};

/** One's own machine has several names, which no other site can have. */
const originsOf = (publicUrl: string): ReadonlySet<string> => {
  const { protocol, port, hostname } = new URL(publicUrl);
  const names = LOOPBACK.includes(hostname) ? LOOPBACK : [];
  return new Set([publicUrl, ...names.map((name) => new URL(`${protocol}//${name}:${port}`).origin)]);
};
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Sent by a page that nobody has used for a minute, such as one that repeats its queries after others' changes. */
export const UNATTENDED_HEADER = 'X-Unattended';
/** Stays open, and repeats requests, as long as a page is open. */
const LINE = '/api/live';

/** Requests use the session that they come with, except those that a page sends by itself. */
export const countingUses =
  (sessions: Pick<Sessions, 'used'>): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (c.req.path !== LINE && c.req.header(UNATTENDED_HEADER) === undefined) sessions.used(c.req.raw.headers);
  };
