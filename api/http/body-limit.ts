import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses a body of more than `most` bytes. A declared length is believed, as Node's parser holds the sender to it; only a body without
 * one is counted as it comes, which costs as much as a save of a cell.
 */
export const limitBody = (most: number, tooLarge: () => Error): MiddlewareHandler => {
  const refuse = (): never => {
    throw tooLarge();
  };
  const count = bodyLimit({ maxSize: most, onError: refuse });
  return async (c, next) => {
    if (c.req.method === 'GET') return next();
    const length = c.req.header('Content-Length');
    const isChunked = c.req.header('Transfer-Encoding') !== undefined;
    // As browsers send it: without a body, and without saying so.
    if (c.req.method === 'DELETE' && length === undefined && !isChunked) return next();
    if (length === undefined || isChunked) return count(c, next);
    return Number(length) > most ? refuse() : next();
  };
};
