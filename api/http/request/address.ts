import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';

/**
 * The proxies in front of this server whose X-Forwarded-For is trusted: how many there are, or their networks (`10.0.0.0/8`, or one
 * address). Undefined: none.
 */
export type TrustedProxies = number | readonly string[] | undefined;

/** Parses TRUSTED_PROXIES: `1`, or `10.0.0.0/8,fd00::/8`. Undefined: invalid. */
export const parseTrustedProxies = (text: string): Exclude<TrustedProxies, undefined> | undefined => {
  if (/^\d$/.test(text.trim())) return Number(text);
  const networks = text.split(',').map((one) => one.trim());
  return networks.every((one) => networkIn(one) !== undefined) ? networks : undefined;
};

/** Determines where a request comes from, for `addressOf` and `certainAddressOf`, and handles it within `within`. */
export const knowAddress = (
  trusted: TrustedProxies,
  within: (address: string, work: () => Promise<void>) => Promise<void> = (_address, work) => work(),
): MiddlewareHandler => {
  const isProxy = proxyIn(trusted);
  return async (c, next) => {
    const remote = fieldIn(fieldIn(fieldIn(c.env, 'incoming'), 'socket'), 'remoteAddress');
    const connection = typeof remote === 'string' ? remote : NOWHERE;
    const header = c.req.header('X-Forwarded-For');
    const named = header === undefined ? [] : header.split(',').map(bare);
    const address =
      typeof trusted === 'number' ? addressBehindHops(trusted, connection, named) : addressBehindProxies(isProxy, connection, named);
    c.set(ADDRESS, address);
    if (isCertain(trusted, isProxy, { connection, named, address })) c.set(CERTAIN, address);
    return within(address, next);
  };
};

/** Whether connections from an address are those of a trusted proxy. If it is known how many there are, all of them. */
export const proxyIn = (trusted: TrustedProxies): ((address: string) => boolean) =>
  typeof trusted === 'object' ? inside(trusted) : () => trusted !== undefined && trusted > 0;

/** The client's address: that of the connection, or according to trusted proxies. */
export const addressOf = (c: Context): string => {
  const address: unknown = c.get(ADDRESS);
  return typeof address === 'string' ? address : NOWHERE;
};

/**
 * The same if no stranger can have chosen it: without proxies that of a connection on which no other address was named; else one that a trusted
 * proxy has named. Undefined: a stranger's, whatever it looks like.
 */
export const certainAddressOf = (c: Context): string | undefined => {
  const address: unknown = c.get(CERTAIN);
  return typeof address === 'string' ? address : undefined;
};

const isCertain = (trusted: TrustedProxies, isProxy: (address: string) => boolean, { connection, named, address }: Found): boolean => {
  if (trusted === undefined || trusted === 0) return connection !== NOWHERE && named.length === 0;
  if (typeof trusted === 'number') return named.at(-trusted) !== undefined;
  return address !== connection && !isProxy(address);
};
type Found = { readonly connection: string; readonly named: readonly (string | undefined)[]; readonly address: string };

const ADDRESS = 'address';
const CERTAIN = 'certain address';
const NOWHERE = '0.0.0.0';

/** A field of what Node's server passes on with a request, which Hono does not type. */
const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Each proxy appends the address that it was called from; anything before that may be forged. */
const addressBehindHops = (hops: number, connection: string, named: readonly (string | undefined)[]): string =>
  hops === 0 ? connection : (named.at(-hops) ?? connection);

/** The last address that is not a trusted proxy. */
const addressBehindProxies = (
  isProxy: (address: string) => boolean,
  connection: string,
  named: readonly (string | undefined)[],
): string => {
  let address = connection;
  for (const next of named.toReversed()) {
    if (next === undefined || !isProxy(address)) break;
    address = next;
  }
  return address;
};

/** An address without port and brackets; undefined: not an address. */
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

const inside = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const network of networks) {
    const subnet = networkIn(network);
    if (subnet) list.addSubnet(subnet.address, subnet.prefix, subnet.family);
  }
  return (address) => {
    // How a server that listens on IPv6 sees an IPv4 address.
    const plain = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
};
