import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { pasted } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

const { mailbox, school, admin, visitor } = await openAuthSchool();

const NEW = 'a brand new one';
const twice = (password: string) => ({ password, confirmation: password });
const email = () => `${randomUUID()}@staff.example`;
const staff = async () => {
  const address = email();
  const { accountId } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email: address, password: PASSWORD, role: 'teacher' });
  const client = visitor();
  await client.signIn(address, PASSWORD);
  return { address, accountId, client };
};
const resetToken = async (address: string): Promise<string> => {
  await visitor().passed('password/forgotten', { email: address });
  return mailbox.token(address);
};

describe('a forgotten password', () => {
  test('is replaced by a mailed link, which ends every session and is told to the owner', async () => {
    const { address, client } = await staff();
    await visitor().passed('password/forgotten', { email: pasted(address) });
    const token = await mailbox.token(address);
    const answer = await visitor().passed('password/new', { token, ...twice(NEW) });
    expect(answer).toEqual({ message: authMessages.passwordChanged });
    expect((await client.query('me')).status).toBe(401);
    await expect(visitor().signIn(address, PASSWORD)).rejects.toThrow('401');
    await visitor().signIn(address, NEW);
    expect((await mailbox.next(address)).subject).toContain('password was changed');
  });

  test('a link works once, and takes the older ones with it', async () => {
    const { address } = await staff();
    const [older, newer] = [await resetToken(address), await resetToken(address)];
    expect(await visitor().passed('activation', { token: newer })).toEqual({ kind: 'password', email: address });
    await visitor().passed('password/new', { token: newer, ...twice(NEW) });
    for (const token of [newer, older, 'x'.repeat(43), 'cut', '']) {
      const { status, body } = await visitor().auth('password/new', { token, ...twice('another one of mine') });
      expect([status, body.code, body.title]).toEqual([410, 'link-dead', authMessages.resetFailed]);
    }
    await visitor().signIn(address, NEW);
  });

  test('of ten who use one link at once, one does', async () => {
    const { address } = await staff();
    const token = await resetToken(address);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => visitor().auth('password/new', { token, ...twice(`${NEW} ${n}`) })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test('a link that is too old, or for something else, is dead', async () => {
    const { address, client } = await staff();
    const token = await resetToken(address);
    await school.backend.auth.pool.query(`update identity.links set expires_at = now() - interval '1 second' where about = $1`, [address]);
    expect((await visitor().auth('password/new', { token, ...twice(NEW) })).status).toBe(410);
    await admin.done('InviteStaff', { name: 'Other', email: `i${address}`, role: 'teacher', teachers: [] });
    const activation = await mailbox.token(`i${address}`);
    expect((await visitor().auth('password/new', { token: activation, ...twice(NEW) })).status).toBe(410);
    expect((await client.query('me')).status).toBe(200);
  });

  test('a password that is refused leaves the link as it is', async () => {
    const { address } = await staff();
    const token = await resetToken(address);
    for (const [password, confirmation, message] of [
      ['short', 'short', 'Min 8 characters'],
      ['', '', 'Required.'],
      ['p4'.repeat(65), 'p4'.repeat(65), 'At most 128 characters.'],
      ['long enough too', 'something else', 'Passwords do not match.'],
      ['Password123', 'Password123', authMessages.passwordCommon],
      ['tom-hughes', 'tom-hughes', authMessages.passwordAboutYou],
    ]) {
      const { status, body } = await visitor().auth('password/new', { token, password, confirmation });
      expect([status, body.title]).toEqual([422, message]);
    }
    await visitor().passed('password/new', { token, ...twice(NEW) });
  });

  test('is answered the same whether there is such an address or not, before the mail is made: so the time says nothing either', async () => {
    const { address } = await staff();
    const before = mailbox.mails.length;
    const nobody = `nobody-${address}`;
    const database = new pg.Client({ connectionString: school.databaseUrl });
    await database.connect();
    // Whoever makes a link for an account waits here.
    await database.query('begin; lock table identity.links in access exclusive mode');
    const answers = [];
    try {
      for (const to of [address, nobody, address, nobody]) answers.push(await visitor().auth('password/forgotten', { email: to }));
    } finally {
      await database.query('rollback');
      await database.end();
    }
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
    for (let n = 0; n < 2; n++) await mailbox.next(address);
    expect(mailbox.mails.slice(before).map(({ recipient }) => recipient)).not.toContain(nobody);
  });

  test('cannot be used to flood a mailbox, and does not say so', async () => {
    const { address } = await staff();
    for (let n = 0; n < 8; n++) expect((await visitor().auth('password/forgotten', { email: address })).status).toBe(200);
    for (let n = 0; n < 5; n++) await mailbox.next(address);
    await resetToken((await staff()).address);
    expect(mailbox.mails.filter(({ recipient }) => recipient === address).length).toBe(5);
  });

  test('of a closed account brings nothing; a link from before is dead', async () => {
    const { address, accountId } = await staff();
    const token = await resetToken(address);
    await admin.done('CloseStaffAccount', { accountId });
    expect((await visitor().auth('password/new', { token, ...twice(NEW) })).status).toBe(410);
    await visitor().passed('password/forgotten', { email: address });
    const { address: other } = await staff();
    await resetToken(other);
    expect(mailbox.mails.filter(({ recipient }) => recipient === address).length).toBe(1);
  });

  test('no link is in the database, nor what opens one', async () => {
    const { address } = await staff();
    const token = await resetToken(address);
    const { rows } = await school.backend.auth.pool.query<{ text: string }>(
      `select coalesce(string_agg(l::text, ' '), '') || coalesce((select string_agg(o::text, ' ') from mail.outbox o), '') as text from identity.links l`,
    );
    expect(rows[0]?.text).not.toContain(token);
    expect(rows[0]?.text).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });
});

describe('an invited account of staff', () => {
  const invite = async (more: Record<string, unknown> = {}) => {
    const address = email();
    const { accountId } = await admin.done('InviteStaff', {
      name: 'Priya Shah',
      email: pasted(address),
      role: 'teacher',
      teachers: [],
      ...more,
    });
    return { address, accountId: accountId ?? '' };
  };

  test('is activated by its mail: name and password are its own, and it logs in with its role', async () => {
    const { address, accountId } = await invite({ role: 'leader' });
    const mail = await mailbox.next(address);
    expect(mail.subject).toBe('Test School: your Marktrail account');
    const token = /\?token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? '';
    await expect(visitor().signIn(address, PASSWORD)).rejects.toThrow('401');
    expect(await visitor().passed('activation', { token })).toEqual({
      kind: 'invitation',
      name: 'Priya Shah',
      email: address,
      school: 'Test School',
      role: 'leader',
    });
    expect(await visitor().passed('activation/accept', { token, name: 'Dr Priya Shah', ...twice(NEW) })).toEqual({
      message: 'Account activated',
    });
    const client = visitor();
    await client.signIn(address.toUpperCase(), NEW);
    expect(await client.ask('me')).toMatchObject({ accountId, name: 'Dr Priya Shah', role: 'leader' });
    const again = await visitor().auth('activation/accept', { token, name: 'Dr Priya Shah', ...twice(NEW) });
    expect([again.status, again.body.code]).toEqual([410, 'link-dead']);
  });

  test('is sent another link, which takes the place of the first', async () => {
    const { address, accountId } = await invite();
    const first = await mailbox.token(address);
    await admin.done('InviteStaffAgain', { accountId });
    const second = await mailbox.token(address);
    expect((await visitor().auth('activation', { token: first })).status).toBe(410);
    await visitor().passed('activation/accept', { token: second, name: 'Priya', ...twice(NEW) });
    const answer = await admin.command('InviteStaffAgain', { accountId });
    expect([answer.status, answer.body.title]).toEqual([409, 'This account is active already.']);
  });

  test('is invited once, however often the request is sent', async () => {
    const [address, key] = [email(), randomUUID()];
    const body = { name: 'Priya', email: address, role: 'teacher', teachers: [] };
    const answers = await Promise.all([1, 2, 3].map(() => admin.done('InviteStaff', body, key)));
    expect(new Set(answers.map(({ accountId }) => accountId)).size).toBe(1);
    await mailbox.next(address);
    const { address: other } = await invite();
    await mailbox.next(other);
    expect(mailbox.mails.filter(({ recipient }) => recipient === address).length).toBe(1);
  });

  test('whose mail was never ordered, because a process died, gets it all the same', async () => {
    const { address, accountId } = await invite();
    await mailbox.next(address);
    await school.backend.auth.pool.query(`delete from mail.outbox where cause like $1`, [`invited ${accountId}%`]);
    await invite();
    expect((await mailbox.next(address)).subject).toContain('your Marktrail account');
  });

  test('that forgets its password before it has one is sent its invitation', async () => {
    const { address } = await invite();
    await mailbox.next(address);
    const token = await resetToken(address);
    await visitor().passed('activation/accept', { token, name: 'Priya', ...twice(NEW) });
    await visitor().signIn(address, NEW);
  });

  test('with the address of somebody else, in whatever spelling, is refused', async () => {
    for (const taken of [school.email('leader'), school.email('leader').toUpperCase()]) {
      const answer = await admin.command('InviteStaff', { name: 'Twice', email: taken, role: 'teacher', teachers: [] });
      expect([answer.status, answer.body.title]).toEqual([422, authMessages.addTeacherFailed]);
    }
    const answer = await admin.command('InviteStaff', { name: 'X', email: 'nobody', role: 'student', teachers: [] });
    expect(answer.body.errors).toEqual([
      { path: 'email', message: 'Invalid e-mail.' },
      { path: 'role', message: 'Select a role' },
    ]);
  });

  test('whose address was mistyped is invited at the right one, and the first link is dead', async () => {
    const { address, accountId } = await invite();
    const first = await mailbox.token(address);
    const taken = await admin.command('ChangeStaffAccount', { accountId, email: pasted(school.email('leader')) });
    expect([taken.status, taken.body.title]).toEqual([422, authMessages.addTeacherFailed]);
    const right = email();
    await admin.done('ChangeStaffAccount', { accountId, email: pasted(right) });
    const token = await mailbox.token(right);
    expect((await visitor().auth('activation', { token: first })).status).toBe(410);
    await visitor().passed('activation/accept', { token, name: 'Priya', ...twice(NEW) });
    await visitor().signIn(right, NEW);
    await expect(visitor().signIn(address, NEW)).rejects.toThrow('401');
  });

  test('that is in use gets another address: both are told, its sessions end, and an old request brings nothing back', async () => {
    const { address, accountId, client } = await staff();
    const [next, last, key] = [email(), email(), randomUUID()];
    await admin.done('ChangeStaffAccount', { accountId, email: next }, key);
    expect((await client.query('me')).status).toBe(401);
    expect((await mailbox.next(address)).subject).toContain('was changed');
    await visitor().passed('verify', { token: await mailbox.token(next) });
    await admin.done('ChangeStaffAccount', { accountId, email: last });
    await admin.done('ChangeStaffAccount', { accountId, email: next }, key);
    await expect(visitor().signIn(next, PASSWORD)).rejects.toThrow('401');
    await visitor().signIn(last, PASSWORD);
    const neighbour = await (await school.neighbour()).as('admin');
    expect((await neighbour.command('ChangeStaffAccount', { accountId, email: email() })).status).toBe(404);
    await visitor().signIn(last, PASSWORD);
  });

  test('that is closed cannot be activated any more', async () => {
    const { address, accountId } = await invite();
    const token = await mailbox.token(address);
    await admin.done('CloseStaffAccount', { accountId });
    expect((await visitor().auth('activation/accept', { token, name: 'Priya', ...twice(NEW) })).status).toBe(410);
    await expect(visitor().signIn(address, NEW)).rejects.toThrow('401');
  });

  test('that has not come yet is no admin that a school could do with', async () => {
    const neighbour = await school.neighbour();
    const theirs = await neighbour.as('admin');
    await theirs.done('InviteStaff', { name: 'Second', email: email(), role: 'admin', teachers: [] });
    expect((await theirs.command('CloseStaffAccount', { accountId: neighbour.accounts.admin })).status).toBe(409);
  });

  test('leaves no address, password or token in the log', async () => {
    const { address } = await invite();
    const token = await mailbox.token(address);
    await visitor().passed('activation/accept', { token, name: 'Nobody Else', ...twice('zebra crossing at noon') });
    let log = '';
    for await (const { data, metadata } of school.backend.store.readAll('start')) log += data + metadata;
    for (const secret of [address, token, 'Nobody Else', 'zebra crossing']) expect(log).not.toContain(secret);
  });
});

describe('the account of a student', () => {
  const student = async () => {
    const address = `${randomUUID()}@students.example`;
    const { accountId = '' } = await admin.done('OpenStudentAccount', {
      studentId: school.ids.students['B1'],
      name: 'B1',
      email: address,
      password: PASSWORD,
    });
    return { address, accountId };
  };
  const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

  test('is reset by a link that is shown to the admin and mailed, works once, and takes the one before with it', async () => {
    const { address, accountId } = await student();
    const { link: first = '' } = await admin.done('ResetStudentAccount', { accountId });
    expect(first).toContain('/email/change-password?token=');
    expect(await mailbox.token(address)).toBe(tokenOf(first));
    const key = randomUUID();
    const { link: second = '' } = await admin.done('ResetStudentAccount', { accountId }, key);
    expect(await admin.done('ResetStudentAccount', { accountId }, key)).toEqual({ link: second });
    expect((await visitor().auth('password/new', { token: tokenOf(first), ...twice(NEW) })).status).toBe(410);
    await visitor().signIn(address, PASSWORD);
    await visitor().passed('password/new', { token: tokenOf(second), ...twice(NEW) });
    expect((await visitor().auth('password/new', { token: tokenOf(second), ...twice(NEW) })).status).toBe(410);
    await visitor().signIn(address, NEW);

    await admin.done('CloseStudentAccount', { accountId });
    await expect(visitor().signIn(address, NEW)).rejects.toThrow('401');
    expect((await admin.command('ResetStudentAccount', { accountId })).status).toBe(404);
  });

  test('that was closed stays closed where the request that opened it is sent once more', async () => {
    const key = randomUUID();
    const opening = { name: 'Late', email: email(), password: PASSWORD, role: 'teacher' };
    const { accountId } = await admin.done('OpenStaffAccount', opening, key);
    await admin.done('CloseStaffAccount', { accountId });
    expect(await admin.done('OpenStaffAccount', opening, key)).toEqual({ accountId });
    await expect(visitor().signIn(opening.email, PASSWORD)).rejects.toThrow('401');
    await admin.done('InviteStaff', { name: 'Next', email: opening.email, role: 'teacher', teachers: [] });
  });
});
