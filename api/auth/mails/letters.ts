/** The words of the mails about accounts. */
import type { Letter } from '../../mail/letter.ts';
import { quoted, typed } from '../../mail/letter.ts';
import type { NamedAccount } from '../identity/account-names.ts';

/** An account, and the address of its owner. */
export type Addressee = { readonly person: NamedAccount; readonly email: string };

const PRODUCT = 'Marktrail';
const NOT_YOU = 'If you did not ask for this, you need not do anything.';

export const registered = ({ email, name }: { readonly email: string; readonly name: string }, url: string): Letter => ({
  to: email,
  from: PRODUCT,
  subject: `Finish setting up your school on ${PRODUCT}`,
  paragraphs: [
    'Hello,',
    `Somebody is registering a school with this e-mail address, and gave ${quoted(name)} as their name. If it was you, confirm the address and name your school.`,
  ],
  link: { label: 'Continue setup', url },
  notes: ['The link works for three days. You will need the password that you chose.', NOT_YOU],
});

export const registeredAlready = (email: string, url: string): Letter => ({
  to: email,
  from: PRODUCT,
  subject: `You have a ${PRODUCT} account already`,
  paragraphs: ['Somebody asked for a new school with this e-mail address, which has an account already. Nothing was changed.'],
  link: { label: 'Log in', url },
  notes: ['If you have forgotten your password, choose Forgot Password there.', NOT_YOU],
});

export const invited = ({ person, email }: Addressee, url: string): Letter => ({
  to: email,
  from: typed(person.school),
  subject: `${typed(person.school)}: your ${PRODUCT} account`,
  paragraphs: [
    'Hello,',
    `${quoted(person.school)} has opened an account for ${quoted(person.name ?? '')} on ${PRODUCT}, where it keeps its assessment results. Choose a password to activate it.`,
  ],
  link: { label: 'Activate my account', url },
  notes: ['The link works once, for 14 days. After that, ask an admin of your school for another one.'],
});

/** To the owner of an account, whose address somebody wants for another one. */
export const inUse = ({ name, school }: NamedAccount, email: string): Letter => ({
  to: email,
  from: PRODUCT,
  subject: `Your e-mail address was given for another ${PRODUCT} account`,
  paragraphs: [
    'Hello,',
    `Somebody gave your e-mail address for an account of ${quoted(name ?? '')} at ${quoted(school)}. You use it for another account already, so nothing was changed, and nobody was told that you have one.`,
  ],
  notes: ['If you need the other account, give it another address. If you do not know what this is about, you need not do anything.'],
});

export const forgotten = ({ person, email }: Addressee, url: string): Letter => ({
  to: email,
  from: typed(person.school),
  subject: `Set a new password for ${PRODUCT}`,
  paragraphs: [greeting(person), `You asked for a new password for your account at ${quoted(person.school)}.`],
  link: { label: 'Set a new password', url },
  notes: ['The link works once, for an hour.', NOT_YOU],
});

export const studentReset = ({ person, email }: Addressee, url: string): Letter => ({
  to: email,
  from: typed(person.school),
  subject: `Set a new password for ${PRODUCT}`,
  paragraphs: [greeting(person), `An admin of ${quoted(person.school)} has reset your account: choose a new password.`],
  link: { label: 'Set a new password', url },
  notes: ['The link works once, for a day. Until you use it, your old password still works.'],
});

export const emailTakenAway = (person: NamedAccount, oldEmail: string, url: string): Letter => ({
  to: oldEmail,
  from: typed(person.school),
  subject: `Your ${PRODUCT} e-mail address was changed`,
  paragraphs: [
    greeting(person),
    `An admin of ${quoted(person.school)} has given your account another e-mail address. This one is no longer used.`,
  ],
  link: { label: 'Log in', url },
  notes: ['If you did not expect this, ask an admin of your school.'],
});

export const passwordChanged = ({ person, email }: Addressee, url: string): Letter => ({
  to: email,
  from: typed(person.school),
  subject: `Your ${PRODUCT} password was changed`,
  paragraphs: [
    greeting(person),
    `The password of your account at ${quoted(person.school)} was changed, and you were logged out elsewhere.`,
  ],
  link: { label: 'It was not me: set a new password', url },
  notes: ['If it was you, there is nothing to do.'],
});

/** To the old address: before the new one is confirmed, or after. */
export const emailChanged = ({ person, email }: Addressee, oldEmail: string, url: string): Letter => ({
  to: oldEmail,
  from: typed(person.school),
  subject: `Your ${PRODUCT} e-mail address is about to change`,
  paragraphs: [
    greeting(person),
    email === oldEmail
      ? `Somebody who knows your password asked to use another e-mail address for your account at ${quoted(person.school)}. It changes as soon as that address is confirmed.`
      : `The e-mail address of your account at ${quoted(person.school)} was changed. This one is no longer used.`,
  ],
  link: { label: 'It was not me: set a new password', url },
  notes: ['If it was you, there is nothing to do. If it was not, tell an admin of your school as well.'],
});

export const confirmCorrected = ({ person, email }: Addressee, url: string): Letter =>
  confirmation(person, email, url, [
    'Hello,',
    `An admin of ${quoted(person.school)} has made this the e-mail address of the account of ${quoted(person.name ?? '')}, who logs in with it from now on. If it is you, confirm that the address is yours.`,
  ]);

export const confirmNew = (person: NamedAccount, email: string, url: string): Letter =>
  confirmation(person, email, url, [
    'Hello,',
    `${quoted(person.name ?? '')} wants to use this e-mail address for an account at ${quoted(person.school)}. If it is you, confirm that the address is yours.`,
  ]);

export const birthdaysGuessed = (
  { person, email }: Addressee,
  { subject, times }: { readonly subject: string; readonly times: number },
  url: string,
): Letter => ({
  to: email,
  from: typed(person.school),
  subject: `${PRODUCT}: is somebody guessing dates of birth?`,
  paragraphs: [
    greeting(person),
    `With the joining code of ${quoted(subject)} at ${quoted(person.school)}, ${times} dates of birth were found within an hour, and nobody joined afterwards. They may be mistakes by students who are joining. If nobody is joining now, somebody with the code is finding out who was born when.`,
  ],
  link: { label: 'See the code', url },
  notes: ['A new code puts an end to it: the old one stops working.'],
});

export const joined = ({ person, email }: Addressee, url: string): Letter =>
  confirmation(person, email, url, [
    'Hello,',
    `You have joined ${quoted(person.school)} on ${PRODUCT}. Confirm that this e-mail address is yours, so that you can set a new password should you ever forget it.`,
  ]);

const confirmation = ({ school }: NamedAccount, email: string, url: string, paragraphs: readonly string[]): Letter => ({
  to: email,
  from: typed(school),
  subject: `Confirm your e-mail address for ${PRODUCT}`,
  paragraphs,
  link: { label: 'Confirm', url },
  notes: ['The link works once, for three days.', NOT_YOU],
});

const greeting = ({ name }: NamedAccount): string => (name === null ? 'Hello,' : `Hello ${typed(name)},`);
