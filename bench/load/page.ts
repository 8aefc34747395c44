/** An open page: asks one question and follows its answer over a line, as the apps do, with their own module. */
import { randomUUID } from 'node:crypto';
import { Agent, get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import type { LiveAnswer, LiveHello } from '../../api/contract/live.ts';
import { createAnswerCache } from '../../ui/api/answer-cache.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const lines = new Agent({ keepAlive: true, maxSockets: Infinity });

export type Page = ReturnType<typeof openPage>;
export type Target = { readonly url: string; readonly path: string };
/** What its pages have taken: bytes on the wire, and questions. */
export type Traffic = { bytes: number; asked: number };

/** Asks, and follows until it leaves. */
export const openPage = ({ url, path }: Target, cookie: string, traffic: Traffic) => {
  const cache = createAnswerCache();
  const line = randomUUID();
  /** When it was told last. */
  let at = 0;
  let stream: IncomingMessage | undefined;

  const ask = async (): Promise<void> => {
    traffic.asked += 1;
    const answer = await answerTo(`${url}${path}`, { cookie, 'x-line': line, 'accept-encoding': 'br', ...cache.headers(path) });
    const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    const body = Buffer.concat(await answer.toArray());
    traffic.bytes += body.length;
    if (answer.statusCode !== 200 && answer.statusCode !== 304) throw new Error(`a page was answered ${answer.statusCode}`);
    const text = headers.get('content-encoding') === 'br' ? brotliDecompressSync(body) : body;
    cache.answered(path, 'page', headers, answer.statusCode === 304 ? undefined : (JSON.parse(text.toString()) as unknown));
    at = now();
  };

  const hear = (event: string, data: string): void => {
    if (event === 'hello') cache.connected((JSON.parse(data) as LiveHello).epoch);
    if (event !== 'answer') return;
    for (const { isOutdated } of cache.applyLive(JSON.parse(data) as LiveAnswer)) if (isOutdated) void ask();
    at = now();
  };

  const listen = async (): Promise<void> => {
    const opened = Promise.withResolvers<void>();
    stream = await answerTo(`${url}/api/live?line=${line}`, { cookie }, lines);
    stream.setEncoding('utf8');
    let text = '';
    stream.on('error', () => undefined);
    stream.on('data', (part: string) => {
      traffic.bytes += Buffer.byteLength(part);
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (event !== undefined && data !== undefined) hear(event, data);
        opened.resolve();
      }
    });
    await opened.promise;
  };

  return {
    opened: ask().then(listen),
    at: () => at,
    until: async (position: bigint): Promise<void> => {
      if (!(await cache.until('page', position, 10_000))) throw new Error('a page was not told of a save within 10 s');
    },
    leave: () => stream?.destroy(),
  };
};

/** Asks again, as browsers do, if the server was just closing the connection that was kept. */
const answerTo = (url: string, headers: Record<string, string>, by = agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: by }, resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(answerTo(url, headers, by));
      else reject(error);
    });
  });

/** The same clock in every process. */
const now = (): number => performance.timeOrigin + performance.now();
