import { createAdaptorServer } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { TrustedProxies } from '../../api/http/request/address.ts';
import { StartError } from '../start-error.ts';
import type { ConnectionShares } from './connections.ts';
import { keepsAlive, limitConnections, NODES_TIMES } from './connections.ts';

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
