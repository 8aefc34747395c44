import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, test } from 'vitest';
import type { Verified } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { pasted } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

const { mailbox, school, visitor } = await openAuthSchool();

const email = () => `${randomUUID()}@heads.example`;

/** As the page does it: the solved challenge of the robot check. */
const solved = async (): Promise<string> => {
  const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
};
const form = async (more: Record<string, unknown> = {}) => ({
  name: 'Ada Nwosu',
  email: email(),
  password: PASSWORD,
  confirmation: PASSWORD,
  terms: true,
  robot: await solved(),
  ...more,
});
const registered = async (address = email()): Promise<{ address: string; token: string }> => {
  await visitor().passed('registration', await form({ email: address }));
  return { address, token: await mailbox.token(address.toLowerCase()) };
};
const schoolsCalled = async (name: string): Promise<number> => {
  await school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
  const { rows } = await school.backend.auth.pool.query('select from read.schools where name = $1', [name]);
  return rows.length;
};

describe('a new school', () => {
  test('goes from the form over the mail to its first log-in', async () => {
    const address = email();
    expect(await visitor().passed('registration', await form({ email: pasted(address) }))).toEqual({
      message: 'Success: Please check your email to continue setup',
    });
    await expect(visitor().signIn(address, PASSWORD)).rejects.toThrow('401');
    const token = await mailbox.token(address);
    expect(await visitor().passed<Verified>('verify', { token })).toEqual({ kind: 'registration', email: address, name: 'Ada Nwosu' });
    const finalise = { token, email: pasted(address), password: PASSWORD, school: 'Greenfield Academy' };
    expect(await visitor().passed('registration/finalise', finalise)).toEqual({ message: 'Success: You can now log into Marktrail' });
    const admin = visitor();
    await admin.signIn(address, PASSWORD);
    expect(await admin.ask('me')).toMatchObject({ role: 'admin', name: 'Ada Nwosu', school: { name: 'Greenfield Academy' }, subjects: [] });
    await admin.done('AddSubject', { name: 'Mathematics' });
    expect((await visitor().auth('verify', { token })).status).toBe(410);
  });

  test('is one school, however often it is finalised at once', async () => {
    const { address, token } = await registered();
    const name = `School ${randomUUID()}`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => visitor().auth('registration/finalise', { token, email: address, password: PASSWORD, school: name })),
    );
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    expect(await schoolsCalled(name)).toBe(1);
    await visitor().signIn(address, PASSWORD);
  });

  test('of one address, registered twice, opens once', async () => {
    const address = email();
    const [one, other] = [await registered(address), await registered(address)];
    const [first, second] = [`School ${randomUUID()}`, `School ${randomUUID()}`];
    await visitor().passed('registration/finalise', { token: one.token, email: address, password: PASSWORD, school: first });
    const late = await visitor().auth('registration/finalise', { token: other.token, email: address, password: PASSWORD, school: second });
    expect([late.status, late.body.title]).toEqual([409, authMessages.registrationFailed]);
    expect([await schoolsCalled(first), await schoolsCalled(second)]).toEqual([1, 0]);
  });

  test('of an address that has an account is answered the same, and its owner is told', async () => {
    await school.backend.auth.credentials.setPassword(school.accounts.leader, PASSWORD);
    const answer = await visitor().passed('registration', await form({ email: school.email('leader') }));
    expect(answer).toEqual({ message: authMessages.registered });
    const mail = await mailbox.next(school.email('leader'));
    expect(mail.subject).toBe('You have a Marktrail account already');
    expect(mail.text).not.toContain('token=');
  });

  test('needs the mail and the password: neither alone finalises it', async () => {
    const { address, token } = await registered();
    const right = { token, email: address, password: PASSWORD, school: 'Greenfield Academy' };
    for (const wrong of [{ password: 'not this one' }, { email: email() }]) {
      const { status, body } = await visitor().auth('registration/finalise', { ...right, ...wrong });
      expect([status, body.title]).toEqual([409, authMessages.registrationFailed]);
      expect((body.errors ?? []).map(({ path }) => path)).toEqual(Object.keys(wrong));
    }
    expect((await visitor().auth('registration/finalise', { ...right, token: 'x'.repeat(43) })).status).toBe(410);
    await visitor().passed('registration/finalise', right);
  });

  test('says what is wrong with the form', async () => {
    const { body } = await visitor().auth('registration', {
      name: ' ',
      email: 'nobody',
      password: 'short',
      confirmation: 'other',
      terms: false,
      robot: 'x',
    });
    const said = Object.fromEntries((body.errors ?? []).map(({ path, message }) => [path, message]));
    expect(said).toMatchObject({
      name: 'Required.',
      email: 'Invalid e-mail.',
      password: 'Min 8 characters',
      terms: "You must agree to the T&C's",
    });
    const differ = await visitor().auth('registration', await form({ confirmation: 'another one' }));
    expect(differ.body.errors).toEqual([{ path: 'confirmation', message: 'Passwords do not match.' }]);
    const { address, token } = await registered();
    const short = await visitor().auth('registration/finalise', { token, email: address, password: PASSWORD, school: 'Short' });
    expect(short.body.errors).toEqual([{ path: 'school', message: 'Min 8 characters' }]);
  });
});

describe('the robot check', () => {
  const tries = async (robot: string) => (await visitor().auth('registration', await form({ robot }))).body.title;

  test('counts once', async () => {
    const robot = await solved();
    await visitor().passed('registration', await form({ robot }));
    expect(await tries(robot)).toBe(authMessages.robot);
  });

  test('takes no guess, no foreign challenge and none that is made easier', async () => {
    const { challenge, solution } = JSON.parse(Buffer.from(await solved(), 'base64').toString()) as {
      challenge: Challenge;
      solution: { counter: number; derivedKey: string };
    };
    const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const { parameters } = challenge;
    // No key was derived to make it: who asks for one and does not solve it costs a signature.
    expect(parameters.keySignature).toBeUndefined();
    for (const wrong of [
      'x',
      code({}),
      code({ challenge, solution: { ...solution, counter: solution.counter + 1, derivedKey: '00' } }),
      code({ challenge: { ...challenge, signature: '00' }, solution }),
      code({ challenge: { parameters }, solution }),
      code({ challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution }),
      code({ challenge: { ...challenge, parameters: { ...parameters, expiresAt: 4_000_000_000 } }, solution }),
      code({ challenge: { ...challenge, parameters: { ...parameters, keyPrefix: '' } }, solution }),
    ]) {
      expect(await tries(wrong)).toBe(authMessages.robot);
    }
    await visitor().passed('registration', await form({ robot: code({ challenge, solution }) }));
  });
});
