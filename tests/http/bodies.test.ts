import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import type { Owner } from '../../api/http/body/budget.ts';
import { BodyBudget } from '../../api/http/body/budget.ts';
import { Bodies, readingBodies } from '../../api/http/body/body.ts';
import { LargeJson, requireFlat } from '../../api/http/body/json.ts';
import { postJsonAs } from '../../api/http/openapi/route-docs.ts';
import { problemAnswer } from '../../api/http/problem-answer.ts';
import type { HttpServer } from '../../run/http/http-server.ts';
import { listen } from '../../run/http/http-server.ts';
import { Client } from '../support/client.ts';
import { heldBody } from '../support/held-body.ts';
import { problem } from '../support/refused.ts';
import type { School } from '../support/school.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

/** How much of a body is taken, from whom, for how long, and what it costs everybody else. */

const KB = 1024;
const MB = 1024 * KB;
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

const school = await openSchool();
closing.push(() => school.close());

/** The school behind Node's server, as people reach it. */
const served = async (of: School, more: Partial<Parameters<typeof listen>[0]> = {}): Promise<HttpServer> => {
  const server = await listen({ port: 0, host: '127.0.0.1', ...more });
  server.answerWith((request, environment) => of.fetch(request, environment));
  closing.push(() => server.close());
  return server;
};

const metric = async (of: School, line: string): Promise<number> => {
  const text = await (await new Client(of).send('/api/metrics')).text();
  const found = text.split('\n').find((one) => one.startsWith(line));
  return Number(found?.split(' ').at(-1) ?? 0);
};
const refusedBy = (of: School, limit: string) => metric(of, `marktrail_refused_by_limit_total{limit="${limit}"}`);

/**
 * A request over a connection of its own, of whose body only the beginning comes. `declared`: how long it says that it is; left out: it comes
 * in chunks. `answer`: all that comes back until it is closed.
 */
const unfinished = async (
  server: HttpServer,
  path: string,
  beginning: string,
  { cookie = '', declared }: { cookie?: string | undefined; declared?: number } = {},
): Promise<Unfinished> => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  // Whoever is cut off is told nothing else.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: marktrail.test\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\n` +
      (declared === undefined
        ? `Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(beginning).toString(16)}\r\n${beginning}\r\n`
        : `Content-Length: ${declared}\r\n\r\n${beginning}`),
  );
  return { socket, soFar: () => text, answer: closed.then(() => text) };
};
type Unfinished = { readonly socket: Socket; readonly soFar: () => string; readonly answer: Promise<string> };

describe('how large a body may be', () => {
  const large = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes) });

  test.each([
    ['admin', 'commands/RenameSchool', 300 * KB, '413 too-large'],
    ['admin', 'commands/RenameSchool', 250 * KB, '422 invalid-input'],
    ['admin', 'rest/subjects', 300 * KB, '413 too-large'],
    ['admin', 'commands/ImportStudents', 300 * KB, '422 invalid-input'],
    ['admin', 'queries/preview-students', 300 * KB, '422 invalid-input'],
    ['admin', 'commands/ImportStudents', 8 * MB, '413 too-large'],
    ['teacherA', 'commands/EnterMarks', 300 * KB, '422 invalid-input'],
    ['teacherA', 'commands/UploadTotals', 300 * KB, '422 invalid-input'],
    ['student', 'commands/SaveFeedback', 65 * KB, '413 too-large'],
    ['student', 'commands/SaveFeedback', 60 * KB, '422 invalid-input'],
    ['student', 'commands/ImportStudents', 8 * MB, '403 forbidden'],
  ] as const)('%s, %s, %i: %s', async (role, path, bytes, answer) => {
    expect(await problem(await (await school.as(role)).post(`/api/${path}`, large(bytes)))).toBe(answer);
  });

  test('a route says by itself that it takes the rows of staff', async () => {
    const http = new Hono();
    const actor = (role: Actor['role']): Actor => ({ ...systemActor('a school'), role });
    http.use(readingBodies(new Bodies()));
    http.onError((error, c) => problemAnswer(c, error, { ...school.backend, log: undefined as never }));
    for (const role of ['teacher', 'student'] as const)
      postJsonAs(http, async () => ({ actor: actor(role) }))(
        `/${role}`,
        { does: 'Takes rows.', takes: z.array(z.string()), answers: z.object({ rows: z.int() }), largest: 'upload' },
        async (_c, rows) => ({ rows: rows.length }),
      );
    const rows = JSON.stringify(Array.from({ length: 50_000 }, () => 'a row'));
    const post = (path: string) => http.request(path, { method: 'POST', body: rows, headers: { 'Content-Type': 'application/json' } });
    expect(await (await post('/teacher')).json()).toEqual({ rows: 50_000 });
    expect((await post('/student')).status).toBe(413);
  });

  test('the description of the addresses says so', async () => {
    const { paths } = (await (await new Client(school).send('/api/openapi.json')).json()) as {
      paths: Record<string, { post: { requestBody: { description: string } } }>;
    };
    expect(paths['/api/commands/ImportStudents']?.post.requestBody.description).toBe('At most 8 MB.');
    expect(paths['/api/commands/RenameSchool']?.post.requestBody.description).toBe('At most 256 kB.');
    expect(paths['/api/commands/SaveFeedback']?.post.requestBody.description).toBe('At most 64 kB.');
    expect(paths['/api/commands/ReopenFeedback']?.post.requestBody.description).toBe('At most 256 kB; 64 kB of a student.');
    expect(paths['/api/queries/preview-totals']?.post.requestBody.description).toBe('At most 8 MB.');
    expect(paths['/api/door/join/code']?.post.requestBody.description).toBe('At most 512 kB.');
  });

  test('more than anybody sends in a minute is refused until the next, which the metrics show; others notice nothing', async () => {
    const student = await school.signIn('student');
    const before = await refusedBy(school, 'bytes in a minute');
    const padded = `{${' '.repeat(63 * KB)}}`;
    let answer = await student.post('/api/queries/me', padded);
    for (let sent = 1; sent < 34 && answer.status === 200; sent++) answer = await student.post('/api/queries/me', padded);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await problem(answer)).toBe('429 too-fast');
    expect(await refusedBy(school, 'bytes in a minute')).toBe(before + 1);
    expect((await (await school.as('teacherA')).post('/api/queries/me', padded)).status).toBe(200);
  });
});

describe('what a body is made of', () => {
  test.each([
    ['deep', '['.repeat(4 * MB) + ']'.repeat(4 * MB)],
    ['lists in lists', `[${'[],'.repeat(2 * MB)}0]`],
    ['objects', `[${'{"a":0},'.repeat(900 * KB)}0]`],
    ['fields of one object', `{${Array.from({ length: 400_000 }, (_, n) => `"field ${n}":0`).join()}}`],
    ['deep behind a text that looks like an end', `["\\\\\\"]",${'['.repeat(4 * MB)}`],
  ])('%s is refused before anything is made of it', async (_, text) => {
    const answer = await (await school.as('teacherA')).post('/api/commands/UploadTotals', text);
    expect(await answer.json()).toMatchObject({ status: 422, detail: 'It has more lists, objects or levels of them than any request.' });
  });

  test('the largest upload is none of that', () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ admissionNo: `${n}`, name: '["{\\', marks: Array(50).fill(1) }));
    const cells = Array.from({ length: 20_000 }, (_, n) => ({
      studentId: `${n}`,
      testId: '',
      questionId: '',
      is: 1,
      was: [1, 2],
      why: ':[{',
    }));
    for (const body of [{ rows, saw: rows }, { cells }]) requireFlat(Buffer.from(JSON.stringify(body)));
  });

  test('large ones are parsed in turns: a school that sends many does not make another wait for all of them', async () => {
    const json = new LargeJson();
    const done: string[] = [];
    const parse = (group: string, one: string) =>
      json.parse({ group, one }, new TextEncoder().encode('[1]')).then(() => void done.push(group));
    await Promise.all([...Array.from({ length: 12 }, (_, n) => parse('large', `teacher ${n % 3}`)), parse('small', 'teacher')]);
    expect(done.indexOf('small')).toBeLessThan(4);
  });

  test('and whoever asks something short is answered before all of them have been', async () => {
    const [teacher, leader] = await Promise.all([school.as('teacherA'), school.as('leader')]);
    const wide = `[${'[],'.repeat(240_000)}0]`;
    const done: string[] = [];
    const large = Array.from({ length: 6 }, () => teacher.post('/api/commands/UploadTotals', wide).then(() => done.push('large')));
    await Promise.race(large);
    const short = leader.post('/api/queries/me', '{}').then(() => done.push('short'));
    await Promise.all([...large, short]);
    expect(done.indexOf('short')).toBeLessThan(5);
  });
});

describe('the memory for bodies', () => {
  const of = (group: string, one = 'somebody'): Owner => ({ group, one });
  const taking = (budget: BodyBudget, owner: Owner, bytes: number) => {
    const lost: Error[] = [];
    const place = budget.place(owner, (why) => lost.push(why));
    place.growTo(bytes);
    return { place, lost };
  };
  const refused = { problem: { status: 503, code: 'busy' }, retryAfter: 3 };
  const expectRefused = (take: () => unknown) => {
    let error: unknown;
    try {
      take();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject(refused);
  };

  test('an account has 8 MB of it, a school a quarter, and all of them 64 MB', () => {
    const budget = new BodyBudget();
    taking(budget, of('A', 'one'), 8 * MB);
    expectRefused(() => taking(budget, of('A', 'one'), MB));
    taking(budget, of('A', 'two'), 6 * MB);
    expectRefused(() => taking(budget, of('A', 'three'), MB));
    for (const group of ['B', 'C', 'nobody']) for (const one of ['one', 'two']) taking(budget, of(group, one), 7 * MB);
    expectRefused(() => taking(budget, of('D'), MB));
    expect(budget.bytes).toBe(56 * MB);
  });

  test('what people type finds room however much is uploaded, in their own school too', () => {
    const budget = new BodyBudget();
    for (const group of ['A', 'B', 'C', 'D']) for (const one of ['one', 'two']) taking(budget, of(group, one), 7 * MB);
    for (let n = 0; n < 30; n++) taking(budget, of('A', `typist ${n}`), 60 * KB);
    expect(budget.bytes).toBe(56 * MB + 30 * 60 * KB);
  });

  test('half-open bodies give way to smaller ones, which have come or will soon; those that have come do not', () => {
    const budget = new BodyBudget();
    const open = Array.from({ length: 8 }, () => taking(budget, of('nobody', 'network'), 64 * KB));
    const logIn = taking(budget, of('nobody', 'network'), KB);
    expect(open.map(({ lost }) => lost.length).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(open.flatMap(({ lost }) => lost)[0]).toMatchObject(refused);
    expect(logIn.lost).toEqual([]);
    for (const { place } of open) place.arrived();
    taking(budget, of('nobody', 'network'), 63 * KB);
    expectRefused(() => taking(budget, of('nobody', 'network'), 63 * KB));
  });

  test('is given back, also by what has grown out of the reserve', () => {
    const budget = new BodyBudget();
    const { place } = taking(budget, of('A'), 64 * KB);
    place.growTo(5 * MB);
    expect(budget.bytes).toBe(5 * MB);
    place.release();
    expect(budget.bytes).toBe(0);
    taking(budget, of('A'), 8 * MB);
  });
});

describe('bodies that do not come to an end', () => {
  test('are answered 408 and cut off after their time, an upload later; what had come of them is not kept', async () => {
    const slow = await openSchool({ bodies: { seconds: { other: 0.2, upload: 60 } } });
    closing.push(() => slow.close());
    const server = await served(slow);
    const { cookie } = await slow.signIn('admin');
    const upload = await unfinished(server, '/api/commands/ImportStudents', '{"rows":', { cookie });
    const typed = await unfinished(server, '/api/commands/RenameSchool', `{"name":"${'x'.repeat(100 * KB)}`, { cookie });
    const declared = await unfinished(server, '/api/commands/RenameSchool', '{"name":', { cookie, declared: 200 * KB });
    const short = await unfinished(server, '/api/commands/RenameSchool', '{"name":', { cookie, declared: 20 });
    const logIn = await unfinished(server, '/api/identity/sign-in/email', '{');
    for (const { answer } of [typed, declared, short, logIn]) {
      const text = await answer;
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(text).toMatch(/Content-Type: application\/problem\+json/i);
      expect(text).toMatch(/Connection: close/i);
      expect(text).toContain('"code":"too-slow"');
    }
    expect(await refusedBy(slow, 'time of a body')).toBe(4);
    expect(await metric(slow, 'marktrail_body_bytes')).toBe('{"rows":'.length);
    upload.socket.write('3\r\n[]}\r\n0\r\n\r\n');
    await expect.poll(() => upload.soFar()).toMatch(/^HTTP\/1\.1 422 /);
    upload.socket.destroy();
    await expect.poll(() => metric(slow, 'marktrail_body_bytes')).toBe(0);
  });

  test('a hundred of strangers keep nobody from logging in, nor signed-in people from saving, and their memory is given back', async () => {
    const server = await served(school);
    const half = `{"email":"${'x'.repeat(60 * KB)}`;
    const open = await Promise.all(Array.from({ length: 100 }, () => unfinished(server, '/api/identity/sign-in/email', half)));
    await expect.poll(() => open.filter(({ soFar }) => soFar().startsWith('HTTP/1.1 503')).length).toBeGreaterThan(80);
    expect(await metric(school, 'marktrail_body_bytes')).toBeLessThanOrEqual(512 * KB);
    const asked = (path: string, body: unknown, cookie = '') =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        body: JSON.stringify(body),
      });
    expect((await asked('/api/identity/sign-in/email', { email: school.email('leader'), password: PASSWORD })).status).toBe(200);
    const { cookie } = await school.as('leader');
    expect((await asked('/api/queries/me', {}, cookie)).status).toBe(200);
    expect(await refusedBy(school, 'bodies under way')).toBeGreaterThan(80);
    for (const { socket } of open) socket.destroy();
    await expect.poll(() => metric(school, 'marktrail_body_bytes')).toBe(0);
  });

  test('an upload that its sender breaks off is neither stored nor logged as a failure of ours', async () => {
    const held = heldBody({});
    const admin = await school.as('admin');
    const sending = admin.send('/api/commands/ImportStudents', {
      method: 'POST',
      body: held.stream.pipeThrough(
        new TransformStream({
          transform() {
            throw new Error('gone');
          },
        }),
      ),
      duplex: 'half',
    });
    await held.wanted;
    held.comes();
    expect(await problem(await sending)).toBe('422 invalid-input');
  });
});

describe('connections', () => {
  const open = async (server: HttpServer): Promise<{ readonly socket: Socket; readonly answers: () => Promise<boolean> }> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return {
      socket,
      answers: async () => {
        socket.write('GET /api/health/live HTTP/1.1\r\nHost: marktrail.test\r\n\r\n');
        return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
      },
    };
  };

  test('a network has its share of them, and gets a place back when one is closed', async () => {
    const server = await served(school, { connections: { inAll: 100, ofNetwork: 3 } });
    const before = await refusedBy(school, 'connections of a network');
    const three = [await open(server), await open(server), await open(server)] as const;
    const fourth = await open(server);
    if (!fourth.socket.closed) await once(fourth.socket, 'close');
    expect(await refusedBy(school, 'connections of a network')).toBe(before + 1);
    for (const { answers } of three) expect(await answers()).toBe(true);
    three[0].socket.destroy();
    await expect.poll(async () => (await open(server)).answers()).toBe(true);
    for (const { socket } of three) socket.destroy();
  });

  test("a trusted proxy has everybody's, and there are only so many in all", async () => {
    const server = await served(school, { trustedProxies: ['127.0.0.0/8'], connections: { inAll: 3, ofNetwork: 1 } });
    const three = [await open(server), await open(server), await open(server)];
    for (const { answers } of three) expect(await answers()).toBe(true);
    const before = await refusedBy(school, 'connections');
    const fourth = await open(server);
    if (!fourth.socket.closed) await once(fourth.socket, 'close');
    expect(await refusedBy(school, 'connections')).toBe(before + 1);
    for (const { socket } of three) socket.destroy();
  });

  test('that are idle are kept for longer than a proxy keeps its own, and shortly where browsers come by themselves', async () => {
    const keptFor = async (more: Partial<Parameters<typeof listen>[0]>) => {
      const server = await served(school, more);
      return (await fetch(`http://127.0.0.1:${server.port}/api/health/live`)).headers.get('Keep-Alive');
    };
    expect(await keptFor({ trustedProxies: 1 })).toBe('timeout=75');
    expect(await keptFor({ trustedProxies: ['10.0.0.0/8'] })).toBe('timeout=75');
    expect(await keptFor({})).toBe('timeout=5');
    expect(await keptFor({ trustedProxies: 0 })).toBe('timeout=5');
  });
});
