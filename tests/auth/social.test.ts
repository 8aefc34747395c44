import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import type { Known } from '../support/oidc.ts';
import { openOidcProvider } from '../support/oidc.ts';
import { openProduct, ORIGIN } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

const provider = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`);
const school = await openSchool({ oidc: provider });
const admin = await school.as('admin');
afterAll(async () => {
  await school.close();
  await provider.close();
});

const staff = async () => {
  const email = `${randomUUID()}@staff.example`;
  const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
  // As by a mailed link, which proves the address.
  await school.backend.auth.credentials.setPassword(accountId, PASSWORD);
  return { email, accountId };
};
const there = (email: unknown, verified = true): Known => ({ sub: randomUUID(), email, verified });
/** The popup, from its opening to where it ends. */
const popup = async (
  who: Known,
  client = new Client(school),
  at = provider,
  path = '/api/door/social',
): Promise<{ client: Client; ended: string }> => {
  const begun = await client.send(path);
  expect(begun.status).toBe(302);
  const back = await at.logIn(begun.headers.get('Location') ?? '', who);
  expect(back.origin).toBe(ORIGIN);
  const finished = await client.send(`${back.pathname}${back.search}`);
  expect(finished.status).toBe(302);
  return { client, ended: finished.headers.get('Location') ?? '' };
};

describe('social sign-in', () => {
  test('leads to the account whose e-mail address the provider vouches for, in whatever spelling', async () => {
    const { email, accountId } = await staff();
    const { client, ended } = await popup(there(email.toUpperCase()));
    expect(ended.replace(ORIGIN, '')).toBe('/auth/callback');
    expect(await client.ask('me')).toMatchObject({ accountId, email, name: 'Tom Hughes', role: 'teacher' });
  });

  test('begins at the documented address too, whatever the name of the provider', async () => {
    const { email, accountId } = await staff();
    const { client } = await popup(there(email), new Client(school), provider, '/api/sociallogin/google');
    expect(await client.ask('me')).toMatchObject({ accountId });
  });

  test('leads there again, also when the password was changed in between', async () => {
    const { email, accountId } = await staff();
    const who = there(email);
    await popup(who);
    await school.backend.auth.credentials.setPassword(accountId, 'a brand new one');
    const { client } = await popup(who);
    expect(await client.ask('me')).toMatchObject({ accountId });
  });

  test.each([
    ['an address that the provider has not verified', async () => there((await staff()).email, false)],
    ['an address that nobody has here', async () => there(`${randomUUID()}@nowhere.example`)],
    [
      'an account whose owner has not proved the address: whoever opened it knows its password',
      async () => {
        const email = `${randomUUID()}@staff.example`;
        await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
        return there(email);
      },
    ],
    [
      'a closed account',
      async () => {
        const { email, accountId } = await staff();
        await admin.done('CloseStaffAccount', { accountId });
        return there(email);
      },
    ],
    [
      'an account that was linked before it was closed',
      async () => {
        const { email, accountId } = await staff();
        const who = there(email);
        await popup(who);
        await admin.done('CloseStaffAccount', { accountId });
        return who;
      },
    ],
    [
      'an invited account that has not been activated',
      async () => {
        const email = `${randomUUID()}@staff.example`;
        await admin.done('InviteStaff', { name: 'Invited', email, role: 'admin', teachers: [] });
        return there(email);
      },
    ],
  ])('refuses %s', async (_which, who) => {
    const { client, ended } = await popup(await who());
    expect(ended).toMatch(/\/auth\/callback\?error=/);
    expect((await client.query('me')).status).toBe(401);
  });

  test('cannot be finished in another browser than it was begun in, nor twice', async () => {
    const { email } = await staff();
    const begun = await new Client(school).send('/api/door/social');
    const back = await provider.logIn(begun.headers.get('Location') ?? '', there(email));
    const victim = new Client(school);
    const ended = await victim.send(`${back.pathname}${back.search}`);
    expect(ended.headers.get('Location')).toMatch(/\/auth\/callback\?error=/);
    expect((await victim.query('me')).status).toBe(401);

    const client = new Client(school);
    const again = await client.send('/api/door/social');
    const way = await provider.logIn(again.headers.get('Location') ?? '', there((await staff()).email));
    await client.send(`${way.pathname}${way.search}`);
    const second = new Client(school, client.cookie);
    expect((await second.send(`${way.pathname}${way.search}`)).headers.get('Location')).toMatch(/\/auth\/callback\?error=/);
  });

  test('takes no code that the provider gave to another log-in', async () => {
    const [client, other] = [new Client(school), new Client(school)];
    const back = async (from: Client): Promise<URL> =>
      provider.logIn((await from.send('/api/door/social')).headers.get('Location') ?? '', there((await staff()).email));
    const [own, theirs] = [await back(client), await back(other)];
    own.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const ended = await client.send(`${own.pathname}${own.search}`);
    expect(ended.headers.get('Location')?.replace(ORIGIN, '')).toBe('/auth/callback?error=provider_failed');
    expect((await client.query('me')).status).toBe(401);
  });

  test('takes no ID token that the provider has not signed', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    // It says what the provider says of itself, but for the keys.
    const server = createServer((request, response) => {
      void (async () => {
        const said = (await (await fetch(`${provider.issuer}${request.url}`)).json()) as { keys?: object[] };
        const keys = said.keys?.map((key) => ({ ...key, ...publicKey.export({ format: 'jwk' }) }));
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(keys ? { keys } : { ...said, jwks_uri: `http://${request.headers.host}/jwks` }));
      })();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await openProduct(school.databaseUrl, { oidc: { ...provider, issuer } });
    const { client, ended } = await popup(there((await staff()).email), new Client(other));
    expect(ended.replace(ORIGIN, '')).toBe('/auth/callback?error=provider_failed');
    expect((await client.query('me')).status).toBe(401);
    await other.close();
    server.close();
  });

  test('stores no token of the provider', async () => {
    const { email, accountId } = await staff();
    await popup(there(email));
    const { rows } = await school.backend.auth.pool.query(
      `select a."accessToken", a."refreshToken", a."idToken" from identity.account a join identity."user" u on u.id = a."userId"
        where u."accountId" = $1 and a."providerId" = 'school'`,
      [accountId],
    );
    expect(rows).toEqual([{ accessToken: null, refreshToken: null, idToken: null }]);
  });
});

describe.each(['userinfo', 'id token'] as const)('an address that the provider verified, as its %s says', (claimsIn) => {
  test('is one of which it says true, and nothing that only looks like it', async () => {
    const other = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`, claimsIn);
    const theirs = await openSchool({ oidc: other });
    const email = theirs.email('leader');
    await theirs.backend.auth.credentials.setPassword(theirs.accounts.leader, PASSWORD);
    for (const verified of ['false', 'true', 1, {}, null, undefined]) {
      const { client, ended } = await popup({ ...there(email), verified }, new Client(theirs), other);
      expect([verified, ended]).toEqual([verified, expect.stringContaining('error=account_not_linked')]);
      expect((await client.query('me')).status).toBe(401);
    }
    const { client } = await popup(there(email, true), new Client(theirs), other);
    expect(await client.ask('me')).toMatchObject({ email });
    await theirs.close();
    await other.close();
  });
});

test.each(['userinfo', 'id token'] as const)(
  'an address that is none, as the %s says it, opens nothing, and its popup says why',
  async (claimsIn) => {
    const other = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`, claimsIn);
    const theirs = await openSchool({ oidc: other });
    const email = theirs.email('leader');
    await theirs.backend.auth.credentials.setPassword(theirs.accounts.leader, PASSWORD);
    for (const said of [
      [email],
      [email, 'other@school.example'],
      { value: email },
      7,
      true,
      '',
      'nobody',
      `${email}\u0000`,
      null,
      undefined,
    ]) {
      const { client, ended } = await popup(there(said), new Client(theirs), other);
      expect([said, ended.replace(ORIGIN, '')]).toEqual([said, '/auth/callback?error=email_not_found']);
      expect((await client.query('me')).status).toBe(401);
    }
    await theirs.close();
    await other.close();
  },
);

test.each(['state=%00&code=x', 'state=x&code=%00', 'state=x'])(
  'who comes back with %s has begun nothing, and the popup says so',
  async (search) => {
    const ended = await new Client(school).send(`/api/identity/callback/school?${search}`);
    expect([ended.status, ended.headers.get('Location')?.replace(ORIGIN, '').split('=')[0]]).toEqual([302, '/auth/callback?error']);
  },
);

test('a provider that is away holds up nobody: its popup says so', async () => {
  const gone = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`);
  await gone.close();
  const other = await openSchool({ oidc: gone });
  const begun = await new Client(other).send('/api/door/social');
  expect([begun.status, begun.headers.get('Location')]).toEqual([302, '/auth/callback?error=provider_away']);
  expect((await (await other.as('leader')).query('me')).status).toBe(200);
  await other.close();
});

test('without a provider there is no such address', async () => {
  const other = await school.another();
  expect((await new Client(other).send('/api/door/social')).status).toBe(404);
});
