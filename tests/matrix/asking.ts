import { Client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { ORIGIN } from '../support/product.ts';
import type { Asked } from './row.ts';
import type { World } from './world.ts';

export type Answered = { readonly status: number; readonly code: string | undefined; readonly text: string; readonly headers: string };

/** Sends a request of a route such as `PUT /api/rest/sets/{id}`. Of an answer that goes on for ever it reads the beginning. */
export const send = async (
  client: Client,
  route: string,
  { id, query, body }: Asked,
  { headers = {}, streams = false }: { readonly headers?: Readonly<Record<string, string>>; readonly streams?: boolean | undefined } = {},
): Promise<Answered> => {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace('{id}', encodeURIComponent(id ?? ''));
  const ending = new AbortController();
  const answer = await client.send(`${path}${query === undefined ? '' : `?${new URLSearchParams(query)}`}`, {
    method,
    signal: ending.signal,
    ...(body === undefined ? {} : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    headers: {
      ...(method === 'GET' ? { 'Sec-Fetch-Site': 'same-origin' } : { 'Content-Type': 'application/json', Origin: ORIGIN }),
      ...headers,
    },
  });
  const text = streams && answer.ok ? await beginning(answer) : await answer.text();
  ending.abort();
  return { status: answer.status, code: codeOf(answer, text), text, headers: [...answer.headers].join('\n') };
};

const beginning = async (answer: Response): Promise<string> => {
  const reader = answer.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
};

/** The code of a problem; undefined: it is none. */
const codeOf = (answer: Response, text: string): string | undefined =>
  answer.headers.get('Content-Type')?.startsWith('application/problem+json') ? (JSON.parse(text) as { code: string }).code : undefined;

/** Each text in a request that has the form of an id, once. */
export const idsIn = (asked: Asked): string[] => [...new Set(JSON.stringify(asked).match(UUID))];
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The same request with another id in place of one. */
export const withId = (asked: Asked, one: string, other: string): Asked =>
  JSON.parse(JSON.stringify(asked).replaceAll(one, other)) as Asked;

/** What has been written to the log from here on: the events, and the streams that they are in. */
export const watchLog = async ({ school: { backend } }: World): Promise<() => Promise<Grown[]>> => {
  const before = await backend.store.head();
  return async () => {
    const events: Grown[] = [];
    for await (const { type, stream, data } of backend.store.readAll(before)) events.push({ type, stream, data });
    return events;
  };
};
/** Staff who ask about a student of theirs have looked at them, whatever else is asked, and what is handed out to them is recorded. */
export const isLook = ({ type }: Grown): boolean => type === 'StudentLookedAt' || type === 'DataHandedOut';
export type Grown = { readonly type: string; readonly stream: string; readonly data: string };

/** Whether it changes nothing in the school. */
export const isQuery = (route: string): boolean =>
  (route.startsWith('GET ') && !CHANGES.has(route)) || route.startsWith('POST /api/queries/');
/** Documented calls that read by their method only. */
const CHANGES: ReadonlySet<string> = new Set(['GET /api/logout', 'GET /api/users_teachers/{id}']);

/** The addresses that /api/openapi.json describes: `PUT /api/rest/sets/{id}`. */
export const offeredBy = async (product: Product): Promise<readonly string[]> => [...(await parametersBy(product)).keys()];

/** The same, each with the names of the parameters that it reads from its address. */
export const parametersBy = async (product: Product): Promise<ReadonlyMap<string, readonly string[]>> => {
  const answer = await new Client(product).send('/api/openapi.json');
  const { paths, components } = (await answer.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
  };
  const parameterOf = (one: Parameter | Reference): Parameter | undefined =>
    '$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one;
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { parameters = [] }]) => {
        const names = parameters.flatMap((one) => (parameterOf(one)?.in === 'query' ? [parameterOf(one)?.name ?? ''] : []));
        return method === 'parameters' ? [] : [[`${method.toUpperCase()} ${path}`, names] as const];
      }),
    ),
  );
};

type Parameter = { readonly name: string; readonly in: string };
type Reference = { readonly $ref: string };
type Operation = { readonly parameters?: readonly (Parameter | Reference)[] };
