import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, test } from 'vitest';
import type { JoinChoices, JoinSchool } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import type { School } from '../support/school.ts';
import { fullName, PASSWORD } from '../support/school.ts';

/** What was given to one, in the hands of another: for another act, another account, another school. */
const { mailbox, school, admin, visitor } = await openAuthSchool();
const neighbour = await school.neighbour();

const NEW = 'a brand new one';
const twice = { password: NEW, confirmation: NEW };
const someEmail = () => `${randomUUID()}@staff.example`;
const staff = async () => {
  const email = someEmail();
  const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
  const client = visitor();
  await client.signIn(email, PASSWORD);
  return { email, accountId, client };
};

/** A fresh link of each kind: its token, and the address that it belongs to. */
const links = {
  registration: async () => {
    const email = someEmail();
    const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
    const solution = await solveChallenge({ challenge, deriveKey });
    const robot = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
    await visitor().passed('registration', { name: 'Ada Nwosu', email, ...twice, terms: true, robot });
    return { email, token: await mailbox.token(email) };
  },
  'new address': async () => {
    const { client } = await staff();
    const email = someEmail();
    await client.passed('profile/unlock', { password: PASSWORD });
    await client.passed('profile', { email });
    return { email, token: await mailbox.token(email) };
  },
  'new password': async () => {
    const { email } = await staff();
    await visitor().passed('password/forgotten', { email });
    return { email, token: await mailbox.token(email) };
  },
  invitation: async () => {
    const email = someEmail();
    await admin.done('InviteStaff', { name: 'Grace New', email, role: 'teacher', teachers: [] });
    return { email, token: await mailbox.token(email) };
  },
} as const;
type Kind = keyof typeof links;

/** What each kind opens, and nothing else. */
const acts: readonly { path: string; by: readonly Kind[]; body: (email: string) => object }[] = [
  { path: 'verify', by: ['registration', 'new address'], body: () => ({}) },
  {
    path: 'registration/finalise',
    by: ['registration'],
    body: (email) => ({ email, password: NEW, school: 'Greenfield Academy' }),
  },
  // Only says what the link is for.
  { path: 'activation', by: ['invitation', 'new password'], body: () => ({}) },
  { path: 'password/new', by: ['new password'], body: () => twice },
  { path: 'activation/accept', by: ['invitation'], body: () => ({ name: 'Grace New', ...twice }) },
];

describe.each(Object.keys(links) as Kind[])('a mailed link: %s', (kind) => {
  test('opens what it is for and nothing else, and is not used up by trying', async () => {
    const { email, token } = await links[kind]();
    for (const { path, by, body } of acts) {
      if (by.includes(kind)) continue;
      const { status, body: answer } = await visitor().auth(path, { token, ...body(email) });
      expect([path, status, answer.code]).toEqual([path, 410, 'link-dead']);
    }
    for (const { path, by, body } of acts) if (by.includes(kind)) await visitor().passed(path, { token, ...body(email) });
  });

  test('acts on its own account alone, whoever is signed in where it is opened', async () => {
    const { email, token } = await links[kind]();
    const stranger = new Client(neighbour);
    await stranger.signIn(neighbour.email('admin'), PASSWORD);
    const before = await stranger.ask('me');
    for (const { path, by, body } of acts) if (by.includes(kind)) await stranger.passed(path, { token, ...body(email) });
    expect(await stranger.ask('me')).toEqual(before);
    await visitor().signIn(neighbour.email('admin'), PASSWORD);
    const owner = visitor();
    await owner.signIn(email, kind === 'new address' ? PASSWORD : NEW);
    expect(await owner.ask('me')).toMatchObject({ email });
  });
});

test('a new address waits for nobody whose account is closed meanwhile', async () => {
  const { client, accountId } = await staff();
  const email = someEmail();
  await client.passed('profile/unlock', { password: PASSWORD });
  await client.passed('profile', { email });
  const token = await mailbox.token(email);
  await admin.done('CloseStaffAccount', { accountId });
  expect((await visitor().auth('verify', { token })).status).toBe(410);
  for (const answer of [await client.query('me'), await client.auth('profile/unlock', { password: PASSWORD })]) {
    expect(answer.status).toBe(401);
  }
});

describe('joining', () => {
  const onTheWay = async (at: School) => {
    const { code = '' } = await (await at.as('admin')).done('IssueJoinCode', { subjectId: at.ids.maths });
    const client = new Client(at);
    const { joining } = await client.passed<JoinSchool>('join/code', { code });
    const { choices } = await client.passed<JoinChoices>('join/birthday', { joining, dateOfBirth: '2009-05-01' });
    return { client, joining, choices };
  };

  test('the choice of one school is none in another, and ends the way', async () => {
    const [ours, theirs] = [await onTheWay(school), await onTheWay(neighbour)];
    for (const { choice } of theirs.choices.slice(0, 1)) {
      const { status, body } = await ours.client.auth('join/name', { joining: ours.joining, choice });
      expect([status, body.title]).toEqual([422, authMessages.wrongName]);
    }
    const own = ours.choices.find(({ name }) => name === fullName('A1'))?.choice ?? ours.choices[0]?.choice;
    expect((await ours.client.auth('join/name', { joining: ours.joining, choice: own })).status).toBe(409);
    expect((await ours.client.auth('join/account', { joining: ours.joining, email: someEmail(), ...twice })).status).toBe(409);
  });

  test('the code of a subject is shown to no admin of another school', async () => {
    await onTheWay(neighbour);
    const answer = await admin.send(`/api/door/join-code?subjectId=${neighbour.ids.maths}`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { code: null, link: null }]);
  });
});
