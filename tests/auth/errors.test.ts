import { describe, expect, test } from 'vitest';
import type { LoggedError, Reported, Status } from '../../api/contract/errors.ts';
import { holdsSql } from '../../api/security/error-log.ts';
import { Client } from '../support/client.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school } = await schoolOfFile();

const report = async (client: Client, body: object) => {
  const answer = await client.send('/api/errors', { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Reported };
};
const listed = async (client: Client) => {
  const answer = await client.send('/api/errors');
  return { status: answer.status, errors: ((await answer.json()) as { errors: LoggedError[] }).errors };
};

describe('an error in a page', () => {
  test('is shown to staff for 30 seconds, with the number by which the admin finds it', async () => {
    const { body } = await report(await school.as('teacherA'), {
      message: 'x is not a function',
      file: '/staff-ui/main.js',
      line: 12,
      status: 500,
      statusText: 'Error',
    });
    expect(body.banner).toEqual({
      title: 'Oops...',
      text: `The error has been logged as number ${body.id}. x is not a function`,
      milliseconds: 30_000,
    });
    const { errors } = await listed(await school.as('admin'));
    expect(errors.find(({ id }) => id === body.id)).toMatchObject({
      name: 'teacherA',
      role: 'teacher',
      message: 'x is not a function',
      file: '/staff-ui/main.js',
      line: 12,
      status: 500,
    });
  });

  test('is logged for a student, and not shown; an invalid request neither', async () => {
    expect((await report(await school.as('student'), { message: 'broken' })).body).toEqual({ id: expect.any(String), banner: null });
    for (const message of ['Invalid Request', 'Error: Invalid Request', 'TypeError: Invalid Request'])
      expect((await report(await school.as('leader'), { message })).body.banner).toBeNull();
    expect((await report(await school.as('leader'), { message: 'Error: Invalid Request of the printer' })).body.banner).not.toBeNull();
  });

  test('shows at most 800 characters', async () => {
    const { body } = await report(await school.as('leader'), { message: 'long '.repeat(2_000) });
    expect(body.banner?.text.length).toBe(800);
  });

  test.each([
    'SQLSTATE[42S02]: Base table or view not found',
    'select name from students where id = 7',
    'INSERT INTO marks VALUES (1)',
    'duplicate key value violates unique constraint "user_email_key"',
    'relation "read.accounts" does not exist',
    'syntax error in PostgreSQL',
  ])('never shows a statement: %s', async (message) => {
    const { body } = await report(await school.as('leader'), { message });
    expect(body.banner?.text).toBe(`The error has been logged as number ${body.id}. Something went wrong with the stored data.`);
    const { errors } = await listed(await school.as('admin'));
    expect(errors.find(({ id }) => id === body.id)?.message).toBe('Something went wrong with the stored data.');
  });

  test('in words of its own is no statement', () => {
    for (const message of ['Please select a class', 'Failed to fetch', 'Cannot read properties of undefined']) {
      expect(holdsSql(message)).toBe(false);
    }
  });

  test('of another school, or of a stranger, is nobody else’s to read', async () => {
    const neighbour = await school.neighbour();
    const theirs = await report(await neighbour.as('leader'), { message: 'theirs' });
    const strange = await report(new Client(school), { message: 'strange' });
    expect(strange.status).toBe(200);
    const { errors } = await listed(await school.as('admin'));
    expect(errors.filter(({ id }) => [theirs.body.id, strange.body.id].includes(id))).toEqual([]);
    for (const role of ['leader', 'teacherA', 'student', 'auditor'] as const)
      expect((await listed(await school.as(role))).status).toBe(403);
    expect((await listed(new Client(school))).status).toBe(401);
  });

  test('that comes in a loop is not logged for ever', async () => {
    const client = await school.as('scienceLeader');
    const statuses = [];
    for (let n = 0; n < 130; n++) statuses.push((await report(client, { message: 'again' })).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
  });
});

test('the status is for admins: health, mail and errors', async () => {
  const answer = await (await school.as('admin')).send('/api/status');
  expect((await answer.json()) as Status).toMatchObject({
    health: { status: 'ok', problems: [] },
    mail: { givenUp: 0 },
    errorsToday: expect.any(Number),
  });
  expect((await (await school.as('leader')).send('/api/status')).status).toBe(403);
});

test('how its mails fare is for each school’s admins, and for the operator all together', async () => {
  const neighbour = await school.neighbour();
  const waitingAt = async (of: typeof school) => ((await (await (await of.as('admin')).send('/api/status')).json()) as Status).mail.waiting;
  const all = async () =>
    Number(/^marktrail_mails\{state="waiting"\} (\d+)/m.exec(await (await new Client(school).send('/api/metrics')).text())?.[1]);
  const before = [await waitingAt(school), await waitingAt(neighbour), await all()] as const;

  await (await school.as('admin')).done('InviteStaff', { name: 'New', email: 'new@errors.example', role: 'teacher', teachers: [] });
  await new Client(school).passed('password/forgotten', { email: neighbour.email('leader') });
  await new Client(school).passed('password/forgotten', { email: 'nobody@errors.example' });
  expect([await waitingAt(school), await waitingAt(neighbour), await all()]).toEqual([before[0] + 1, before[1] + 1, before[2] + 3]);
});

test('an address that is none is a problem, also below /api/door', async () => {
  for (const path of ['/api/door', '/api/door/nothing', '/api/nothing', '/api/errors/1']) {
    const answer = await new Client(school).send(path);
    expect([path, answer.status, answer.headers.get('Content-Type')]).toEqual([path, 404, 'application/problem+json']);
  }
});
