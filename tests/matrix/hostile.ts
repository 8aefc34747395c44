import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { damaged } from '../support/damaged.ts';
import { isLook, isQuery, parametersBy, send, watchLog } from './asking.ts';
import type { Answered } from './asking.ts';
import type { Asked, Row } from './row.ts';
import { rows } from './rows.ts';
import type { ActorName } from './world.ts';
import { openWorld } from './world.ts';

const rowOf = (route: string): Row => {
  const row = rows.get(route);
  if (row) return row;
  throw new Error(`${route} has no row: say in tests/matrix/rows.ts who may ask it, with a legal request.`);
};

let count = 0;

type Sent = { readonly body: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> };
const JSON_TYPE = 'application/json';
/** None of them is the JSON that any address takes. */
const BODIES: Readonly<Record<string, (legal: string) => Sent>> = {
  'no JSON': () => ({ body: '{' }),
  nothing: () => ({ body: '' }),
  null: () => ({ body: 'null' }),
  'a number': () => ({ body: '5' }),
  'a text': () => ({ body: '"x"' }),
  'a list': () => ({ body: '[]' }),
  'a deep list': () => ({ body: `${'['.repeat(60_000)}${']'.repeat(60_000)}` }),
  'more than one': (legal) => ({ body: `${legal}${legal}` }),
  'another encoding': (legal) => ({ body: Buffer.from(legal, 'utf16le') }),
  'bytes that are no text': () => ({ body: Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x22]) }),
  compressed: (legal) => ({ body: gzipSync(legal), headers: { 'Content-Encoding': 'gzip' } }),
  'a form': () => ({ body: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  'plain text': (legal) => ({ body: legal, headers: { 'Content-Type': 'text/plain' } }),
  'more than anybody may send': () => ({ body: 'x'.repeat(8 * 1024 * 1024 + 1) }),
};

/** What each place of a legal request is replaced with, one at a time. */
const DAMAGES: Readonly<Record<string, (value: unknown) => unknown>> = {
  'a NUL': (value) => (typeof value === 'string' ? `${value}\0` : undefined),
  'half a letter': (value) => (typeof value === 'string' ? `${value}\ud800` : undefined),
  'a text without end': (value) => (typeof value === 'string' ? 'x'.repeat(200_000) : undefined),
  'a number for a text': (value) => (typeof value === 'string' ? 7 : undefined),
  'an object for a text': (value) => (typeof value === 'string' ? { $ne: 1 } : undefined),
  'a list for a text': (value) => (typeof value === 'string' ? [value] : undefined),
  'a text for a number': (value) => (typeof value === 'number' ? 'seven' : undefined),
  'a number beyond all': (value) => (typeof value === 'number' ? 2 ** 53 : undefined),
  'a huge number': (value) => (typeof value === 'number' ? 1e300 : undefined),
  'a text for a list': (value) => (Array.isArray(value) ? 'x' : undefined),
  'an object for a list': (value) => (Array.isArray(value) ? { length: 3 } : undefined),
  'a yes for anything': (value) =>
    typeof value === 'object' && value !== null ? undefined : typeof value === 'boolean' ? 'yes' : undefined,
};

/** A problem with a code, as every refusal. */
const isProblem = ({ status, code }: Answered): boolean => status >= 400 && status < 500 && code !== undefined;

const takesBody = (route: string): boolean => !route.startsWith('GET ') && !rows.get(route)?.takesNoBody;

/**
 * Addresses of /api/openapi.json with what their schema does not allow, sent by somebody who may ask them: answered as a problem with a code,
 * never 500, and nothing is written. (tests/http/hostile-requests.test.ts says in which words.) Called once by each file of tests: each has
 * a school of its own, which is closed after it.
 */
export const hostility = async () => {
  const world = await openWorld();
  const { school } = world;
  const parameters = await parametersBy(school);
  const offered = [...parameters.keys()];
  afterAll(() => world.close());

  /** Somebody who may, each time from another address, because limits are not what is tested here. */
  const clientOf = async ({ may, anew }: Pick<Row, 'may' | 'anew'>): Promise<() => Client> => {
    const actor: ActorName = may.includes('nobody') ? 'nobody' : (may[0] ?? 'admin');
    const { cookie } = anew ? await world.anew(actor) : await world.as(actor);
    return () => {
      const client = new Client(school, cookie);
      client.address = `10.${(count += 1) % 250}.${Math.floor(count / 250) % 250}.${Math.floor(count / 62_500)}`;
      return client;
    };
  };
  /** That none of them breaks, whatever is sent. */
  const standFirm = (routes: readonly string[]): void => {
    describe.each(routes.filter(takesBody))('%s', (route) => {
      test('refuses what is no request', async () => {
        const row = rowOf(route);
        const [asked, client] = [await row.ask(world), await clientOf(row)];
        const legal = JSON.stringify(asked.body);
        const growth = await watchLog(world);
        const answers = await Promise.all(
          Object.entries(BODIES).map(async ([what, bad]) => {
            const { body, headers = {} } = bad(legal);
            const answer = await send(client(), route, { ...asked, body }, { headers: { 'Content-Type': JSON_TYPE, ...headers } });
            return isProblem(answer) ? [] : [[what, answer.status, answer.text.slice(0, 200)]];
          }),
        );
        expect([route, answers.flat()]).toEqual([route, []]);
        expect([route, await growth()]).toEqual([route, []]);
      });

      test('refuses what is wrong in one place', async () => {
        const row = rowOf(route);
        const [asked, client] = [await row.ask(world), await clientOf(row)];
        const growth = await watchLog(world);
        const wrong = Object.entries(DAMAGES).flatMap(([what, damage]) =>
          damaged(asked.body, damage).map((one) => ({ what: `${what} at ${one.path}`, body: one.body })),
        );
        const deep = {
          what: 'a deep field',
          body: JSON.stringify(asked.body).replace(
            '{',
            `{"more":${'['.repeat(60_000)}${']'.repeat(60_000)}${JSON.stringify(asked.body) === '{}' ? '' : ','}`,
          ),
        };
        const more = ['__proto__', 'constructor', 'schoolId'].map((key) => ({
          what: `a field ${key}`,
          body: JSON.stringify(asked.body).replace('{', `{"${key}":{"role":"admin"}${JSON.stringify(asked.body) === '{}' ? '' : ','}`),
        }));
        const answers = await Promise.all(
          [...wrong, ...(row.ignoresMore ? [] : [deep, ...more])].map(async ({ what, body }) => {
            const answer = await send(client(), route, { ...asked, body });
            if (row.takesAnyText && /^(a NUL|half)/.test(what) && answer.status === 200) return [];
            return isProblem(answer) ? [] : [[what, answer.status, answer.text.slice(0, 200)]];
          }),
        );
        expect([route, answers.flat()]).toEqual([route, []]);
        expect([route, await growth()]).toEqual([route, []]);
      });
    });

    test('no address breaks on what stands in it, in its parameters or in its headers', async () => {
      const admin = await clientOf({ may: ['admin'] });
      const requests: [string, Asked][] = [];
      for (const route of routes.filter(isQuery)) requests.push([route, await rowOf(route).ask(world)]);
      const growth = await watchLog(world);
      const broken: unknown[] = [];
      for (const [route, asked] of requests) {
        const { streams } = rowOf(route);
        const names = [...new Set([...Object.keys(asked.query ?? {}), ...(parameters.get(route) ?? [])])];
        const unread = READ.filter((name) => !names.includes(name));
        const withAll = (text: string): Asked => ({ ...asked, query: { ...asked.query, ...each(unread, text) } });
        const variants: { readonly asked: Asked; readonly headers?: Record<string, string> }[] = [
          ...TEXTS.flatMap((text) => names.map((name) => ({ asked: { ...asked, query: { ...asked.query, [name]: text } } }))),
          ...(route.includes('{id}') ? TEXTS.map((id) => ({ asked: { id: id.toWellFormed() } })) : []),
          ...['', 'x', '0'.repeat(30), '-1', '"', ';;;', 'student ..'].flatMap((value) =>
            [...HEADERS.map((name) => ({ [name]: value })), each(OTHER_HEADERS, value)].map((headers) => ({ asked, headers })),
          ),
        ];
        const { status, code } = await send(admin(), route, withAll('x'), { streams });
        await Promise.all(
          TEXTS.map(async (text) => {
            const answer = await send(admin(), route, withAll(text), { streams });
            if (answer.status !== status || answer.code !== code) broken.push([route, unread, text.slice(0, 20), answer.status, status]);
          }),
        );
        await Promise.all(
          variants.map(async (one) => {
            const answer = await send(admin(), route, one.asked, { headers: one.headers ?? {}, streams });
            if (answer.status >= 500 || (answer.status >= 400 && answer.code === undefined))
              broken.push([route, one, answer.status, answer.text.slice(0, 100)]);
          }),
        );
      }
      expect(broken).toEqual([]);
      expect((await growth()).filter((event) => !isLook(event))).toEqual([]);
    });
  };

  /** An address without limit or without parser would be found by these two requests. */
  const readBodiesAlike = (): void =>
    test('every address has its body limited and parsed by the same reader', async () => {
      const answers = await Promise.all(
        offered.filter(takesBody).map(async (route) => {
          const client = await clientOf(rowOf(route));
          const broken = { id: randomUUID(), body: '{' };
          const codes = ['8388609', '1'].map(
            async (length) => (await send(client(), route, broken, { headers: { 'Content-Length': length } })).code,
          );
          return [route, ...(await Promise.all(codes))];
        }),
      );
      expect(answers).toEqual(offered.filter(takesBody).map((route) => [route, 'too-large', 'invalid-input']));
    });

  return { offered, standFirm, readBodiesAlike };
};

const TEXTS = [
  '\0',
  '\ud800',
  '..',
  '../..',
  '%00',
  "'; drop table read.students; --",
  '[',
  '{"a":',
  'null',
  '[]',
  '1e999',
  '-1',
  '𝟙',
  'x'.repeat(6_000),
];
/** What some address reads; no other reads it, which is asked with all of them at once. */
const READ = ['asOf', 'before', 'filter', 'range', 'sort', 'find'];
const HEADERS = ['Idempotency-Key', 'X-View-As', 'X-Min-Position', 'If-Match', 'Cookie'];
/** No address reads them, so that all are sent at once. */
const OTHER_HEADERS = ['X-Forwarded-For', 'Authorization', 'Accept', 'Range'];
const each = (names: readonly string[], value: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, value]));
