import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { CommandName } from '../../api/commands.ts';
import type { JoinChoices, JoinSchool, Profile } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import type { Client } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { tokenIn } from '../support/mailbox.ts';
import { fullName, PASSWORD } from '../support/school.ts';

/** Whose address it is: what an admin says of an account, and what its owner has shown by a mailed link. */
const { mailbox, school, admin, visitor, sent } = await openAuthSchool();
const neighbour = await school.neighbour();
const theirAdmin = await neighbour.as('admin');

const NEW = 'a brand new one';
const twice = { password: NEW, confirmation: NEW };
const someEmail = () => `${randomUUID()}@staff.example`;
const invited = async (email = someEmail()) => {
  const { accountId = '' } = await admin.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
  return { accountId, email };
};
/** An account whose owner came by the link in a mail. */
const proved = async () => {
  const one = await invited();
  await visitor().passed('activation/accept', { token: await mailbox.token(one.email), name: 'Grace New', ...twice });
  return one;
};
const isProved = async (accountId: string): Promise<boolean | undefined> => {
  const { rows } = await school.backend.auth.pool.query<{ proved: boolean }>(
    `select "emailVerified" as proved from identity."user" where "accountId" = $1`,
    [accountId],
  );
  return rows[0]?.proved;
};

/** Opened by an admin, who chose the password. */
const claimed = async (email = someEmail(), by = admin) => {
  const person = { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' };
  const { accountId = '' } = await by.done('OpenStaffAccount', person);
  const client = visitor();
  await client.signIn(email, PASSWORD);
  return { accountId, email, client };
};
const registered = async (email: string) => {
  const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
  const robot = Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString('base64');
  return visitor().passed('registration', { name: 'Ada Nwosu', email, ...twice, terms: true, robot });
};
const inRest = async (client: Client, accountId: string, resource = 'staffUsers') => {
  await school.backend.progress.waitFor(['accounts'], await school.backend.store.head(), 30_000);
  return (await (await client.send(`/api/rest/${resource}/${accountId}`)).json()) as { email: string | null; state: string; name: string };
};
const inLog = async (accountId: string, type: string): Promise<number> => {
  let found = 0;
  for await (const event of school.backend.store.readAll('start')) if (event.type === type && event.data.includes(accountId)) found += 1;
  return found;
};
const mailsTo = (email: string) => mailbox.mails.filter(({ recipient }) => recipient === email);

/** The ways in which the owner of a mailbox proves it, and with which password the owner logs in then. */
const ways: readonly [string, (email: string) => Promise<string>][] = [
  [
    'finalises a registration',
    async (email) => {
      await registered(email);
      const token = await mailbox.token(email);
      await visitor().passed('registration/finalise', { token, email, password: NEW, school: 'Greenfield Academy' });
      return NEW;
    },
  ],
  [
    'accepts an invitation of another school',
    async (email) => {
      await theirAdmin.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
      await visitor().passed('activation/accept', { token: await mailbox.token(email), name: 'Grace New', ...twice });
      return NEW;
    },
  ],
  [
    'confirms it as the new address of an account',
    async (email) => {
      const { client } = await claimed(someEmail(), theirAdmin);
      await client.passed('profile/unlock', { password: PASSWORD });
      await client.passed('profile', { email });
      await visitor().passed('verify', { token: await mailbox.token(email) });
      return PASSWORD;
    },
  ],
];

describe.each(ways)('an account that an admin opened for somebody’s address, whose owner %s', (_way, prove) => {
  test('loses the address, not itself', async () => {
    const { accountId, email, client } = await claimed();
    expect(await isProved(accountId)).toBe(false);
    await visitor().passed('password/forgotten', { email });
    const squatters = await mailbox.token(email);
    const password = await prove(email);

    const owner = visitor();
    await owner.signIn(email, password);
    expect(await owner.ask('me')).toMatchObject({ email });
    expect(await owner.ask('me')).not.toMatchObject({ accountId });
    // Nothing that the address opened is left: no log-in, no link, no mail.
    if (password !== PASSWORD) await expect(visitor().signIn(email, PASSWORD)).rejects.toThrow('401');
    expect((await visitor().auth('password/new', { token: squatters, ...twice })).status).toBe(410);
    await sent();
    const before = mailsTo(email).length;
    await visitor().passed('password/forgotten', { email });
    await sent();
    expect(mailsTo(email).length).toBe(before + 1);
    await visitor().passed('password/new', { token: tokenIn(mailsTo(email).at(-1)!), ...twice });
    expect(await owner.query('me')).toMatchObject({ status: 401 });
    // The account is there, without an address, and its admin gives it another.
    expect(await client.ask('me')).toMatchObject({ accountId, name: 'Tom Hughes' });
    expect(await inRest(admin, accountId)).toMatchObject({ name: 'Tom Hughes', email: null, state: 'active' });
    expect(await inLog(accountId, 'StaffAddressLost')).toBe(1);
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { name: 'Thomas Hughes' });
    expect(await inRest(admin, accountId)).toMatchObject({ name: 'Thomas Hughes', email: null });
    const next = someEmail();
    await admin.done('ChangeStaffAccount', { accountId, email: next });
    await visitor().signIn(next, PASSWORD);
    expect(await inRest(admin, accountId)).toMatchObject({ email: next });
  });
});

describe('an address that its owner has proved', () => {
  test('is not lost to whoever claims it', async () => {
    const { email } = await proved();
    const taken = await theirAdmin.command('OpenStaffAccount', { name: 'Evil', email, password: PASSWORD, role: 'teacher' });
    expect([taken.status, taken.body.title]).toEqual([422, authMessages.addTeacherFailed]);
    await visitor().signIn(email, NEW);
  });

  test('is lost by a student in the same way, who keeps the account and chooses another in the profile', async () => {
    const email = someEmail();
    const person = { name: 'B3', email, password: PASSWORD, studentId: school.ids.students['B3'] };
    const { accountId = '' } = await admin.done('OpenStudentAccount', person);
    const student = visitor();
    await student.signIn(email, PASSWORD);
    await theirAdmin.done('InviteStaff', { name: 'Owner', email, role: 'teacher', teachers: [] });
    await visitor().passed('activation/accept', { token: await mailbox.token(email), name: 'Owner', ...twice });
    expect(await inRest(admin, accountId, 'studentUsers')).toMatchObject({ email: null });
    expect(await inLog(accountId, 'StudentAddressLost')).toBe(1);
    const reset = await admin.command('ResetStudentAccount', { accountId });
    expect([reset.status, reset.body.title]).toEqual([409, authMessages.noAddress]);
    const next = someEmail();
    await student.passed('profile/unlock', { password: PASSWORD });
    await student.passed('profile', { email: next });
    await visitor().passed('verify', { token: await mailbox.token(next) });
    await visitor().signIn(next, PASSWORD);
    expect(await inRest(admin, accountId, 'studentUsers')).toMatchObject({ email: next });
  });

  test('that was lost is in the log also where the process died in between, once', async () => {
    const { accountId, email } = await claimed();
    const { pool, lostAddresses } = school.backend.auth;
    await school.backend.progress.waitFor(['accounts'], await school.backend.store.head(), 30_000);
    await pool.query(`update identity."user" set email = gen_random_uuid()::text where email = $1`, [email]);
    for (let n = 0; n < 2; n++) await lostAddresses.note();
    expect(await inLog(accountId, 'StaffAddressLost')).toBe(1);
    expect(await inRest(admin, accountId)).toMatchObject({ email: null });
  });
});

test('two who prove each other’s address at the same moment: one gets it, the other is told that the link is dead', async () => {
  const two = await Promise.all([claimed(), claimed()]);
  const tokens: string[] = [];
  for (const [at, { client }] of two.entries()) {
    const email = two[1 - at]?.email ?? '';
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { email });
    // The first has heard before that its own address is about to change.
    if (at === 1) await mailbox.next(email);
    tokens.push(await mailbox.token(email));
  }
  const { pool } = school.backend.auth;
  const waiting = async (): Promise<unknown> =>
    (await pool.query(`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .rows[0];
  // Each has locked its own account and waits for its pending change; let go, each wants the account of the other.
  const database = new pg.Client(school.databaseUrl);
  await database.connect();
  await database.query('begin');
  await database.query('select from identity.email_changes where account_id = any($1) for update', [two.map(({ accountId }) => accountId)]);
  const answers = tokens.map((token) => visitor().auth('verify', { token }));
  await expect.poll(waiting).toEqual({ n: 2 });
  await database.query('commit');
  await database.end();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 410]);
  const winner = statuses.indexOf(200);
  const gained = two[1 - winner]?.email ?? '';
  const owner = visitor();
  await owner.signIn(gained, PASSWORD);
  expect(await owner.ask('me')).toMatchObject({ accountId: two[winner]?.accountId, email: gained });
  expect(await inRest(admin, two[1 - winner]?.accountId ?? '')).toMatchObject({ email: null, state: 'active' });
});

describe('an invitation', () => {
  test('reserves no address: two schools invite one person, who accepts one, and is told so at the other', async () => {
    const email = someEmail();
    await admin.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    const ours = await mailbox.token(email);
    await theirAdmin.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    const theirs = await mailbox.token(email);
    await visitor().passed('activation/accept', { token: theirs, name: 'Grace New', ...twice });
    const late = await visitor().auth('activation/accept', { token: ours, name: 'Grace New', ...twice });
    expect([late.status, late.body.title]).toEqual([409, authMessages.invitationTaken]);
    const owner = visitor();
    await owner.signIn(email, NEW);
    expect((await owner.ask<{ school: { id: string } }>('me')).school).toMatchObject({ name: 'Test School' });
    await visitor().passed('password/forgotten', { email });
    expect((await mailbox.next(email)).subject).toBe('Set a new password for Marktrail');
  });

  test('by two schools, accepted twice at once, is accepted once', async () => {
    const email = someEmail();
    const tokens: string[] = [];
    for (const by of [admin, theirAdmin]) {
      await by.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
      tokens.push(await mailbox.token(email));
    }
    const answers = await Promise.all(tokens.map((token) => visitor().auth('activation/accept', { token, name: 'Grace', ...twice })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await visitor().signIn(email, NEW);
  });

  test('is refused for an address of the own school, invited, in use or a student’s, and says so', async () => {
    const { email } = await invited();
    for (const taken of [email.toUpperCase(), school.email('leader'), school.email('student')]) {
      const { status, body } = await admin.command('InviteStaff', { name: 'Other', email: taken, role: 'teacher', teachers: [] });
      expect([status, body.title]).toEqual([422, authMessages.addTeacherFailed]);
    }
  });

  test('that is forgotten is mailed again to where it went, and nobody logs in with it', async () => {
    const { email, accountId } = await invited();
    await mailbox.next(email);
    await visitor().passed('password/forgotten', { email });
    expect((await mailbox.next(email)).subject).toContain('your Marktrail account');
    const { rows } = await school.backend.auth.pool.query<{ email: string }>(`select email from identity."user" where "accountId" = $1`, [
      accountId,
    ]);
    expect(rows[0]?.email).not.toContain('@');
  });
});

describe('whether somebody has an account', () => {
  test('is told by no profile: the answer is the same, and the owner gets a mail without a link', async () => {
    const { email: taken } = await proved();
    const student = await school.as('student');
    await student.passed('profile/unlock', { password: PASSWORD });
    const answers = [];
    for (const email of [taken, someEmail()]) {
      const { status, body } = await student.auth('profile', { email });
      const profile = (await (await student.send('/api/door/profile')).json()) as Profile;
      answers.push([status, body, profile.newEmail === email]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([200, { message: authMessages.profileUpdated }, true]);
    await student.passed('profile', { email: taken });
    const { subject = '', text = '' } = await mailbox.next(taken);
    expect(subject).toContain('was given for another');
    expect(text).not.toContain('token=');
    await visitor().signIn(taken, NEW);
  });

  test('is told by no invitation of another school', async () => {
    const { email } = await proved();
    const answer = await theirAdmin.command('InviteStaff', { name: 'Other', email, role: 'teacher', teachers: [] });
    expect(answer.status).toBe(200);
    const { text = '' } = await mailbox.next(email);
    expect(text).toContain('“Test School”');
    expect(text).not.toContain('token=');
    expect(await inRest(theirAdmin, String(answer.body.result['accountId']))).toMatchObject({ email, state: 'invited' });
  });

  test('is told to an admin who opens or corrects accounts a few times an hour, and then not at all', async () => {
    const other = await school.neighbour();
    const client = await other.as('admin');
    const taken = [];
    for (let n = 0; n < 4; n++) taken.push((await proved()).email);
    const open = (email: string) => client.command('OpenStaffAccount', { name: 'Guess', email, password: PASSWORD, role: 'teacher' });
    // At once, too.
    const first = await Promise.all(taken.map(open));
    expect(first.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    const { accountId } = (await open(someEmail())).body.result;
    const change = (email: string) => client.command('ChangeStaffAccount', { accountId, email });
    expect((await change(taken[0] ?? '')).status).toBe(422);
    for (const email of [taken[1] ?? '', someEmail()]) {
      for (const answer of [await change(email), await open(email)]) {
        expect([answer.status, answer.body.code]).toEqual([429, 'rate-limited']);
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      }
    }
    // What asks nothing of other schools goes on.
    await client.done('InviteStaff', { name: 'New', email: someEmail(), role: 'teacher', teachers: [] });
    await client.done('ChangeStaffAccount', { accountId, role: 'leader' });
    expect(await (await visitor().send('/api/metrics')).text()).toContain('limit="taken addresses found by one"');
  });

  test('is told to a student who joins a few times', async () => {
    const { code = '' } = await admin.done('IssueJoinCode', { subjectId: school.ids.maths });
    const student = visitor();
    const { joining } = await student.passed<JoinSchool>('join/code', { code });
    const { choices } = await student.passed<JoinChoices>('join/birthday', { joining, dateOfBirth: '2009-05-01' });
    const choice = choices.find(({ name }) => name === fullName('C2'))?.choice;
    await student.passed('join/name', { joining, choice });
    const statuses = [];
    for (let n = 0; n < 7; n++) {
      const { status } = await student.auth('join/account', { joining, email: n < 6 ? school.email('leader') : someEmail(), ...twice });
      statuses.push(status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  test('is told to those who join with one code a few times, which keeps no admin from opening accounts', async () => {
    const other = await school.neighbour();
    const client = await other.as('admin');
    const { code = '' } = await client.done('IssueJoinCode', { subjectId: other.ids.maths });
    const told: number[] = [];
    for (const [n, short] of ['A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4'].entries()) {
      const student = visitor();
      student.address = `198.51.100.${n}`;
      // All were born on one day here, and nobody joins: another limit.
      await school.backend.auth.pool.query(`delete from identity.joining_places`);
      const { joining } = await student.passed<JoinSchool>('join/code', { code });
      const { choices } = await student.passed<JoinChoices>('join/birthday', { joining, dateOfBirth: '2009-05-01' });
      await student.passed('join/name', { joining, choice: choices.find(({ name }) => name === fullName(short))?.choice });
      for (let k = 0; k < 5; k++)
        told.push((await student.auth('join/account', { joining, email: school.email('leader'), ...twice })).status);
    }
    expect(told).toEqual([...Array.from({ length: 30 }, () => 422), 429, 429, 429, 429, 429]);
    await client.done('OpenStaffAccount', { name: 'Tom Hughes', email: someEmail(), password: PASSWORD, role: 'teacher' });
  });
});

describe('a refused change of an account', () => {
  test('leaves its address as proved as it was', async () => {
    const { accountId, email } = await proved();
    expect(await isProved(accountId)).toBe(true);
    const nobody = [{ subjectId: school.ids.maths, teacherId: randomUUID() }];
    const refused = await admin.command('ChangeStaffAccount', { accountId, email: someEmail(), teachers: nobody });
    expect(refused.status).toBe(422);
    expect(await isProved(accountId)).toBe(true);
    await visitor().signIn(email, NEW);
    await admin.done('ChangeStaffAccount', { accountId, email: someEmail() });
    expect(await isProved(accountId)).toBe(false);
  });
});

test('a student of another school who has joined there is as unknown as one that never was', async () => {
  const open = async (studentId: string | undefined) => {
    const person = { name: 'Somebody', email: someEmail(), password: PASSWORD };
    const { status, body } = await admin.command('OpenStudentAccount', { studentId, ...person });
    return [status, body];
  };
  const unknown = await open(randomUUID());
  expect(unknown).toMatchObject([422, { code: 'invalid-input', errors: [{ path: 'studentId' }] }]);
  expect(await open(neighbour.ids.students['A1'])).toEqual(unknown);
  expect(await open(school.ids.students['A1'])).toMatchObject([409, { code: 'joined-already' }]);
});

describe('the first password of an account that an admin opens', () => {
  const person = () => ({ name: 'Wilhelmina Brown', email: someEmail() });
  const requests: readonly [CommandName, () => object][] = [
    ['OpenStaffAccount', () => ({ ...person(), role: 'teacher' })],
    ['OpenStudentAccount', () => ({ ...person(), studentId: school.ids.students['C4'] })],
  ];
  test.each(requests)('%s keeps the rules that a profile keeps', async (name, body) => {
    for (const [password, message] of [
      ['password1', authMessages.passwordCommon],
      ['abcdefgh1', authMessages.passwordPattern],
      ['wilhelmina7', authMessages.passwordAboutYou],
      ['test school 1', authMessages.passwordAboutYou],
    ]) {
      const given = body();
      const { status, body: answer } = await admin.command(name, { ...given, password });
      expect([password, status, answer.errors]).toEqual([password, 422, [{ path: 'password', message }]]);
      expect(await school.backend.auth.credentials.byEmail((given as { email: string }).email)).toBeUndefined();
    }
    await admin.done(name, { ...body(), password: 'purple otters at dawn' });
  });
});
