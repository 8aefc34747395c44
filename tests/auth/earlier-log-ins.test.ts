import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { openOidcProvider } from '../support/oidc.ts';
import { ORIGIN } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';
import { totpOf } from '../support/totp.ts';

/** What better-auth 1.7.25 wrote with the master key of the tests; and the secret as an authenticator has it. */
const SECRET =
  '601a148b67dfc8d3d3a048be04f90ad18dcb3f1a27498366db563ca29b18d9e2f3a336344fb474296b08652580f26357dc0f3de9f7dbc2064d616daf985fd64fa211ba474f480461';
const CODES =
  '0bdae14c1b800190247544e381d7399b4764cf9d56df9575196a7e63bc015386b09d67142f5e9697ef8afb27562ec562eb9d450737c1aec4459c3cdc7d38926b70df3616ab';
const TOKEN = 'Zk3vW8Xr0hLmYtC5nBsE7gJ2uDfaPzQk';
const COOKIE = 'marktrail.session_token=Zk3vW8Xr0hLmYtC5nBsE7gJ2uDfaPzQk.%2Fr%2B7Jgqi6TcraENNigqlUvdC2aWxEBsyqi9QrQ4mUAc%3D';
const BASE32 = 'MFIHUX2RNMZXMVZYLBZC2MDIJRWVS5CDGVXEE42FG5TUUMTVIRTA';
const CODE = 'Q7xk2-Bn4Lw';

const provider = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`);
const school = await openSchool({ oidc: provider });
afterAll(async () => {
  await school.close();
  await provider.close();
});

const { pool } = school.backend.auth;
const USER = `(select id from identity."user" where "accountId" = $1)`;
const twoStep = (client: Client, path: string, code: string) =>
  client.send(`/api/identity/two-factor/${path}`, { method: 'POST', body: JSON.stringify({ code }) });

test('a session that was open goes on', async () => {
  const { leader } = school.accounts;
  await pool.query(
    `insert into identity."session" (id, token, "userId", "createdAt", "expiresAt", "updatedAt", "ipAddress", "userAgent")
     select $2, $3, ${USER}, now(), now() + interval '6 days', now(), '', ''`,
    [leader, randomUUID(), TOKEN],
  );
  expect(await new Client(school, COOKIE).ask('me')).toMatchObject({ accountId: leader });
});

test('an authenticator goes on, and so do recovery codes that were not used', async () => {
  const { teacherA } = school.accounts;
  await pool.query(`update identity."user" set "twoFactorEnabled" = true where "accountId" = $1`, [teacherA]);
  await pool.query(`insert into identity."twoFactor" (id, secret, "backupCodes", "userId", verified) select $2, $3, $4, ${USER}, true`, [
    teacherA,
    randomUUID(),
    SECRET,
    CODES,
  ]);
  for (const [path, code, status] of [
    ['verify-totp', totpOf(BASE32), 200],
    ['verify-backup-code', CODE, 200],
    ['verify-backup-code', CODE, 401],
    ['verify-backup-code', 'p0Rst-9VzYa', 200],
  ] as const) {
    const client = new Client(school);
    await client.signIn(school.email('teacherA'), PASSWORD);
    expect([path, (await twoStep(client, path, code)).status]).toEqual([path, status]);
    expect((await client.query('me')).status).toBe(status);
  }
});

test('an account at the provider stays linked, whatever address it has there now', async () => {
  const { teacherB } = school.accounts;
  const sub = randomUUID();
  await pool.query(
    `insert into identity."account" (id, "accountId", "providerId", "userId", scope, "createdAt", "updatedAt")
     select $2, $3, 'school', ${USER}, 'openid,email,profile', now(), now()`,
    [teacherB, randomUUID(), sub],
  );
  const client = new Client(school);
  const begun = await client.send('/api/door/social');
  const there = { sub, email: `${randomUUID()}@elsewhere.example`, verified: false };
  const back = await provider.logIn(begun.headers.get('Location') ?? '', there);
  await client.send(`${back.pathname}${back.search}`);
  expect(await client.ask('me')).toMatchObject({ accountId: teacherB });
});
