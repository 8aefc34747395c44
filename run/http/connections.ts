import type { EventEmitter } from 'node:events';
import type { Server, Socket } from 'node:net';
import { countRefusal } from '../../api/common/refusals.ts';
import { networkOf } from '../../api/common/networks.ts';
import type { TrustedProxies } from '../../api/http/request/address.ts';
import { proxyIn } from '../../api/http/request/address.ts';

/** How many connections there may be: in all, and from one network. */
export type ConnectionShares = { readonly inAll: number; readonly ofNetwork: number };

/**
 * Each takes some 20 kB, and a live line one of them for as long as a page is open (at most three quarters: api/live/live.ts). The share of
 * a network is for a large school behind one address.
 */
const SHARES: ConnectionShares = { inAll: 4_096, ofNetwork: 2_048 };

/** How long a request's head may take, and all of it: the largest upload over a slow line. In ms. */
export const NODES_TIMES = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5_000 };

/**
 * How long an idle connection stays open to be used again, in ms. Proxies keep theirs for up to a minute: of one that closes sooner they send a
 * request into a connection that is just being closed, and answer 502. Without a proxy each browser would hold six of its network's share.
 */
export const keepsAlive = (trusted: TrustedProxies): number => (trusted === undefined || trusted === 0 ? 5_000 : 75_000);

/** Closes connections beyond the shares at once. Those of trusted proxies only count in all, because they are everybody's. */
export const limitConnections = (
  server: Pick<Server, 'maxConnections'> & EventEmitter,
  trusted: TrustedProxies,
  { inAll, ofNetwork }: ConnectionShares = SHARES,
): void => {
  const isProxy = proxyIn(trusted);
  const ofNetworks = new Map<string, number>();
  server.maxConnections = inAll;
  server.on('drop', () => countRefusal('connections'));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const now = (ofNetworks.get(network) ?? 0) + 1;
    ofNetworks.set(network, now);
    socket.once('close', () => {
      const left = (ofNetworks.get(network) ?? 1) - 1;
      if (left === 0) ofNetworks.delete(network);
      else ofNetworks.set(network, left);
    });
    if (now <= ofNetwork) return;
    countRefusal('connections of a network');
    socket.destroy();
  });
};
