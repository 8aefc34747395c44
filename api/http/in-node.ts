import { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';

/** Node's own response to a request; undefined: there is none, as in a test that asks the app itself. `environment`: `c.env`. */
export const nodeResponseIn = (environment: unknown): ServerResponse | undefined => {
  if (typeof environment !== 'object' || environment === null || !('outgoing' in environment)) return undefined;
  return environment.outgoing instanceof ServerResponse ? environment.outgoing : undefined;
};

/**
 * A short answer in JSON, written straight to Node's response. A Response would only be taken apart again, its body read as a stream, which
 * took as long as reading the request of a save. Headers that were set with `c.header` are not sent.
 */
export const jsonAtOnce = (c: Context, answer: object): Response => {
  const response = nodeResponseIn(c.env);
  if (!response) return c.json(answer);
  const text = JSON.stringify(answer);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
  return RESPONSE_ALREADY_SENT;
};
