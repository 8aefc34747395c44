import { describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { Client } from '../support/client.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';
import { totpOf } from '../support/totp.ts';
import type { Sessions, TokenMade } from '../../api/contract/auth.ts';
import { randomUUID } from 'node:crypto';

const { school } = await schoolOfFile();

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

test('a program that asks for a token again and again keeps the newest hundred', async () => {
  const { pool } = school.backend.auth;
  const first = await granted();
  await pool.query(
    `insert into identity."session" (id, token, "userId", "createdAt", "expiresAt", "updatedAt", "idleAt")
     select gen_random_uuid()::text, 'bearer:' || n, s."userId", now(), s."expiresAt", now(), s."idleAt"
       from (select * from identity."session" where token like 'bearer:%' order by "createdAt" desc limit 1) s, generate_series(1, 99) n`,
  );
  expect(await asked(first.token)).toBe(200);
  const last = await granted();
  expect([await asked(first.token), await asked(last.token)]).toEqual([401, 200]);
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
  expect((await sent(third.token, '/api/door/profile/sign-out-everywhere', {})).status).toBe(403);
  expect([await asked(third.token), (await teacher.query('me')).status]).toEqual([200, 200]);
  await teacher.passed('profile/sign-out-everywhere', {});
  expect(await asked(third.token)).toBe(401);
});

describe('a token made in the profile', () => {
  const staff = async (role = 'teacher') => {
    const email = `${randomUUID()}@staff.example`;
    const person = { name: 'Tom Hughes', email, password: PASSWORD, role };
    const { accountId = '' } = await (await school.as('admin')).done('OpenStaffAccount', person);
    const client = new Client(school);
    await client.signIn(email, PASSWORD);
    return { client, email, accountId };
  };
  const made = async (client: Client, wanted: object = { name: 'Exports' }): Promise<TokenMade> => {
    await client.passed('profile/unlock', { password: PASSWORD });
    return client.passed<TokenMade>('profile/tokens', wanted);
  };

  test('opens an account with two-step sign-in, which gets none for its password', async () => {
    const { client, email } = await staff();
    const twoStep = async (path: string, body: object) =>
      (await client.send(`/api/identity/two-factor/${path}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{
        totpURI: string;
      }>;
    const { totpURI } = await twoStep('enable', { password: PASSWORD });
    await twoStep('verify-totp', { code: totpOf(new URL(totpURI).searchParams.get('secret') ?? '') });
    const grant = await new Client(school).post(
      '/api/oauth/token',
      JSON.stringify({ grant_type: 'password', username: email, password: PASSWORD }),
    );
    expect([grant.status, await grant.json()]).toMatchObject([401, { title: expect.stringContaining('two-step sign-in') }]);
    const { token, until } = await made(client, { name: 'Exports', days: 2 });
    expect(await asked(token)).toBe(200);
    expect((Date.parse(until) - Date.now()) / 3_600_000).toBeCloseTo(48, 1);
  });

  test('needs the password, a cookie, a name and no more than 30 days', async () => {
    const { client } = await staff();
    const locked = await client.auth('profile/tokens', { name: 'Exports' });
    expect([locked.status, locked.body.code]).toEqual([403, 'locked']);
    await client.passed('profile/unlock', { password: PASSWORD });
    for (const wrong of [{ name: '' }, { name: 'Exports', days: 31 }, { name: 'Exports', days: 0 }, {}])
      expect((await client.auth('profile/tokens', wrong)).status).toBe(422);
    const { token } = await made(client);
    expect((await sent(token, '/api/door/profile/tokens', { name: 'Another' })).status).toBe(403);
    expect((await sent((await granted()).token, '/api/door/profile/tokens', { name: 'Another' })).status).toBe(403);
    for (let n = 1; n < 10; n++) await made(client);
    expect((await client.auth('profile/tokens', { name: 'Exports' })).status).toBe(429);
  });

  test('changes neither password nor address, whatever it sends', async () => {
    const { client, email, accountId } = await staff('admin');
    const { token } = await made(client);
    const other = `${randomUUID()}@staff.example`;
    for (const [path, body] of [
      ['/api/door/profile/unlock', { password: PASSWORD }],
      ['/api/profile', { password: PASSWORD }],
      ['/api/door/profile', { email: other }],
      ['/api/commands/ChangeStaffAccount', { accountId, email: other }],
    ] as const)
      expect([path, (await sent(token, path, body)).status]).toEqual([path, 403]);
    const put = { method: 'PUT', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } };
    const named = { name: 'Tom', password: 'a brand new one', password_confirmation: 'a brand new one' };
    expect((await new Client(school).send(`/api/profile/${accountId}`, { ...put, body: JSON.stringify(named) })).status).toBe(403);
    expect((await new Client(school).send(`/api/users_teachers/${accountId}?email=${other}`, put)).status).toBe(403);
    expect(await client.ask('me')).toMatchObject({ email, name: 'Tom Hughes' });
  });

  test('is in the list by its name, and ended there, with a new password and with the account', async () => {
    const { client, accountId } = await staff();
    const list = async () => ((await (await client.send('/api/door/profile/sessions')).json()) as Sessions).sessions;
    const first = await made(client, { name: 'Exports' });
    const shown = (await list()).find(({ token }) => token?.name === 'Exports');
    expect(shown?.token).toEqual({ name: 'Exports', until: first.until });
    await client.passed('profile/sessions/end', { sessionId: shown?.sessionId });
    expect(await asked(first.token)).toBe(401);

    const second = await made(client);
    const password = 'a brand new one';
    await client.passed('profile', { password, confirmation: password });
    expect(await asked(second.token)).toBe(401);

    await client.passed('profile/unlock', { password });
    const third = await client.passed<TokenMade>('profile/tokens', { name: 'Exports' });
    await (await school.as('admin')).done('CloseStaffAccount', { accountId });
    expect(await asked(third.token)).toBe(401);
  });
});
