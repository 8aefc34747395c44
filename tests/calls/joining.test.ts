import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAuthSchool } from '../support/auth.ts';
import type { Client } from '../support/client.ts';
import { ORIGIN } from '../support/product.ts';
import { PASSWORD } from '../support/school.ts';

/** Joining by a code, by the documented calls alone: what is refused, and what nobody is told. */
const { school, admin, visitor } = await openAuthSchool();
const { ids } = school;

type Answered = {
  readonly students: { UniqueID: string; LastFirst: string; DoB: string }[];
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
  await school.backend.progress.waitFor(['roster', 'structure', 'accounts'], await school.backend.store.head(), 30_000);
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

test('a program that asks again and again is let in as soon as there is a place, and does not wait behind itself', async () => {
  const { code } = await admin.done('IssueJoinCode', { subjectId: ids.maths });
  const dates = ['2009-04-01', '2009-04-02', '2009-04-03'];
  for (const dateOfBirth of dates)
    await admin.done('AddStudent', {
      subjectId: ids.maths,
      setId: ids.setC,
      admissionNo: dateOfBirth,
      name: `Born ${dateOfBirth}`,
      dateOfBirth,
    });
  await school.backend.progress.waitFor(['roster', 'structure'], await school.backend.store.head(), 30_000);
  const program = visitor();
  program.address = '198.51.100.77';
  const asks = async (DoB = '') => (await send(program, 'POST', '/verify-code', { code, DoB })).body;
  const [first, second, third] = dates;
  for (const known of [first, second]) expect((await asks(known)).students).not.toEqual([]);
  // A stranger learns two dates, and waits for a third.
  for (let time = 0; time < 3; time++) expect(await asks(third)).toMatchObject({ students: [], wait: expect.any(Number) as number });
  expect(await admin.passed('join/clear', { subjectId: ids.maths })).toEqual({ cleared: 2 });
  expect((await asks(third)).students).not.toEqual([]);
});
