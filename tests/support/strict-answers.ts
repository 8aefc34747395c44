import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { z } from 'zod';
import { commandCalls, queryCalls, records } from '../../api/contracts.ts';
import { commandAnswer, liveAnswer, liveChange, liveHello } from '../../api/contract/live.ts';
import { preparing } from '../../api/contract/preparing.ts';
import { problem, recordProblem } from '../../api/contract/problem.ts';
import { describedRoutes } from '../../api/http/openapi/route-docs.ts';

/** The text of an answer, compressed or not. */
export const plain = async (answer: Response): Promise<string> => {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const encoding = answer.headers.get('Content-Encoding');
  return (encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

type Shapes = Readonly<Record<string, z.ZodType>>;

const events = { hello: liveHello, changed: liveChange, answer: liveAnswer };

/**
 * Holds every answer of the API to its schema: it has what the schema says, and no field more. A difference fails the request, so that
 * no test passes beside it.
 */
export const strictAnswers = (routes: Pick<Hono, 'routes'>): ((request: Request, answer: Response) => Promise<Response>) => {
  const others: Shapes = Object.fromEntries(
    describedRoutes(routes).flatMap(({ method, path, description: { answers } }) =>
      typeof answers === 'string' ? [] : [[`${method.toUpperCase()} ${path}`, answers]],
    ),
  );
  return async (request, answer) => {
    const { pathname } = new URL(request.url);
    const type = answer.headers.get('Content-Type') ?? '';
    if (!pathname.startsWith('/api/') || request.method === 'HEAD' || answer.body === null) return answer;
    const what = `${request.method} ${pathname} ${answer.status}`;
    if (type.startsWith('text/event-stream')) return new Response(answer.body.pipeThrough(eventByEvent(what)), answer);
    if (!/^application\/(problem\+)?json/.test(type)) return answer;
    const shape = type.includes('problem')
      ? pathname.startsWith('/api/rest/')
        ? recordProblem
        : problem
      : answer.status === 202
        ? preparing
        : (shapeOf(request.method, pathname) ?? others[`${request.method} ${pathname}`] ?? others[`${request.method} ${withId(pathname)}`]);
    if (shape === undefined) throw new Error(`${what}: nothing is said about this answer`);
    requireShape(what, shape, JSON.parse(await plain(answer.clone())));
    return answer;
  };
};

/** The pattern of an address that ends with an id. */
const withId = (pathname: string): string => pathname.replace(/[^/]*$/, ':id');

const shapeOf = (method: string, pathname: string): z.ZodType | undefined => {
  const [, , kind = '', name = '', id] = pathname.split('/');
  if (kind === 'queries') return (queryCalls as Readonly<Record<string, { answer: z.ZodType }>>)[name]?.answer;
  if (kind === 'commands') {
    const call = (commandCalls as Readonly<Record<string, { result: z.ZodType }>>)[name];
    return call && commandAnswer(call.result);
  }
  if (kind !== 'rest') return undefined;
  const record = (records as Shapes)[name];
  return record && method === 'GET' && id === undefined ? z.array(record) : record;
};

/** Fields that a schema does not name are left out when it parses, so that what it parses is then another value. */
const requireShape = (what: string, shape: z.ZodType, content: unknown): void => {
  const { data, error } = shape.safeParse(content);
  if (error) throw new Error(`${what} is not what its schema says: ${z.prettifyError(error)}\n${JSON.stringify(content).slice(0, 2_000)}`);
  if (!isDeepStrictEqual(data, content))
    throw new Error(`${what} has more than its schema says: ${JSON.stringify(content).slice(0, 2_000)}`);
};

/** Of a stream of events. */
const eventByEvent = (what: string): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      for (const [, event = '', data = ''] of decoder.decode(chunk).matchAll(/^event: (\w+)\ndata: (.*)$/gm))
        requireShape(`${what}, ${event}`, events[event as keyof typeof events], JSON.parse(data));
      controller.enqueue(chunk);
    },
  });
};
