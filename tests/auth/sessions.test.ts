import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sessions } from '../../api/contract/auth.ts';
import { Client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { openProduct } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

const school = await openSchool({ heartbeatMs: 50 });
const admin = await school.as('admin');
afterAll(() => school.close());

const pool = school.backend.auth.pool;
type From = { readonly at?: Product; readonly browser?: string; readonly address?: string };
const signedIn = async (email: string, { at = school, browser = '', address = '' }: From = {}): Promise<Client> => {
  const client = new Client(at);
  if (address !== '') client.address = address;
  const answer = await client.send('/api/identity/sign-in/email', {
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
    headers: { 'User-Agent': browser },
  });
  expect(answer.status).toBe(200);
  return client;
};
const staff = async (): Promise<{ email: string; accountId: string }> => {
  const email = `${randomUUID()}@staff.example`;
  const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
  return { email, accountId };
};
const isIn = async (client: Client): Promise<boolean> => (await client.query('me')).status === 200;
const tokenOf = (client: Client): string => decodeURIComponent(client.cookie?.split('=')[1] ?? '').split('.')[0] ?? '';

describe('a session without use', () => {
  const stateOf = async (client: Client): Promise<{ usedAt: Date | null; left: number }> => {
    const { rows } = await pool.query<{ usedAt: Date | null; left: number }>(
      `select "usedAt", extract(epoch from "idleAt" - now())::float8 / 60 as left from identity.session where token = $1`,
      [tokenOf(client)],
    );
    return rows[0]!;
  };
  /** As if it had last been used so many minutes ago. */
  const unused = (client: Client, minutes: number, left: number) =>
    pool.query(
      `update identity.session set "usedAt" = now() - make_interval(mins => $2), "idleAt" = now() + make_interval(mins => $3) where token = $1`,
      [tokenOf(client), minutes, left],
    );
  /** In another process, which has noted no use yet. */
  const elsewhere = async (client: Client): Promise<Client> => new Client(await school.another(), client.cookie);

  test('ends, for queries, saves and lines that listen, and is not revived', async () => {
    const client = await school.signIn('teacherA');
    expect(await isIn(client)).toBe(true);
    const line = (await client.send('/api/live')).body?.getReader();
    await line?.read();
    // Its use is written beside the request: after this, nothing is on the way.
    await expect.poll(async () => (await stateOf(client)).usedAt).not.toBeNull();
    await unused(client, 121, 0);
    const { ids } = school;
    const save = { testId: ids.mock, cells: [] };
    expect((await client.command('EnterMarks', save)).status).toBe(401);
    expect(await isIn(client)).toBe(false);
    const again = await elsewhere(client);
    expect(await isIn(again)).toBe(false);
    for (let read = await line?.read(); read?.done === false; read = await line?.read());
    expect((await client.send('/api/live')).status).toBe(401);
    const other = await school.signIn('teacherA');
    expect(await isIn(other)).toBe(true);
  });

  test('lasts two hours longer with each use of staff, half an hour with each of a student', async () => {
    for (const [role, minutes] of [
      ['leader', 120],
      ['student', 30],
    ] as const) {
      const client = await school.signIn(role);
      await unused(client, 5, 3);
      expect(await isIn(await elsewhere(client))).toBe(true);
      await expect.poll(async () => Math.round((await stateOf(client)).left)).toBe(minutes);
    }
  });

  test('is not used by a line that listens, nor by a page in front of which nobody is', async () => {
    const [client, other] = [await school.signIn('leader'), await school.signIn('leader')];
    for (const one of [client, other]) await unused(one, 5, 3);
    const before = await stateOf(client);
    const process = await openProduct(school.databaseUrl, { heartbeatMs: 50 });
    const here = new Client(process, client.cookie);
    const line = (await here.send('/api/live')).body?.getReader();
    expect((await here.send('/api/queries/me', { headers: { 'X-Unattended': '1' } })).status).toBe(200);
    for (let beats = 0; beats < 3;) if (new TextDecoder().decode((await line?.read())?.value).includes('still here')) beats += 1;
    await isIn(new Client(process, other.cookie));
    await expect.poll(async () => (await stateOf(other)).left).toBeGreaterThan(100);
    expect((await stateOf(client)).usedAt).toEqual(before.usedAt);
    await line?.cancel();
    await process.close();
  });

  test('is written down at most once a minute, by all processes together', async () => {
    const client = await school.signIn('teacherB');
    await unused(client, 5, 3);
    expect(await isIn(await elsewhere(client))).toBe(true);
    await expect.poll(async () => (await stateOf(client)).left).toBeGreaterThan(100);
    const { usedAt } = await stateOf(client);
    for (const one of [await elsewhere(client), await elsewhere(client)]) for (let n = 0; n < 3; n++) await isIn(one);
    const last = await school.signIn('teacherB');
    await unused(last, 5, 3);
    await isIn(await elsewhere(last));
    await expect.poll(async () => (await stateOf(last)).left).toBeGreaterThan(100);
    expect((await stateOf(client)).usedAt).toEqual(usedAt);
  });

  test('goes on for a week where the setting is 0', async () => {
    const lasting = await openProduct(school.databaseUrl, { idle: { staff: 0, students: 0 } });
    const client = await signedIn(school.email('auditor'), { at: lasting });
    await isIn(client);
    await expect.poll(async () => (await stateOf(client)).left).toBe(Infinity);
    expect(await isIn(client)).toBe(true);
    await lasting.close();
  });
});

describe('the sessions of an account', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const IPAD =
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
  const listed = async (client: Client, path = '/api/door/profile/sessions'): Promise<Sessions['sessions']> => {
    const answer = await client.send(path);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    return (JSON.parse(text) as Sessions).sessions;
  };
  const inTwoPlaces = async () => {
    const owner = await staff();
    const desk = await signedIn(owner.email, { browser: FIREFOX, address: '192.0.2.77' });
    const tablet = await signedIn(owner.email, { browser: IPAD, address: '2001:db8:1:2:3::4' });
    return { ...owner, desk, tablet };
  };
  const post = (client: Client, path: string, body: object): Promise<Response> =>
    client.send(`/api/door/${path}`, { method: 'POST', body: JSON.stringify(body) });

  test('are shown to its owner, who ends one of them', async () => {
    const { desk, tablet } = await inTwoPlaces();
    const sessions = await listed(desk);
    expect(sessions.map(({ browser, network, isThis }) => ({ browser, network, isThis }))).toEqual(
      expect.arrayContaining([
        { browser: 'Firefox on Windows', network: '192.0.2.*', isThis: true },
        { browser: 'Safari on iPad', network: '2001:db8:1:*', isThis: false },
      ]),
    );
    const text = JSON.stringify(sessions);
    for (const client of [desk, tablet]) expect(text).not.toContain(tokenOf(client));
    const sessionId = sessions.find(({ isThis }) => !isThis)?.sessionId;
    expect((await post(desk, 'profile/sessions/end', { sessionId })).status).toBe(200);
    expect([await isIn(desk), await isIn(tablet)]).toEqual([true, false]);
    expect((await listed(desk)).length).toBe(1);
    expect((await post(desk, 'profile/sessions/end', { sessionId })).status).toBe(404);
  });

  test('are ended by nobody else, and by no id that opens nothing', async () => {
    const { desk, tablet } = await inTwoPlaces();
    const [session] = await listed(desk);
    const other = await signedIn((await staff()).email);
    expect((await post(other, 'profile/sessions/end', { sessionId: session?.sessionId })).status).toBe(404);
    expect((await post(other, 'profile/sessions/end', { sessionId: tokenOf(desk) })).status).toBe(422);
    expect([await isIn(desk), await isIn(tablet)]).toEqual([true, true]);
    expect((await new Client(school, `marktrail.session_token=${session?.sessionId}`).query('me')).status).toBe(401);
  });

  test('are shown to an admin of the school, who ends one, and to nobody of another school', async () => {
    const { desk, tablet, accountId } = await inTwoPlaces();
    const path = `/api/door/sessions?accountId=${accountId}`;
    const sessions = await listed(admin, path);
    expect(sessions.map(({ isThis }) => isThis)).toEqual([false, false]);
    const sessionId = sessions.find(({ browser }) => browser.includes('iPad'))?.sessionId;
    const neighbour = await (await school.neighbour()).as('admin');
    for (const [client, status] of [
      [neighbour, 404],
      [await school.as('leader'), 403],
      [desk, 403],
      [new Client(school), 401],
    ] as const) {
      expect((await client.send(path)).status).toBe(status);
      expect((await post(client, 'sessions/end', { accountId, sessionId })).status).toBe(status);
    }
    expect(await isIn(tablet)).toBe(true);
    // With the id of an account of its own, too.
    const own = (await neighbour.ask<{ accountId: string }>('me')).accountId;
    expect((await post(neighbour, 'sessions/end', { accountId: own, sessionId })).status).toBe(404);
    expect((await post(admin, 'sessions/end', { accountId, sessionId })).status).toBe(200);
    expect([await isIn(desk), await isIn(tablet)]).toEqual([true, false]);
    expect((await listed(admin, path)).length).toBe(1);
  });
});
