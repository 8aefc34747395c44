import type { Client } from '../../support/client.ts';
import { ORIGIN } from '../../support/product.ts';

/** A request of a page that a test waits for, holds back or has fail, as the network may. */
type Watched = { readonly path: RegExp; readonly act: (send: () => Promise<Response>) => Promise<Response> };

/** Between a page and the product: what a browser adds to a request, and the live line. */
export class Line {
  readonly #client: Client;
  readonly #closed = new AbortController();
  readonly #closing = Promise.withResolvers<void>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #watched: Watched[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  readonly fetch = async (path: string, { signal, ...init }: RequestInit = {}): Promise<Response> => {
    const { signal: closed } = this.#closed;
    const send = async (): Promise<Response> => {
      const headers = { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin', ...(init.headers as Record<string, string>) };
      return this.#client.send(path, { ...init, headers });
    };
    const watched = this.#watched.find((one) => one.path.test(path));
    if (watched) this.#watched.splice(this.#watched.indexOf(watched), 1);
    const answer = watched ? watched.act(send) : send();
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
      // Whoever has gone hears of nothing.
      if (closed.aborted) await new Promise(() => undefined);
      signal?.throwIfAborted();
    }
  };

  /** The next request to such a path does not arrive. */
  lose(path: RegExp): void {
    this.#watched.push({ path, act: () => Promise.reject(new TypeError('The network is away.')) });
  }

  /** The next request to such a path is refused with this title. */
  refuse(path: RegExp, title: string): void {
    const headers = { 'Content-Type': 'application/problem+json' };
    const body = JSON.stringify({ type: 'about:blank', title, status: 403, code: 'forbidden' });
    this.#watched.push({ path, act: () => Promise.resolve(new Response(body, { status: 403, headers })) });
  }

  /** The next request to such a path waits on its way there, or its answer on its way back, until `letGo`; `reached`: it waits. */
  hold(path: RegExp, where: 'there' | 'back' = 'back'): { readonly reached: Promise<void>; readonly letGo: () => void } {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = (): Promise<void> => {
      reached.resolve();
      return Promise.race([released.promise, this.#closing.promise]);
    };
    const act: Watched['act'] = async (send) => {
      if (where === 'there') await wait();
      const answer = await send();
      if (where === 'back') await wait();
      return answer;
    };
    this.#watched.push({ path, act });
    return { reached: reached.promise, letGo: released.resolve };
  }

  /** `/api/live` as an EventSource reads it. `hear` is called with each message; resolves when the line has ended. */
  async follow(path: string, gone: AbortSignal, hear: (type: string, data: string) => void): Promise<void> {
    const signal = AbortSignal.any([gone, this.#closed.signal]);
    const { body } = await this.#client.send(path, { signal });
    let text = '';
    for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const messages = `${text}${part}`.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const { event = '', data = '{}' } = Object.fromEntries(message.split('\n').map((one) => one.split(/: (.*)/s)));
        if (event !== '') hear(event, data);
      }
    }
  }

  /** Once nothing is under way any more. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#closing.resolve();
    await Promise.allSettled(this.#underWay);
  }
}

let line: Line | undefined;
/** The line of the page that is open. */
export const connect = (one: Line): void => {
  line = one;
};

class LiveSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  onerror: (() => void) | undefined;
  readonly #gone = new AbortController();

  constructor(path: string) {
    super();
    const hear = (type: string, data: string) => void this.dispatchEvent(new MessageEvent(type, { data }));
    line?.follow(path, this.#gone.signal, hear).catch(() => undefined);
  }

  close(): void {
    this.readyState = LiveSource.CLOSED;
    this.#gone.abort();
  }
}

const outside = globalThis.fetch;
const send = (to: string, init?: RequestInit) => (line && to.startsWith('/') ? line.fetch(to, init) : outside(to, init));
Object.assign(globalThis, { EventSource: LiveSource, fetch: send });
