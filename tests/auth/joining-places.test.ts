import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JoinChoices, JoinCode, JoiningCleared, JoiningWait, JoinSchool } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import type { SecurityEntries } from '../../api/contract/security.ts';
import { Client } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

const { school, admin } = await openAuthSchool();

type Pupil = { readonly name: string; readonly dateOfBirth: string };

/** As in the demo school: eight or nine on each date. */
const DATES = 84;
const dateOf = (n: number): string => new Date(Date.UTC(2009, 0, 1 + (n % DATES) * 4)).toISOString().slice(0, 10);
const yearGroup: readonly Pupil[] = Array.from({ length: 729 }, (_, n) => ({
  name: `Surname${n}, First${n}`,
  dateOfBirth: dateOf(n * 37),
}));
/** Every 23rd of them, so that some of the class share a birthday and most do not. */
const pupils = Array.from({ length: 30 }, (_, n) => yearGroup[(n * 23) % 729] ?? expect.unreachable());

const subject = async (students: readonly Pupil[]): Promise<{ subjectId: string; code: string }> => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: `Subject ${randomUUID()}` });
  const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Scheme' });
  const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 11 });
  await admin.done('AddSet', { subjectId, yearGroupId, name: '11Z1', schemeId });
  const mark = randomUUID().slice(0, 8);
  const rows = students.map((pupil, n) => ({ ...pupil, admissionNo: `${mark}-${n}`, set: '11Z1' }));
  await admin.done('ImportStudents', { subjectId, fileName: 'students.csv', rows });
  await school.backend.progress.waitFor(['roster', 'structure'], await school.backend.store.head(), 30_000);
  const { code = '' } = await admin.done('IssueJoinCode', { subjectId });
  return { subjectId, code };
};

let sites = 0;
const site = (): string => `198.51.100.${++sites}`;
const from = (address: string): Client => {
  const client = new Client(school);
  client.address = address;
  return client;
};

/** As if so many seconds had passed. */
const later = async (seconds: number): Promise<void> => {
  const { pool } = school.backend.auth;
  for (const [table, columns] of [
    ['joining_places', ['taken_at']],
    ['joinings', ['expires_at', 'waits_at', 'waits_since']],
    ['counters', ['until']],
  ] as const)
    await pool.query(
      `update identity.${table} set ${columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`).join()}`,
    );
};

const enter = async (client: Client, code: string) => (await client.passed<JoinSchool>('join/code', { code })).joining;
const asks = (client: Client, joining: string, dateOfBirth: string, patience = 0) =>
  client.passed<JoinChoices>('join/birthday', { joining, dateOfBirth, patience });
/** Types a date, and goes away. Answers whether names were shown. */
const tries = async (address: string, code: string, dateOfBirth: string): Promise<boolean> => {
  const client = from(address);
  const { wait } = await asks(client, await enter(client, code), dateOfBirth);
  return wait === undefined;
};
const join = async (client: Client, joining: string, choices: JoinChoices['choices'], { name }: Pupil): Promise<void> => {
  await client.passed('join/name', { joining, choice: choices.find((one) => one.name === name)?.choice ?? expect.unreachable(name) });
  await client.passed('join/account', {
    joining,
    email: `${randomUUID()}@pupils.example`,
    password: PASSWORD,
    confirmation: PASSWORD,
  });
};

/** One who types a date, chooses the name and opens the account, half a minute each; the page waits for them where there is no place. */
async function* typing(address: string, code: string, pupil: Pupil, slips: { readonly date?: string; readonly name?: true }) {
  const client = from(address);
  let joining = await enter(client, code);
  const namesFor = async function* (dateOfBirth: string) {
    for (;;) {
      const { choices, wait } = await asks(client, joining, dateOfBirth);
      yield;
      if (!wait) return choices;
    }
  };
  if (slips.date !== undefined) yield* namesFor(slips.date);
  let choices = yield* namesFor(pupil.dateOfBirth);
  const decoy = choices.find((one) => !yearGroup.some(({ name }) => name === one.name));
  if (slips.name && decoy) {
    expect((await client.auth('join/name', { joining, choice: decoy.choice })).body.title).toBe(authMessages.wrongName);
    joining = await enter(client, code);
    choices = yield* namesFor(pupil.dateOfBirth);
  }
  yield;
  await join(client, joining, choices, pupil);
}

/** After how many minutes the class has joined. */
const minutesOf = async (address: string, code: string): Promise<number> => {
  const slipsOf = (n: number) => ({
    // Somebody else's birthday: names are shown, and the own is not among them.
    ...(n % 5 === 2 ? { date: dateOf(n * 11 + 3) } : {}),
    ...(n % 7 === 3 ? { name: true as const } : {}),
  });
  let left = pupils.map((pupil, n) => typing(address, code, pupil, slipsOf(n)));
  for (let minutes = 0; ; minutes += 0.5) {
    if (left.length === 0) return minutes;
    expect(minutes).toBeLessThan(30);
    const steps = await Promise.all(left.map((one) => one.next()));
    left = left.filter((_, n) => !steps[n]?.done);
    await later(30);
  }
};

test('a class of thirty in a year group with few birthdays joins behind one address within ten minutes, also after a pupil has tried ten of theirs', async () => {
  const { code } = await subject(yearGroup);
  const address = site();
  // Somebody of the school has joined from there before.
  const first = from(address);
  const joining = await enter(first, code);
  const one = yearGroup[500] ?? expect.unreachable();
  await join(first, joining, (await asks(first, joining, one.dateOfBirth)).choices, one);

  const tried = [...new Set(pupils.map(({ dateOfBirth }) => dateOfBirth))].slice(0, 12);
  const shown: boolean[] = [];
  for (const dateOfBirth of tried) shown.push(await tries(address, code, dateOfBirth));
  expect(shown.filter(Boolean)).toHaveLength(10);
  await later(20);
  expect(await minutesOf(address, code)).toBeLessThanOrEqual(10);
});

test('where nobody has joined yet two go first, and the class follows within ten minutes', async () => {
  const { code } = await subject(yearGroup);
  expect(await minutesOf(site(), code)).toBeLessThanOrEqual(10);
});

test('many students of one date take one place, and a date that was shown there takes none', async () => {
  const { code } = await subject(yearGroup);
  const address = site();
  for (let n = 0; n < 9; n++) expect(await tries(address, code, dateOf(0))).toBe(true);
  expect([await tries(address, code, dateOf(1)), await tries(address, code, dateOf(2))]).toEqual([true, false]);
  // Whether anybody was born on it or not.
  expect(await tries(address, code, '2010-12-24')).toBe(false);
});

test('who finds no place is told how long it takes, goes on in turn, and at once when somebody joins', async () => {
  const { code } = await subject(yearGroup);
  const address = site();
  const [ready, stays, third, fourth] = [0, 1, 2, 3].map(() => from(address)) as [Client, Client, Client, Client];
  const joining = await enter(ready, code);
  const { choices } = await asks(ready, joining, dateOf(0));
  await asks(stays, await enter(stays, code), dateOf(1));
  await later(200);
  const [ofThird, ofFourth] = [await enter(third, code), await enter(fourth, code)];
  expect((await asks(third, ofThird, dateOf(2))).wait).toMatchObject({ ahead: 0, joining: 0 });
  const { wait } = await asks(fourth, ofFourth, dateOf(3));
  expect(wait).toMatchObject({ ahead: 1 });
  expect(wait?.seconds).toBeGreaterThan(3_300);
  expect(wait?.seconds).toBeLessThanOrEqual(3_400);

  // The server keeps the question until there is a place.
  const kept = asks(third, ofThird, dateOf(2), 10);
  await join(ready, joining, choices, yearGroup.find(({ dateOfBirth }) => dateOfBirth === dateOf(0)) ?? expect.unreachable());
  expect((await kept).choices).toHaveLength(10);
  // Pupils are here: there are ten places now.
  expect((await asks(fourth, ofFourth, dateOf(3))).choices).toHaveLength(10);
});

test('while staff of the school are logged in at an address, twenty dates may be open there', async () => {
  const { code } = await subject(yearGroup);
  const address = site();
  const teacher = from(address);
  await teacher.signIn(school.email('teacherB'), PASSWORD);
  const shown: boolean[] = [];
  for (let n = 0; n < 22; n++) shown.push(await tries(address, code, dateOf(n)));
  expect(shown.filter(Boolean)).toHaveLength(20);
  await teacher.signOut();
});

test('a date that is known elsewhere waits for itself, and keeps nobody else of the class waiting; staff let it go on too', async () => {
  const { code, subjectId } = await subject(yearGroup);
  for (let n = 0; n < 5; n++) expect(await tries(site(), code, dateOf(0))).toBe(true);
  const address = site();
  const pupils = await Promise.all([0, 1, 2].map(async () => ({ client: from(address), joining: await enter(from(address), code) })));
  for (const { client, joining } of pupils) expect((await asks(client, joining, dateOf(0))).wait).toMatchObject({ ahead: 0 });
  expect(await tries(address, code, dateOf(1))).toBe(true);
  await admin.passed('join/clear', { subjectId });
  for (const { client, joining } of pupils) expect((await asks(client, joining, dateOf(0))).wait).toBeUndefined();
});

test('staff of the subject let their class go on in one click, three times an hour; it is recorded, and nothing is forgotten for it', async () => {
  const { code, subjectId } = await subject(yearGroup);
  const address = site();
  const waiting = async (client: Client) =>
    (await client.send(`/api/door/join/waiting?subjectId=${subjectId}`)).json() as Promise<JoiningWait>;
  expect(await waiting(admin)).toEqual({ waiting: 0 });
  const elsewhere = site();
  for (const one of [address, elsewhere]) for (const n of [0, 1]) await tries(one, code, dateOf(n));
  const pupil = from(address);
  const joining = await enter(pupil, code);
  expect((await asks(pupil, joining, dateOf(2))).wait).toMatchObject({ ahead: 0 });
  expect(await waiting(admin)).toEqual({ waiting: 1 });

  for (const role of ['leader', 'teacherA', 'auditor', 'student'] as const) {
    const other = await school.as(role);
    expect([(await other.auth('join/clear', { subjectId })).status, role]).toEqual([403, role]);
  }
  // Only where somebody waits.
  expect(await admin.passed<JoiningCleared>('join/clear', { subjectId })).toEqual({ cleared: 2 });
  expect((await asks(pupil, joining, dateOf(2))).wait).toBeUndefined();
  expect(await tries(elsewhere, code, dateOf(3))).toBe(false);
  expect(await waiting(admin)).toEqual({ waiting: 1 });
  for (let n = 0; n < 2; n++) await admin.passed('join/clear', { subjectId });
  expect((await admin.auth('join/clear', { subjectId })).status).toBe(429);

  const { entries } = (await (await admin.send('/api/security-log')).json()) as SecurityEntries;
  expect(entries.filter(({ kind, aboutId }) => kind === 'joining-cleared' && aboutId === subjectId)).toHaveLength(3);
  await later(21 * 60);
  const shown = (await (await admin.send(`/api/door/join-code?subjectId=${subjectId}`)).json()) as JoinCode;
  expect(shown.unfollowed).toBe(5);
});
