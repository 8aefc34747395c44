import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { openProduct, ORIGIN } from '../support/product.ts';
import { problem, writesNothing } from '../support/refused.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');
let nothingChanged: () => Promise<void>;
beforeEach(async () => {
  nothingChanged = await writesNothing(school);
});

const rename = (headers: Record<string, string>): Promise<Response> =>
  admin.post('/api/commands/RenameSchool', JSON.stringify({ name: 'Taken over' }), headers);

describe('a request from another site', () => {
  test.each([
    ['a foreign origin', { Origin: 'https://evil.example' }],
    ['an origin that looks like ours', { Origin: `${ORIGIN}.evil.example` }],
    ['the same host by another scheme', { Origin: ORIGIN.replace('http', 'https') }],
    ['no origin to speak of', { Origin: 'null' }],
    ['another site, by what the browser says', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling of our site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused: %s', async (_which, headers: Record<string, string>) => {
    expect(await problem(await rename(headers))).toBe('403 cross-site');
    expect(await problem(await admin.post('/api/queries/me', '{}', headers))).toBe('403 cross-site');
    expect(await problem(await admin.post('/api/identity/sign-out', '{}', headers))).toBe('403 cross-site');
    await nothingChanged();
    expect((await admin.query('me')).status).toBe(200);
  });

  test('is refused under whatever name it calls this server, which any name can be pointed at', async () => {
    for (const [url, origin, expected] of [
      ['http://rebound.example', 'http://rebound.example', 403],
      ['http://rebound.example', ORIGIN, 200],
    ] as const) {
      const body = JSON.stringify({ name: 'Test School' });
      const headers = { 'Content-Type': 'application/json', Cookie: admin.cookie ?? '', Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
      const answer = await school.fetch(new Request(`${url}/api/commands/RenameSchool`, { method: 'POST', body, headers }));
      expect([url, origin, answer.status]).toEqual([url, origin, expected]);
    }
  });

  test("is none from a page that calls one's own machine by another of its names", async () => {
    const product = await openProduct(school.databaseUrl, { publicUrl: 'http://localhost:3000', role: 'api' });
    const from = async (origin: string): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', Cookie: admin.cookie ?? '', Origin: origin };
      return (await product.fetch(new Request(`${origin}/api/queries/me`, { method: 'POST', body: '{}', headers }))).status;
    };
    expect(await Promise.all(['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://127.0.0.1:3001'].map(from))).toEqual([200, 200, 403]);
    await product.close();
  });

  test('cannot be made by a form', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
      'text/json',
      'application/jsonx',
    ]) {
      expect(await problem(await rename({ 'Content-Type': type }))).toBe('415 unsupported-media-type');
    }
    await nothingChanged();
  });

  test('nor by a link', async () => {
    const answer = await admin.send('/api/commands/RenameSchool?name=Taken');
    expect(answer.headers.get('Allow')).toBe('POST');
    expect(await problem(answer)).toBe('405 not-allowed');
    await nothingChanged();
  });

  test('a program without a browser passes', async () => {
    const { cookie } = admin;
    const answer = await school.fetch(
      new Request(`${ORIGIN}/api/commands/RenameSchool`, {
        method: 'POST',
        body: JSON.stringify({ name: 'Test School' }),
        headers: { 'content-type': 'APPLICATION/JSON; charset=utf-8', cookie: cookie ?? '' },
      }),
    );
    expect(answer.status).toBe(200);
  });

  test('a program without a browser signs out', async () => {
    const { cookie = '' } = await school.signIn('leader');
    const headers = { 'Content-Type': 'application/json', Cookie: cookie };
    const leave = new Request(`${ORIGIN}/api/identity/sign-out`, { method: 'POST', body: '{}', headers });
    expect((await school.fetch(leave)).status).toBe(200);
    expect((await new Client(school, cookie).query('me')).status).toBe(401);
  });
});

describe('behind https', () => {
  test('a log-in gives a cookie that goes nowhere else, and the browser is told to stay there', async () => {
    const publicUrl = ORIGIN.replace('http:', 'https:');
    const product = await openProduct(school.databaseUrl, { publicUrl });
    // As a proxy passes it on: over http, from pages of the public address.
    const send = (path: string, headers: Record<string, string>, body: object) =>
      product.fetch(
        new Request(`http://10.0.0.1:3000${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json', Origin: publicUrl, ...headers },
        }),
      );
    const answer = await send('/api/identity/sign-in/email', {}, { email: school.email('leader').toUpperCase(), password: PASSWORD });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-.*; Secure/);
    expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    const me = await send('/api/queries/me', { Cookie: cookie.split(';')[0] ?? '' }, {});
    expect(await me.json()).toMatchObject({ role: 'leader' });
    await product.close();
  });

  test('the browser is told so of every name below, where the installation promises it', async () => {
    const product = await openProduct(school.databaseUrl, { publicUrl: 'https://marks.school.example', hstsSubdomains: true, role: 'api' });
    const answer = await product.fetch(new Request('http://10.0.0.1:3000/api/health/live'));
    expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains');
    await product.close();
  });
});
