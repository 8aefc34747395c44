import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { isPrivate } from '../../common/networks.ts';
import { certainAddressOf } from './address.ts';

/**
 * Whether a request may be told how this installation is: it comes from this machine or a private network, or brings METRICS_TOKEN as its bearer
 * token. Everybody else is a stranger.
 */
export const isOperator = (c: Context, metricsToken: string | undefined): boolean => {
  const address = certainAddressOf(c);
  if (address !== undefined && isPrivate(address)) return true;
  const brought = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  return metricsToken !== undefined && brought !== undefined && timingSafeEqual(digest(brought), digest(metricsToken));
};

/** Of equal length, whatever was sent. */
const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
