import { afterAll, describe, expect, test } from 'vitest';
import { OPENING_BLOCK, openings, SUBJECT_COOKIE } from '../../api/contract/openings.ts';
import type { Client } from '../support/client.ts';
import { roles } from '../support/school.ts';
import { until } from '../support/until.ts';
import { openWorld } from './world.ts';

/** What a page brings is what its reader is answered when they ask, and nothing else. */
const world = await openWorld({
  serveApp: () => new Response('<!doctype html><body><div id="root"></div></body>', { headers: { 'Content-Type': 'text/html' } }),
});
afterAll(() => world.close());
const { ids } = world.school;

type Brought = {
  readonly name: string;
  readonly ask: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: unknown;
};
const OPENED = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };

const brought = async (client: Client, address: string, headers: Record<string, string> = OPENED) => {
  const answer = await client.send(address, { headers });
  const text = await answer.text();
  const [, data] = new RegExp(`<script type="application/json" id="${OPENING_BLOCK}">([^<]*)</script></body>`, 'u').exec(text) ?? [];
  const { answers } = JSON.parse(data ?? '{"answers":[]}') as { readonly answers: readonly Brought[] };
  expect(answers.length === 0 || answer.headers.get('Cache-Control') === 'no-store').toBe(true);
  return { text, answers };
};

const places = ['', '?year=11&set=11A', '?year=11&set=11B', `?year=11&set=11A&test=${ids.mock}`];
const addresses = Object.keys(openings).flatMap((path) => places.map((place) => path + place));

describe.each([...roles, 'neighbour'] as const)('%s', (actor) => {
  test.each(addresses)('at %s', async (address) => {
    const client = await world.as(actor);
    // A page that would be late brings nothing, and asks itself.
    const { text, answers } = await until(async () => {
      const one = await brought(client, address);
      return one.answers[0]?.name === 'me' && one;
    });
    for (const secret of world.secretsFrom(actor)) expect(text, secret).not.toContain(secret);
    for (const { name, ask, headers, body } of answers) {
      const asked = await client.send(`/api/queries/${name}?${new URLSearchParams(ask).toString()}`);
      expect([name, asked.status, await asked.json()]).toEqual([name, 200, body]);
      for (const header of ['X-Channels', 'ETag']) expect(headers[header] ?? null).toBe(asked.headers.get(header));
    }
  });
});

const inClass = '/teacher/markbook?year=11&set=11A';
const namesIn = async (...of: Parameters<typeof brought>) => (await brought(...of)).answers.map(({ name }) => name);

test('a class is brought to its teacher, a card to a student, and to whoever is of another role who they are', async () => {
  await expect.poll(async () => namesIn(await world.as('teacherA'), inClass)).toEqual(['me', 'structure', 'markbook']);
  await expect
    .poll(async () => namesIn(await world.as('student'), '/student'))
    .toEqual(expect.arrayContaining(['me', 'student-home', 'to-submit', 'student-tasks']));
  await expect.poll(async () => namesIn(await world.as('leader'), inClass)).toEqual(['me']);
});

test('nothing is brought of the past, to a script, ahead of time, from another site, without a session, or once it has ended', async () => {
  const teacher = await world.anew('teacherA');
  const { cookie = '' } = teacher;
  for (const [address, headers] of [
    [`${inClass}&asOf=2026-01-01T00:00:00Z`, OPENED],
    [inClass, { ...OPENED, 'Sec-Fetch-Mode': 'cors' }],
    [inClass, { ...OPENED, 'Sec-Purpose': 'prefetch' }],
    [inClass, { ...OPENED, 'Sec-Fetch-Site': 'cross-site' }],
    [inClass, {}],
    [inClass, { ...OPENED, Cookie: '' }],
  ] as const)
    expect(await namesIn(teacher, address, headers), `${address} ${JSON.stringify(headers)}`).toEqual([]);
  await teacher.signOut();
  teacher.cookie = cookie;
  expect(await namesIn(teacher, inClass)).toEqual([]);
});

test('a subject that is named in a cookie gives no right to it', async () => {
  const teacher = await world.anew('teacherA');
  teacher.cookie = `${teacher.cookie}; ${SUBJECT_COOKIE}=${ids.science}`;
  const { answers } = await brought(teacher, inClass);
  expect(answers.find(({ name }) => name === 'structure')?.ask).toEqual({ subjectId: ids.maths });
});
