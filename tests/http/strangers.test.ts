import { expect, onTestFinished, test } from 'vitest';
import { heldFor } from '../../api/common/held-for.ts';
import { projectorApp } from '../../api/http/app.ts';
import { parseTrustedProxies } from '../../api/http/request/address.ts';
import type { Health } from '../../api/http/routes/health.ts';
import { openProduct, type ProductOptions } from '../support/product.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { plain } from '../support/strict-answers.ts';

const { school } = await schoolOfFile();

const opened = async (options: ProductOptions) => {
  const product = await openProduct(school.databaseUrl, { role: 'api', ...options });
  onTestFinished(() => product.close());
  return (path: string, headers: Record<string, string> = {}, from = '127.0.0.1') =>
    product.fetch(new Request(`http://marktrail.test${path}`, { headers }), from);
};

test('the description is sent as it was compressed once, and not again to whoever holds it; each network gets so much of it uncompressed', async () => {
  const ask = await opened({});
  const get = (encoding?: string, headers = {}) =>
    ask('/api/openapi.json', { ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }), ...headers });
  const [whole, br, gzip] = await Promise.all([get(), get('gzip, br'), get('gzip, br;q=0')]);
  expect([whole, br, gzip].map(({ headers }) => headers.get('Content-Encoding'))).toEqual([null, 'br', 'gzip']);
  const texts = await Promise.all([whole, br, gzip].map(plain));
  expect(new Set(texts).size).toBe(1);
  expect(Number(br.headers.get('Content-Length'))).toBeLessThan(texts[0]!.length / 10);
  expect(Buffer.from(await (await get('gzip')).arrayBuffer()).equals(Buffer.from(await (await get('gzip')).arrayBuffer()))).toBe(true);

  const tag = br.headers.get('ETag')!;
  expect((await (await opened({}))('/api/openapi.json', { 'If-None-Match': `W/${tag}` })).status).toBe(304);
  const statuses = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await get()).status);
  expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(statuses.at(-1)).toBe(429);
  expect([(await get('br')).status, (await get(undefined, { 'If-None-Match': tag })).status]).toEqual([200, 304]);
  expect((await ask('/api/openapi.json', {}, '192.0.2.1')).status).toBe(200);
});

test('what is made once is made once, however many ask at once; what has failed is made again', async () => {
  let made = 0;
  const once = heldFor(Infinity, async () => {
    made += 1;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  await expect(Promise.all([once(), once()])).rejects.toThrow('not yet');
  expect(await Promise.all([once(), once(), once()])).toEqual([2, 2, 2]);
  expect(await once()).toBe(2);
});

test('metrics and health are made once for all who ask in a while, and answers are counted by the class of their status', async () => {
  const ask = await opened({ heldMs: { health: 3_600_000, metrics: 3_600_000 } });
  await ask('/api/health/live');
  await ask('/api/queries/me');
  const [first, second] = [await (await ask('/api/metrics')).text(), await (await ask('/api/metrics')).text()];
  expect(second).toBe(first);
  expect(first).toMatch(/request_seconds_count\{method="GET",route="\/api\/queries\/me",status="4xx"\} 1\n/);
  expect(await (await ask('/api/health')).json()).toEqual(await (await ask('/api/health')).json());
});

const WELL: Health = { status: 'degraded', problems: ['The log is away.'], facts: [], database: true, log: false, projections: [] };
const TOKEN = 'sixteen-letters-and-more';

test('only this machine, a private network behind trusted proxies, and whoever has the token are told more than whether it serves', async () => {
  const told = async (trusted: string, from: string, headers: Record<string, string>, health = WELL) => {
    const app = projectorApp({
      health: async () => health,
      metricsToken: TOKEN,
      trustedProxies: trusted === '' ? undefined : parseTrustedProxies(trusted),
    });
    const ask = (path: string) => app.request(path, { headers }, { incoming: { socket: { remoteAddress: from } } });
    const [state, metrics] = [await ask('/api/health'), await ask('/api/metrics')];
    const body = (await state.json()) as object;
    expect(metrics.status).toBe('problems' in body ? 200 : 401);
    return { status: state.status, body };
  };
  const via = (...addresses: string[]) => ({ 'X-Forwarded-For': addresses.join(', ') });
  const operators: readonly (readonly [trusted: string, from: string, headers: Record<string, string>])[] = [
    ['', '127.0.0.1', {}],
    ['', '::ffff:10.1.2.3', {}],
    ['0', 'fd00::5', {}],
    ['1', '10.0.0.5', via('192.168.1.7')],
    ['10.0.0.0/8', '10.0.0.5', via('198.51.100.1', '192.168.1.7', '10.0.0.6')],
    ['', '198.51.100.1', { Authorization: `Bearer ${TOKEN}` }],
  ];
  for (const one of operators) expect((await told(...one)).body, one.join(' ')).toEqual(WELL);
  const strangers: typeof operators = [
    ['', '198.51.100.1', {}],
    ['', '127.0.0.1', via('127.0.0.1')],
    ['0', '10.0.0.5', via('10.0.0.7')],
    ['1', '127.0.0.1', {}],
    ['2', '127.0.0.1', via('127.0.0.1')],
    ['1', '10.0.0.5', via('192.168.1.7', '198.51.100.1')],
    ['1', '10.0.0.5', via('unknown')],
    ['10.0.0.0/8', '10.0.0.5', {}],
    ['10.0.0.0/8', '10.0.0.5', via('10.0.0.6')],
    ['10.0.0.0/8', '10.0.0.5', via('unknown')],
    ['10.0.0.0/8', '192.168.1.7', {}],
    ['10.0.0.0/8', '192.168.1.7', via('127.0.0.1')],
    ['', '198.51.100.1', { Authorization: `Bearer ${TOKEN}x` }],
  ];
  for (const one of strangers) expect(await told(...one), one.join(' ')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await told('', '198.51.100.1', {}, { ...WELL, status: 'down' })).toEqual({ status: 503, body: { status: 'down' } });
});

test('a web server in front that is not trusted is said on the console and with the state: by an https address, and when it names somebody', async () => {
  const said: string[] = [];
  const tell = (line: string): void => void (line.includes('TRUSTED_PROXIES') && said.push(line));
  const ask = await opened({ tell, publicUrl: 'https://marks.school.example' });
  const notes = async () => ((await (await ask('/api/health')).json()) as Health).notes;
  const https = expect.stringMatching(/^PUBLIC_URL is https, .* TRUSTED_PROXIES is not set/);
  expect(said).toEqual([https]);
  expect(await notes()).toEqual([https]);
  for (let n = 0; n < 2; n += 1) await ask('/api/health/live', { 'X-Forwarded-For': '198.51.100.1' });
  expect(said).toEqual([https, expect.stringMatching(/^A request came with X-Forwarded-For/)]);
  expect(await notes()).toEqual(said);

  said.length = 0;
  const trusting = await opened({ tell, publicUrl: 'https://marks.school.example', trustedProxies: 1 });
  await trusting('/api/health/live', { 'X-Forwarded-For': '198.51.100.1' });
  expect(said).toEqual([]);
});
