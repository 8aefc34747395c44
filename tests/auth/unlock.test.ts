import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { Profile } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import type { Known } from '../support/oidc.ts';
import { openOidcProvider } from '../support/oidc.ts';
import { openProduct, ORIGIN } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';
import { totpOf } from '../support/totp.ts';

/** Somebody had an open session for a while, and prepared to come back: the owner shuts them out. */
const provider = await openOidcProvider(`${ORIGIN}/api/identity/callback/school`);
afterAll(() => provider.close());
const { mailbox, school, admin, visitor, sent } = await openAuthSchool({ oidc: provider });

const NEW = 'a brand new one';
const twice = (password: string) => ({ password, confirmation: password });
const someEmail = (): string => `${randomUUID()}@school.example`;
const signedIn = async (email: string, password = PASSWORD): Promise<Client> => {
  const client = visitor();
  await client.signIn(email, password);
  return client;
};
const popup = async (who: Known): Promise<Client> => {
  const client = visitor();
  const begun = await client.send('/api/door/social');
  const back = await provider.logIn(begun.headers.get('Location') ?? '', who);
  await client.send(`${back.pathname}${back.search}`);
  return client;
};
const isIn = async (client: Client): Promise<boolean> => (await client.query('me')).status === 200;

type Owner = { readonly email: string; readonly accountId: string; readonly isStudent: boolean };

/** As by a mailed link, which proves the address: without that there is no sign-in elsewhere. */
const proved = (accountId: string) => school.backend.auth.credentials.setPassword(accountId, PASSWORD);
const staff = async (): Promise<Owner> => {
  const email = someEmail();
  const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
  await proved(accountId);
  return { email, accountId, isStudent: false };
};
let students = ['B1', 'B2', 'B3', 'B4', 'C1', 'C2', 'C3', 'C4'];
const student = async (): Promise<Owner> => {
  const [short = '', ...others] = students;
  students = others;
  const email = someEmail();
  const opening = { studentId: school.ids.students[short], name: short, email, password: PASSWORD };
  const { accountId = '' } = await admin.done('OpenStudentAccount', opening);
  await proved(accountId);
  return { email, accountId, isStudent: true };
};

/** All that opens this account besides its address and password, in the hands of somebody else. */
const prepared = async ({ email, accountId, isStudent }: Owner) => {
  const sub = randomUUID();
  const atProvider = await popup({ sub, email, verified: true });
  expect(await isIn(atProvider)).toBe(true);
  const session = await signedIn(email);
  await session.passed('profile/unlock', { password: PASSWORD });
  await visitor().passed('password/forgotten', { email });
  const links = [await mailbox.token(email)];
  if (isStudent) {
    const { link = '' } = await admin.done('ResetStudentAccount', { accountId });
    links.push(new URL(link).searchParams.get('token') ?? '');
    await mailbox.token(email);
  }
  const elsewhere = someEmail();
  await session.passed('profile', { email: elsewhere });
  expect((await mailbox.next(email)).subject).toContain('is about to change');
  return { sub, sessions: [session, atProvider], links, pending: await mailbox.token(elsewhere), elsewhere };
};
type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Tries everything; returns what still worked. */
const whatOpens = async ({ sub, sessions, links, pending, elsewhere }: Prepared): Promise<string[]> => {
  const worked: string[] = [];
  for (const session of sessions) if (await isIn(session)) worked.push('a session');
  for (const token of links) {
    if ((await visitor().auth('password/new', { token, ...twice('mine from now on') })).status !== 410)
      worked.push('a link for a new password');
  }
  if ((await visitor().auth('verify', { token: pending })).status !== 410) worked.push('the new address');
  if (await isIn(await popup({ sub, email: elsewhere, verified: true }))) worked.push('the account elsewhere');
  return worked;
};

/** What the owner does, each with the session that goes on, if any. */
const acts: Record<string, (owner: Owner, before: Prepared) => Promise<Client | undefined>> = {
  'sets a new password in the profile': async ({ email }) => {
    const own = await signedIn(email);
    await own.passed('profile/unlock', { password: PASSWORD });
    await own.passed('profile', twice(NEW));
    return own;
  },
  'sets a new password by a mailed link': async ({ email }) => {
    await visitor().passed('password/forgotten', { email });
    await visitor().passed('password/new', { token: await mailbox.token(email), ...twice(NEW) });
    return signedIn(email, NEW);
  },
  'logs out everywhere': async ({ email }) => {
    const own = await signedIn(email);
    await own.passed('profile/sign-out-everywhere', {});
    expect(await isIn(own)).toBe(false);
    return undefined;
  },
  'moves to another address': async ({ email }, before) => {
    const own = await signedIn(email);
    const next = someEmail();
    await own.passed('profile/unlock', { password: PASSWORD });
    await own.passed('profile', { email: next });
    await own.passed('verify', { token: await mailbox.token(next) });
    expect(await own.ask('me')).toMatchObject({ email: next });
    // The one who asked before for another address must not get it now.
    expect(before.elsewhere).not.toBe(next);
    return own;
  },
};
const byAdmin: Record<string, (typeof acts)[string]> = {
  'is given another address by an admin': async ({ accountId }) => {
    const next = someEmail();
    await admin.done('ChangeStaffAccount', { accountId, email: next });
    await visitor().passed('verify', { token: await mailbox.token(next) });
    return signedIn(next);
  },
};
const byAdminOfStudents: Record<string, (typeof acts)[string]> = {
  'uses the link that an admin ordered': async ({ accountId, email }) => {
    const { link = '' } = await admin.done('ResetStudentAccount', { accountId });
    await mailbox.token(email);
    await visitor().passed('password/new', { token: new URL(link).searchParams.get('token') ?? '', ...twice(NEW) });
    return signedIn(email, NEW);
  },
};

describe.each([
  ['staff', staff, { ...acts, ...byAdmin }],
  ['a student', student, { ...acts, ...byAdminOfStudents }],
] as const)('an account of %s', (_of, open, all) => {
  test.each(Object.entries(all))('whose owner %s is open to nobody else', async (_act, act) => {
    const owner = await open();
    const before = await prepared(owner);
    const own = await act(owner, before);
    expect(await whatOpens(before)).toEqual([]);
    if (own) expect(await isIn(own)).toBe(true);
  });
});

test('an account elsewhere is linked again when it shows the verified address of the account', async () => {
  const owner = await staff();
  const { sub } = await prepared(owner);
  await acts['sets a new password by a mailed link']?.(owner, {} as Prepared);
  expect(await isIn(await popup({ sub, email: owner.email, verified: false }))).toBe(false);
  expect(await isIn(await popup({ sub, email: owner.email, verified: true }))).toBe(true);
});

test('a new address that is confirmed in a browser without a session of the account ends them all', async () => {
  const { email } = await staff();
  const own = await signedIn(email);
  const next = someEmail();
  await own.passed('profile/unlock', { password: PASSWORD });
  await own.passed('profile', { email: next });
  const stranger = await school.signIn('teacherA');
  await stranger.passed('verify', { token: await mailbox.token(next) });
  expect([await isIn(own), await isIn(stranger)]).toEqual([false, true]);
  await visitor().signIn(next, PASSWORD);
});

test('a new password and a new address at once: the address still waits for its owner', async () => {
  const { email } = await staff();
  const own = await signedIn(email);
  const next = someEmail();
  await own.passed('profile/unlock', { password: PASSWORD });
  await own.passed('profile', { email: next, ...twice(NEW) });
  await own.passed('verify', { token: await mailbox.token(next) });
  expect(await own.ask('me')).toMatchObject({ email: next });
});

test('what an admin is refused closes nothing', async () => {
  const { accountId, email } = await staff();
  const own = await signedIn(email);
  await visitor().passed('password/forgotten', { email });
  const token = await mailbox.token(email);
  const teachers = [{ subjectId: school.ids.maths, teacherId: randomUUID() }];
  expect((await admin.command('ChangeStaffAccount', { accountId, email: someEmail(), teachers })).status).toBe(422);
  expect(await isIn(own)).toBe(true);
  await visitor().passed('password/new', { token, ...twice(NEW) });
});

test('a mail that was ordered before, and is composed after, brings no link', async () => {
  const other = await openSchool();
  const email = other.email('teacherA');
  const own = await other.as('teacherA');
  const elsewhere = someEmail();
  await new Client(other).passed('password/forgotten', { email });
  await own.passed('profile/unlock', { password: PASSWORD });
  await own.passed('profile', { email: elsewhere });
  await own.passed('profile', twice(NEW));
  await new Client(other).passed('password/forgotten', { email: other.email('leader') });
  const sending = await openProduct(other.databaseUrl, { smtpUrl: mailbox.url });
  await mailbox.token(other.email('leader'));
  // What brings no link goes after all that does.
  await mailbox.next(email);
  const received = mailbox.mails.filter(({ recipient }) => [email, elsewhere].includes(recipient));
  for (const { text } of received) expect(text).not.toContain('token=');
  await new Client(sending).passed('password/forgotten', { email });
  while (!/token=/.test((await mailbox.next(email)).text ?? ''));
  await sending.close();
  await other.close();
});

/** `late` has checked what it needs, and waits for the account behind what `first` does. */
const overtakenBy = async <Late>(first: () => Promise<unknown>, email: string, late: () => Promise<Late>): Promise<Late> => {
  const database = new pg.Client(school.databaseUrl);
  await database.connect();
  await database.query('begin');
  await database.query(`select from identity."user" where email = $1 for update`, [email]);
  const closed = first();
  await expect.poll(waiting).toBe(1);
  const done = late();
  await expect.poll(waiting).toBe(2);
  await database.query('commit');
  await database.end();
  await closed;
  return done;
};
/** The owner logs out everywhere. */
const overtaken = (own: Client, email: string, late: () => Promise<unknown>): Promise<unknown> =>
  overtakenBy(() => own.passed('profile/sign-out-everywhere', {}), email, late);
const waiting = async (): Promise<number | undefined> => {
  const { rows } = await school.backend.auth.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
};

test.each([true, false])(
  'a sign-in elsewhere that the owner’s logging out everywhere overtakes opens nothing (linked before: %s)',
  async (linked) => {
    const { email } = await staff();
    const sub = randomUUID();
    const who = { sub, email, verified: true };
    if (linked) await popup(who);
    const own = await signedIn(email);
    let late = visitor();
    await overtaken(own, email, async () => {
      late = await popup(who);
    });
    expect(await isIn(late)).toBe(false);
    // Linked by nothing but the address: another address leads nowhere, the right one does again.
    expect(await isIn(await popup({ sub, email: someEmail(), verified: true }))).toBe(false);
    expect(await isIn(await popup(who))).toBe(true);
  },
);

test('a second step that the owner’s logging out everywhere overtakes opens nothing', async () => {
  const { email } = await staff();
  const own = await signedIn(email);
  const twoStep = (client: Client, path: string, body: object) =>
    client.send(`/api/identity/two-factor/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const { totpURI } = (await (await twoStep(own, 'enable', { password: PASSWORD })).json()) as { totpURI: string };
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  expect((await twoStep(own, 'verify-totp', { code: totpOf(secret) })).status).toBe(200);
  const late = await signedIn(email);
  await overtaken(own, email, () => twoStep(late, 'verify-totp', { code: totpOf(secret, 1) }));
  expect(await isIn(late)).toBe(false);
});

test('a link that is being used while the owner sets another password sets none', async () => {
  const { email } = await staff();
  const own = await signedIn(email);
  await own.passed('profile/unlock', { password: PASSWORD });
  await visitor().passed('password/forgotten', { email });
  const token = await mailbox.token(email);
  const used = await overtakenBy(
    () => own.passed('profile', twice(NEW)),
    email,
    () => visitor().auth('password/new', { token, ...twice('mine from now on') }),
  );
  expect([used.status, used.body.title]).toEqual([410, authMessages.resetFailed]);
  expect(await isIn(own)).toBe(true);
  await visitor().signIn(email, NEW);
});

describe.each(['a password', 'an address', 'both'])('somebody who changes %s in the profile while its owner', (what) => {
  /** Somebody else's session, with the profile unlocked, and what they send. */
  const somebody = async (email: string) => {
    const session = await signedIn(email);
    await session.passed('profile/unlock', { password: PASSWORD });
    const elsewhere = someEmail();
    const body = { ...(what !== 'an address' && twice('mine from now on')), ...(what !== 'a password' && { email: elsewhere }) };
    return { session, elsewhere, change: () => session.auth('profile', body) };
  };
  const nothingChanged = async (email: string, password: string, elsewhere: string): Promise<void> => {
    const own = await signedIn(email, password);
    const profile = (await (await own.send('/api/door/profile')).json()) as Profile;
    expect([profile.email, profile.newEmail]).toEqual([email, null]);
    await sent();
    expect(mailbox.mails.filter(({ recipient }) => recipient === elsewhere)).toEqual([]);
  };

  test('sets a new password by a mailed link, changes nothing', async () => {
    const { email } = await staff();
    const { elsewhere, change } = await somebody(email);
    await visitor().passed('password/forgotten', { email });
    const token = await mailbox.token(email);
    const late = await overtakenBy(() => visitor().passed('password/new', { token, ...twice(NEW) }), email, change);
    expect([late.status, late.body.code]).toEqual([401, 'not-authenticated']);
    await nothingChanged(email, NEW, elsewhere);
  });

  test('logs out everywhere, changes nothing', async () => {
    const { email } = await staff();
    const { elsewhere, change } = await somebody(email);
    const own = await signedIn(email);
    const late = await overtakenBy(() => own.passed('profile/sign-out-everywhere', {}), email, change);
    expect([late.status, late.body.code]).toEqual([401, 'not-authenticated']);
    await nothingChanged(email, PASSWORD, elsewhere);
  });

  test.each(['session', 'unlock'] as const)('ends that %s alone, changes nothing', async (which) => {
    const { email } = await staff();
    const { session, elsewhere, change } = await somebody(email);
    const { pool } = school.backend.auth;
    const token = school.backend.sessions.tokenIn(new Headers({ Cookie: session.cookie ?? '' }));
    const ended = {
      session: `delete from identity."session" where token = $1`,
      unlock: `update identity.unlocks set until = now() where session_token = $1`,
    };
    const database = new pg.Client(school.databaseUrl);
    await database.connect();
    await database.query('begin');
    await database.query(`select from identity."user" where email = $1 for update`, [email]);
    const late = change();
    await expect.poll(waiting).toBe(1);
    await pool.query(ended[which], [token]);
    await database.query('commit');
    await database.end();
    expect((await late).body.code).toBe({ session: 'not-authenticated', unlock: 'locked' }[which]);
    await nothingChanged(email, PASSWORD, elsewhere);
  });
});
