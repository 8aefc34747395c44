import type { Client } from './client.ts';

type Row = Readonly<Record<string, unknown>>;
export type RestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** A list; cast it for a single record. */
  readonly body: readonly Row[];
  /** A refusal in the format of /api/rest. */
  readonly problem: { readonly code: string; readonly message: string; readonly errors: Readonly<Record<string, string>> };
};

/** Calls /api/rest like the admin app, for the head of the log. */
export const rest = async (
  client: Client,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestAnswer> => {
  const answer = await client.send(`/api/rest/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      'X-Min-Position': String(await client.product.backend.store.head()),
      ...headers,
    },
  });
  const json = (await answer.json()) as never;
  return { status: answer.status, headers: answer.headers, body: json, problem: json };
};
