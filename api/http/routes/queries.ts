import type { Context } from 'hono';
import { Hono } from 'hono';
import { CHANNELS_HEADER, FOLLOW_HEADER, LINE_HEADER, RESPOND_ASYNC } from '../../contract/channels.ts';
import type { Preparing } from '../../contract/preparing.ts';
import type { Subscriptions } from '../../live/subscriptions.ts';
import type { QueryAnswer, SharedAnswer } from '../../pipeline/query-bus.ts';
import { AsOfFilling } from '../../../projections/engine/as-of/busy.ts';
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
  const isTold = c.req.header('Prefer')?.includes(RESPOND_ASYNC) === true;
  const found = await options.queries
    .ask(name, askerOf(options, c), input, { asOf, atLeast, fillingMs: isTold ? FILLING_MS : undefined })
    .catch((error: unknown) => {
      if (error instanceof AsOfFilling) return error.filling;
      throw error;
    });
  if ('done' in found) return c.json<Preparing>(found, 202, { 'Cache-Control': 'no-store', 'Preference-Applied': RESPOND_ASYNC });
  const isGet = c.req.method === 'GET';
  for (const [header, value] of Object.entries(headersOf(options, found, isGet ? c.req.header(LINE_HEADER) : undefined)))
    c.header(header, value);
  // Proxies that compress mark the tag as weak.
  const held = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//u, ''));
  if (isGet && found.shared && held.includes(tagOf(found.shared))) {
    c.header('Cache-Control', 'no-store');
    return c.body(null, 304);
  }
  return inJson(c, found.length, found.body);
};

/** A small school's moment is put together meanwhile. */
const FILLING_MS = 1_000;

/**
 * What a page must know of an answer besides its body. `line`: the id of the page's connection, which is told from now on how a shared answer
 * changes; undefined: nobody is.
 */
export const headersOf = (
  { subscriptions }: Pick<QueryOptions, 'subscriptions'>,
  { position, channels, upTo, shared }: Omit<QueryAnswer<unknown>, 'value' | 'body' | 'length'>,
  line: string | undefined,
): Readonly<Record<string, string>> => {
  if (position === undefined) return asOfHeaders(upTo);
  const connectionId = shared && shared.actor.viewAs?.role !== 'student' ? connectionIdIn(line, shared.actor) : undefined;
  return {
    'X-Read-Position': String(position),
    [CHANNELS_HEADER]: channels.join(' '),
    ...(shared && { ETag: tagOf(shared) }),
    ...(shared && connectionId !== undefined && { [FOLLOW_HEADER]: subscriptions.follow(connectionId, shared) }),
  };
};

const tagOf = ({ tag }: SharedAnswer): string => `"${tag}"`;
