import { afterAll } from 'vitest';
import { Client } from './client.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import type { ProductOptions } from './product.ts';
import { openSchool, type School } from './school.ts';
import { until } from './until.ts';

/** For all tests of a file: a school that sends its mails to a mailbox, its admin, and whoever else comes. */
export const openAuthSchool = async (
  options: ProductOptions = {},
): Promise<{
  readonly mailbox: Mailbox;
  readonly school: School;
  readonly admin: Client;
  /** Somebody who is not signed in. */
  visitor(): Client;
  /** Until every mail that was ordered is sent. */
  sent(): Promise<unknown>;
}> => {
  const mailbox = await openMailbox();
  const school = await openSchool({ ...options, smtpUrl: mailbox.url });
  afterAll(async () => {
    await school.close();
    await mailbox.close();
  });
  const waiting = async () => (await school.backend.auth.pool.query(`select from mail.outbox where about is not null`)).rowCount;
  return {
    mailbox,
    school,
    admin: await school.as('admin'),
    visitor: () => new Client(school),
    sent: () => until(async () => (await waiting()) === 0),
  };
};
