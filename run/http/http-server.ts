import { createAdaptorServer } from '@hono/node-server';
import type { EventEmitter } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { networkOf } from '../../api/common/networks.ts';
import { countRefusal } from '../../api/common/refusals.ts';
import { proxyIn, type TrustedProxies } from '../../api/http/request/address.ts';
import { StartError } from '../start-error.ts';

/** `environment`: of Node's server; holds the incoming message and so the client's address. */
export type Fetch = (request: Request, environment?: object) => Response | Promise<Response>;

export interface HttpServer {
  readonly port: number;
  /** Sets the handler. Until then every request gets 503, so that the port is taken while the rest starts. */
  answerWith(fetch: Fetch): void;
  /** Accepts no new connections, and gives running requests some seconds to finish. */
  close(): Promise<void>;
}

export interface Listening {
  readonly port: number;
  readonly host: string;
  readonly trustedProxies?: TrustedProxies;
  readonly connections?: ConnectionShares;
  readonly times?: typeof NODES_TIMES;
}

/** Error: StartError when the port or address cannot be had. */
export async function listen({ port, host, trustedProxies, connections, times = NODES_TIMES }: Listening): Promise<HttpServer> {
  let current: Fetch = starting;
  const server = createAdaptorServer({
    fetch: (request, environment) => current(request, environment),
    overrideGlobalObjects: false,
    serverOptions: { ...times, keepAliveTimeout: keepsAlive(trustedProxies) },
  });
  limitConnections(server, trustedProxies, connections);
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(new StartError(reason(error, port, host))));
    server.listen(port, host, listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    answerWith: (fetch) => {
      current = fetch;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        if ('closeIdleConnections' in server) {
          server.closeIdleConnections();
          setTimeout(() => server.closeAllConnections(), 5_000).unref();
        }
      }),
  };
}

function reason(error: NodeJS.ErrnoException, port: number, host: string): string {
  const another = port < 65_000 ? (port < 1024 ? 8080 : port + 1) : 3000;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program: stop that one, or choose another with PORT=${another}.`;
    case 'EACCES':
      return `Port ${port} is not for ordinary users: choose another with PORT=${another}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for every network.`;
    default:
      return `Marktrail cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

/** A problem for programs; for browsers a page that reloads itself. */
const starting: Fetch = (request) => {
  // Alive: a supervisor must not restart a process that is filling its read models.
  if (new URL(request.url).pathname === '/api/health/live') return Response.json({ status: 'starting' });
  return request.headers.get('accept')?.includes('text/html')
    ? new Response(startingPage, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Retry-After': '1' } })
    : new Response(JSON.stringify({ type: 'about:blank', title: 'Marktrail is starting', status: 503, code: 'starting' }), {
        status: 503,
        headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '1' },
      });
};

const startingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="1">
<title>Marktrail</title>
<p style="font: 16px system-ui; margin: 20vh auto; text-align: center">Marktrail is starting. One moment…</p>
</html>
`;

/** How many connections there may be: in all, and from one network. */
type ConnectionShares = { readonly inAll: number; readonly ofNetwork: number };

/**
 * Each takes some 20 kB. Live connections last as long as a page is open (at most three quarters of all: api/live/live.ts). The share of a
 * network is enough for a large school behind one address.
 */
const SHARES: ConnectionShares = { inAll: 4_096, ofNetwork: 2_048 };

/** How long a request's head may take, and all of it: the largest upload over a slow line. In ms. */
const NODES_TIMES = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5_000 };

/**
 * How long an idle connection stays open to be used again, in ms. Proxies keep theirs for up to a minute: if the server closed them sooner, a
 * proxy might send a request into a closing connection and answer 502. Without a proxy each browser would hold six of its network's share.
 */
const keepsAlive = (trusted: TrustedProxies): number => (trusted === undefined || trusted === 0 ? 5_000 : 75_000);

/** Closes connections beyond the shares at once. Those of trusted proxies only count in all, because they are everybody's. */
const limitConnections = (
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
