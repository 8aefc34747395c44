import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSweeping } from '../../api/auth/identity/housekeeping.ts';
import type { Limit } from '../../api/auth/limits.ts';
import { ofSite } from '../../api/auth/limits.ts';
import { isHome } from '../../api/auth/log-in/homes.ts';
import { AT_ONCE, EVERYWHERE, OF_A_NETWORK } from '../../api/auth/log-in/log-in.ts';
import { Passwords } from '../../api/auth/password/password-hash.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { parseTrustedProxies } from '../../api/http/request/address.ts';
import { openSchoolWith } from '../../run/commands/school-create.ts';
import { systemActor } from '../../api/actor.ts';
import { commandClient } from '../../run/command-client.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import { Client } from '../support/client.ts';
import type { Product } from '../support/product.ts';
import { openProduct } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';
import { schoolOfFile } from '../support/school-of-file.ts';

const { school, admin } = await schoolOfFile('admin');

const staff = async (by = admin): Promise<string> => {
  const email = `${randomUUID()}@staff.example`;
  await by.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
  return email;
};

const logIn = async (
  email: string,
  password: string,
  { from = '192.0.2.1', at = school, forwarded = '' }: { from?: string; at?: Product; forwarded?: string } = {},
) => {
  const client = new Client(at);
  client.address = from;
  const answer = await client.send('/api/identity/sign-in/email', {
    method: 'POST',
    body: JSON.stringify({ email, password }),
    headers: forwarded === '' ? {} : { 'X-Forwarded-For': forwarded },
  });
  const body = (await answer.json()) as { title?: string; code?: string; detail?: string };
  return { status: answer.status, body, headers: answer.headers };
};

/** As if so many had been wrong. */
const guessed = async (times: number, limit: Limit, ...who: string[]): Promise<void> => {
  for (let n = 0; n < times; n++) await school.backend.auth.limits.note(limit, ...who);
};

describe('guessing a password', () => {
  test('is slowed down for one account and network, in the words of a log-in that failed; others there go on', async () => {
    const [email, colleague] = [await staff(), await staff()];
    await guessed(18, AT_ONCE, email, '192.0.2.1');
    const guesses = await Promise.all([1, 2, 3].map((n) => logIn(email, `guess ${n}`)));
    expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 429]);
    const right = await logIn(email.toUpperCase(), PASSWORD);
    expect([right.status, right.body.title, right.body.detail]).toEqual([429, authMessages.loginFailed, authMessages.tooMany]);
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await logIn(colleague, PASSWORD)).status).toBe(200);
    expect((await logIn(email, PASSWORD, { from: '192.0.2.2' })).status).toBe(200);
  });

  test('goes the same way for an account that does not exist', async () => {
    const nobody = `${randomUUID()}@staff.example`;
    await guessed(19, AT_ONCE, nobody, '192.0.2.1');
    const guesses = await Promise.all([1, 2].map((n) => logIn(nobody, `guess ${n}`)));
    expect(guesses.map(({ status, body }) => [status, body.title]).sort()).toEqual([
      [401, authMessages.loginFailed],
      [429, authMessages.loginFailed],
    ]);
  });

  test('from many networks closes the account to networks that its owner never came from, and not to the owner', async () => {
    const email = await staff();
    const home = { from: '198.51.100.7' };
    expect((await logIn(email, PASSWORD, home)).status).toBe(200);
    await guessed(99, EVERYWHERE, email);
    expect((await logIn(email, 'wrong one', { from: '203.0.113.1' })).status).toBe(401);
    expect((await logIn(email, PASSWORD, { from: '203.0.113.200' })).status).toBe(429);
    expect((await logIn(email, PASSWORD, home)).status).toBe(200);
  });

  test('of many accounts from one network is slowed down there, above what a whole school needs at once', async () => {
    // Another one each time: what was counted for it stays.
    const networks = `198.18.${Math.floor(Math.random() * 256)}`;
    const [email, network] = [await staff(), `${networks}.55`];
    await guessed(299, OF_A_NETWORK, network);
    expect((await logIn(email, PASSWORD, { from: network })).status).toBe(200);
    expect((await logIn(email, PASSWORD, { from: network })).status).toBe(429);
    expect((await logIn(email, PASSWORD, { from: `${networks}.56` })).status).toBe(200);
  });

  test('from many networks of one site with IPv6 is slowed down for the site, at four times as many', async () => {
    const group = Math.floor(Math.random() * 65_536).toString(16);
    const email = await staff();
    await guessed(4 * OF_A_NETWORK.most - 1, ofSite(OF_A_NETWORK), `2001:db8:${group}`);
    expect((await logIn(email, PASSWORD, { from: `2001:db8:${group}:1::5` })).status).toBe(200);
    expect((await logIn(email, PASSWORD, { from: `2001:0DB8:${group}:ff::6` })).status).toBe(429);
    expect((await logIn(email, PASSWORD, { from: `2001:db9:${group}:ff::6` })).status).toBe(200);
  });

  test('tells its refusals as problems, whatever was sent', async () => {
    for (const body of [{ email: await staff(), password: 'wrong one' }, { email: 'x', password: '' }, { email: 7 }, []]) {
      const answer = await admin.send('/api/identity/sign-in/email', { method: 'POST', body: JSON.stringify(body) });
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'login-failed', title: 'Login failed' }]);
    }
  });
});

describe('log-ins by the hundred', () => {
  /** Here what a check costs is what is tested. */
  let at: Product;
  beforeAll(async () => {
    at = await openProduct(school.databaseUrl, { role: 'api', passwords: new Passwords() });
    return () => at.close();
  });
  const staffThere = (): Promise<string> => staff(new Client(at, admin.cookie));

  /** Log-ins of nobody, and how many of them have been answered. */
  const flood = (many: number, from: string) => {
    let answered = 0;
    const answers = Array.from({ length: many }, async () => {
      const answer = await logIn(`${randomUUID()}@nowhere.example`, 'a guess', { from, at });
      answered += 1;
      return answer;
    });
    return { answered: () => answered, all: Promise.all(answers) };
  };

  test('from one network do not keep somebody of another waiting: the turns go round the networks', async () => {
    const email = await staffThere();
    const { answered, all } = flood(40, '192.0.2.200');
    expect((await logIn(email, PASSWORD, { from: '198.51.100.200', at })).status).toBe(200);
    expect(answered()).toBeLessThan(20);
    await all;
  });

  test('from sixty networks of strangers cost a few turns where somebody has logged in before', async () => {
    const [email, colleague] = [await staffThere(), await staffThere()];
    const home = { from: '198.51.100.210', at };
    expect((await logIn(email, PASSWORD, home)).status).toBe(200);
    const floods = Array.from({ length: 60 }, (_, n) => flood(3, `203.0.113.${n}`));
    expect((await logIn(colleague, PASSWORD, home)).status).toBe(200);
    expect(floods.reduce((sum, { answered }) => sum + answered(), 0)).toBeLessThan(30);
    await Promise.all(floods.map(({ all }) => all));
  });

  test('an account makes homes of ten networks, and of no more', async () => {
    const email = await staffThere();
    const { limits } = school.backend.auth;
    const homes = [];
    for (let n = 0; n < 12; n++) {
      const from = `198.18.77.${n}`;
      expect((await logIn(email, PASSWORD, { from })).status).toBe(200);
      homes.push(await isHome(limits, from));
    }
    expect(homes.filter(Boolean)).toHaveLength(10);
    expect((await logIn(email, PASSWORD, { from: '198.18.77.11' })).status).toBe(200);
  });

  test('are refused above what a lesson that begins needs, in the words of a log-in that failed, and told when to come again', async () => {
    const colleagues = await Promise.all([1, 2, 3].map(staffThere));
    const { all } = flood(150, '192.0.2.201');
    const elsewhere = await Promise.all(colleagues.map((email) => logIn(email, PASSWORD, { from: '198.51.100.202', at })));
    expect(elsewhere.map(({ status }) => status)).toEqual([200, 200, 200]);
    const answers = await all;
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(10);
    expect(answers.filter(({ status }) => status === 401).length).toBe(150 - refused.length);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'busy', title: 'Login failed', detail: authMessages.busy });
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  });

  test('of three classes behind one address are all served', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, staffThere));
    const all = [1, 2, 3, 4, 5].flatMap(() => people.map((email) => logIn(email, PASSWORD, { from: '192.0.2.202', at })));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });
});

describe('the address of who asks', () => {
  const openBehind = (trustedProxies: string) =>
    openProduct(school.databaseUrl, { trustedProxies: parseTrustedProxies(trustedProxies), role: 'api' });

  test('is what the trusted proxies say, and nothing that somebody wrote before them', async () => {
    for (const proxies of ['1', '10.0.0.0/8']) {
      const product = await openBehind(proxies);
      const email = await staff();
      const via = (client: string) => ({
        from: '::ffff:10.0.0.5',
        at: product,
        forwarded: `1.2.3.${Math.floor(Math.random() * 250)}, ${client}`,
      });
      await guessed(20, AT_ONCE, email, '192.0.2.9');
      expect((await logIn(email, PASSWORD, via('192.0.2.9'))).status).toBe(429);
      expect((await logIn(email, PASSWORD, via('192.0.2.10'))).status).toBe(200);
      await product.close();
    }
  });

  test('is that of the connection where nobody is trusted, or who connects is not', async () => {
    const product = await openBehind('10.0.0.0/8');
    for (const at of [school, product]) {
      const email = await staff();
      await guessed(20, AT_ONCE, email, '192.0.2.77');
      expect((await logIn(email, PASSWORD, { from: '192.0.2.77', at, forwarded: '198.51.100.99' })).status).toBe(429);
    }
    await product.close();
  });

  test('cannot be asked of something that is no network', () => {
    for (const text of ['proxy', '10.0.0.0/33', '10.0.0.0/8,', '-1', '12']) expect(parseTrustedProxies(text)).toBeUndefined();
  });
});

test('a school whose opening was cut off is opened by the same command once more, with a password that works', async () => {
  const email = `${randomUUID()}@head.example`;
  const begun = uuidv5(email, '0b6f3a52-7f0e-4b53-9d2c-6a3a1f7b8c41');
  const first = { name: 'Ada Nwosu', email, password: 'lost with the process', role: 'admin' };
  await commandClient(school.backend.bus, systemActor(begun))('first admin', 'OpenStaffAccount', first);
  const password = await openSchoolWith(school.backend, { name: 'Greenfield Academy', admin: 'Ada N.', email: email.toUpperCase() });
  const client = new Client(school);
  await client.signIn(email, password);
  expect(await client.ask('me')).toMatchObject({ role: 'admin', school: { name: 'Greenfield Academy' } });
  await expect(openSchoolWith(school.backend, { name: 'Another', admin: 'Ada', email })).rejects.toThrow('is already in use');
});

test('housekeeping comes again, also after it failed once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let times = 0;
  const sweeping = startSweeping(async () => {
    times += 1;
    if (times === 1) throw new Error('the database is away');
  });
  await sweeping.first;
  const anHour = 60 * 60 * 1_000;
  await vi.advanceTimersByTimeAsync(2 * anHour);
  expect(times).toBe(3);
  await sweeping.stop();
  await vi.advanceTimersByTimeAsync(2 * anHour);
  expect(times).toBe(3);
});
