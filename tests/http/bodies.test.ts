import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../api/actor.ts';
import { systemActor } from '../../api/actor.ts';
import { givingBack } from '../../api/http/body.ts';
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
    const http = new Hono().use(givingBack);
    const actor = (role: Actor['role']): Actor => ({ ...systemActor('a school'), role });
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
    expect(paths['/api/door/join/code']?.post.requestBody.description).toBe('At most 64 kB.');
  });
});

describe('what a body is made of', () => {
  test.each([
    ['deep', '['.repeat(4 * MB) + ']'.repeat(4 * MB)],
    ['lists in lists', `[${'[],'.repeat(2 * MB)}0]`],
    ['objects', `[${'{"a":0},'.repeat(900 * KB)}0]`],
    ['fields of one object', `{${Array.from({ length: 310_000 }, (_, n) => `"field ${n}":0`).join()}}`],
  ])('%s is refused before anything is made of it', async (_, text) => {
    const answer = await (await school.as('teacherA')).post('/api/commands/UploadTotals', text);
    expect(await answer.json()).toMatchObject({ status: 422, detail: 'It has more lists, objects or fields than any request.' });
  });

  test('the largest upload is none of that', async () => {
    const cells = Array.from({ length: 20_000 }, (_, n) => ({
      studentId: `${n}`,
      testId: '',
      questionId: '',
      is: 1,
      was: [1, 2],
      why: '',
    }));
    const answer = await (await school.as('teacherA')).post('/api/commands/EnterMarks', JSON.stringify({ cells }));
    expect(await answer.text()).not.toContain('more lists');
  });

  test('whoever asks something short is answered before all that are sent at once have been', async () => {
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

describe('bodies that do not come to an end', () => {
  const begun = async (server: HttpServer, cookie: string | undefined, bytes: number) =>
    unfinished(server, '/api/commands/UploadTotals', `{"rows":"${'x'.repeat(bytes - 9)}`, { cookie });
  const posted = (server: HttpServer, path: string, body: unknown, cookie = '') =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify(body),
    });
  const bytes = () => metric(school, 'marktrail_body_bytes');

  test('are cut off by Node after their time, and what had come of them is not kept', async () => {
    const server = await served(school, { times: { headersTimeout: 400, requestTimeout: 400, connectionsCheckingInterval: 50 } });
    const { cookie } = await school.as('admin');
    const upload = await begun(server, cookie, MB);
    const logIn = await unfinished(server, '/api/identity/sign-in/email', '{', { declared: 20 });
    for (const { answer } of [upload, logIn]) expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close/i);
    await expect.poll(bytes).toBe(0);
  });

  test('have 8 MB of an account, 14 MB of a school: what people type and another school uploads still finds room', async () => {
    const server = await served(school);
    const [one, two, three] = [await school.as('teacherA'), await school.as('teacherB'), await school.as('leader')];
    const other = await (await school.neighbour()).as('leader');
    const open = [await begun(server, one.cookie, 7 * MB)];
    await expect.poll(bytes).toBe(7 * MB);
    const second = await begun(server, one.cookie, 2 * MB);
    await expect.poll(second.soFar).toMatch(/^HTTP\/1\.1 503 [^]*"code":"busy"/);
    open.push(second, await begun(server, two.cookie, 6 * MB));
    await expect.poll(bytes).toBe(13 * MB);
    const third = await begun(server, three.cookie, 2 * MB);
    await expect.poll(third.soFar).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 3/i);
    open.push(third);
    expect((await posted(server, '/api/queries/me', {}, one.cookie)).status).toBe(200);
    expect((await posted(server, '/api/commands/UploadTotals', { padding: 'x'.repeat(1.5 * MB) }, other.cookie)).status).toBe(422);
    for (const { socket } of open) socket.destroy();
    await expect.poll(bytes).toBe(0);
  });

  test('a hundred of strangers keep nobody from logging in, nor signed-in people from saving', async () => {
    const server = await served(school);
    const half = `{"email":"${'x'.repeat(60 * KB)}`;
    const open = await Promise.all(Array.from({ length: 100 }, () => unfinished(server, '/api/identity/sign-in/email', half)));
    expect((await posted(server, '/api/identity/sign-in/email', { email: school.email('leader'), password: PASSWORD })).status).toBe(200);
    expect((await posted(server, '/api/queries/me', {}, (await school.as('leader')).cookie)).status).toBe(200);
    for (const { socket } of open) socket.destroy();
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
