import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sessions } from '../../api/contract/auth.ts';
import type { SecurityEntries, SecurityEntry } from '../../api/contract/security.ts';
import { SecurityLog } from '../../api/security/security-log.ts';
import { Client } from '../support/client.ts';
import { openMailbox } from '../support/mailbox.ts';
import { marktrailCommand } from '../support/marktrail.ts';
import { MASTER_KEY } from '../support/product.ts';
import { openSchool, PASSWORD } from '../support/school.ts';
import { totpOf } from '../support/totp.ts';

const mailbox = await openMailbox();
const school = await openSchool({ smtpUrl: mailbox.url });
const database = new pg.Client({ connectionString: school.databaseUrl });
beforeAll(() => database.connect());
afterAll(async () => {
  await database.end();
  await school.close();
  await mailbox.close();
});

const entriesOf = async (of = school): Promise<readonly SecurityEntry[]> => {
  const answer = await (await of.as('admin')).send('/api/security-log');
  expect(answer.status).toBe(200);
  return ((await answer.json()) as SecurityEntries).entries;
};

test('what concerns security is recorded: who, what and about whom, by ids', async () => {
  const admin = await school.as('admin');
  const email = `${randomUUID()}@watched.example`;
  const { accountId } = await admin.done('OpenStaffAccount', {
    name: 'Ada Nwosu',
    email,
    password: PASSWORD,
    role: 'leader',
    teachers: [],
  });
  const stranger = new Client(school);
  stranger.address = '198.51.100.7';
  for (const [who, password] of [
    [email, PASSWORD],
    [email, 'wrong password'],
    ['nobody@watched.example', 'wrong password'],
  ])
    await stranger.send('/api/identity/sign-in/email', { method: 'POST', body: JSON.stringify({ email: who, password }) });
  await admin.done('ChangeStaffAccount', { accountId, role: 'teacher' });
  expect((await (await school.as('teacherA')).command('AddSubject', { name: 'Mine' })).status).toBe(403);
  expect((await admin.query('export-students', { yearGroupId: school.ids.year })).status).toBe(200);
  expect((await (await school.as('leader')).send('/api/door/profile/data')).status).toBe(200);
  await admin.done('CloseStaffAccount', { accountId });
  await admin.done('ForgetStaffAccount', { accountId });

  const entries = await entriesOf();
  const by = { admin: school.accounts.admin, teacher: school.accounts.teacherA, leader: school.accounts.leader };
  const network = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
  const commandId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'account-opened', accountId: by.admin, aboutId: accountId, name: 'OpenStaffAccount', commandId }),
      expect.objectContaining({ kind: 'log-in', accountId, name: 'password', network }),
      expect.objectContaining({ kind: 'log-in-failed', accountId, name: 'password', network }),
      expect.objectContaining({ kind: 'role-changed', accountId: by.admin, aboutId: accountId, commandId }),
      expect.objectContaining({ kind: 'refused', accountId: by.teacher, name: 'POST /api/commands/AddSubject' }),
      expect.objectContaining({ kind: 'export', accountId: by.admin, name: 'RecordHandOut', commandId }),
      expect.objectContaining({ kind: 'export', accountId: by.leader, aboutId: by.leader, name: 'own data' }),
      expect.objectContaining({ kind: 'account-closed', accountId: by.admin, aboutId: accountId }),
      expect.objectContaining({ kind: 'forgotten', accountId: by.admin, aboutId: accountId, name: 'ForgetStaffAccount' }),
    ]),
  );
  expect(entries.filter(({ kind, aboutId }) => kind === 'forgotten' && aboutId === accountId)).toHaveLength(1);
  // The attempt for nobody belongs to no school: only the operator sees it.
  const printed = await marktrailCommand({ DATABASE_URL: school.databaseUrl, MASTER_KEY, DATA_DIR: '/nowhere' }, 'security', 'log');
  expect(printed.match(/log-in-failed/g)).toHaveLength(2);
  const { rows } = await database.query<{ text: string }>('select e::text as text from support.security_log e');
  const all = [printed, JSON.stringify(entries), ...rows.map(({ text }) => text)].join('\n');
  for (const personal of ['watched.example', 'Ada', 'Nwosu', '198.51.100.7', PASSWORD]) expect(all).not.toContain(personal);
});

test('what people do with their own account is recorded, and who ends whose sessions', async () => {
  const admin = await school.as('admin');
  const email = `${randomUUID()}@watched.example`;
  const person = { name: 'Ada Nwosu', email, password: PASSWORD, role: 'teacher' };
  const { accountId = '' } = await admin.done('OpenStaffAccount', person);
  const signedIn = async (address = email, password = PASSWORD): Promise<Client> => {
    const client = new Client(school);
    await client.signIn(address, password);
    return client;
  };
  const another = async (client: Client, path = 'profile/sessions') => {
    const { sessions } = (await (await client.send(`/api/door/${path}`)).json()) as Sessions;
    return { sessionId: sessions.find(({ isThis }) => !isThis)?.sessionId };
  };
  const mine = async () => (await entriesOf()).filter(({ aboutId, kind }) => aboutId === accountId && kind !== 'account-opened');
  const own = await signedIn();
  await signedIn();
  await own.passed('profile/sessions/end', await another(own));
  await admin.passed('sessions/end', { accountId, ...(await another(admin, `sessions?accountId=${accountId}`)) });
  const client = await signedIn();
  const twoStep = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await client.send(`/api/identity/two-factor/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as Record<string, string>;
  };
  const { totpURI = '' } = await twoStep('enable', { password: PASSWORD });
  await twoStep('verify-totp', { code: totpOf(new URL(totpURI).searchParams.get('secret') ?? '') });
  await twoStep('generate-backup-codes', { password: PASSWORD });
  await twoStep('disable', { password: PASSWORD });
  await client.passed('profile/unlock', { password: PASSWORD });
  const password = 'a brand new one';
  await client.passed('profile', { password, confirmation: password });
  const next = `${randomUUID()}@watched.example`;
  await client.passed('profile', { email: next });
  await client.passed('verify', { token: await mailbox.token(next) });
  await client.passed('profile/sign-out-everywhere', {});
  await client.passed('password/forgotten', { email: next });
  await client.passed('password/new', { token: await mailbox.token(next), password: PASSWORD, confirmation: PASSWORD });

  const byOwner = (await mine()).filter((entry) => entry.accountId === accountId).toReversed();
  expect(byOwner.map(({ kind, name }) => [kind, name])).toEqual([
    ['sessions-ended', 'one'],
    ['second-step-on', null],
    ['recovery-codes', null],
    ['second-step-off', null],
    ['password-changed', 'profile'],
    ['address-confirmed', 'mailed link'],
    ['sessions-ended', 'everywhere'],
    ['password-changed', 'mailed link'],
  ]);
  const byAdmin = (await mine()).filter((entry) => entry.accountId !== accountId);
  expect(byAdmin).toMatchObject([{ kind: 'sessions-ended', accountId: school.accounts.admin, name: 'one' }]);
});

test('a role that is sent again with another address is no change of role', async () => {
  const admin = await school.as('admin');
  const email = () => `${randomUUID()}@watched.example`;
  const person = { name: 'Ada Nwosu', email: email(), password: PASSWORD, role: 'leader' };
  const { accountId } = await admin.done('OpenStaffAccount', person);
  await admin.done('ChangeStaffAccount', { accountId, email: email(), role: 'leader' });
  await admin.done('ChangeStaffAccount', { accountId, email: email(), role: 'teacher' });
  const kinds = (await entriesOf()).filter(({ aboutId }) => aboutId === accountId).map(({ kind }) => kind);
  expect(kinds).toEqual(['role-changed', 'account-changed', 'account-opened']);
});

test('a flood of refusals is counted, not written down one by one; a limit that is hit is named', async () => {
  const auditor = await school.signIn('auditor');
  await entriesOf();
  const before = await database.query('select count(*)::int as n from support.security_log');
  for (let n = 0; n < 60; n++) expect((await auditor.command('AddSubject', { name: 'Mine' })).status).toBe(403);
  const scientist = await school.as('scienceLeader');
  let last = 200;
  for (let n = 0; n < 130; n++)
    ({ status: last } = await scientist.send('/api/errors', { method: 'POST', body: JSON.stringify({ message: 'again' }) }));
  expect(last).toBe(429);
  const entries = await entriesOf();
  expect(entries.filter(({ kind, accountId }) => kind === 'refused' && accountId === school.accounts.auditor)).toHaveLength(1);
  expect(entries.filter(({ kind }) => kind === 'limited')).toMatchObject([{ name: 'error reports: POST /api/errors', count: 1 }]);
  const after = await database.query('select count(*)::int as n from support.security_log');
  expect((after.rows[0] as { n: number }).n - (before.rows[0] as { n: number }).n).toBeLessThanOrEqual(5);
});

test('a school in which much is refused hides neither what is refused in another, nor whose log-in failed', async () => {
  const other = await school.another();
  const { security } = other.backend.auth;
  const neighbour = { schoolId: randomUUID(), accountId: randomUUID() };
  const actor = (accountId: string) => ({ schoolId: school.schoolId, accountId });
  const [first, second] = [randomUUID(), randomUUID()];
  for (let n = 0; n < 300; n++) security.note({ kind: 'refused', actor: actor(randomUUID()), name: 'POST /flood' });
  for (let n = 0; n < 300; n++) security.note({ kind: 'log-in-failed', name: 'password', address: `198.18.0.${n}` });
  for (let n = 0; n < 3; n++) security.note({ kind: 'refused', actor: neighbour, name: 'POST /one' });
  for (const accountId of [first, second, second])
    for (const address of ['198.18.1.1', '198.18.1.2'])
      security.note({ kind: 'log-in-failed', actor: actor(accountId), name: 'password', address });
  // Its end is the end of its minute.
  await other.close();

  const { rows } = await database.query<{ account: string; kind: string; name: string; times: number; entries: number }>(
    `select account_id as account, kind, name, sum(count)::int as times, count(*)::int as entries
       from support.security_log where school_id = any($1) group by 1, 2, 3`,
    [[school.schoolId, neighbour.schoolId]],
  );
  const of = (accountId: string | null, kind: string) => rows.filter((row) => row.account === accountId && row.kind === kind);
  expect(of(neighbour.accountId, 'refused')).toMatchObject([{ name: 'POST /one', times: 3, entries: 2 }]);
  expect(of(first, 'log-in-failed')).toMatchObject([{ times: 2 }]);
  expect(of(second, 'log-in-failed')).toMatchObject([{ times: 4 }]);
  // What is too much is counted, and belongs to the school.
  expect(rows.filter(({ name }) => name === 'POST /flood')).toHaveLength(200);
  expect(of(null, 'refused')).toMatchObject([{ name: 'others', times: 100, entries: 2 }]);
});

test('each school’s admins see their own, and nobody changes an entry', async () => {
  const neighbour = await school.neighbour();
  await neighbour.signIn('leader');
  expect((await entriesOf(neighbour)).some(({ kind, accountId }) => kind === 'log-in' && accountId === neighbour.accounts.leader)).toBe(
    true,
  );
  expect((await entriesOf()).some(({ accountId }) => accountId === neighbour.accounts.leader)).toBe(false);
  expect((await (await school.as('leader')).send('/api/security-log')).status).toBe(403);
  for (const attempt of [
    'update support.security_log set kind = $$x$$',
    'delete from support.security_log',
    'truncate support.security_log',
  ])
    await expect(database.query(attempt), attempt).rejects.toThrow('stay as they are for 400 days');
});

test('an entry goes after as many days as the setting says, and not before', async () => {
  const ages = [399, 401, 20, 11];
  await database.query(
    `insert into support.security_log (at, kind, name) select now() - make_interval(days => age), 'refused', 'of age'
    from unnest($1::int[]) age`,
    [ages],
  );
  const left = async () =>
    (await database.query(`select extract(day from now() - at)::int as age from support.security_log where name = 'of age' order by id`))
      .rows;
  await school.backend.auth.security.sweep();
  expect(await left()).toEqual([399, 20, 11].map((age) => ({ age })));
  await new SecurityLog({ ...school.backend.auth, keptDays: 15 }).sweep();
  expect(await left()).toEqual([{ age: 11 }]);
});
