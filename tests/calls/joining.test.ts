import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import { openAuthSchool } from '../support/auth.ts';
import type { Client } from '../support/client.ts';
import { ORIGIN } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';

/** Joining by a code, and the registration of a school, by the documented calls alone. */
const { mailbox, school, admin, visitor } = await openAuthSchool();
const { ids } = school;

type Answered = {
  readonly students: { UniqueID: string; LastFirst: string; DoB: string }[];
  readonly success: boolean;
  readonly message: string;
  readonly title: string;
  readonly errors: { path: string; message: string }[];
};
const send = async (client: Client, method: string, path: string, body: object, cookie = '') => {
  const headers = { 'Content-Type': 'application/json', Origin: ORIGIN, ...(cookie === '' ? {} : { Cookie: cookie }) };
  const answer = await client.send(`/api${path}`, { method, body: JSON.stringify(body), headers });
  return { status: answer.status, body: (await answer.json()) as Answered, cookies: answer.headers.getSetCookie() };
};
const cookieOf = (cookies: readonly string[]): string => cookies.map((one) => one.split(';')[0]).join('; ');

test('a student joins with code, date of birth and name; the names come with the date, and no list of students does', async () => {
  const { code } = await admin.done('IssueJoinCode', { subjectId: ids.maths });
  await admin.done('AddStudent', {
    subjectId: ids.maths,
    setId: ids.setC,
    admissionNo: 'j1',
    name: 'Shah, Priya',
    dateOfBirth: '2010-01-09',
  });
  await school.backend.progress.waitFor(['roster', 'structure', 'accounts'], await school.backend.store.head(), 60_000);
  const pupil = visitor();
  const first = await send(pupil, 'POST', '/verify-code', { code });
  expect([first.status, first.body]).toEqual([
    200,
    { school: { name: 'Test School' }, subject: 'Mathematics', domain: null, students: [] },
  ]);
  expect((await send(pupil, 'POST', '/verify-code', { code: 'AAAAAAA' })).body.errors[0]?.message).toContain('not correct');

  const names = async () => (await send(pupil, 'POST', '/verify-code', { code, DoB: '2010-01-09' })).body.students;
  const shown = await names();
  expect(shown).toHaveLength(10);
  expect(JSON.stringify(shown)).not.toContain(Object.values(ids.students)[0]);
  const typed = { code, name: 'Shah, Priya', email: `${randomUUID()}@pupils.example`, password: PASSWORD, password_confirmation: PASSWORD };
  const decoy = shown.find(({ LastFirst }) => LastFirst !== 'Shah, Priya');
  const wrong = await send(pupil, 'PUT', `/verify-code/${decoy?.UniqueID}`, typed);
  expect(JSON.stringify(wrong.body)).toContain('does not match our records');
  expect(wrong.cookies).toEqual([]);

  const own = (await names()).find(({ LastFirst }) => LastFirst === 'Shah, Priya');
  // What is wrong about the password can be corrected, after the choice too.
  const weak = await send(pupil, 'PUT', `/verify-code/${own?.UniqueID}`, {
    ...typed,
    password: 'password',
    password_confirmation: 'password',
  });
  expect(weak.status).toBe(422);
  const joined = await send(pupil, 'PUT', `/verify-code/${own?.UniqueID}`, typed);
  expect([joined.status, joined.body]).toEqual([200, { message: expect.any(String) as string }]);
  const loaded = await visitor().send('/api/user-load', { headers: { Cookie: cookieOf(joined.cookies), 'Sec-Fetch-Site': 'same-origin' } });
  expect(await loaded.json()).toMatchObject({ students: [{ LastFirst: 'Shah, Priya', SetName: '11C' }] });
});

test('a school registers once for each solved robot check, and opens with the mailed token', async () => {
  const challenge = (await (await visitor().send('/api/door/robot-check')).json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  const response = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const head = visitor();
  const email = `${randomUUID()}@heads.example`;
  const form = { name: 'Ada Nwosu', email, password: PASSWORD, password_confirmation: PASSWORD };
  expect((await send(head, 'POST', '/auth/register', form)).status).toBe(422);

  const solved = await send(head, 'POST', '/recaptcha', { secret: 'anything', response });
  expect(solved.body).toEqual({ success: true });
  expect((await send(head, 'POST', '/recaptcha', { response })).body).toEqual({ success: false });
  const pass = cookieOf(solved.cookies);
  const forged = pass.replace(/=(\d+)/u, (_, until: string) => `=${Number(until) + 1}`);
  expect((await send(head, 'POST', '/auth/register', form, forged)).status).toBe(422);
  const registered = await send(head, 'POST', '/auth/register', form, pass);
  expect([registered.status, registered.body]).toEqual([200, { message: 'Success: Please check your email to continue setup' }]);
  expect((await send(head, 'POST', '/auth/register', form, pass)).status).toBe(422);

  const token = await mailbox.token(email);
  const opening = { school: 'Greenfield Academy', email, password: PASSWORD, token };
  expect((await send(head, 'POST', '/new-db', { ...opening, password: 'another one' })).status).toBe(409);
  expect((await send(head, 'POST', '/new-db', opening)).body).toEqual({ message: 'Success: You can now log into Marktrail' });
  await head.signIn(email, PASSWORD);
  expect(await head.ask('me')).toMatchObject({ role: 'admin', school: { name: 'Greenfield Academy' } });
});
