import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { authMessages } from '../../api/contract/auth-messages.ts';
import { openAuthSchool } from '../support/auth.ts';
import { tokenIn } from '../support/mailbox.ts';
import { PASSWORD } from '../support/school.ts';

/** Addresses that two people change or prove at the same moment. */
const { mailbox, school, admin, visitor } = await openAuthSchool();
const neighbour = await school.neighbour();

const NEW = 'a brand new one';
const twice = (password: string) => ({ password, confirmation: password });
const someEmail = () => `${randomUUID()}@staff.example`;
const linkTo = async (email: string): Promise<string> => {
  for (;;) {
    const mail = await mailbox.next(email);
    if (mail.text?.includes('?token=') === true) return tokenIn(mail);
  }
};
const identityOf = async (accountId: string) => {
  const { rows } = await school.backend.auth.pool.query<{ email: string; proved: boolean }>(
    `select email, "emailVerified" as proved from identity."user" where "accountId" = $1`,
    [accountId],
  );
  return rows[0];
};
/** How many wait for a lock. */
const waiting = async (): Promise<number | undefined> => {
  const { rows } = await school.backend.auth.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
};
const ACCOUNTS = `select from identity."user" where "accountId" = any($1) for update`;
const CHANGES = `select from identity.email_changes where account_id::text = any($1) for update`;
/** Lets these requests begin while something of the accounts is locked, each after the one before, and then go on. */
const heldBack = async <Result>(
  lock: string,
  accountIds: readonly string[],
  requests: readonly (() => Promise<Result>)[],
): Promise<Result[]> => {
  const database = new pg.Client(school.databaseUrl);
  await database.connect();
  await database.query('begin');
  await database.query(lock, [accountIds]);
  const begun: Promise<Result>[] = [];
  for (const request of requests) {
    begun.push(request());
    await expect.poll(waiting).toBe(begun.length);
  }
  await database.query('commit');
  await database.end();
  return Promise.all(begun);
};

test('a link for a new password that is being used while an admin corrects the address sets none, and proves nothing', async () => {
  const before = someEmail();
  const after = someEmail();
  const { accountId = '' } = await admin.done('InviteStaff', { name: 'Grace New', email: before, role: 'teacher', teachers: [] });
  await visitor().passed('activation/accept', { token: await linkTo(before), name: 'Grace New', ...twice(NEW) });
  await visitor().passed('password/forgotten', { email: before });
  const token = await linkTo(before);
  const [corrected, used] = await heldBack<{ status: number; body: { title?: string } }>(
    ACCOUNTS,
    [accountId],
    [
      () => admin.command('ChangeStaffAccount', { accountId, email: after }),
      () => visitor().auth('password/new', { token, ...twice('mine from now on') }),
    ],
  );
  expect(corrected?.status).toBe(200);
  expect([used?.status, used?.body.title]).toEqual([410, authMessages.resetFailed]);
  expect(await identityOf(accountId)).toEqual({ email: after, proved: false });
  await visitor().signIn(after, NEW);
});

test('two who prove each other’s address at the same moment: one has it, the other link is dead', async () => {
  const opened = async () => {
    const email = someEmail();
    const { accountId = '' } = await admin.done('OpenStaffAccount', { name: 'Tom Hughes', email, password: PASSWORD, role: 'teacher' });
    const client = visitor();
    await client.signIn(email, PASSWORD);
    await client.passed('profile/unlock', { password: PASSWORD });
    return { accountId, email, client };
  };
  const [one, other] = [await opened(), await opened()];
  await one.client.passed('profile', { email: other.email });
  await other.client.passed('profile', { email: one.email });
  const tokens = [await linkTo(other.email), await linkTo(one.email)];
  const answers = await heldBack(
    CHANGES,
    [one.accountId, other.accountId],
    tokens.map((token) => () => visitor().auth('verify', { token })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
});

test('two schools whose invitations to one address are accepted at the same moment: it belongs to one of them', async () => {
  const email = someEmail();
  const invitation = { name: 'Grace New', email, role: 'teacher', teachers: [] };
  const accounts: string[] = [];
  const tokens: string[] = [];
  for (const by of [admin, await neighbour.as('admin')]) {
    accounts.push((await by.done('InviteStaff', invitation))['accountId'] ?? '');
    tokens.push(await linkTo(email));
  }
  const answers = await heldBack(
    ACCOUNTS,
    accounts,
    tokens.map((token) => () => visitor().auth('activation/accept', { token, name: 'Grace New', ...twice(NEW) })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.title).toBe(authMessages.invitationTaken);
  await visitor().signIn(email, NEW);
});
