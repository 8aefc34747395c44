import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandName } from '../../api/commands.ts';
import type { Problem } from '../../api/contract/problem.ts';
import type { QueryName } from '../../api/queries.ts';
import type { Product } from './product.ts';
import { ORIGIN } from './product.ts';

/** An answer: `body` is parsed JSON. */
export type Answer<Body = never> = { readonly status: number; readonly body: Body; readonly headers: Headers };
export type CommandBody = { readonly position: string | null; readonly revision: string | null; readonly result: Record<string, unknown> };

/** A browser with its cookies, signed in or not. */
export class Client {
  readonly product: Product;
  cookie: string | undefined;
  /** The client's IP address. */
  address: string | undefined;

  constructor(product: Product, cookie?: string) {
    this.product = product;
    this.cookie = cookie;
  }

  /** A call of `/api/door/*`. */
  async auth<Shape = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<Shape & Problem>> {
    return insisted(async () => read(await this.send(`/api/door/${path}`, { method: 'POST', body: JSON.stringify(body) })));
  }

  /** The body of the answer, which must succeed. */
  async passed<Shape = Record<string, unknown>>(path: string, body: unknown): Promise<Shape> {
    const answer = await this.auth<Shape>(path, body);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async signIn(email: string, password: string): Promise<Response> {
    const answer = await this.send('/api/identity/sign-in/email', { method: 'POST', body: JSON.stringify({ email, password }) });
    if (answer.status !== 200) throw new Error(`signing in as ${email} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }

  async signOut(): Promise<void> {
    await this.send('/api/identity/sign-out', { method: 'POST', body: '{}' });
  }

  /** With the headers that a browser sends from our own pages. */
  async send(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const answer = await this.product.fetch(
      new Request(`${ORIGIN}${path}`, {
        ...init,
        headers: {
          ...(init.method === 'POST' ? { 'Content-Type': 'application/json', Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' } : {}),
          ...(this.cookie === undefined ? {} : { Cookie: this.cookie }),
          ...headers,
        },
      }),
      this.address,
    );
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    return answer;
  }

  /** Any body to any address, as from our own pages unless the headers say otherwise. */
  post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, { method: 'POST', body, headers });
  }

  async command(
    name: CommandName,
    body: unknown,
    { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer<CommandBody & Problem>> {
    return read(
      await this.send(`/api/commands/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...(key === undefined ? {} : { 'Idempotency-Key': key }), ...headers },
      }),
    );
  }

  /** The result of a command that must succeed. */
  async done<Result = Record<string, string>>(name: CommandName, body: unknown, key: string = randomUUID()): Promise<Result> {
    const answer = await insisted(() => this.command(name, body, { key }));
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.result as Result;
  }

  /** A query by POST, as pages send long ones. Without `minPosition` it asks for the head of the log. `asOf`: as of that moment. */
  async query(
    name: QueryName,
    body: unknown = {},
    { minPosition, asOf, method = 'POST' }: { minPosition?: string; asOf?: string; method?: 'GET' | 'POST' } = {},
  ): Promise<Answer<Record<string, unknown> & Problem>> {
    const moment = asOf === undefined ? {} : { asOf };
    const headers = { 'X-Min-Position': minPosition ?? String(await this.product.backend.store.head()) };
    return method === 'POST'
      ? read(await this.send(`/api/queries/${name}?${new URLSearchParams(moment)}`, { method, body: JSON.stringify(body), headers }))
      : read(
          await this.send(`/api/queries/${name}?${new URLSearchParams({ ...(body as Record<string, string>), ...moment })}`, { headers }),
        );
  }

  /** The answer to a query that must succeed. */
  async ask<Shape>(name: QueryName, body: unknown = {}): Promise<Shape> {
    const answer = await insisted(() => this.query(name, body));
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Shape;
  }
}

/** An e-mail address as copied from a mail: in capitals, with text around it. */
export const pasted = (address: string): string => `\u00a0${address.toUpperCase()} \n`;

/** Retries a request that is refused as temporarily busy, as the apps do: a busy machine is no failure. */
export const insisted = async <Some extends { readonly status: number; readonly headers: Headers }>(
  ask: () => Promise<Some>,
): Promise<Some> => {
  for (let left = 15; ; left--) {
    const answer = await ask();
    const seconds = answer.headers.get('Retry-After');
    if (answer.status !== 503 || seconds === null || left === 0) return answer;
    await pause(Number(seconds) * 1000);
  }
};

const read = async <Body>(answer: Response): Promise<Answer<Body>> => {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Body };
};
