import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JoinChoices, JoinCode, JoinSchool } from '../../api/contract/auth.ts';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { Client, pasted } from '../support/client.ts';
import { openAuthSchool } from '../support/auth.ts';
import { fullName, PASSWORD } from '../support/school.ts';

const { mailbox, school, admin } = await openAuthSchool();

const email = () => `${randomUUID()}@pupils.example`;
let networks = 0;
/** Somebody at another address than everybody before. */
const visitor = (address = `10.0.${Math.floor(++networks / 250)}.${networks % 250}`): Client => {
  const client = new Client(school);
  client.address = address;
  return client;
};

/** A subject of its own, with a code, and students born on the days given. */
const subjectWith = async (birthdays: Readonly<Record<string, string | null>>) => {
  const { subjectId = '' } = await admin.done('AddSubject', { name: `Subject ${randomUUID()}` });
  const { schemeId } = await admin.done('AddScheme', { subjectId, name: 'Scheme' });
  const { yearGroupId } = await admin.done('AddYearGroup', { subjectId, year: 11 });
  const { setId } = await admin.done('AddSet', { subjectId, yearGroupId, name: '11Z1', schemeId });
  for (const [name, dateOfBirth] of Object.entries(birthdays))
    await admin.done('AddStudent', { subjectId, setId, admissionNo: randomUUID().slice(0, 18), name, dateOfBirth });
  await school.backend.progress.waitFor(['roster', 'structure'], await school.backend.store.head(), 30_000);
  const { code = '' } = await admin.done('IssueJoinCode', { subjectId });
  return { subjectId, setId: setId ?? '', code };
};
const CLASS = {
  'Edwards, Sophie': '2009-03-14',
  'Kowalski, Joseph': '2009-07-01',
  'Okafor, Chidi': '2009-11-30',
  'Shah, Priya': '2010-01-09',
};

const enter = (client: Client, code: string) => client.passed<JoinSchool>('join/code', { code });
const namesOn = async (client: Client, code: string, dateOfBirth: string) => {
  const { joining } = await enter(client, code);
  const ask = () => client.passed<JoinChoices>('join/birthday', { joining, dateOfBirth, patience: 10 });
  let { choices, wait } = await ask();
  while (wait) ({ choices, wait } = await ask());
  return { joining, choices, choiceOf: (name: string) => choices.find((one) => one.name === name)?.choice ?? '' };
};
const chosen = async (client: Client, code: string, name: string, dateOfBirth: string): Promise<string> => {
  const { joining, choiceOf } = await namesOn(client, code, dateOfBirth);
  await client.passed('join/name', { joining, choice: choiceOf(name) });
  return joining;
};
const account = (joining: string, address = email(), password = PASSWORD) => ({
  joining,
  email: address,
  password,
  confirmation: password,
});

describe('a student', () => {
  test('joins by code, birthday and name, and is logged in', async () => {
    const { code, subjectId } = await subjectWith(CLASS);
    expect(code).toMatch(/^[A-Za-z0-9]{7}$/);
    const client = visitor();
    const { joining, ...shown } = await enter(client, code);
    expect(shown).toEqual({ school: 'Test School', subject: expect.stringMatching(/^Subject /), domain: null });
    expect(JSON.stringify(shown)).not.toContain('Sophie');
    const { choices } = await client.passed<JoinChoices>('join/birthday', { joining, dateOfBirth: '2009-03-14' });
    expect(choices.length).toBe(10);
    const choice = choices.find(({ name }) => name === 'Edwards, Sophie')?.choice ?? '';
    await client.passed('join/name', { joining, choice });
    const address = email();
    await client.passed('join/account', account(joining, pasted(address)));
    expect(await client.ask('me')).toMatchObject({ role: 'student', name: 'Edwards, Sophie', email: address });
    const later = visitor();
    await later.signIn(address, PASSWORD);
    expect((await mailbox.next(address)).subject).toBe('Confirm your e-mail address for Marktrail');

    let log = '';
    for await (const { data, metadata } of school.backend.store.readAll('start')) log += data + metadata;
    for (const secret of [code, address, PASSWORD, 'Sophie']) expect(log).not.toContain(secret);
    expect(log).toContain(subjectId);
  });

  test('gives only a username where the school has a domain', async () => {
    const { code, subjectId } = await subjectWith(CLASS);
    expect((await admin.command('ChangeJoinDomain', { subjectId, domain: 'not a domain' })).body.title).toBe('Invalid domain.');
    await admin.done('ChangeJoinDomain', { subjectId, domain: '@Students.Greenfield.example' });
    const client = visitor();
    expect(await enter(client, code)).toMatchObject({ domain: 'students.greenfield.example' });
    const joining = await chosen(client, code, 'Shah, Priya', '2010-01-09');
    for (const wrong of ['priya shah', 'priya@elsewhere.example', 'prïya', '']) {
      const { status, body } = await client.auth('join/account', account(joining, wrong));
      expect([wrong, status, body.title]).toEqual([wrong, 422, wrong === '' ? 'Required.' : 'Invalid username']);
    }
    const username = `p.${randomUUID().slice(0, 8)}`;
    await client.passed('join/account', account(joining, username));
    expect(await client.ask('me')).toMatchObject({ email: `${username}@students.greenfield.example` });
  });

  test('whose password is refused, or whose address is taken, may mend it', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const joining = await chosen(client, code, 'Okafor, Chidi', '2009-11-30');
    expect((await client.auth('join/account', account(joining, email(), 'password1'))).body.title).toBe(authMessages.passwordCommon);
    expect((await client.auth('join/account', account(joining, school.email('leader').toUpperCase()))).body.errors).toEqual([
      { path: 'email', message: authMessages.emailTaken },
    ]);
    await client.passed('join/account', account(joining));
    await school.signIn('leader');
  });

  test('without a date of birth is among no names, whatever day is tried', async () => {
    const { code } = await subjectWith({ ...CLASS, 'Nobody, Knows': null });
    for (const dateOfBirth of ['2001-01-01', '2009-03-14']) {
      const { choices } = await namesOn(visitor(), code, dateOfBirth);
      expect(choices.map(({ name }) => name)).not.toContain('Nobody, Knows');
    }
  });

  test('who has joined already is sent to the log-in', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    await client.passed('join/account', account(await chosen(client, code, 'Shah, Priya', '2010-01-09')));
    const again = visitor();
    const { joining, choiceOf } = await namesOn(again, code, '2010-01-09');
    const { status, body } = await again.auth('join/name', { joining, choice: choiceOf('Shah, Priya') });
    expect([status, body.code, body.title]).toEqual([409, 'joined-already', authMessages.joinedAlready]);
  });

  test('is one account, however many join as that student at once', async () => {
    const { code } = await subjectWith(CLASS);
    const rivals = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = visitor();
        return { client, joining: await chosen(client, code, 'Kowalski, Joseph', '2009-07-01') };
      }),
    );
    const answers = await Promise.all(rivals.map(({ client, joining }) => client.auth('join/account', account(joining))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(['joined-already', 'joined-already']);
  });

  test('who sends their account twice at once has one, and is logged in', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const body = account(await chosen(client, code, 'Kowalski, Joseph', '2009-07-01'));
    const answers = await Promise.all([client.auth('join/account', body), client.auth('join/account', body)]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    await visitor().signIn(body.email, PASSWORD);
  });

  test('of a further subject has one account for both', async () => {
    const [one, other] = [await subjectWith(CLASS), await subjectWith({ 'Somebody, Else': '2009-03-14' })];
    const client = visitor();
    await client.passed('join/account', account(await chosen(client, one.code, 'Edwards, Sophie', '2009-03-14')));
    const { accountId } = await client.ask<{ accountId: string }>('me');
    const { rows } = await school.backend.auth.pool.query<{ student_id: string }>(
      'select student_id from read.accounts where account_id = $1',
      [accountId],
    );
    await admin.done('ChangeStudents', {
      subjectId: other.subjectId,
      changes: [{ studentId: rows[0]?.student_id, place: { setId: other.setId } }],
    });
    await school.backend.progress.waitFor(['roster'], await school.backend.store.head(), 30_000);
    const again = visitor();
    const { joining, choiceOf } = await namesOn(again, other.code, '2009-03-14');
    expect((await again.auth('join/name', { joining, choice: choiceOf('Edwards, Sophie') })).body.code).toBe('joined-already');
  });

  test('whose account was closed may join again', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const address = email();
    await client.passed('join/account', account(await chosen(client, code, 'Edwards, Sophie', '2009-03-14'), address));
    const { accountId } = await client.ask<{ accountId: string }>('me');
    await admin.done('CloseStudentAccount', { accountId });
    expect((await client.query('me')).status).toBe(401);
    const back = visitor();
    await back.passed('join/account', account(await chosen(back, code, 'Edwards, Sophie', '2009-03-14'), address));
    expect((await back.query('me')).status).toBe(200);
  });
});

describe('a joining code', () => {
  test('is superseded by the next one, at once; also for whoever is on the way', async () => {
    const { code, subjectId } = await subjectWith(CLASS);
    const client = visitor();
    const joining = await chosen(client, code, 'Shah, Priya', '2010-01-09');
    const { code: next } = await admin.done('IssueJoinCode', { subjectId });
    expect(next).not.toBe(code);
    const { status, body } = await visitor().auth('join/code', { code });
    expect([status, body.title]).toEqual([422, authMessages.wrongCode]);
    expect((await client.auth('join/account', account(joining))).body.title).toBe(authMessages.joinAgain);
    await enter(visitor(), next ?? '');
  });

  test('of a subject that was removed lets nobody in, until the subject is back', async () => {
    const { code, subjectId } = await subjectWith(CLASS);
    const client = visitor();
    const joining = await chosen(client, code, 'Shah, Priya', '2010-01-09');
    const known = async () => school.backend.progress.waitFor(['structure'], await school.backend.store.head(), 30_000);
    await admin.done('RemoveSubject', { subjectId });
    await known();
    expect((await visitor().auth('join/code', { code })).body.title).toBe(authMessages.wrongCode);
    expect((await client.auth('join/account', account(joining))).body.title).toBe(authMessages.joinAgain);
    await admin.done('RestoreSubject', { subjectId });
    await known();
    await client.passed('join/account', account(joining));
  });

  test('is shown to admins, and to nobody else; asking twice makes one', async () => {
    const { subjectId, code } = await subjectWith(CLASS);
    const show = async (client: Client) => client.send(`/api/door/join-code?subjectId=${subjectId}`);
    expect(await (await show(admin)).json()).toMatchObject({ code, domain: null } satisfies Partial<JoinCode>);
    for (const role of ['leader', 'teacherA', 'student', 'auditor'] as const) expect((await show(await school.as(role))).status).toBe(403);
    expect((await show(visitor())).status).toBe(401);
    const neighbour = await (await school.neighbour()).as('admin');
    expect(await (await show(neighbour)).json()).toEqual({ code: null, link: null, domain: null, issuedAt: null });
    const key = randomUUID();
    const [one, other] = await Promise.all([
      admin.done('IssueJoinCode', { subjectId }, key),
      admin.done('IssueJoinCode', { subjectId }, key),
    ]);
    expect(one).toEqual(other);
  });

  test('has no sign that is read as another: 0 O o 1 l I', async () => {
    const of = { schoolId: school.schoolId, subjectId: school.ids.maths };
    const drawn = await Promise.all(Array.from({ length: 50 }, () => school.backend.joinCodes.make({ ...of, commandId: randomUUID() })));
    expect(drawn.map(({ code }) => code).join('')).toMatch(/^[2-9A-HJ-NP-Za-kmnp-z]{350}$/u);
  });

  test('counts letter by letter', async () => {
    const { code } = await subjectWith(CLASS);
    const other = [...code].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
    for (const wrong of [
      other === code ? `${code.slice(0, 6)}-` : other,
      code.slice(0, 6),
      `${code}x`,
      ` ${code}`,
      '',
      'ABC DEF',
      '1234567',
    ]) {
      const { status, body } = await visitor().auth('join/code', { code: wrong });
      expect([status, body.title]).toEqual([422, authMessages.wrongCode]);
    }
    await enter(visitor(), code);
  });

  test('is not found by trying: some thousand wrong ones at most, and the right one from elsewhere still works', async () => {
    const { code } = await subjectWith(CLASS);
    const attacker = visitor();
    const statuses = new Map<number, number>();
    for (let n = 0; n < 1_600; n += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, k) => attacker.auth('join/code', { code: String(n + k).padStart(7, 'z') })),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(422)).toBeLessThan(1_530);
    expect(statuses.get(429)).toBeGreaterThan(70);
    const locked = await attacker.auth('join/code', { code });
    expect([locked.status, locked.body.title, Number(locked.headers.get('Retry-After')) > 0]).toEqual([429, authMessages.tooMany, true]);
    await enter(visitor(), code);
  });
});

describe('names', () => {
  test('are ten, of whom none but the matches is anybody; asking again shows the same, so that nothing is learnt by comparing', async () => {
    const { code } = await subjectWith(CLASS);
    const first = await namesOn(visitor(), code, '2009-03-14');
    const second = await namesOn(visitor(), code, '2009-03-14');
    const names = (one: typeof first) => one.choices.map(({ name }) => name);
    expect(names(first)).toEqual(names(second));
    expect(new Set(names(first)).size).toBe(10);
    expect(names(first).filter((name) => Object.keys(CLASS).includes(name))).toEqual(['Edwards, Sophie']);
    expect(first.choices.map(({ choice }) => choice).some((choice) => second.choices.some((one) => one.choice === choice))).toBe(false);
    const nobody = await namesOn(visitor(), code, '2009-03-15');
    expect(nobody.choices.length).toBe(10);
    expect(names(nobody).filter((name) => Object.keys(CLASS).includes(name))).toEqual([]);
  });

  test.each([
    ['one student', ['Edwards, Sophie']],
    ['two', ['Edwards, Sophie', 'Shah, Priya']],
    ['four of one surname', ['Smith, Anna', 'Smith, Ben', 'Smith, Chidi', 'Smith, Dora']],
    ['one first name twice', ['Edwards, Sophie', 'Shah, Sophie', 'Okafor, Chidi', 'Kowalski, Joseph', 'Brown, Lily']],
    ['names without a comma', ['Sophie Edwards', 'Priya']],
    ['ten', Array.from({ length: 10 }, (_, n) => `Surname${n}, First${n}`)],
  ])('are always ten, the same again, whether or not somebody was born on that day: %s', async (_, roster) => {
    const { code } = await subjectWith(Object.fromEntries(roster.map((name, n) => [name, `2009-03-${String(n + 1).padStart(2, '0')}`])));
    const strangers = /Taylor|Clarke|Robinson|Morgan|Ellis|Palmer|Foster|Reid/;
    const shown = [];
    for (const born of ['2009-03-01', '2009-04-01', '2009-03-01']) {
      const { choices } = await namesOn(visitor(), code, born);
      shown.push(choices.map(({ name }) => name));
    }
    const [match = [], nobody = [], again] = shown;
    expect([new Set(match).size, new Set(nobody).size]).toEqual([10, 10]);
    expect(again).toEqual(match);
    expect(match.filter((name) => roster.includes(name))).toEqual(roster.slice(0, 1));
    expect(nobody.filter((name) => roster.includes(name))).toEqual([]);
    expect(match.some((name) => strangers.test(name))).toBe(nobody.some((name) => strangers.test(name)));
    expect(match.some((name) => name.includes(','))).toBe(roster[0]?.includes(','));
  });

  test('a decoy ends everything, and is no use a second time', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const { joining, choices, choiceOf } = await namesOn(client, code, '2009-03-14');
    const decoy = choices.find(({ name }) => name !== 'Edwards, Sophie')?.choice;
    const { status, body } = await client.auth('join/name', { joining, choice: decoy });
    expect([status, body.title]).toEqual([422, 'The data you entered does not match our records. Please try again']);
    for (const [path, more] of [
      ['join/name', { joining, choice: choiceOf('Edwards, Sophie') }],
      ['join/birthday', { joining, dateOfBirth: '2009-03-14' }],
      ['join/account', account(joining)],
    ] as const) {
      const answer = await client.auth(path, more);
      expect([path, answer.status, answer.body.title]).toEqual([path, 409, authMessages.joinAgain]);
    }
  });

  test('are not found by choosing one after the other: a birthday is locked', async () => {
    const { code } = await subjectWith(CLASS);
    let tries = 0;
    for (let status = 0; status !== 429 && tries < 20;) {
      const client = visitor();
      const { joining } = await enter(client, code);
      const answer = await client.auth<JoinChoices>('join/birthday', { joining, dateOfBirth: '2009-03-14' });
      status = answer.status;
      if (status !== 200) break;
      const decoy = answer.body.choices.find(({ name }) => name !== 'Edwards, Sophie')?.choice;
      status = (await client.auth('join/name', { joining, choice: decoy })).status;
      tries += 1;
    }
    expect(tries).toBe(4);
    // Others of the class are not locked out with it.
    const other = visitor();
    await other.passed('join/account', account(await chosen(other, code, 'Shah, Priya', '2010-01-09')));
  });

  test('are not found by going through the birthdays: few of one code are answered, from wherever they are asked', async () => {
    const { code } = await subjectWith(CLASS);
    const days = Array.from({ length: 250 }, (_, n) => new Date(Date.UTC(2007, 0, 1 + n)).toISOString().slice(0, 10));
    let shown = 0;
    for (let n = 0; n < days.length; n += 10) {
      const statuses = days.slice(n, n + 10).map(async (dateOfBirth, place) => {
        const client = visitor(`172.16.${place}.1`);
        const { joining } = await enter(client, code);
        return (await client.auth('join/birthday', { joining, dateOfBirth })).status;
      });
      shown += (await Promise.all(statuses)).filter((status) => status === 200).length;
    }
    expect(shown).toBeLessThanOrEqual(150);
    expect(shown).toBeGreaterThan(100);
  });

  test('of one code three birthdays are answered, then it must be entered again', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const { joining } = await enter(client, code);
    const answers = [];
    for (let day = 10; day < 15; day++)
      answers.push((await client.auth('join/birthday', { joining, dateOfBirth: `2009-03-${day}` })).status);
    expect(answers).toEqual([200, 200, 200, 409, 409]);
  });

  test('need a date that is one', async () => {
    const { code } = await subjectWith(CLASS);
    const client = visitor();
    const { joining } = await enter(client, code);
    for (const dateOfBirth of ['1949-12-31', '2999-01-01', '2009-02-30', '14/03/2009', '']) {
      expect([dateOfBirth, (await client.auth('join/birthday', { joining, dateOfBirth })).status]).toEqual([dateOfBirth, 422]);
    }
    const { body } = await client.auth('join/birthday', { joining, dateOfBirth: '1949-12-31' });
    expect(body.title).toBe('The date of birth must be between 01/01/1950 and today.');
  });

  test('of somebody else on the way are of no use, nor is a way that was made up', async () => {
    const { code } = await subjectWith(CLASS);
    const [one, other] = [await namesOn(visitor(), code, '2009-03-14'), await namesOn(visitor(), code, '2009-03-14')];
    expect((await visitor().auth('join/name', { joining: one.joining, choice: other.choiceOf('Edwards, Sophie') })).status).toBe(422);
    expect((await visitor().auth('join/name', { joining: 'x'.repeat(32), choice: other.choiceOf('Edwards, Sophie') })).status).toBe(409);
    expect((await visitor().auth('join/account', account(other.joining))).status).toBe(409);
  });
});

test('a class of thirty behind one address joins in one lesson, each after two mistakes', async () => {
  const pupils = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `Pupil${n}, ${'ABCDEFGHIJ'[n % 10]}lex${n}`,
      `2009-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    ]),
  );
  const { code } = await subjectWith(pupils);
  const join = async ([name, dateOfBirth]: [string, string]): Promise<void> => {
    const client = visitor('192.0.2.1');
    expect((await client.auth('join/code', { code: 'zzzzzzz' })).status).toBe(422);
    await namesOn(client, code, '2011-06-15'.replace('15', String(10 + (Number(dateOfBirth.slice(-2)) % 15))));
    await client.passed('join/account', account(await chosen(client, code, name, dateOfBirth)));
    expect(await client.ask('me')).toMatchObject({ name, role: 'student' });
  };
  await Promise.all(Object.entries(pupils).map(join));
});

test('the school of the tests has names of its own kind, too', async () => {
  const { code = '' } = await admin.done('IssueJoinCode', { subjectId: school.ids.maths });
  const { choices } = await namesOn(visitor(), code, '2009-05-01');
  expect(choices.map(({ name }) => name)).toContain(fullName('B1'));
});
