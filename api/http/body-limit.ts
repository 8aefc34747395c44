import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses a body of more than `most` bytes. A declared length is believed, as Node's parser holds the sender to it; only a body without
 * one (in chunks, as some proxies pass everything on) is counted as it comes, which costs as much as a save of a cell.
 */
export const limitBody = (most: number, tooLarge: () => Error): MiddlewareHandler => {
  const refuse = (): never => {
    throw tooLarge();
  };
  const countedLimit = bodyLimit({ maxSize: most, onError: refuse });
  return async (c, next) => {
    if (WITHOUT_BODY.has(c.req.method)) return next();
    const length = c.req.header('Content-Length');
    const isChunked = c.req.header('Transfer-Encoding') !== undefined;
    if (length !== undefined && !isChunked) return Number(length) > most ? refuse() : next();
    // As browsers send it: without a body, and without saying so.
    if (c.req.method === 'DELETE' && !isChunked) return next();
    c.req.raw = genuine(c.req.raw);
    return countedLimit(c, next);
  };
};

/** Nobody here reads a body of theirs. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Made of its parts: what Node's server hands on only looks like a Request, and no Request can be made of it as a whole. */
const genuine = ({ url, method, headers, body, signal }: Request): Request =>
  new Request(url, { method, headers, signal, ...(body === null ? {} : { body, duplex: 'half' }) });
