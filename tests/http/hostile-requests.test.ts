import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandAccess, queryAccess } from '../../api/access.ts';
import type { CommandName } from '../../api/commands.ts';
import type { Problem } from '../../api/contract/problem.ts';
import type { QueryName } from '../../api/queries.ts';
import { listen } from '../../run/http/http-server.ts';
import { Client } from '../support/client.ts';
import { damaged } from '../support/damaged.ts';
import { problem, writesNothing } from '../support/refused.ts';
import type { Spare } from '../support/samples.ts';
import { commandSamples, querySamples, spareParts } from '../support/samples.ts';
import { ORIGIN } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const SECURITY = /policy|security|x-|origin-agent/;

const { school, admin } = await schoolOfFile('admin');
let spare: Spare;
let nothingChanged: () => Promise<void>;
beforeAll(async () => {
  spare = await spareParts(school);
});
beforeEach(async () => {
  nothingChanged = await writesNothing(school);
});

describe('signing in', () => {
  const signIn = (email: string, password: string) =>
    new Client(school).send('/api/identity/sign-in/email', { method: 'POST', body: JSON.stringify({ email, password }) });

  test('gives a cookie that no script reads and no other site sends', async () => {
    const answer = await signIn(school.email('leader'), PASSWORD);
    const [cookie = '', ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\//);
  });

  test('with a wrong password or of nobody is refused in the same words', async () => {
    const answers = await Promise.all([signIn(school.email('leader'), 'something else'), signIn('nobody@nowhere.example', PASSWORD)]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(await answers[0]?.text()).toBe(await answers[1]?.text());
    for (const answer of answers) expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('with rubbish is refused', async () => {
    for (const [email, password] of [
      ['a\0b@x.example', PASSWORD],
      ['\ud800@x.example', '\ud800'.repeat(9)],
      ['x', ''],
      [`${'x'.repeat(100_000)}@x.example`, PASSWORD],
    ] as const) {
      const { status } = await signIn(email, password);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test('is ended by signing out: the cookie is worth nothing any more', async () => {
    const client = await school.signIn('leader');
    const { cookie } = client;
    await client.signOut();
    expect((await new Client(school, cookie).query('me')).status).toBe(401);
  });

  test('cannot be forged', async () => {
    const [name = '', value = ''] = (await school.signIn('leader')).cookie?.split('=') ?? [];
    const [token = '', signature = ''] = decodeURIComponent(value).split('.');
    const forged = [
      '',
      token,
      `${token}.`,
      `${token}.${signature.slice(0, -2)}`,
      `${token}x.${signature}`,
      `${token}.${Buffer.alloc(32).toString('base64')}`,
      '%',
      `${token}.${'A'.repeat(10_000)}`,
    ];
    for (const one of forged) expect([one, (await new Client(school, `${name}=${one}`).query('me')).status]).toEqual([one, 401]);
  });

  test('nobody makes themselves an account, or moves their own to another role or school', async () => {
    const client = await school.signIn('teacherA');
    const me = await client.ask('me');
    const identity = (path: string, body: object) => client.send(`/api/identity/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const wishes = {
      name: 'New',
      email: 'new@nowhere.example',
      newEmail: 'new@nowhere.example',
      password: PASSWORD,
      role: 'admin',
      accountId: school.accounts.admin,
      schoolId: randomUUID(),
    };
    for (const path of ['sign-up/email', 'update-user', 'change-email', 'change-password', 'delete-user', 'admin/set-role']) {
      expect(await problem(await identity(path, wishes))).toBe('404 not-found');
    }
    expect(await client.ask('me')).toEqual(me);
    await school.signIn('teacherA');
    await school.signIn('admin');
  });
});

describe('a request that is not well formed', () => {
  test("may come in chunks through Node's server, and without one", async () => {
    const server = await listen({ port: 0, host: '127.0.0.1' });
    server.answerWith((request) => school.fetch(request));
    const ask = async (method: string, path: string, body?: ReadableStream) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Cookie: admin.cookie ?? '' },
        ...(body ? { body, duplex: 'half' } : {}),
      });
      return `${answer.status} ${await answer.text()}`;
    };
    const inChunks = (text: string) => new Blob([text]).stream();
    try {
      expect(await ask('POST', '/api/queries/me', inChunks('{}'))).toMatch(/^200 .*"role":"admin"/);
      expect(await ask('POST', '/api/commands/RenameSchool', inChunks('{"name":""}'))).toMatch(/^422 .*Required/);
      expect(await ask('POST', '/api/commands/RenameSchool', inChunks('x'.repeat(8 * 1024 * 1024 + 1)))).toMatch(/^413 /);
      expect(await ask('OPTIONS', '/api/commands/RenameSchool')).toMatch(/^405 /);
      expect(await ask('PATCH', '/api/health')).toMatch(/^404 /);
    } finally {
      await server.close();
    }
    await nothingChanged();
  });

  test('is answered with the headers of security over the network as well: pages, refusals, and what is not there', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1' });
    try {
      server.answerWith(school.fetch);
      for (const path of ['/', '/log-in', '/api/health', '/api/queries/me', '/api/nothing', '/staff-ui/nothing.js']) {
        const over = await fetch(`http://127.0.0.1:${server.port}${path}`);
        const within = await school.fetch(new Request(`${ORIGIN}${path}`));
        expect([path, over.status]).toEqual([path, within.status]);
        for (const name of [...within.headers.keys()].filter((one) => SECURITY.test(one)))
          expect([path, name, over.headers.get(name)]).toEqual([path, name, within.headers.get(name)]);
        expect(over.headers.get('Content-Security-Policy')).toMatch(/^default-src 'self';/);
      }
    } finally {
      await server.close();
    }
  });

  test('is refused in words, where a name is too long or cannot be seen', async () => {
    const titleFor = async (name: string) =>
      ((await (await admin.post('/api/commands/RenameSchool', JSON.stringify({ name }))).json()) as Problem).title;
    expect(await titleFor('x'.repeat(201))).toBe('At most 200 characters.');
    expect(await titleFor('\u200b\u202e')).toBe('Required.');
    await nothingChanged();
  });

  test('is refused in words before it costs a password, where the name of a person has control characters', async () => {
    const person = { email: 'x@staff.example', password: PASSWORD, role: 'teacher' };
    for (const name of ['Ann\u0007 Smith', 'Ann\0Smith', 'Ann\u202e htimS', '\u2066Ann Smith\u2069', 'Ann\u009f'])
      expect((await admin.command('OpenStaffAccount', { ...person, name })).body).toMatchObject({
        status: 422,
        errors: [{ path: 'name', message: 'A name has no control characters. Type it again.' }],
      });
    const { body } = await admin.auth('registration', {
      name: 'Ann\u202e Smith',
      email: 'y@head.example',
      password: PASSWORD,
      confirmation: PASSWORD,
      terms: true,
      robot: 'none',
    });
    expect(body).toMatchObject({ status: 422, errors: [{ path: 'name' }] });
    await nothingChanged();
  });

  test.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'renameSchool',
    'RenameSchool%00',
    '<script>',
    '%F0%9F%98%80',
    'x'.repeat(5_000),
  ])('is refused: the name %s', async (name) => {
    expect(await problem(await admin.post(`/api/commands/${name}`, '{}'))).toBe('404 unknown-command');
    expect(await problem(await admin.post(`/api/queries/${name}`, '{}'))).toBe('404 unknown-query');
    await nothingChanged();
  });

  test.each([
    '/api',
    '/api/',
    '/api/commands',
    '/api/commands/',
    '/api/commands/RenameSchool/x',
    '/api/queries',
    '/api/auth/login',
    '/api/%',
    '/api/health/x',
  ])('is refused: the address %s', async (path) => {
    expect(await problem(await admin.send(path))).toBe('404 not-found');
  });

  test('says where and why, in words for people', async () => {
    const { body } = await admin.command('OpenStaffAccount', { name: ' ', email: 'nobody', password: 'short', role: 'king' });
    expect(body).toMatchObject({ type: 'about:blank', status: 422, code: 'invalid-input', title: 'Required' });
    expect(body.errors).toEqual([
      { path: 'name', message: 'Required' },
      { path: 'email', message: 'Invalid e-mail.' },
      { path: 'password', message: 'Min 8 characters' },
      { path: 'role', message: 'Select a role' },
    ]);
  });
});

test('no name that a caller made up becomes a figure: the metrics stay as many, and say nothing about anybody', async () => {
  const elsewhere = { Origin: 'https://evil.example' };
  for (const path of [
    '/api/commands/Sophie-Edwards',
    '/api/queries/Sophie-Edwards',
    '/api/Sophie-Edwards',
    '/api/identity/Sophie-Edwards',
  ]) {
    expect((await admin.post(path, '{}', elsewhere)).status).toBe(403);
    expect([404, 405]).toContain((await admin.send(path)).status);
  }
  await admin.query('me');
  const metrics = await (await admin.send('/api/metrics')).text();
  expect(metrics).not.toContain('Sophie');
  expect(metrics).toContain('route="/api/queries/me"');
});

describe('what neither the log nor a database can hold', () => {
  const badText = ['\0', '\ud800', '\udfff x'];
  const texts = (bad: string) => (value: unknown) => (typeof value === 'string' ? `${value}${bad}` : undefined);
  const numbers = (bad: unknown) => (value: unknown) => (typeof value === 'number' ? bad : undefined);
  const refusedAt = (path: string) => [422, 'invalid-input', expect.arrayContaining([expect.objectContaining({ path })])];

  test.each(
    (Object.keys(commandAccess) as CommandName[]).filter(
      (name) => commandAccess[name].roles.includes('admin') && commandAccess[name].within !== 'self',
    ),
  )('is refused in every field of %s', async (name) => {
    const body = commandSamples(school, spare)[name];
    let isTaken = false;
    for (const damage of [...badText.map(texts), numbers(1e300), numbers(2 ** 53), numbers(0.5)]) {
      for (const one of damaged(body, damage)) {
        const answer = await admin.command(name, one.body);
        // Any whole number may be typed into a grid: what is no mark is listed there. A score may be half a point.
        if (answer.status === 200 && (name === 'EnterMarks' || one.path === 'rows.0.score')) {
          isTaken = true;
          continue;
        }
        expect([answer.status, answer.body.code, answer.body.errors]).toEqual(refusedAt(one.path));
      }
    }
    if (!isTaken) await nothingChanged();
  });

  test.each(Object.keys(queryAccess) as QueryName[])('is refused in every field of the query %s', async (name) => {
    for (const damage of badText.map(texts)) {
      for (const one of damaged(querySamples(school)[name], damage)) {
        const answer = await admin.query(name, one.body);
        expect([answer.status, answer.body.code, answer.body.errors]).toEqual(refusedAt(one.path));
      }
    }
  });

  test('is refused as a date', async () => {
    const body = commandSamples(school, spare)['AddStudent'];
    for (const dateOfBirth of [
      '0000-01-01',
      '0001-01-01',
      '3001-01-01',
      '2009-02-30',
      '2009-2-3',
      '31/01/2009',
      '+012009-01-01',
      '2009-01-01T00:00:00Z',
      '',
    ]) {
      expect([dateOfBirth, (await admin.command('AddStudent', { ...body, dateOfBirth })).status]).toEqual([dateOfBirth, 422]);
    }
    const save = commandSamples(school, spare)['EnterMarks'];
    for (const typedAt of [
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01',
      'now',
    ]) {
      expect([typedAt, (await admin.command('EnterMarks', { ...save, typedAt })).status]).toEqual([typedAt, 422]);
    }
    await nothingChanged();
  });

  test('is recorded within the last 30 days, where the clock of a device says otherwise, with what it said beside it', async () => {
    const { ids } = school;
    const day = 24 * 3_600_000;
    const began = Date.now();
    for (const [typedAt, days] of [
      ['2001-01-01T00:00:00.000Z', -30],
      ['2999-12-31T23:59:59Z', 0],
      [new Date(began - 29 * day).toISOString(), undefined],
    ] as const) {
      const entryId = randomUUID();
      const cells = [{ studentId: ids.students['A1'], testId: ids.mock, is: 4 }];
      await admin.done('EnterMarks', { entryId, subjectId: ids.maths, seq: 1, typedAt, cells });
      const saved = [];
      for await (const event of school.backend.eventsOf(school.schoolId)) if (event.stream.endsWith(entryId)) saved.push(event.metadata);
      const metadata = saved[0] ?? expect.unreachable();
      if (days === undefined) {
        expect(metadata).toMatchObject({ typedAt });
        expect(metadata).not.toHaveProperty('typedAtClaimed');
      } else {
        expect(metadata.typedAtClaimed).toBe(typedAt);
        expect(Date.parse(metadata.typedAt ?? '') - Date.parse(metadata.at)).toBe(days * day);
      }
    }
    nothingChanged = await writesNothing(school);
  });

  test('is refused as a zero with a sign', async () => {
    const answer = await admin.post(
      '/api/commands/UploadTotals',
      JSON.stringify(commandSamples(school, spare)['UploadTotals']).replace('"totals":[7]', '"totals":[-0]'),
    );
    expect(await problem(answer)).toBe('422 invalid-input');
    await nothingChanged();
  });

  test('has stopped no read model', async () => {
    const { ids } = school;
    const letters = 'Zoë \u202e \ufeff 😀 \u0007 "\\u0000" \'; drop table read.students; --';
    const honest = letters.replaceAll('\u202e', '').replaceAll('\u0007', '').slice(0, 50);
    await admin.done('ChangeTeacher', { subjectId: ids.maths, teacherId: ids.recordB, name: honest });
    await admin.done('RenameSubject', { subjectId: ids.maths, name: letters.slice(0, 50) });
    await admin.done('UploadTotals', { ...commandSamples(school, spare)['UploadTotals'], fileName: `${letters}.csv` });
    await admin.ask('uploads', { subjectId: ids.maths });
    const health = await admin.send('/api/health');
    expect(await health.json()).toMatchObject({ status: 'ok', problems: [] });
  });
});
