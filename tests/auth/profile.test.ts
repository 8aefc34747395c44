import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client, pasted } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';
import { totpOf } from '../support/totp.ts';

const { mailbox, school, admin, visitor } = await openAuthSchool();

const NEW = 'a brand new one';
const staff = async () => {
  const address = `${randomUUID()}@staff.example`;
  const { accountId = '' } = await admin.done('OpenStaffAccount', {
    name: 'Tom Hughes',
    email: address,
    password: PASSWORD,
    role: 'teacher',
  });
  const client = visitor();
  await client.signIn(address, PASSWORD);
  return { address, accountId, client };
};
const profileOf = async (client: Client): Promise<Profile> => (await (await client.send('/api/door/profile')).json()) as Profile;

describe('a profile', () => {
  test('is locked until the password is entered, and in this session only', async () => {
    const { client, address } = await staff();
    expect(await profileOf(client)).toMatchObject({
      name: 'Tom Hughes',
      email: address,
      unlockedUntil: null,
      newEmail: null,
      twoStep: false,
    });
    const locked = await client.auth('profile', { name: 'Other' });
    expect([locked.status, locked.body.code]).toEqual([403, 'locked']);
    const wrong = await client.auth('profile/unlock', { password: 'not this one' });
    expect([wrong.status, wrong.body.title]).toEqual([422, 'The password you entered is incorrect']);
    expect((await client.auth('profile', { name: 'Other' })).status).toBe(403);
    await client.passed('profile/unlock', { password: PASSWORD });
    const elsewhere = visitor();
    await elsewhere.signIn(address, PASSWORD);
    expect((await elsewhere.auth('profile', { name: 'Other' })).status).toBe(403);
    expect(await client.passed('profile', { name: 'Dr Tom Hughes' })).toEqual({ message: 'The profile was updated successfully' });
    expect(await client.ask('me')).toMatchObject({ name: 'Dr Tom Hughes' });
    await school.backend.auth.pool.query(`update identity.unlocks set until = now() - interval '1 second'`);
    expect((await client.auth('profile', { name: 'Other' })).status).toBe(403);
  });

  test('is not opened by trying', async () => {
    const { client } = await staff();
    for (let n = 0; n < 10; n++) expect((await client.auth('profile/unlock', { password: `guess ${n}` })).status).toBe(422);
    expect((await client.auth('profile/unlock', { password: PASSWORD })).status).toBe(429);
  });

  test('is not opened by trying many at the same moment', async () => {
    const { client } = await staff();
    const guesses = Array.from({ length: 30 }, (_, n) => `guess ${n}`);
    const answers = await Promise.all([...guesses, PASSWORD].map((password) => client.auth('profile/unlock', { password })));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.at(-1)?.status).toBe(429);
    expect(await profileOf(client)).toMatchObject({ unlockedUntil: null });
  });

  test('is not opened in a session that ends while the password is checked', async () => {
    const { client, accountId } = await staff();
    const sessions = `identity."session" where "userId" = (select id from identity."user" where "accountId" = $1)`;
    const database = new pg.Client(school.databaseUrl);
    await database.connect();
    await database.query('begin');
    await database.query(`select from ${sessions} for update`, [accountId]);
    const unlocking = client.auth('profile/unlock', { password: PASSWORD });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%unlocks%'`;
    await expect.poll(async () => (await school.backend.auth.pool.query(waiting)).rowCount).toBe(1);
    await database.query(`delete from ${sessions}`, [accountId]);
    await database.query('commit');
    await database.end();
    const { status, body } = await unlocking;
    expect([status, body.code]).toEqual([401, 'not-authenticated']);
  });

  test('with a new password ends every other session, and tells its owner', async () => {
    const { client, address } = await staff();
    const elsewhere = visitor();
    await elsewhere.signIn(address, PASSWORD);
    await client.passed('profile/unlock', { password: PASSWORD });
    for (const [password, confirmation, message] of [
      ['short', 'short', 'Min 8 characters'],
      [NEW, 'other', 'Passwords do not match.'],
      ['qwertyuiop', 'qwertyuiop', authMessages.passwordPattern],
    ])
      expect((await client.auth('profile', { password, confirmation })).body.title).toBe(message);
    await client.passed('profile', { password: '', confirmation: '' });
    expect((await elsewhere.query('me')).status).toBe(200);
    await client.passed('profile', { password: NEW, confirmation: NEW });
    expect((await elsewhere.query('me')).status).toBe(401);
    expect((await client.query('me')).status).toBe(200);
    await visitor().signIn(address, NEW);
    expect((await mailbox.next(address)).subject).toContain('password was changed');
  });

  test('has its new e-mail address once that is confirmed, and the old one is told', async () => {
    const { client, address } = await staff();
    const next = `${randomUUID()}@new.example`;
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { email: pasted(next) });
    expect(await profileOf(client)).toMatchObject({ email: address, newEmail: next });
    expect((await mailbox.next(address)).subject).toContain('is about to change');
    const token = await mailbox.token(next);
    await visitor().signIn(address, PASSWORD);
    expect(await client.passed('verify', { token })).toEqual({ kind: 'email', message: authMessages.emailConfirmed });
    expect(await profileOf(client)).toMatchObject({ email: next, newEmail: null });
    expect(await client.ask('me')).toMatchObject({ email: next });
    await expect(visitor().signIn(address, PASSWORD)).rejects.toThrow('401');
    await visitor().signIn(next, PASSWORD);
    expect((await visitor().auth('verify', { token })).status).toBe(410);
  });

  test('whose password and address are changed at once: the old address hears of both, also where its mail server was away', async () => {
    const { client, address, accountId } = await staff();
    const { pool } = school.backend.auth;
    const OF_PASSWORD = `from mail.outbox where kind = 'password-changed' and about ->> 'accountId' = $1 and trouble is not null`;
    const next = `${randomUUID()}@new.example`;
    await client.passed('profile/unlock', { password: PASSWORD });
    mailbox.refuse({ code: 450, text: 'later' });
    await client.passed('profile', { password: NEW, confirmation: NEW });
    await expect.poll(async () => (await pool.query(`select ${OF_PASSWORD}`, [accountId])).rowCount).toBe(1);
    mailbox.refuse(undefined);
    await client.passed('profile', { email: next });
    expect((await mailbox.next(address)).subject).toContain('is about to change');
    await client.passed('verify', { token: await mailbox.token(next) });
    await pool.query(`update mail.outbox set next_at = now() where id in (select id ${OF_PASSWORD})`, [accountId]);
    expect((await mailbox.next(address)).subject).toContain('password was changed');
  });

  test('keeps its address where a later one was asked for: the link of the first is dead', async () => {
    const { client } = await staff();
    const [first, second] = [`${randomUUID()}@new.example`, `${randomUUID()}@new.example`];
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { email: first });
    const token = await mailbox.token(first);
    await client.passed('profile', { email: second });
    expect((await visitor().auth('verify', { token })).status).toBe(410);
    await client.passed('verify', { token: await mailbox.token(second) });
    expect(await client.ask('me')).toMatchObject({ email: second });
  });

  test('signs out everywhere', async () => {
    const { client, address } = await staff();
    const elsewhere = visitor();
    await elsewhere.signIn(address, PASSWORD);
    await client.passed('profile/sign-out-everywhere', {});
    for (const one of [client, elsewhere]) expect((await one.query('me')).status).toBe(401);
  });

  test('gives out all that is stored about its owner, and nothing that opens an account', async () => {
    const { address } = await staff();
    const student = await school.as('student');
    const { mock: testId, questions } = school.ids;
    await (await school.as('admin')).done('ShowAssessment', { testId, visible: true });
    await student.done('SubmitFeedback', { testId, marks: questions.map((questionId) => ({ questionId, mark: 1 })) });
    await student.ask('submission', { testId });
    const answer = await student.send('/api/door/profile/data');
    expect(answer.headers.get('Content-Disposition')).toContain('my-data.json');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      account: { role: 'student', email: school.email('student') },
      student: { admission_no: '00A1', date_of_birth: '2009-05-01' },
      enrolments: expect.arrayContaining([expect.objectContaining({ subject: 'Mathematics', set: '11A' })]),
      submissions: [expect.objectContaining({ assessment: 'Mock', state: 'confirmed' })],
      sessions: expect.any(Array),
    });
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(address);
    expect((await visitor().send('/api/door/profile/data')).status).toBe(401);
  });

  test('gives a student no result of an assessment that is hidden or deleted, or of a subject that was removed', async () => {
    const there = await school.neighbour();
    const { ids } = there;
    const [admin, student] = [await there.as('admin'), await there.as('student')];
    const tests = [
      [ids.maths, ids.mock],
      [ids.maths, ids.other],
      [ids.science, ids.forces],
    ] as const;
    for (const [subjectId, testId] of tests) {
      const cells = [{ studentId: ids.students['A1'], testId, is: 3 }];
      await admin.done('EnterMarks', { entryId: randomUUID(), subjectId, seq: 1, cells });
      await admin.done('ShowAssessment', { testId, visible: true });
    }
    await student.done('SaveFeedback', { testId: ids.mock, marks: [{ questionId: ids.questions[0], mark: 1 }] });
    const named = async () => {
      const { progress, store } = school.backend;
      await progress.waitFor(['results', 'assessments', 'structure'], await store.head(), 30_000);
      const file = (await (await student.send('/api/door/profile/data')).json()) as Record<string, { assessment: string }[]>;
      return [file['results'], file['submissions']].map((rows) => rows?.map(({ assessment }) => assessment).toSorted());
    };
    expect(await named()).toEqual([['Forces', 'Mock', 'Other'], ['Mock']]);
    await admin.done('ShowAssessment', { testId: ids.mock, visible: false });
    await admin.done('DeleteAssessment', { testId: ids.other });
    expect(await named()).toEqual([['Forces'], []]);
    await admin.done('RemoveSubject', { subjectId: ids.science });
    expect(await named()).toEqual([[], []]);
  });

  test('belongs to who is signed in: another site cannot change it', async () => {
    const { client } = await staff();
    await client.passed('profile/unlock', { password: PASSWORD });
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await client.send('/api/door/profile', { method: 'POST', body: '{"name":"Evil"}', headers });
      expect(answer.status).toBe(403);
    }
    expect((await profileOf(client)).name).toBe('Tom Hughes');
  });
});

test('a session that somebody else put into the browser is not the one that a log-in opens', async () => {
  const { address } = await staff();
  const { client: attacker } = await staff();
  const victim = new Client(school, attacker.cookie);
  await victim.signIn(address, PASSWORD);
  expect(victim.cookie).not.toBe(attacker.cookie);
  expect(await victim.ask('me')).toMatchObject({ email: address });
  expect(await attacker.ask('me')).not.toMatchObject({ email: address });
});

describe('two-step sign-in', () => {
  const twoStep = (client: Client, path: string, body: object) =>
    client.send(`/api/identity/two-factor/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const codeOf = (totpUri: string, later = 0): string => totpOf(new URL(totpUri).searchParams.get('secret') ?? '', later);
  const switchedOn = async () => {
    const { client, address } = await staff();
    const started = await twoStep(client, 'enable', { password: PASSWORD });
    const { totpURI, backupCodes } = (await started.json()) as { totpURI: string; backupCodes: string[] };
    const used = codeOf(totpURI);
    expect((await twoStep(client, 'verify-totp', { code: used })).status).toBe(200);
    return { client, address, totpURI, backupCodes, used };
  };
  const halfIn = async (address: string): Promise<Client> => {
    const client = visitor();
    expect(await (await client.signIn(pasted(address), PASSWORD)).json()).toMatchObject({ twoFactorRedirect: true });
    expect((await client.query('me')).status).toBe(401);
    return client;
  };

  test('is switched on by a first code, and then asked for at each log-in', async () => {
    const { address, totpURI, client } = await switchedOn();
    expect(totpURI).toMatch(/^otpauth:\/\/totp\/Marktrail/);
    expect(await profileOf(client)).toMatchObject({ twoStep: true, mayUseTwoStep: true });
    const entering = await halfIn(address);
    const wrong = await twoStep(entering, 'verify-totp', { code: '000000' });
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'wrong-code', title: authMessages.wrongTwoStepCode }]);
    expect((await twoStep(entering, 'verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(200);
    expect(await entering.ask('me')).toMatchObject({ email: address });
  });

  test('ends what the password alone had opened: other sessions, and tokens of programs', async () => {
    const { client, address } = await staff();
    const other = visitor();
    await other.signIn(address, PASSWORD);
    const grant = await visitor().post(
      '/api/oauth/token',
      JSON.stringify({ grant_type: 'password', username: address, password: PASSWORD }),
    );
    const { access_token: token } = (await grant.json()) as { access_token: string };
    const asked = async () => (await visitor().send('/api/checkauth', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([(await other.query('me')).status, await asked()]).toEqual([200, 200]);
    const { totpURI } = (await (await twoStep(client, 'enable', { password: PASSWORD })).json()) as { totpURI: string };
    expect((await twoStep(client, 'verify-totp', { code: codeOf(totpURI) })).status).toBe(200);
    expect([(await client.query('me')).status, (await other.query('me')).status, await asked()]).toEqual([200, 401, 401]);
  });

  test('takes each code of an authenticator once, and none from before it, also of two at the same moment', async () => {
    const { address, totpURI, used } = await switchedOn();
    const entering = await halfIn(address);
    const again = await twoStep(entering, 'verify-totp', { code: used });
    expect([again.status, await again.json()]).toMatchObject([401, { code: 'wrong-code' }]);
    const both = [entering, await halfIn(address)];
    const code = codeOf(totpURI, 1);
    const answers = await Promise.all(both.map((client) => twoStep(client, 'verify-totp', { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await Promise.all(both.map(async (client) => (await client.query('me')).status))).toSorted()).toEqual([200, 401]);
    expect((await twoStep(await halfIn(address), 'verify-totp', { code: used })).status).toBe(401);
  });

  test('takes a code once, also from somebody who is signed in to another account, or says so in some other way', async () => {
    const { address, used } = await switchedOn();
    const { client: own } = await staff();
    const cookie = own.cookie ?? '';
    const [name = ''] = cookie.split('=');
    const others = [cookie, cookie.replace(/(=|%3D)$/i, ''), `${name}=a\\b; ${cookie}`, `\u00a0${name}=x.y; ${cookie}`];
    for (const other of others) {
      const entering = await halfIn(address);
      entering.cookie = `${other}; ${entering.cookie}`;
      expect([other, (await twoStep(entering, 'verify-totp', { code: used })).status]).not.toEqual([other, 200]);
      const { status, body } = await entering.query('me');
      expect([other, status === 200 && body['email'] === address]).toEqual([other, false]);
    }
  });

  test('is kept from nobody by those in the same network who have nothing to enter', async () => {
    const { address, totpURI } = await switchedOn();
    const strangers = Array.from({ length: 130 }, () => new Client(school));
    const { client: without } = await staff();
    const answers = await Promise.all(strangers.map((one) => twoStep(one, 'verify-totp', { code: '123456' })));
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([401]);
    expect(await (await twoStep(without, 'verify-totp', { code: '123456' })).json()).toMatchObject({ code: 'refused' });
    const entering = await halfIn(address);
    expect((await twoStep(entering, 'verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(200);
  });

  test('tells no script the token of the session', async () => {
    const { client } = await staff();
    const started = (await (await twoStep(client, 'enable', { password: PASSWORD })).json()) as { totpURI: string };
    expect(Object.keys(started).toSorted()).toEqual(['backupCodes', 'totpURI']);
    expect(await (await twoStep(client, 'verify-totp', { code: codeOf(started.totpURI) })).json()).toEqual({});
    const renewed = await twoStep(client, 'generate-backup-codes', { password: PASSWORD });
    const { backupCodes, ...more } = (await renewed.json()) as { backupCodes: string[] };
    expect(more).toEqual({});
    expect(await (await twoStep(client, 'verify-backup-code', { code: backupCodes[0] })).json()).toEqual({});
    expect(await (await twoStep(client, 'disable', { password: PASSWORD })).json()).toEqual({});
    expect((await client.query('me')).status).toBe(200);
  });

  test('lets in one of two who type one recovery code at the same moment', async () => {
    const { address, backupCodes } = await switchedOn();
    const both = [await halfIn(address), await halfIn(address)];
    const answers = await Promise.all(both.map((client) => twoStep(client, 'verify-backup-code', { code: backupCodes[0] })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('forgets who is half-way in when the password changes', async () => {
    const { client, address, totpURI } = await switchedOn();
    const entering = await halfIn(address);
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { password: NEW, confirmation: NEW });
    expect((await twoStep(entering, 'verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(401);
    expect((await entering.query('me')).status).toBe(401);
  });

  test('lets in by a recovery code, once', async () => {
    const { address, backupCodes } = await switchedOn();
    const [code = ''] = backupCodes;
    const client = await halfIn(address);
    expect((await twoStep(client, 'verify-backup-code', { code })).status).toBe(200);
    expect((await client.query('me')).status).toBe(200);
    expect((await twoStep(await halfIn(address), 'verify-backup-code', { code })).status).toBe(401);
  });

  test('is switched off by the password, and by nothing less', async () => {
    const { client, address } = await switchedOn();
    const wrong = await twoStep(client, 'disable', { password: 'not this one' });
    expect([wrong.status, wrong.headers.get('Content-Type'), await wrong.json()]).toMatchObject([
      422,
      'application/problem+json',
      { code: 'wrong-password', title: authMessages.wrongPassword },
    ]);
    expect((await twoStep(client, 'disable', { password: PASSWORD })).status).toBe(200);
    const later = visitor();
    await later.signIn(address, PASSWORD);
    expect((await later.query('me')).status).toBe(200);
  });

  test('is for staff', async () => {
    expect((await twoStep(await school.as('student'), 'enable', { password: PASSWORD })).status).toBe(403);
    expect((await twoStep(visitor(), 'enable', { password: PASSWORD })).status).toBe(401);
  });

  test('is locked after ten wrong codes', async () => {
    const { address, totpURI } = await switchedOn();
    for (let n = 0; n < 10; n += 5) {
      const client = await halfIn(address);
      for (let k = 0; k < 5; k++) await twoStep(client, 'verify-totp', { code: String(100_000 + n + k) });
      if (n > 0) continue;
      const sixth = await twoStep(client, 'verify-totp', { code: codeOf(totpURI, 1) });
      expect(await sixth.json()).toMatchObject({ title: authMessages.twoStepAgain });
    }
    const answer = await twoStep(await halfIn(address), 'verify-totp', { code: codeOf(totpURI, 1) });
    expect(answer.status).toBe(429);
  });
});
