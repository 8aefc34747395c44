import type { Pool } from 'pg';
import type { Letter } from '../mail/letter.ts';
import type { Composers, MailId } from '../mail/outbox.ts';
import type { Credentials } from './credentials.ts';
import type { Addressee } from './letters.ts';
import * as letters from './letters.ts';
import type { LinkPurpose, Links } from './links.ts';
import { findPerson } from './people.ts';

/** The mails of the front door, with their data. */
export type DoorMails = {
  registered: { readonly registrationId: string };
  'registered-already': { readonly email: string };
  invited: { readonly accountId: string; readonly invitation: number };
  forgotten: { readonly email: string };
  /** The link is the one that the admin was shown. */
  'student-reset': { readonly accountId: string };
  /** An admin has corrected the address of an account that is in use: to the new address, and to the old one. */
  'email-corrected': { readonly accountId: string; readonly email: string };
  'email-taken-away': { readonly accountId: string; readonly oldEmail: string };
  'password-changed': { readonly accountId: string };
  'confirm-email': { readonly accountId: string; readonly email: string };
  'email-changed': { readonly accountId: string; readonly oldEmail: string };
  joined: { readonly accountId: string };
};

export type DoorMailOptions = { readonly pool: Pool; readonly links: Links; readonly credentials: Credentials; readonly publicUrl: string };

/** Each mail is composed when it is sent, from the state at that time, so that no mail has a link that no longer works. */
export const doorMails = ({ pool, links, credentials, publicUrl }: DoorMailOptions): Composers<DoorMails> => {
  const page = (path: string): string => `${publicUrl}${path}`;
  const linkTo = async (purpose: LinkPurpose, subject: string, about: string, mail: MailId): Promise<string> =>
    `${page(PAGES[purpose])}?token=${await links.make({ purpose, subject, about }, mail)}`;
  const ofAccount = async (accountId: string): Promise<Addressee | undefined> => {
    const [person, credential] = await Promise.all([findPerson(pool, accountId), credentials.byAccount(accountId)]);
    return person && credential && { person, email: credential.email };
  };
  const invitation = async (account: Addressee, mail: MailId): Promise<Letter> =>
    letters.invited(account, await linkTo('activation', account.person.accountId, account.email, mail));

  return {
    async registered({ registrationId }, mail) {
      const { rows } = await pool.query<{ email: string; name: string }>(`select email, name from identity.registrations where id = $1`, [
        registrationId,
      ]);
      const [registration] = rows;
      return registration && letters.registered(registration, await linkTo('registration', registrationId, registration.email, mail));
    },

    async 'registered-already'({ email }) {
      return (await credentials.byEmail(email)) && letters.registeredAlready(email, page('/login'));
    },

    async invited({ accountId, invitation: number }, mail) {
      const account = await ofAccount(accountId);
      // A later invitation replaces an earlier one.
      if (!account || account.person.activated || account.person.invitations !== number) return undefined;
      return invitation(account, mail);
    },

    async forgotten({ email }, mail) {
      const credential = await credentials.byEmail(email);
      const account = credential && (await ofAccount(credential.accountId));
      if (!account) return undefined;
      if (!account.person.activated) return invitation(account, mail);
      return letters.forgotten(account, await linkTo('reset', account.person.accountId, account.email, mail));
    },

    async 'student-reset'({ accountId }, mail) {
      const account = await ofAccount(accountId);
      return account && letters.studentReset(account, await linkTo('reset-by-admin', accountId, account.email, mail));
    },

    async 'email-corrected'({ accountId, email }, mail) {
      const account = await ofAccount(accountId);
      return account?.email === email ? letters.confirmCorrected(account, await linkTo('email', accountId, email, mail)) : undefined;
    },

    async 'email-taken-away'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      if (!account || account.email === oldEmail) return undefined;
      return letters.emailTakenAway(account.person, oldEmail, page('/login'));
    },

    async 'password-changed'({ accountId }) {
      const account = await ofAccount(accountId);
      return account && letters.passwordChanged(account, page('/forgot-password'));
    },

    async 'confirm-email'({ accountId, email }, mail) {
      const [account, { rows }] = await Promise.all([
        ofAccount(accountId),
        pool.query(`select from identity.email_changes where account_id = $1 and email = $2`, [accountId, email]),
      ]);
      if (!account || rows.length === 0) return undefined;
      return letters.confirmNew(account.person, email, await linkTo('email', accountId, email, mail));
    },

    async 'email-changed'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      return account && letters.emailChanged(account, oldEmail, page('/forgot-password'));
    },

    async joined({ accountId }, mail) {
      const account = await ofAccount(accountId);
      return account && letters.joined(account, await linkTo('email', accountId, account.email, mail));
    },
  };
};

/** Where a link leads. */
const PAGES: Readonly<Record<LinkPurpose, string>> = {
  registration: '/verify',
  email: '/verify',
  activation: '/email/change-password',
  reset: '/email/change-password',
  'reset-by-admin': '/email/change-password',
};
