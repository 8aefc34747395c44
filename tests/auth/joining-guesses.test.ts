import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JoinChoices, JoinCode, JoinSchool } from '../../api/contract/auth.ts';
import { Client } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { PASSWORD } from '../support/school.ts';

const { mailbox, school, admin } = await openAuthSchool();

type Pupil = { readonly name: string; readonly dateOfBirth: string };

/** Born on different days but for some twins, in the order of a shuffled calendar, so that a class is spread over it. */
const roster: readonly Pupil[] = Array.from({ length: 150 }, (_, n) => ({
  name: `Pupil${n}, ${'ABCDEFGHIJ'[n % 10]}lex${n}`,
  dateOfBirth: new Date(Date.UTC(2009, 0, 1 + (((n % 140) * 101) % 365))).toISOString().slice(0, 10),
}));

/** A subject with 150 students, and its code. */
const subject = async (): Promise<{ subjectId: string; code: string }> => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: `Subject ${randomUUID()}` });
  const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Scheme' });
  const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 11 });
  await admin.done('AddSet', { subjectId, yearGroupId, name: '11Z1', schemeId });
  const mark = randomUUID().slice(0, 8);
  const rows = roster.map((pupil, n) => ({ ...pupil, admissionNo: `${mark}-${n}`, set: '11Z1' }));
  await admin.done('ImportStudents', { subjectId, fileName: 'students.csv', rows });
  await school.backend.progress.waitFor(['roster', 'structure'], await school.backend.store.head(), 30_000);
  const { code = '' } = await admin.done('IssueJoinCode', { subjectId });
  return { subjectId, code };
};

const from = (address: string): Client => {
  const client = new Client(school);
  client.address = address;
  return client;
};

/** As if so much time had passed since every hit and count of the joining. */
const later = async (minutes: number): Promise<void> => {
  const { pool } = school.backend.auth;
  await pool.query(`update identity.joining_places set taken_at = taken_at - make_interval(mins => $1)`, [minutes]);
  await pool.query(`update identity.counters set until = until - make_interval(mins => $1)`, [minutes]);
  await pool.query(
    `update identity.joinings set expires_at = expires_at - make_interval(mins => $1), waits_at = waits_at - make_interval(mins => $1)`,
    [minutes],
  );
};

const enter = async (client: Client, code: string) => (await client.passed<JoinSchool>('join/code', { code })).joining;
/** As the page does: it asks until there is a place. */
const names = async (client: Client, joining: string, dateOfBirth: string): Promise<JoinChoices> => {
  for (;;) {
    const answer = await client.passed<JoinChoices>('join/birthday', { joining, dateOfBirth, patience: 10 });
    if (!answer.wait) return answer;
  }
};

type Slips = { readonly code?: boolean; readonly birthday?: boolean; readonly name?: boolean };

/** Joins as a pupil does, with slips on the way. Every answer but those to the slips must be a success. */
const join = async (client: Client, code: string, { name, dateOfBirth }: Pupil, slips: Slips = {}): Promise<void> => {
  if (slips.code) expect((await client.auth('join/code', { code: 'zzzzzzz' })).status).toBe(422);
  if (slips.name) {
    const joining = await enter(client, code);
    const { choices } = await names(client, joining, dateOfBirth);
    const decoy = choices.find((one) => !roster.some((pupil) => pupil.name === one.name))?.choice;
    expect((await client.auth('join/name', { joining, choice: decoy })).status).toBe(422);
  }
  const joining = await enter(client, code);
  // Somebody else's: the pupil does not find the own name, and corrects the date.
  if (slips.birthday) await names(client, joining, roster[100]?.dateOfBirth ?? '');
  const { choices } = await names(client, joining, dateOfBirth);
  await client.passed('join/name', { joining, choice: choices.find((one) => one.name === name)?.choice ?? '' });
  const email = `${randomUUID()}@pupils.example`;
  await client.passed('join/account', { joining, email, password: PASSWORD, confirmation: PASSWORD });
  expect(await client.ask('me')).toMatchObject({ name, role: 'student' });
};

/** Goes through the birthdays of everybody, knowing all names. Answers which were learnt. */
const guess = async (address: string, code: string, days: readonly string[]): Promise<readonly string[]> => {
  const learnt = new Set<string>();
  for (const dateOfBirth of days) {
    const client = from(address);
    const entered = await client.auth<JoinSchool>('join/code', { code });
    if (entered.status === 429) break;
    const { choices, wait } = await client.passed<JoinChoices>('join/birthday', { joining: entered.body.joining, dateOfBirth });
    if (wait) {
      expect([choices.length, wait.seconds > 0, wait.seconds <= 3_600]).toEqual([0, true, true]);
      continue;
    }
    if (choices.some(({ name }) => roster.some((pupil) => pupil.name === name))) learnt.add(dateOfBirth);
    // Whoever gives up is out of the line, and has not joined.
    await later(4);
  }
  return [...learnt];
};
const days = [...new Set(roster.map(({ dateOfBirth }) => dateOfBirth))];
/** Those that have one student each come first: a day's students are shown together. */
const singles = days.filter((day) => roster.filter(({ dateOfBirth }) => dateOfBirth === day).length === 1);

test('a class of thirty joins behind one address, each with slips of their own, and nobody is kept out', async () => {
  const { code } = await subject();
  const pupils = roster.slice(0, 30);
  const joined = pupils.map((pupil, n) =>
    join(from('192.0.2.10'), code, pupil, { code: n % 6 === 0, birthday: n % 7 === 3, name: n % 8 === 5 }),
  );
  await Promise.all(joined);
});

test('a pupil who plays with codes keeps nobody of the school out', async () => {
  const { code } = await subject();
  const playful = from('192.0.2.11');
  for (let n = 0; n < 300; n += 20)
    await Promise.all(Array.from({ length: 20 }, (_, k) => playful.auth('join/code', { code: String(n + k).padStart(7, 'z') })));
  await join(from('192.0.2.11'), code, roster[0] ?? expect.unreachable());
});

test('somebody elsewhere who knows code and names learns fewer than three birthdays in an hour, also while the class joins', async () => {
  const { code } = await subject();
  await join(from('192.0.2.20'), code, roster[0] ?? expect.unreachable());
  const learnt = await guess('198.51.100.20', code, singles.slice(0, 12));
  expect(learnt.length).toBeGreaterThan(0);
  expect(learnt.length).toBeLessThan(3);
  await join(from('192.0.2.20'), code, roster[1] ?? expect.unreachable());
  // Twins are born on one date, which is one however many they are.
  await later(61);
  const twins = days.filter((day) => !singles.includes(day)).slice(0, 4);
  expect((await guess('198.51.100.20', code, [...twins, ...singles.slice(20, 24)])).length).toBeLessThan(3);
});

test("somebody behind the class's address learns at most ten in an hour, and the admin is told, by mail and beside the code", async () => {
  const { code, subjectId } = await subject();
  await join(from('192.0.2.30'), code, roster[0] ?? expect.unreachable());
  const learnt = await guess('192.0.2.30', code, singles.slice(1, 14));
  expect(learnt.length).toBeGreaterThan(2);
  expect(learnt.length).toBeLessThanOrEqual(10);
  await later(21);
  const shown = async () => (await (await admin.send(`/api/door/join-code?subjectId=${subjectId}`)).json()) as JoinCode;
  expect((await shown()).unfollowed).toBe(learnt.length);
  const mail = await mailbox.next(school.email('admin'));
  expect(mail.subject).toBe('Marktrail: is somebody guessing dates of birth?');
  // A new code begins anew.
  await admin.done('IssueJoinCode', { subjectId });
  expect((await shown()).unfollowed).toBeUndefined();
});

test('who was born on a day is not found out by choosing one name after the other', async () => {
  const { code } = await subject();
  const day = singles[5] ?? '';
  const born = roster.find(({ dateOfBirth }) => dateOfBirth === day)?.name;
  const client = from('198.51.100.40');
  const entered: { readonly joining: string; readonly choices: JoinChoices['choices'] }[] = [];
  for (let n = 0; n < 10; n++) {
    const joining = await enter(client, code);
    entered.push({ joining, choices: (await names(client, joining, day)).choices });
  }
  const choose = ({ joining, choices }: JoinChoices & { readonly joining: string }, n: number) =>
    client.auth('join/name', {
      joining,
      choice: choices.toSorted((one, other) => Number(one.name === born) - Number(other.name === born))[n]?.choice,
    });
  const decoys = await Promise.all(entered.slice(0, 9).map(choose));
  expect(decoys.filter(({ status }) => status !== 429)).toHaveLength(4);
  expect((await choose(entered[9] ?? expect.unreachable(), 9)).status).toBe(429);
});

test('one date is not found from everywhere', async () => {
  const { code } = await subject();
  const day = singles[3] ?? '';
  const shown: boolean[] = [];
  for (let n = 0; n < 7; n++) {
    const client = from(`203.0.113.${n}`);
    const { wait } = await client.passed<JoinChoices>('join/birthday', { joining: await enter(client, code), dateOfBirth: day });
    shown.push(wait === undefined);
  }
  expect(shown).toEqual([true, true, true, true, true, false, false]);
});
