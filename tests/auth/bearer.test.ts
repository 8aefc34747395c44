import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { Client } from '../support/client.ts';
import type { School } from '../support/school.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const granted = async (password = PASSWORD): Promise<{ status: number; token: string }> => {
  const body = { grant_type: 'password', username: school.email('teacherA'), password };
  const answer = await new Client(school).post('/api/oauth/token', JSON.stringify(body));
  const { access_token: token = '' } = (await answer.json()) as { access_token?: string };
  return { status: answer.status, token };
};
const asked = async (token: string, path = '/api/checkauth', cookie?: string): Promise<number> =>
  (await new Client(school, cookie).send(path, { headers: { Authorization: `Bearer ${token}` } })).status;
const sent = async (token: string, path: string, body: object): Promise<Pick<Answer, 'status'>> =>
  new Client(school).post(path, JSON.stringify(body), { Authorization: `Bearer ${token}` });

test('a token opens what its account may, and is not stored as such', async () => {
  const { token } = await granted();
  expect(await asked(token)).toBe(200);
  expect(await asked(token, '/api/users_teachers')).toBe(403);
  const { rows } = await school.backend.auth.pool.query<{ all: string }>('select json_agg(s)::text as all from identity."session" s');
  for (const part of token.split('.')) expect(rows[0]?.all).not.toContain(part);
});

test('a wrong password is no grant', async () => {
  expect(await granted('another password')).toEqual({ status: 401, token: '' });
});

test('a token counts before a cookie, also a forged one', async () => {
  const { token } = await granted();
  const { cookie } = await school.signIn('admin');
  expect(await asked(token, '/api/users_teachers', cookie)).toBe(403);
  const [random = ''] = token.split('.');
  expect(await asked(`${random}.${'A'.repeat(43)}`, '/api/checkauth', cookie)).toBe(401);
  expect(await asked('', '/api/checkauth', cookie)).toBe(401);
});

test('a token makes no token and touches no second step', async () => {
  const { token } = await granted();
  const again = { grant_type: 'password', username: school.email('teacherA'), password: PASSWORD };
  expect((await sent(token, '/api/oauth/token', again)).status).toBe(403);
  expect((await sent(token, '/api/identity/two-factor/enable', { password: PASSWORD })).status).toBe(403);
});

test('the profile shows a token and ends it; so does logging out, and logging out everywhere', async () => {
  const teacher = await school.signIn('teacherA');
  const { token } = await granted();
  const list = async () =>
    ((await (await teacher.send('/api/door/profile/sessions')).json()) as { sessions: { sessionId: string; browser: string }[] }).sessions;
  const ours = (await list()).filter(({ browser }) => browser === 'A program, by a token');
  expect(ours.length).toBeGreaterThan(0);
  for (const { sessionId } of ours) await teacher.passed('profile/sessions/end', { sessionId });
  expect(await asked(token)).toBe(401);

  const second = await granted();
  expect(await asked(second.token, '/api/logout')).toBe(200);
  expect(await asked(second.token)).toBe(401);

  const third = await granted();
  await teacher.passed('profile/sign-out-everywhere', {});
  expect(await asked(third.token)).toBe(401);
});
