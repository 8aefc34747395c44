import type { Context } from 'hono';
import { Hono } from 'hono';
import { CHANNELS_HEADER, FOLLOW_HEADER, LINE_HEADER } from '../../contract/channels.ts';
import type { Subscriptions } from '../../live/subscriptions.ts';
import type { SharedAnswer } from '../../pipeline/query-bus.ts';
import { inJson } from '../in-json.ts';
import { asOfHeaders } from '../request/as-of.ts';
import type { Asking } from '../request/asker.ts';
import { askerOf, minPositionOf } from '../request/asker.ts';
import { bodyOf } from '../body.ts';
import { connectionIdIn, takesOnly } from '../request/request.ts';

export type QueryOptions = Asking & { readonly subscriptions: Subscriptions };

/** `/api/queries/{name}`: GET with the input as query string, POST with it as JSON. */
export const queryRoutes = (options: QueryOptions): Hono => {
  const http = new Hono();
  http.get('/:name', async (c) => {
    const { asOf: _, ...input } = c.req.query();
    return answer(options, c, input);
  });
  http.post('/:name', async (c) => {
    const name = options.queries.named(c.req.param('name'));
    // Before the body is read, so that nobody sends what their role may not; `answer` looks the reader up again afterwards.
    const actor = await options.queries.reader(askerOf(options, c), [], await minPositionOf(options, c));
    options.queries.authorise(name, actor);
    return answer(options, c, await bodyOf(c, { actor, largest: options.queries.largest(name) }));
  });
  http.all('/:name', takesOnly('GET, POST'));
  return http;
};

const answer = async (options: QueryOptions, c: Context, input: unknown): Promise<Response> => {
  const name = options.queries.named(c.req.param('name') ?? '');
  const asOf = c.req.query('asOf');
  const atLeast = asOf === undefined ? await minPositionOf(options, c) : undefined;
  const found = await options.queries.ask(name, askerOf(options, c), input, { asOf, atLeast });
  if (found.position === undefined) for (const [header, value] of Object.entries(asOfHeaders(found.upTo))) c.header(header, value);
  else {
    c.header('X-Read-Position', String(found.position));
    c.header(CHANNELS_HEADER, found.channels.join(' '));
  }
  if (found.shared && isHeld(options, c, found.shared)) {
    c.header('Cache-Control', 'no-store');
    return c.body(null, 304);
  }
  return inJson(c, found.length, found.body);
};

/** Subscribes the page's connection to a shared answer; returns whether the page already holds this version. */
const isHeld = ({ subscriptions }: QueryOptions, c: Context, shared: SharedAnswer): boolean => {
  const tag = `"${shared.tag}"`;
  c.header('ETag', tag);
  if (c.req.method !== 'GET') return false;
  const connectionId = connectionIdIn(c.req.header(LINE_HEADER), shared.actor);
  if (connectionId !== undefined && shared.actor.viewAs?.role !== 'student')
    c.header(FOLLOW_HEADER, subscriptions.follow(connectionId, shared));
  // Proxies that compress mark the tag as weak.
  return (c.req.header('If-None-Match') ?? '').split(',').some((one) => one.trim().replace(/^W\//u, '') === tag);
};
