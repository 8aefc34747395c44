import { afterAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Call } from '../../api/calls/call.ts';
import { areas } from '../../api/calls/calls.ts';
import { send, watchLog } from '../matrix/asking.ts';
import type { Asked } from '../matrix/row.ts';
import { openWorld } from '../matrix/world.ts';
import type { Case } from './case.ts';
import { cases } from './cases.ts';
import { documented, notYet } from './documented.ts';

/**
 * The documented calls: each is there, gives its right answer, and refuses names and values that it does not list. Who may send it, and what
 * becomes of ids of another class, subject or school, is found out by tests/matrix, from the same cases.
 */
const world = await openWorld();
afterAll(() => world.close());

const calls = new Map<string, Call>(Object.values(areas).flatMap((area) => Object.entries(area)));
/** A generic write is several calls: one for each of its tables. */
const names = [...calls].flatMap(([name, { tables }]) => (tables === undefined ? [name] : tables.map((one) => `${name} ${one}`)));
const callOf = (name: string): Call => calls.get(name.split(' ').slice(0, 2).join(' '))!;
const routeOf = (name: string): string => name.split(' ').slice(0, 2).join(' /api');

test('there are 131 of them, and each is answered', () => {
  expect(Object.keys(documented)).toHaveLength(131);
  const missing = Object.entries(documented).flatMap(([form, name]) => (calls.has(name) ? [] : [form]));
  expect(missing.toSorted()).toEqual(notYet.toSorted());
  expect([...calls.keys()].filter((name) => !Object.values(documented).includes(name))).toEqual([]);
});

test('each has a case', () => {
  expect(names.filter((name) => !Object.hasOwn(cases, name)).map((name) => `${name}: add a case to tests/calls`)).toEqual([]);
  expect(Object.keys(cases).filter((name) => !names.includes(name))).toEqual([]);
});

const askedBy = async ({ ask, given, as, may, anew, before }: Case) => {
  await given?.(world);
  const who = as ?? may[0] ?? 'admin';
  const client = anew ? await world.anew(who) : await world.as(who);
  await before?.(client);
  return { client, asked: await ask(world) };
};

describe.each(Object.entries(cases))('%s', (name, one) => {
  test('gives the right answer', async () => {
    const { client, asked } = await askedBy(one);
    const head = await world.school.backend.store.head();
    const { status, text } = await send(client, routeOf(name), asked, { headers: { 'X-Min-Position': String(head) } });
    expect([status, text]).toEqual([one.status ?? 200, text]);
    const body: unknown = JSON.parse(text);
    expect(body, 'an empty answer').not.toEqual([]);
    await one.right({ world, client, asked, body: body as never });
  });

  test('refuses what it does not list', async () => {
    const { client, asked } = await askedBy(one);
    const growth = await watchLog(world);
    for (const [what, wrong, status] of wrongsOf(callOf(name), asked)) {
      const answer = await send(client, routeOf(name), wrong);
      expect([name, what, answer.status, answer.code]).toEqual([name, what, status, status === 400 ? 'not-listed' : 'invalid-input']);
    }
    expect(await growth()).toEqual([]);
  });
});

/** Requests with one thing wrong, and the status of their refusal. */
const wrongsOf = ({ asks, tables }: Call, asked: Asked): [string, Asked, 400 | 422][] => [
  ['another parameter', { ...asked, query: { ...asked.query, Nonsense: '1' } }, 400],
  ...Object.entries(asks?.shape ?? {}).flatMap(([name, shape]): [string, Asked, 400 | 422][] => {
    const { [name]: _, ...rest } = asked.query ?? {};
    const isOptional = (shape as z.ZodType).safeParse(undefined).success;
    return [
      ...(isOptional ? [] : [[`without ${name}`, { ...asked, query: rest }, 422] as [string, Asked, 422]]),
      ...((shape as z.ZodType).safeParse('\0').success
        ? []
        : [[`a bad ${name}`, { ...asked, query: { ...rest, [name]: '\0' } }, 422] as [string, Asked, 422]]),
      // A whole number that no column of the database holds.
      ...((shape as z.ZodType).safeParse('1').success && !(shape as z.ZodType).safeParse('1.5').success
        ? [[`an absurd ${name}`, { ...asked, query: { ...rest, [name]: '99999999999' } }, 422] as [string, Asked, 422]]
        : []),
    ];
  }),
  ...(tables === undefined ? [] : wrongRows(asked)),
];

const wrongRows = (asked: Asked): [string, Asked, 400 | 422][] => {
  const body = asked.body as Readonly<Record<string, unknown>>;
  const values = { Nonsense: 1 };
  const { data } = body as { readonly data?: readonly object[] };
  return [
    ['another table', { ...asked, body: { ...body, table: 'users' } }, 400],
    ['no table', { ...asked, body: { ...body, table: undefined } }, 422],
    ...(data
      ? ([
          ['another column', { ...asked, body: { ...body, data: [...data, { ...data[0], values }] } }, 400],
          ['another key', { ...asked, body: { ...body, data: [...data, { ...data[0], keyval: { Nonsense: null } }] } }, 400],
        ] as [string, Asked, 400][])
      : []),
    ...('values' in body && !Array.isArray(body['values'])
      ? ([
          ['another column', { ...asked, body: { ...body, values } }, 400],
          ['another key', { ...asked, body: { ...body, key: 'Nonsense' } }, 400],
        ] as [string, Asked, 400][])
      : []),
  ];
};
