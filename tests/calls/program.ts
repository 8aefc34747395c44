import { expect } from 'vitest';
import type { Client } from '../support/client.ts';

type Sent = { readonly query?: Readonly<Record<string, string>>; readonly body?: object };
type Answered = {
  readonly insertids: string[];
  readonly lastid: string;
  readonly title: string;
  readonly errors: readonly { readonly message: string }[];
};

/** A program that knows the documented calls only, and sends a bearer token with each; without one, nobody yet. */
export class Program {
  readonly #client: Client;
  readonly #token: string | undefined;

  constructor(client: Client, token?: string) {
    this.#client = client;
    this.#token = token;
  }

  async send(method: string, path: string, { query = {}, body }: Sent = {}): Promise<{ status: number; body: Answered }> {
    const answer = await this.#client.send(`/api${path}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answered };
  }

  /** The answer to what must succeed. */
  async does<Body = Answered>(method: string, path: string, sent: Sent = {}): Promise<Body> {
    const { status, body } = await this.send(method, path, sent);
    expect([method, path, status, body]).toEqual([method, path, 200, body]);
    return body as Body;
  }

  reads<Body>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Body> {
    return this.does('GET', path, { query });
  }

  /** New rows; their ids. */
  async adds(path: string, table: string, key: string, rows: readonly object[]): Promise<string[]> {
    const data = rows.map((values) => ({ keyval: { [key]: null }, values }));
    return (await this.does('POST', path, { body: { table, data } })).insertids;
  }

  /** Other values in rows that are there. */
  async changes(path: string, table: string, key: string, rows: readonly (readonly [id: string, values: object])[]): Promise<string[]> {
    const data = rows.map(([id, values]) => ({ keyval: { [key]: id }, values }));
    return (await this.does('POST', path, { body: { table, data } })).insertids;
  }
}
