import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deliver } from '../../api/mail/delivery.ts';
import { delivery } from '../../api/mail/delivery.ts';
import { Outbox } from '../../api/mail/outbox.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { openMailbox } from '../support/mailbox.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { testDatabase } from '../support/postgres.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

type Kinds = { hello: { to: string }; nobody: { to: string }; link: { to: string } };

let database: TestDatabase;
let pool: pg.Pool;
let mailbox: Mailbox;
const open: Outbox<Kinds>[] = [];
const told: string[] = [];
beforeAll(async () => {
  database = await testDatabase();
  pool = steadyPool({ connectionString: database.url });
  mailbox = await openMailbox();
});
beforeEach(() => mailbox.refuse(undefined));
// None of an earlier test may take the mails of a later one.
afterEach(() => Promise.all(open.splice(0).map((outbox) => outbox.stop())));
afterAll(async () => {
  await mailbox.close();
  await pool.end();
  await database.drop();
});

const letterTo = (to: string) => ({
  to,
  from: 'Greenfield & Sons',
  subject: 'Grüße <you>',
  paragraphs: ['Hello <b>Zoë</b>,', 'Second.'],
  link: { label: 'Do it', url: 'https://marks.example/do?token=abc&x=1' },
  notes: ['Once.'],
});
const outbox = (deliver?: Deliver): Outbox<Kinds> => {
  const made = new Outbox<Kinds>({
    pool,
    composers: { hello: async ({ to }) => letterTo(to), nobody: async () => undefined, link: async ({ to }) => letterTo(to) },
    urgent: ['link'],
    deliver:
      deliver ??
      delivery({
        smtpUrl: mailbox.url,
        outboxDir: '/nowhere',
        sender: 'Marktrail <no-reply@marks.example>',
        tell: (line) => told.push(line),
      }),
    tell: (line) => told.push(line),
  });
  open.push(made);
  return made;
};
const order = (to: string, cause: string = randomUUID()) => ({ cause, kind: 'hello', about: { to } }) as const;
const someone = () => `${randomUUID()}@readers.example`;
const rowOf = async (cause: string) => {
  const { rows } = await pool.query('select * from mail.outbox where cause = $1', [cause]);
  return rows[0] as {
    about: unknown;
    sent_at: Date | null;
    given_up_at: Date | null;
    attempts: number;
    trouble: string | null;
    next_at: Date;
  };
};
/** Until the mail of this cause is as `is` wants it. */
const until = async (cause: string, is: (row: Awaited<ReturnType<typeof rowOf>>) => boolean) => {
  let row = await rowOf(cause);
  while (!is(row)) {
    await pause(10);
    row = await rowOf(cause);
  }
  return row;
};
/** Its next attempt, or the claim of one that died, is due now. */
const due = (cause: string) => pool.query('update mail.outbox set next_at = now() where cause = $1', [cause]);

test('a mail says the same in plain text and in HTML, and nothing in it is taken for markup', async () => {
  const to = someone();
  const out = outbox();
  out.start();
  await out.order(order(to));
  const mail = await mailbox.next(to);
  expect(mail.subject).toBe('Grüße <you>');
  expect(mail.from).toMatchObject({ name: 'Marktrail', address: 'no-reply@marks.example' });
  expect(mail.text).toContain('Hello <b>Zoë</b>,');
  expect(mail.text).toContain('Do it:\nhttps://marks.example/do?token=abc&x=1');
  expect(mail.html).toContain('Hello &#60;b&#62;Zoë&#60;/b&#62;,');
  expect(mail.html).toContain('href="https://marks.example/do?token=abc&#38;x=1"');
  expect(mail.html).toContain('Greenfield &#38; Sons');
});

describe('once for its cause', () => {
  test('however often it is ordered, and by however many processes that send', async () => {
    const [to, last, cause] = [someone(), someone(), randomUUID()];
    const all = [outbox(), outbox(), outbox()];
    await Promise.all(all.flatMap((one) => [one.order(order(to, cause)), one.order(order(to, cause))]));
    for (const one of all) one.start();
    await mailbox.next(to);
    await until(cause, (row) => row.sent_at !== null);
    await all[0]!.order(order(to, cause));
    await all[1]!.order(order(last));
    await mailbox.next(last);
    expect(mailbox.mails.filter(({ recipient }) => recipient === to).length).toBe(1);
  });

  test('ordered at the same moment, nobody is refused', async () => {
    const out = outbox();
    for (let round = 0; round < 30; round++) {
      const cause = randomUUID();
      const orders = await Promise.all(Array.from({ length: 8 }, () => out.order(order(someone(), cause))));
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    }
    await pool.query('delete from mail.outbox where sent_at is null');
  });

  test('a process that dies while it sends leaves it to another one; what is sent is known by its id', async () => {
    const [to, cause] = [someone(), randomUUID()];
    // It has handed the mail over, and comes never so far as to say so.
    const smtp = delivery({ smtpUrl: mailbox.url, outboxDir: '', sender: 'no-reply@marks.example', tell: () => undefined });
    const handedOver = Promise.withResolvers<void>();
    const dead = outbox(async (letter, id) => {
      if (letter.to === to) {
        await smtp(letter, id);
        handedOver.resolve();
        await new Promise(() => undefined);
      }
    });
    open.splice(open.indexOf(dead), 1);
    const before = Date.now();
    await dead.order(order(to, cause));
    dead.start();
    await handedOver.promise;
    expect(await rowOf(cause)).toMatchObject({ sent_at: null, attempts: 1 });
    // Nobody touches it as long as that process may still be at it.
    expect((await rowOf(cause)).next_at.getTime()).toBeGreaterThan(before + 60_000);
    await due(cause);
    const heir = outbox();
    heir.start();
    await until(cause, (row) => row.sent_at !== null);
    const [first, second, ...more] = mailbox.mails.filter(({ recipient }) => recipient === to);
    expect(more).toEqual([]);
    expect(first?.messageId).toBe(second?.messageId);
  });
});

describe('a mail that cannot be sent', () => {
  test('is tried again, later each time, until it can', async () => {
    const [to, cause] = [someone(), randomUUID()];
    mailbox.refuse({ code: 450, text: `${to} is busy` });
    const out = outbox();
    out.start();
    await out.order(order(to, cause));
    const once = await until(cause, (row) => row.trouble !== null);
    expect(once.sent_at).toBe(null);
    expect(once.trouble).not.toContain(to);
    await due(cause);
    await out.order(order(someone()));
    // While it is being sent, its next attempt is two minutes away.
    const twice = await until(cause, (row) => row.attempts > once.attempts && row.next_at.getTime() < Date.now() + 60_000);
    expect(twice.next_at.getTime()).toBeGreaterThan(once.next_at.getTime());
    expect(await out.state()).toMatchObject({ failing: expect.any(Number), trouble: expect.stringContaining('450') });
    mailbox.refuse(undefined);
    await due(cause);
    await out.order(order(someone()));
    await mailbox.next(to);
    expect(await until(cause, (row) => row.sent_at !== null)).toMatchObject({ about: null, trouble: null });
  });

  test('is given up where the address is refused for good, or when it is too late; nothing of it stays', async () => {
    const [to, cause, late] = [someone(), randomUUID(), randomUUID()];
    mailbox.refuse({ code: 550, text: 'no such user' });
    const out = outbox();
    await out.order(order(to, cause));
    await out.order(order(to, late));
    await pool.query(`update mail.outbox set expires_at = now() - interval '1 second' where cause = $1`, [late]);
    out.start();
    for (const one of [cause, late]) {
      expect(await until(one, (row) => row.given_up_at !== null)).toMatchObject({ about: null, sent_at: null });
    }
    expect(told.join('\n')).not.toContain(to);
  });

  test('or that nobody is to get is done', async () => {
    const cause = randomUUID();
    const out = outbox();
    out.start();
    await out.order({ cause, kind: 'nobody', about: { to: 'x' } });
    await until(cause, (row) => row.about === null);
    expect(mailbox.mails.some(({ recipient }) => recipient === 'x')).toBe(false);
  });
});

describe('the order of sending', () => {
  const ofSchool = (school: string, ...causes: readonly string[]) =>
    pool.query('update mail.outbox set school_id = $1 where cause = any($2)', [school, causes]);
  const recording = () => {
    const sent: string[] = [];
    return { sent, out: outbox(async ({ to }) => void sent.push(to)) };
  };

  test('goes round the schools, and links go first, also those of the school with most', async () => {
    const { sent, out } = recording();
    const [many, few] = [randomUUID(), randomUUID()];
    for (let n = 1; n <= 5; n++) await out.order(order(`many${n}`, `many${n}`));
    for (let n = 1; n <= 2; n++) await out.order(order(`few${n}`, `few${n}`));
    await out.order({ cause: 'link', kind: 'link', about: { to: 'link' } });
    await ofSchool(many, 'link', ...[1, 2, 3, 4, 5].map((n) => `many${n}`));
    await ofSchool(few, 'few1', 'few2');
    out.start();
    await expect.poll(() => sent).toHaveLength(8);
    expect(sent).toEqual(['link', 'few1', 'many1', 'few2', 'many2', 'many3', 'many4', 'many5']);
  });

  test('sends what goes to one person at once, and the rest of the hour as one, whoever sends', async () => {
    const letters: string[] = [];
    const all = [1, 2, 3].map(() => outbox(async ({ to, paragraphs }) => void letters.push(`${to} ${paragraphs.length}`)));
    const together = randomUUID();
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    for (const one of all) one.start();
    await all[0]?.order({ ...order('a', first), together });
    await until(first, (row) => row.sent_at !== null);
    await all[1]?.order({ ...order('a', second), together });
    await all[2]?.order({ ...order('a', third), together });
    const after = randomUUID();
    await all[0]?.order(order('b', after));
    await until(after, (row) => row.sent_at !== null);
    expect([await rowOf(second), await rowOf(third)]).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    await pool.query(`update mail.outbox set sent_at = now() - interval '61 minutes' where cause = $1`, [first]);
    await Promise.all(all.map((one) => one.order(order('c'))));
    await until(third, (row) => row.sent_at !== null);
    await until(second, (row) => row.sent_at !== null);
    expect(letters.filter((one) => one.startsWith('a'))).toEqual(['a 2', 'a 2']);
  });

  test('tries what failed again together with what came meanwhile', async () => {
    const together = randomUUID();
    const [first, second] = [randomUUID(), randomUUID()];
    let fails = true;
    const sent: string[] = [];
    const out = outbox(async ({ to }) => {
      if (fails) throw Object.assign(new Error('busy'), { responseCode: 450 });
      sent.push(to);
    });
    out.start();
    await out.order({ ...order('a', first), together });
    await until(first, (row) => row.trouble !== null);
    await out.order({ ...order('a', second), together });
    fails = false;
    await due(first);
    await out.order({ cause: randomUUID(), kind: 'nobody', about: { to: 'x' } });
    await until(second, (row) => row.sent_at !== null);
    expect([(await rowOf(first)).sent_at !== null, sent]).toEqual([true, ['a']]);
  });
});

test('without a mail server it is a file that only its owner reads, and a line on the console without the address', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'marktrail-outbox-'));
  const lines: string[] = [];
  const deliver = delivery({
    smtpUrl: undefined,
    outboxDir: join(directory, 'outbox'),
    sender: 'no-reply@marks.example',
    tell: (line) => lines.push(line),
  });
  await deliver(letterTo('zoe@readers.example'), randomUUID());
  const [file = ''] = await readdir(join(directory, 'outbox'));
  expect(file).toMatch(/ Grüße you\.eml$|\.eml$/);
  expect((await stat(join(directory, 'outbox', file))).mode & 0o777).toBe(0o600);
  const mail = await PostalMime.parse(await readFile(join(directory, 'outbox', file)));
  expect(mail.to?.[0]?.address).toBe('zoe@readers.example');
  expect(mail.text).toContain('https://marks.example/do?token=abc&x=1');
  expect(lines).toEqual([`A mail is in ${join(directory, 'outbox', file)}`]);
  await rm(directory, { recursive: true });
});
