import type { MiddlewareHandler } from 'hono';
import type { Identity } from '../../auth/identity/identity.ts';

/** Sent by a page in front of which nobody has been for a minute, such as one that reads again what others changed. */
export const UNATTENDED_HEADER = 'X-Unattended';
/** Stays open, and asks again, for as long as a page is open. */
const LINE = '/api/live';

/** Requests use the session that they come with, except those that a page sends by itself. */
export const countingUses =
  (identity: Pick<Identity, 'used'>): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (c.req.path !== LINE && c.req.header(UNATTENDED_HEADER) === undefined) await identity.used(c.req.raw.headers);
  };
