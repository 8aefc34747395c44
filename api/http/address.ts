import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';

/**
 * Which proxies stand in front of this server, so that what they say about the asker's address is believed: how many, or in which networks
 * (`10.0.0.0/8`, or one address). Undefined: none, and nobody is believed.
 */
export type TrustedProxies = number | readonly string[] | undefined;

/** What TRUSTED_PROXIES says: `1`, or `10.0.0.0/8,fd00::/8`. Undefined: it cannot be read. */
export const parseTrustedProxies = (text: string): Exclude<TrustedProxies, undefined> | undefined => {
  if (/^\d$/.test(text.trim())) return Number(text);
  const networks = text.split(',').map((one) => one.trim());
  return networks.every((one) => networkIn(one) !== undefined) ? networks : undefined;
};

/** Finds out where a request is from, for `addressOf`. */
export const knowAddress = (trusted: TrustedProxies): MiddlewareHandler => {
  const isProxy = typeof trusted === 'object' ? within(trusted) : undefined;
  return async (c, next) => {
    const parsed = nodeEnvironment.safeParse(c.env);
    const connection = (parsed.success ? parsed.data.incoming.socket.remoteAddress : undefined) ?? NOWHERE;
    const named = (c.req.header('X-Forwarded-For') ?? '').split(',').map(bare);
    c.set(ADDRESS, typeof trusted === 'number' ? behind(trusted, connection, named) : behindKnown(isProxy, connection, named));
    return next();
  };
};

/** Of the asker: of the connection, or as far as trusted proxies tell. */
export const addressOf = (c: Context): string => {
  const address: unknown = c.get(ADDRESS);
  return typeof address === 'string' ? address : NOWHERE;
};

const ADDRESS = 'address';
const NOWHERE = '0.0.0.0';
const nodeEnvironment = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) });

/** Each proxy adds whom it was asked by at the end: whatever stands before that, anybody may have written. */
const behind = (hops: number, connection: string, named: readonly (string | undefined)[]): string =>
  hops === 0 ? connection : (named.at(-hops) ?? connection);

/** The last one that is no proxy of ours. */
const behindKnown = (
  isProxy: ((address: string) => boolean) | undefined,
  connection: string,
  named: readonly (string | undefined)[],
): string => {
  let address = connection;
  for (const next of named.toReversed()) {
    if (next === undefined || !isProxy?.(address)) break;
    address = next;
  }
  return address;
};

/** An address without its port and brackets; undefined: it is none. */
const bare = (text: string): string | undefined => {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text.trim())?.[1] ?? /^([\d.]+):\d+$/.exec(text.trim())?.[1] ?? text.trim();
  return isIP(address) === 0 ? undefined : address;
};

const networkIn = (text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined => {
  const [address = '', prefix, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return undefined;
  const most = isIPv6(address) ? 128 : 32;
  const length = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  return length <= most ? { address, prefix: length, family: isIPv6(address) ? 'ipv6' : 'ipv4' } : undefined;
};

const within = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const network of networks) {
    const known = networkIn(network);
    if (known) list.addSubnet(known.address, known.prefix, known.family);
  }
  return (address) => {
    // As a server on every network sees an address of version 4.
    const plain = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
};
