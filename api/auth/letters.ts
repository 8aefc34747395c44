import type { Pool } from 'pg';
import type { Letter } from '../mail/letter.ts';
import type { Composers, MailId } from '../mail/outbox.ts';
import type { Credentials } from './credentials.ts';
import type { Link, Links } from './links.ts';
import type { Person } from './people.ts';
import { findPerson } from './people.ts';

/** The mails of the front door, and what each is about. */
export type DoorMails = {
  registered: { readonly registrationId: string };
  'registered-already': { readonly email: string };
  invited: { readonly accountId: string; readonly invitation: number };
  forgotten: { readonly email: string };
  /** The link is the one that the admin was shown. */
  'student-reset': { readonly accountId: string };
  /** An admin has corrected the address of an account that is in use: to the new one, and to the old one. */
  'email-corrected': { readonly accountId: string; readonly email: string };
  'email-taken-away': { readonly accountId: string; readonly oldEmail: string };
  'password-changed': { readonly accountId: string };
  'confirm-email': { readonly accountId: string; readonly email: string };
  'email-changed': { readonly accountId: string; readonly oldEmail: string };
  joined: { readonly accountId: string };
};

export type LetterOptions = { readonly pool: Pool; readonly links: Links; readonly credentials: Credentials; readonly publicUrl: string };

const PRODUCT = 'Marktrail';

/** Each is written when it is sent, and goes by how things are then: nobody gets a link that is of no use any more. */
export const letters = ({ pool, links, credentials, publicUrl }: LetterOptions): Composers<DoorMails> => {
  const linkTo = async (path: string, link: Link, mail: MailId): Promise<string> =>
    `${publicUrl}${path}?token=${await links.make(link, mail)}`;
  const ofAccount = async (accountId: string): Promise<{ person: Person; email: string } | undefined> => {
    const [person, credential] = await Promise.all([findPerson(pool, accountId), credentials.byAccount(accountId)]);
    return person && credential && { person, email: credential.email };
  };

  const invitation = async ({ person, email }: { person: Person; email: string }, mail: MailId): Promise<Letter> => ({
    to: email,
    from: person.school,
    subject: `${person.school}: your ${PRODUCT} account`,
    paragraphs: [
      `Hello ${person.name ?? ''},`,
      `${person.school} has made an account for you on ${PRODUCT}, where it keeps its assessment results. Choose a password to activate it.`,
    ],
    link: {
      label: 'Activate my account',
      url: await linkTo('/email/change-password', { purpose: 'activation', subject: person.accountId, about: email }, mail),
    },
    notes: ['The link works once, for 14 days. After that, ask an admin of your school for another one.'],
  });

  return {
    async registered({ registrationId }, mail) {
      const { rows } = await pool.query<{ email: string; name: string }>(`select email, name from identity.registrations where id = $1`, [
        registrationId,
      ]);
      const [registration] = rows;
      if (!registration) return undefined;
      const { email, name } = registration;
      return {
        to: email,
        from: PRODUCT,
        subject: `Finish setting up your school on ${PRODUCT}`,
        paragraphs: [`Hello ${name},`, 'Confirm that this is your e-mail address, and give your school its name.'],
        link: {
          label: 'Continue setup',
          url: await linkTo('/verify', { purpose: 'registration', subject: registrationId, about: email }, mail),
        },
        notes: ['The link works for three days. You will need the password that you chose.', NOT_YOU],
      };
    },

    async 'registered-already'({ email }) {
      if (!(await credentials.byEmail(email))) return undefined;
      return {
        to: email,
        from: PRODUCT,
        subject: `You have a ${PRODUCT} account already`,
        paragraphs: ['Somebody asked for a new school with this e-mail address, which has an account already. Nothing was changed.'],
        link: { label: 'Log in', url: `${publicUrl}/login` },
        notes: ['If you do not know your password any more, choose Forgot Password there.', NOT_YOU],
      };
    },

    async invited({ accountId, invitation: number }, mail) {
      const account = await ofAccount(accountId);
      // A later invitation takes the place of an earlier one.
      if (!account || account.person.activated || account.person.invitations !== number) return undefined;
      return invitation(account, mail);
    },

    async forgotten({ email: typed }, mail) {
      const credential = await credentials.byEmail(typed);
      const account = credential && (await ofAccount(credential.accountId));
      if (!account) return undefined;
      if (!account.person.activated) return invitation(account, mail);
      const { person, email } = account;
      return {
        to: email,
        from: person.school,
        subject: `Set a new password for ${PRODUCT}`,
        paragraphs: [`Hello ${person.name ?? ''},`, `You asked for a new password for your account at ${person.school}.`],
        link: {
          label: 'Set a new password',
          url: await linkTo('/email/change-password', { purpose: 'reset', subject: person.accountId, about: email }, mail),
        },
        notes: ['The link works once, for an hour.', NOT_YOU],
      };
    },

    async 'student-reset'({ accountId }, mail) {
      const account = await ofAccount(accountId);
      if (!account) return undefined;
      const { person, email } = account;
      return {
        to: email,
        from: person.school,
        subject: `Set a new password for ${PRODUCT}`,
        paragraphs: [`Hello ${person.name ?? ''},`, `An admin of ${person.school} has reset your account: choose a new password.`],
        link: {
          label: 'Set a new password',
          url: await linkTo('/email/change-password', { purpose: 'reset-by-admin', subject: accountId, about: email }, mail),
        },
        notes: ['The link works once, for a day. Until you use it, your password is the one that you had.'],
      };
    },

    async 'email-corrected'({ accountId, email }, mail) {
      const account = await ofAccount(accountId);
      if (account?.email !== email) return undefined;
      return confirmation(account.person, email, mail, [
        `Hello ${account.person.name ?? ''},`,
        `An admin of ${account.person.school} has made this the e-mail address of your account, and you log in with it from now on. Confirm that it is yours.`,
      ]);
    },

    async 'email-taken-away'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      if (!account || account.email === oldEmail) return undefined;
      const { person } = account;
      return {
        to: oldEmail,
        from: person.school,
        subject: `Your ${PRODUCT} e-mail address was changed`,
        paragraphs: [
          `Hello ${person.name ?? ''},`,
          `An admin of ${person.school} has given your account another e-mail address. This one is not in use any more.`,
        ],
        link: { label: 'Log in', url: `${publicUrl}/login` },
        notes: ['If you did not expect this, ask an admin of your school.'],
      };
    },

    async 'password-changed'({ accountId }) {
      const account = await ofAccount(accountId);
      if (!account) return undefined;
      const { person, email } = account;
      return {
        to: email,
        from: person.school,
        subject: `Your ${PRODUCT} password was changed`,
        paragraphs: [
          `Hello ${person.name ?? ''},`,
          `The password of your account at ${person.school} was changed, and you were logged out elsewhere.`,
        ],
        link: { label: 'It was not me: set a new password', url: `${publicUrl}/forgot-password` },
        notes: ['If it was you, there is nothing to do.'],
      };
    },

    async 'confirm-email'({ accountId, email }, mail) {
      const [account, { rows }] = await Promise.all([
        ofAccount(accountId),
        pool.query(`select from identity.email_changes where account_id = $1 and email = $2`, [accountId, email]),
      ]);
      if (!account || rows.length === 0) return undefined;
      return confirmation(account.person, email, mail, [
        `Hello ${account.person.name ?? ''},`,
        `You want to use this e-mail address for your account at ${account.person.school}. Confirm that it is yours.`,
      ]);
    },

    async 'email-changed'({ accountId, oldEmail }) {
      const account = await ofAccount(accountId);
      if (!account) return undefined;
      const { person, email } = account;
      return {
        to: oldEmail,
        from: person.school,
        subject: `Your ${PRODUCT} e-mail address is about to change`,
        paragraphs: [
          `Hello ${person.name ?? ''},`,
          email === oldEmail
            ? `Somebody who knows your password asked to use another e-mail address for your account at ${person.school}. It changes as soon as that address is confirmed.`
            : `The e-mail address of your account at ${person.school} was changed. This one is not in use any more.`,
        ],
        link: { label: 'It was not me: set a new password', url: `${publicUrl}/forgot-password` },
        notes: ['If it was you, there is nothing to do. If it was not, tell an admin of your school as well.'],
      };
    },

    async joined({ accountId }, mail) {
      const account = await ofAccount(accountId);
      if (!account) return undefined;
      return confirmation(account.person, account.email, mail, [
        'Hello,',
        `You have joined ${account.person.school} on ${PRODUCT}. Confirm that this e-mail address is yours, so that you can set a new password should you ever forget it.`,
      ]);
    },
  };

  async function confirmation(person: Person, email: string, mail: MailId, paragraphs: readonly string[]): Promise<Letter> {
    return {
      to: email,
      from: person.school,
      subject: `Confirm your e-mail address for ${PRODUCT}`,
      paragraphs,
      link: { label: 'Confirm', url: await linkTo('/verify', { purpose: 'email', subject: person.accountId, about: email }, mail) },
      notes: ['The link works once, for three days.', NOT_YOU],
    };
  }
};

const NOT_YOU = 'If you did not ask for this, you need not do anything.';
