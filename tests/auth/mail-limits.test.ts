import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, test } from 'vitest';
import type { CommandName } from '../../api/commands.ts';
import { NO_WEB_ADDRESS } from '../../api/contract/fields.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

/** Mail that a user causes: how much of it, and what is in it. */
const { mailbox, school, admin, visitor, sent } = await openAuthSchool();

const someEmail = () => `${randomUUID()}@staff.example`;
const invite = (email: string, name = 'Grace New') => admin.command('InviteStaff', { name, email, role: 'teacher', teachers: [] });
const mailsTo = (email: string): number => mailbox.mails.filter(({ recipient }) => recipient === email).length;
const refusedBy = async (limit: string): Promise<number> => {
  const text = await (await visitor().send('/api/metrics')).text();
  return Number(new RegExp(`marktrail_refused_by_limit_total\\{limit="${limit}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

describe('how much mail a user can cause', () => {
  test('one person gets a handful, however often the invitation is sent again', async () => {
    const email = someEmail();
    const { accountId } = (await invite(email)).body.result;
    const answers = [];
    for (let n = 0; n < 15; n++) answers.push(await admin.command('InviteStaffAgain', { accountId }));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 429]));
    const last = answers.at(-1);
    expect([last?.status, last?.body.code]).toEqual([429, 'rate-limited']);
    expect(Number(last?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refusedBy('mails of a school to one address')).toBeGreaterThan(0);
    await sent();
    expect(mailsTo(email)).toBeLessThanOrEqual(6);
  });

  test('but a request that is sent again under its key is no mail more, however often', async () => {
    const email = someEmail();
    const eightTimes = async (name: CommandName, body: object) => {
      const key = randomUUID();
      const answers = [];
      for (let n = 0; n < 8; n++) answers.push(await admin.command(name, body, { key }));
      return answers.map(({ status, body: { result } }) => ({ status, accountId: result?.['accountId'] }));
    };
    const [first, ...others] = await eightTimes('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    const { accountId } = first ?? {};
    expect(new Set([first, ...others].map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, accountId })]),
    );
    await sent();
    expect(mailsTo(email)).toBe(1);
    const again = await eightTimes('InviteStaffAgain', { accountId });
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    await sent();
    expect(mailsTo(email)).toBe(2);
    // Each under a key of its own, they are counted.
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await admin.command('InviteStaffAgain', { accountId })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  test('nor does it kill the link in the mail that it has caused', async () => {
    const email = someEmail();
    const { accountId } = (await invite(email)).body.result;
    await mailbox.token(email);
    const key = randomUUID();
    await admin.command('InviteStaffAgain', { accountId }, { key });
    const token = await mailbox.token(email);
    expect((await admin.command('InviteStaffAgain', { accountId }, { key })).status).toBe(200);
    await visitor().passed('activation/accept', { token, name: 'Grace New', password: PASSWORD, confirmation: PASSWORD });
  });

  test('and what one school is refused keeps no other from writing to the same person', async () => {
    const email = someEmail();
    const { accountId } = (await invite(email)).body.result;
    for (let n = 0; n < 24; n++) await admin.command('InviteStaffAgain', { accountId });
    const neighbour = await (await school.neighbour()).as('admin');
    const theirs = await neighbour.command('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    expect([theirs.status, theirs.body.title]).toEqual([200, undefined]);
  });

  test('and a student keeps no admin from writing to somebody', async () => {
    const email = someEmail();
    const neighbour = await school.neighbour();
    const student = await neighbour.as('student');
    await student.passed('profile/unlock', { password: PASSWORD });
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await student.auth('profile', { email })).status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const theirs = await (await neighbour.as('admin')).command('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    expect([theirs.status, theirs.body.title]).toEqual([200, undefined]);
  });

  test('nor does a mailbox have many addresses', async () => {
    const mark = randomUUID();
    const caller = await (await school.neighbour()).as('admin');
    const statuses = [];
    for (let n = 0; n < 22; n++) {
      const email = `${mark}+${n}@staff.example`;
      statuses.push((await caller.command('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
  });

  test('nor is anybody found by giving the mailbox to one account after the other, or by moving one account about', async () => {
    const email = someEmail();
    let refused = 0;
    for (let n = 0; n < 12; n++) {
      const { status, body } = await invite(email);
      if (status === 429) refused += 1;
      else await admin.done('CloseStaffAccount', { accountId: body.result['accountId'] });
    }
    expect(refused).toBeGreaterThan(0);
    const moved = someEmail();
    const { accountId } = await admin.done('OpenStaffAccount', { name: 'Tom', email: someEmail(), password: PASSWORD, role: 'teacher' });
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      statuses.push((await admin.command('ChangeStaffAccount', { accountId, email: n % 2 === 0 ? moved : someEmail() })).status);
    }
    expect(statuses).toContain(429);
    await sent();
    for (const one of [email, moved]) expect(mailsTo(one)).toBeLessThanOrEqual(6);
  });

  test('a profile asks for a new address a few times an hour', async () => {
    const student = await school.as('student');
    await student.passed('profile/unlock', { password: PASSWORD });
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await student.auth('profile', { email: someEmail() })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  });

  test('a reset by an admin is mailed a few times an hour', async () => {
    const email = someEmail();
    const { accountId } = await admin.done('OpenStudentAccount', {
      studentId: school.ids.students['B2'],
      name: 'B2',
      email,
      password: PASSWORD,
    });
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await admin.command('ResetStudentAccount', { accountId })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
  });
});

describe('what a user can put into a mail', () => {
  const LINKS = [
    'http://evil.example',
    'see https://evil.example/x',
    'www.evil.example',
    'Win at evil.com now',
    'evil.co.uk/x',
    'a@evil.org',
  ];
  const NAMES = [
    "St. Mary's C.E. School",
    'J.R. Smith',
    "O'Neil",
    'J.Ng',
    'Dr.No',
    'A.B.C. Academy',
    'St.Johns (Ely)',
    'Müller-Lüdenscheidt, K.',
  ];
  const person = () => ({ email: someEmail(), password: PASSWORD });
  const commands: readonly [CommandName, (name: string) => object][] = [
    ['InviteStaff', (name) => ({ name, email: someEmail(), role: 'teacher', teachers: [] })],
    ['OpenStaffAccount', (name) => ({ name, ...person(), role: 'teacher' })],
    ['OpenStudentAccount', (name) => ({ name, ...person(), studentId: school.ids.students['C1'] })],
    ['RenameSchool', (name) => ({ name })],
  ];
  test.each(commands)('%s takes no name that holds a web address', async (command, body) => {
    for (const name of LINKS) {
      const { status, body: answer } = await admin.command(command, body(name));
      expect([name, status, answer.errors]).toEqual([name, 422, [{ path: 'name', message: NO_WEB_ADDRESS }]]);
    }
  });

  test('nor does joining', async () => {
    const student = await school.as('student');
    await student.passed('profile/unlock', { password: PASSWORD });
    const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
    const robot = Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString('base64');
    const twice = { password: PASSWORD, confirmation: PASSWORD };
    for (const name of LINKS) {
      for (const [path, body, field] of [
        ['registration', { name, email: someEmail(), ...twice, terms: true, robot }, 'name'],
        ['registration/finalise', { token: 'x', email: someEmail(), password: PASSWORD, school: `School ${name}` }, 'school'],
        ['activation/accept', { token: 'x', name, ...twice }, 'name'],
        ['profile', { name }, 'name'],
      ] as const) {
        const { status, body: answer } = await student.auth(path, body);
        expect([path, name, status, answer.errors]).toEqual([path, name, 422, [{ path: field, message: NO_WEB_ADDRESS }]]);
      }
    }
  });

  test('names with dots, initials and titles are names', async () => {
    for (const name of NAMES) {
      await admin.done('RenameSchool', { name });
      await admin.done('InviteStaff', { name, email: someEmail(), role: 'teacher', teachers: [] });
    }
    await admin.done('RenameSchool', { name: 'Test School' });
  });

  test('a name that is older than the rule leads nowhere, and is quoted', async () => {
    const { pool } = school.backend.auth;
    const old = 'Prize: https://evil.example/win <b>www.evil.example</b> ask a@evil.example';
    await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
    await pool.query('update read.schools set name = $2 where school_id = $1', [school.schoolId, old]);
    const email = someEmail();
    await invite(email, 'Grace New');
    const { subject = '', text = '', html = '' } = await mailbox.next(email);
    for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.example|www\.\S|https?:\/\/[^\s"]*evil|\w@\w/);
    expect(html).not.toContain('<b>');
    expect(text).toContain('“Prize: https: / /evil. example/win');
    expect(text).toContain('“Grace New”');
    await pool.query('update read.schools set name = $2 where school_id = $1', [school.schoolId, 'Test School']);
  });
});

test('a school invites all of its 150 staff in one go', async () => {
  const neighbour = await school.neighbour();
  const theirs = await neighbour.as('admin');
  for (let n = 0; n < 150; n += 15) {
    const emails = Array.from({ length: 15 }, someEmail);
    await Promise.all(emails.map((email) => theirs.done('InviteStaff', { name: 'New', email, role: 'teacher', teachers: [] })));
  }
});
