import type { Pool } from 'pg';
import type { Letter } from '../../mail/letter.ts';
import type { Composers, MailId } from '../../mail/outbox.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { Addressee } from './letters.ts';
import * as letters from './letters.ts';
import type { Link, LinkPurpose, Links } from '../password/links.ts';
import { findNamedAccount } from '../identity/account-names.ts';
import type { TaskMails } from '../../tasks/task-mails.ts';
import { taskMails } from '../../tasks/task-mails.ts';

/** The mails about accounts and tasks, with their data. */
export type AuthMails = TaskMails & {
  registered: { readonly registrationId: string };
  invited: { readonly accountId: string; readonly invitation: number };
  forgotten: { readonly email: string };
  /** The link is the one that the admin was shown. */
  'student-reset': { readonly accountId: string };
  /** An admin has corrected the address of an account that is in use: to the new address, and to the old one. */
  'email-corrected': { readonly accountId: string; readonly email: string };
  'email-taken-away': { readonly accountId: string; readonly oldEmail: string };
  /** `email`: the account's then, as whoever changes the password may change the address next. */
  'password-changed': { readonly accountId: string; readonly email: string | undefined };
  'confirm-email': { readonly accountId: string; readonly email: string };
  'email-changed': { readonly accountId: string; readonly oldEmail: string };
  joined: { readonly accountId: string };
  /** To an admin: somebody finds dates of birth with a joining code, and does not join. */
  'birthdays-guessed': { readonly accountId: string; readonly subjectId: string; readonly times: number };
};

/** Mails with a link for which somebody waits. */
export const LINKED: readonly (keyof AuthMails)[] = [
  'registered',
  'invited',
  'forgotten',
  'student-reset',
  'email-corrected',
  'confirm-email',
  'joined',
];

export type AuthMailOptions = { readonly pool: Pool; readonly links: Links; readonly credentials: Credentials; readonly publicUrl: string };

/** Each mail is composed when it is sent, from the state at that time, so that no mail has a link that no longer works. */
export const authMails = ({ pool, links, credentials, publicUrl }: AuthMailOptions): Composers<AuthMails> => {
  const page = (path: string): string => `${publicUrl}${path}`;
  /** The letter with its link; undefined if the link is dead, because it was revoked or used before the mail could be sent. */
  const withLink = async (link: Link, mail: MailId, letter: (url: string) => Letter): Promise<Letter | undefined> => {
    const token = await links.make(link, mail);
    return (await links.find([link.purpose], token)) && letter(`${page(PAGES[link.purpose])}?token=${token}`);
  };
  const ofAccount = async (accountId: string): Promise<Addressee | undefined> => {
    const [person, credential] = await Promise.all([findNamedAccount(pool, accountId), credentials.byAccount(accountId)]);
    const email = credential?.email ?? credential?.invitedEmail;
    return person && email ? { person, email } : undefined;
  };
  const ofProved = async (accountId: string): Promise<Addressee | undefined> =>
    (await credentials.byAccount(accountId))?.proved === true ? ofAccount(accountId) : undefined;
  const toOwner = (purpose: LinkPurpose, { person, email }: Addressee): Link => ({ purpose, subject: person.accountId, about: email });
  const invitation = async (account: Addressee, mail: MailId): Promise<Letter | undefined> =>
    (await credentials.isProvedElsewhere(account.email, account.person.accountId))
      ? letters.inUse(account.person, account.email)
      : withLink(toOwner('activation', account), mail, (url) => letters.invited(account, url));

  return {
    ...taskMails({ pool, ofAccount: ofProved, page }),

    async registered({ registrationId }, mail) {
      const { rows } = await pool.query<{ email: string; name: string }>(`select email, name from identity.registrations where id = $1`, [
        registrationId,
      ]);
      const [registration] = rows;
      if (!registration) return undefined;
      if (await credentials.isProvedElsewhere(registration.email, undefined))
        return letters.registeredAlready(registration.email, page('/login'));
      const link = { purpose: 'registration', subject: registrationId, about: registration.email } as const;
      return withLink(link, mail, (url) => letters.registered(registration, url));
    },

    async invited({ accountId, invitation: number }, mail) {
      const account = await ofAccount(accountId);
      // A later invitation replaces an earlier one.
      if (!account || account.person.activated || account.person.invitations !== number) return undefined;
      return invitation(account, mail);
    },

    async forgotten({ email }, mail) {
      const credential = (await credentials.byEmail(email)) ?? (await credentials.invitedAt(email));
      const account = credential && (await ofAccount(credential.accountId));
      if (!account) return undefined;
      if (!account.person.activated) return invitation(account, mail);
      return withLink(toOwner('reset', account), mail, (url) => letters.forgotten(account, url));
    },

    async 'student-reset'({ accountId }, mail) {
      const account = await ofAccount(accountId);
      return account && withLink(toOwner('reset-by-admin', account), mail, (url) => letters.studentReset(account, url));
    },

    async 'email-corrected'({ accountId, email }, mail) {
      const account = await ofAccount(accountId);
      if (account?.email !== email) return undefined;
      return withLink(toOwner('email', account), mail, (url) => letters.confirmCorrected(account, url));
    },

    async 'email-taken-away'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      if (!account || account.email === oldEmail) return undefined;
      return letters.emailTakenAway(account.person, oldEmail, page('/login'));
    },

    async 'password-changed'({ accountId, email }) {
      const account = await ofAccount(accountId);
      return account && letters.passwordChanged({ ...account, email: email ?? account.email }, page('/forgot-password'));
    },

    async 'confirm-email'({ accountId, email }, mail) {
      const [account, { rows }] = await Promise.all([
        findNamedAccount(pool, accountId),
        pool.query(`select from identity.email_changes where account_id = $1 and email = $2`, [accountId, email]),
      ]);
      if (!account || rows.length === 0) return undefined;
      if (await credentials.isProvedElsewhere(email, accountId)) return letters.inUse(account, email);
      const link = { purpose: 'email', subject: accountId, about: email } as const;
      return withLink(link, mail, (url) => letters.confirmNew(account, email, url));
    },

    async 'email-changed'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      return account && letters.emailChanged(account, oldEmail, page('/forgot-password'));
    },

    async 'birthdays-guessed'({ accountId, subjectId, times }) {
      const account = await ofAccount(accountId);
      if (!account) return undefined;
      const { rows } = await pool.query<{ name: string }>(`select name from read.subjects where school_id = $1 and subject_id = $2`, [
        account.person.schoolId,
        subjectId,
      ]);
      return rows[0] && letters.birthdaysGuessed(account, { subject: rows[0].name, times }, page('/admin/users_students'));
    },

    async joined({ accountId }, mail) {
      const account = await ofAccount(accountId);
      return account && withLink(toOwner('email', account), mail, (url) => letters.joined(account, url));
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
