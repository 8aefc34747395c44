import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { CommandName } from '../../api/commands/all.ts';
import { doorWords } from '../../api/contract/door-words.ts';
import { Client } from '../support/client.ts';
import { openMailbox } from '../support/mailbox.ts';
import { openSchool, PASSWORD } from '../support/school.ts';

/** Whose address it is: what an admin says of an account, and what its owner has shown by a mailed link. */
const mailbox = await openMailbox();
const school = await openSchool({ smtpUrl: mailbox.url });
const neighbour = await school.neighbour();
const admin = await school.as('admin');
afterAll(async () => {
  await school.close();
  await mailbox.close();
});

const NEW = 'a brand new one';
const twice = { password: NEW, confirmation: NEW };
const visitor = () => new Client(school);
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
  const { rows } = await school.backend.door.pool.query<{ proved: boolean }>(
    `select "emailVerified" as proved from identity."user" where "accountId" = $1`,
    [accountId],
  );
  return rows[0]?.proved;
};

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
      ['password1', doorWords.passwordCommon],
      ['abcdefgh1', doorWords.passwordPattern],
      ['wilhelmina7', doorWords.passwordAboutYou],
      ['test school 1', doorWords.passwordAboutYou],
    ]) {
      const given = body();
      const { status, body: answer } = await admin.command(name, { ...given, password });
      expect([password, status, answer.errors]).toEqual([password, 422, [{ path: 'password', message }]]);
      expect(await school.backend.door.credentials.byEmail((given as { email: string }).email)).toBeUndefined();
    }
    await admin.done(name, { ...body(), password: 'purple otters at dawn' });
  });
});
