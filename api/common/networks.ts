import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** The network of a home or school. For IPv6 its first 64 bits, because one connection has 2^64 addresses. */
export const networkOf = (address: string): string => of(address, 4);

/**
 * The site that the network belongs to. For IPv6 its first 48 bits, which providers give to one customer and which hold 65,536 networks.
 * For IPv4 it is the address.
 */
export const siteOf = (address: string): string => of(address, 3);

/** Whether it is an address of this machine, or of a private network: nobody on the internet has one. */
export const isPrivate = (address: string): boolean => {
  const [bare = ''] = address.split('%');
  return isIP(bare) !== 0 && PRIVATE.has(ipaddr.process(bare).range());
};
const PRIVATE: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/** One address has several spellings; an IPv4 address that IPv6 carries is the IPv4 address. */
const of = (address: string, groups: number): string => {
  const [bare = ''] = address.split('%');
  if (isIP(bare) === 0) return address;
  const ip = ipaddr.process(bare);
  return ip instanceof ipaddr.IPv6
    ? ip.parts
        .slice(0, groups)
        .map((part) => part.toString(16))
        .join(':')
    : ip.toString();
};
