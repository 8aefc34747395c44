import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isRead } from './request.ts';

/**
 * Refuses a body of more than `most` bytes. A declared length is believed, because Node's parser holds the sender to it; only a body
 * without one (in chunks, as some proxies pass everything on) is counted, which costs as much as saving a cell.
 */
export const limitBody = (most: number, tooLarge: () => Error): MiddlewareHandler => {
  const refuse = (): never => {
    throw tooLarge();
  };
  const countedLimit = bodyLimit({ maxSize: most, onError: refuse });
  return async (c, next) => {
    if (isRead(c)) return next();
    const declared = c.req.header('Content-Length');
    if (declared !== undefined && c.req.header('Transfer-Encoding') === undefined) return Number(declared) > most ? refuse() : next();
    c.req.raw = genuine(c.req.raw);
    return countedLimit(c, next);
  };
};

/** Node's server passes on an object that only looks like a Request, and `new Request(object)` fails on it: rebuilt from its parts. */
const genuine = ({ url, method, headers, body, signal }: Request): Request =>
  new Request(url, { method, headers, signal, ...(body === null ? {} : { body, duplex: 'half' }) });
