import { expect, test } from 'vitest';
import { createApi } from '../../ui/api/client.ts';
import { ApiRefusal, Unreachable } from '../../ui/api/failure.ts';

type Sent = { readonly path: string; readonly headers: Headers };

/** A server that gives these answers in turn; 'nothing': the connection breaks. */
const serving = (...answers: (Response | 'nothing')[]) => servingTo(false, ...answers);

/** `present`: somebody is at work, who can log in again. */
const servingTo = (present: boolean, ...answers: (Response | 'nothing')[]) => {
  const sent: Sent[] = [];
  const notices: (string | undefined)[] = [];
  const again: (() => void)[] = [];
  const api = createApi({
    fetch: async (path, init) => {
      sent.push({ path: String(path), headers: new Headers(init?.headers) });
      const answer = answers.shift() ?? 'nothing';
      if (answer === 'nothing') throw new TypeError('Failed to fetch');
      return answer;
    },
    pause: async () => {},
    onRetrying: (reason) => {
      const far = reason?.preparing ? ` ${reason.preparing.done}/${reason.preparing.total}` : '';
      notices.push(reason && `${reason.storing ? 'storing: ' : ''}${reason.why}${far}`);
    },
    onSignedOut: () => (present ? new Promise<void>((resolve) => again.push(resolve)) : undefined),
  });
  return { api, sent, notices, again };
};

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ type: 'about:blank', title: 'What happened', status, code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });
const stored = (position: string | null) => Response.json({ position, revision: '0', result: {} });
const undo = { entryId: 'e', commandId: 'c' };

test('a command whose answer was lost goes out again under the same key', async () => {
  const { api, sent, notices } = serving('nothing', 'nothing', stored('7'));
  await api.command('UndoCommand', undo, { key: 'one-act' });
  expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['one-act', 'one-act', 'one-act']);
  expect(notices).toEqual(['storing: unreachable', 'storing: unreachable', undefined]);
});

test('a query asks for what the reader has just written', async () => {
  const { api, sent } = serving(stored('9'), stored('10'), stored(null), Response.json({}));
  for (const key of ['a', 'b', 'c']) await api.command('UndoCommand', undo, { key });
  await api.query('markbook', { yearGroupId: 'y' });
  expect(sent.at(-1)?.path).toBe('/api/queries/markbook?yearGroupId=y');
  expect(sent.at(-1)?.headers.get('X-Min-Position')).toBe('10');
});

test('a question that is too long for an address follows what changes its answer, if the page wants it', async () => {
  const answer = () => Response.json({}, { headers: { 'X-Channels': 'marks:maths/ten', 'X-Read-Position': '7' } });
  const { api } = serving(answer(), answer());
  const ask = { taskId: 'task', terminalExamId: 'exam', testIds: [] };
  await api.ask('ranking-preview', ask, { as: 'followed' });
  await api.ask('ranking-preview', ask);
  const isConcerned = api.answers.concernedBy(['marks:maths/ten']);
  expect(['followed', 'ranking-preview'].map((name) => isConcerned({ queryHash: name, queryKey: ['ranking-preview', ask] }))).toEqual([
    true,
    false,
  ]);
});

test('positions heard live count too, and an older one does not turn the clock back', async () => {
  const { api, sent } = serving(Response.json({}));
  api.seen('100');
  api.seen('99');
  await api.query('me', {});
  expect(sent[0]?.headers.get('X-Min-Position')).toBe('100');
});

test('a read model that is behind is waited for, and the reader is told', async () => {
  const { api, notices } = serving(problem(503, 'read-model-behind'), Response.json({ name: 'Grace' }));
  expect(await api.query('me', {})).toEqual({ name: 'Grace' });
  expect(notices).toEqual(['catching-up', undefined]);
});

test('an earlier moment that is being put together is waited for, and the reader is told how far it is; who leaves asks no more', async () => {
  const preparing = () => Response.json({ done: 12_300, total: 18_900 }, { status: 202 });
  const { api, sent, notices } = serving(preparing(), preparing(), Response.json({ name: 'Grace' }), preparing());
  const asOf = '2026-03-12T09:00:00Z';
  expect(await api.query('me', {}, { asOf })).toEqual({ name: 'Grace' });
  expect(notices).toEqual(['preparing 12300/18900', 'preparing 12300/18900', undefined]);
  expect(sent.map(({ headers }) => headers.get('Prefer'))).toEqual(Array(3).fill('respond-async'));
  const leaving = new AbortController();
  const asked = api.query('me', {}, { asOf, signal: leaving.signal });
  leaving.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  expect([sent.length, notices.at(-1)]).toEqual([4, undefined]);
});

test('a server that asks for a slower pace is obeyed without a word: the same save is sent again until it is stored', async () => {
  const { api, sent, notices } = serving(problem(429, 'too-fast'), problem(429, 'too-fast'), stored('7'));
  expect((await api.command('UndoCommand', undo, { key: 'one-act' })).position).toBe('7');
  expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['one-act', 'one-act', 'one-act']);
  expect(notices.filter((notice) => notice !== undefined)).toEqual([]);
});

test('a restart is waited for: nobody there, a web server in front that says so, a server that is starting', async () => {
  const gateway = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const { api, sent, notices } = serving('nothing', gateway(), problem(503, 'starting'), stored('7'));
  await api.command('UndoCommand', undo, { key: 'one-act' });
  expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key')))).toEqual(new Set(['one-act']));
  expect(notices).toEqual(['storing: unreachable', 'storing: unreachable', 'storing: starting', undefined]);
});

test('a refusal is not tried again, and keeps what the server said', async () => {
  const { api, sent } = serving(problem(422, 'above-maximum'));
  const refused = await api.command('UndoCommand', undo, { key: 'k' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiRefusal);
  expect((refused as ApiRefusal).code).toBe('above-maximum');
  expect(sent).toHaveLength(1);
});

test('neither a command nor a question gives up: a long outage ends with an answer', async () => {
  const away = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? problem(503, 'store-unavailable') : problem(503, 'starting')));
  const { api, sent, notices } = serving(...away, stored('7'));
  await api.command('UndoCommand', undo, { key: 'one-act' });
  expect(sent).toHaveLength(41);
  expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key')))).toEqual(new Set(['one-act']));
  expect(new Set(notices.slice(0, -1))).toEqual(new Set(['storing: unavailable', 'storing: starting']));
  expect(notices.at(-1)).toBeUndefined();
});

test('a log-in gives up after some tries and says what to do: the form is still there', async () => {
  const { api, sent, notices } = serving();
  await expect(api.signIn('ada@school.example', 'secret')).rejects.toThrow(Unreachable);
  expect(sent).toHaveLength(6);
  expect(notices.at(-1)).toBeUndefined();
});

test('a session that ends in the middle of work holds a command until its owner has logged in again', async () => {
  const { api, sent, again } = servingTo(true, problem(401, 'not-authenticated'), stored('7'));
  const done = api.command('UndoCommand', undo, { key: 'one-act' });
  await expect.poll(() => again.length).toBe(1);
  expect(sent).toHaveLength(1);
  again[0]?.();
  await done;
  expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['one-act', 'one-act']);
});

test('where nobody was at work, a session that has ended is told at once', async () => {
  const { api } = serving(problem(401, 'not-authenticated'));
  await expect(api.query('me', {})).rejects.toMatchObject({ code: 'not-authenticated' });
});

test('whoever leaves a page while a refusal is being read has no failure: the question was cancelled', async () => {
  const reading = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const unexpected: unknown[] = [];
  const api = createApi({
    // As a browser does: what is left of the body ends with the signal.
    fetch: async (_path, init) => {
      const start = (body: ReadableStreamDefaultController) =>
        init?.signal?.addEventListener('abort', () => body.error(new DOMException('Left', 'AbortError')));
      const body = new ReadableStream({ start, pull: () => reading.resolve() });
      return new Response(body, { status: 409, headers: { 'Content-Type': 'application/problem+json' } });
    },
    onUnexpected: (failure) => void unexpected.push(failure),
  });
  const asked = api.query('me', {}, { signal: leaving.signal });
  await reading.promise;
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(unexpected).toEqual([]);
});

test('a refusal whose end is lost is asked for again', async () => {
  const cut = new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }), {
    status: 409,
    headers: { 'Content-Type': 'application/problem+json' },
  });
  const { api } = serving(cut, Response.json({ name: 'Grace' }));
  expect(await api.query('me', {})).toEqual({ name: 'Grace' });
});

test('an answer of something else on the way is a failure, not a success', async () => {
  const { api } = serving(new Response('<h1>Not here</h1>', { status: 500 }));
  await expect(api.query('me', {})).rejects.toMatchObject({ code: 'internal-error' });
});

test('what a web server in front finds too large says so, and is not tried again', async () => {
  const { api, sent } = serving(new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 }));
  await expect(api.command('UndoCommand', undo)).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringMatching(/^This is larger than the web server/u),
  });
  expect(sent).toHaveLength(1);
});

test('what is refused to one who was viewed before, is asked as the one who is viewed by then; what stores something is not sent again', async () => {
  const { api, sent } = serving(
    problem(403, 'forbidden'),
    Response.json({ name: 'Grace' }),
    problem(403, 'forbidden'),
    problem(403, 'forbidden'),
  );
  const during = async (asking: Promise<unknown>, then: string) => {
    api.viewAs(then);
    return asking.catch((error: unknown) => (error as ApiRefusal).viewAs);
  };
  api.viewAs('teacher priya');
  expect(await during(api.query('me', {}), 'teacher tom')).toEqual({ name: 'Grace' });
  expect(await during(api.query('me', {}), 'teacher tom')).toBe('teacher tom');
  expect(await during(api.command('UndoCommand', undo, { key: 'one-act' }), 'teacher priya')).toBe('teacher tom');
  expect(sent.map(({ headers }) => headers.get('X-View-As'))).toEqual(['teacher priya', 'teacher tom', 'teacher tom', 'teacher tom']);
});

test('what a page changes names whom it is for, on every try; what it reads does not, so that it finds out who is there now', async () => {
  const { api, sent } = serving(stored('1'), 'nothing', stored('2'), Response.json({}));
  await api.command('UndoCommand', undo, { key: 'before anybody is known' });
  api.sendFor('ada');
  await api.command('UndoCommand', undo, { key: 'later' });
  await api.query('me', {});
  expect(sent.map(({ headers }) => headers.get('X-Account'))).toEqual([null, 'ada', 'ada', null]);
});
