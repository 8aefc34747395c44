import { isIPv6 } from 'node:net';

/** The network of a home or school. For IPv6 its first 64 bits, because one connection has 2^64 addresses. */
export const networkOf = (address: string): string => of(address, 4);

/**
 * The site that the network belongs to. For IPv6 its first 48 bits, which providers give to one customer and which hold 65,536 networks.
 * For IPv4 it is the address.
 */
export const siteOf = (address: string): string => of(address, 3);

const of = (address: string, groups: number): string => {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const all = groupsOf(bare);
  const isMapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? ipv4Of(all) : all.slice(0, groups).join(':');
};

/** Eight, without leading zeros and in lower case: one address has several spellings. */
const groupsOf = (address: string): string[] => {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const middle = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...middle, ...last].map((group) => Number.parseInt(group, 16).toString(16));
};

const ipv4Of = (groups: readonly string[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
