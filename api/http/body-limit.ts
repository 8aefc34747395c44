import type { MiddlewareHandler } from 'hono';

/**
 * Refuses a body of more than `most` bytes. A declared length is believed, as Node's parser holds the sender to it; only a body without
 * one (in chunks, as some proxies pass everything on) is counted as it comes, which costs as much as a save of a cell.
 */
export const limitBody = (most: number, tooLarge: () => Error): MiddlewareHandler => {
  return async (c, next) => {
    if (WITHOUT_BODY.has(c.req.method)) return next();
    const length = c.req.header('Content-Length');
    const isChunked = c.req.header('Transfer-Encoding') !== undefined;
    // As browsers send it: without a body, and without saying so.
    if (c.req.method === 'DELETE' && length === undefined && !isChunked) return next();
    if (length === undefined || isChunked) c.req.raw = await counted(c.req.raw, most, tooLarge);
    else if (Number(length) > most) throw tooLarge();
    return next();
  };
};

/** Nobody here reads a body of theirs. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The same request, its body read. Made of its parts, as what Node's server hands on only looks like a Request. */
const counted = async ({ url, method, headers, body, signal }: Request, most: number, tooLarge: () => Error): Promise<Request> => {
  const stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = body;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.length;
    if (size > most) throw tooLarge();
    parts.push(part);
  }
  return new Request(url, { method, headers, body: new Blob(parts), signal });
};
