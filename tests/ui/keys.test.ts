import { expect, test } from 'vitest';
import { createApi } from '../../ui/api/client.ts';

type Answer = { readonly status: number; readonly code?: string };
const STORED: Answer = { status: 200 };
const REFUSED: Answer = { status: 409, code: 'conflict' };
/** The server failed after it may have stored it. */
const FAILED: Answer = { status: 500, code: 'internal-error' };

/** A server that gives these answers in turn. `keys`: of what it was sent. */
const serving = (...answers: readonly Answer[]) => {
  const keys: (string | null)[] = [];
  const left = [...answers];
  const api = createApi({
    fetch: async (_path, init) => {
      keys.push(new Headers(init?.headers).get('Idempotency-Key'));
      const { status, code } = left.shift() ?? STORED;
      if (code === undefined) return Response.json({ position: null, revision: '0', result: {} });
      return new Response(JSON.stringify({ type: 'about:blank', title: 'What happened', status, code }), {
        status,
        headers: { 'Content-Type': 'application/problem+json' },
      });
    },
    pause: async () => {},
  });
  const show = (visible: boolean) => api.command('ShowAssessment', { testId: 'mock', visible }).catch(() => undefined);
  const rename = (name: string) =>
    api.rest('/api/rest/subjects/maths', { method: 'PUT', body: JSON.stringify({ name }), match: '1' }).catch(() => undefined);
  return { keys, show, rename };
};

test('pressed again after the server failed, the same input has the same key; changed input and the next act have others', async () => {
  const { keys, show } = serving(FAILED, FAILED);
  await show(true);
  await show(false);
  await show(true);
  await show(true);
  const [on, off, again, next] = keys;
  expect(again).toBe(on);
  expect(new Set([on, off, next]).size).toBe(3);
});

test('pressed twice at once, it is one act', async () => {
  const { keys, show } = serving();
  await Promise.all([show(true), show(true)]);
  expect(keys[1]).toBe(keys[0]);
});

test('a refusal is certain: what is sent after it is another act', async () => {
  const { keys, show } = serving(REFUSED);
  await show(true);
  await show(true);
  expect(keys[1]).not.toBe(keys[0]);
});

test('on, off and on again: the second is not answered by the first, though nobody knows what became of that', async () => {
  const { keys, show } = serving(FAILED);
  await show(true);
  await show(false);
  await show(true);
  expect(new Set(keys).size).toBe(3);
});

test('a record is written under such a key too', async () => {
  const { keys, rename } = serving(FAILED, STORED);
  await rename('Mathematics');
  await rename('Mathematics');
  await rename('Maths');
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
