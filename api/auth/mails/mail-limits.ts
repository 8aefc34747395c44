import type { Actor } from '../../actor.ts';
import type { Limit, Limits, Tried } from '../limits.ts';

/**
 * How much mail the users of a school can cause. A school can invite 150 staff in an hour, and everybody again on the same day; nobody gets
 * more than a handful of mails in an hour because of the same school, or of many that work together.
 */
export const OF_ACCOUNT: readonly Limit[] = [
  { name: 'mails of an account', most: 350, seconds: 3_600 },
  { name: 'mails of an account in a day', most: 700, seconds: 86_400 },
];
export const OF_SCHOOL: Limit = { name: 'mails of a school in a day', most: 1_500, seconds: 86_400 };
export const TO_ONE: readonly Limit[] = [
  { name: 'mails of a school to one address', most: 6, seconds: 3_600 },
  { name: 'mails of a school to one address in a day', most: 15, seconds: 86_400 },
];
export const TO_ONE_IN_ALL: Limit = { name: 'mails of all schools to one address', most: 20, seconds: 3_600 };

/**
 * Counts the mails to these addresses that an act of the user is about to cause. The installation itself has no limit. `own`: about the
 * user's own account; those of a school are counted apart, so that no student uses up what its admins may send.
 *
 * @throws ProblemError `rate-limited`: then nothing may be changed and no mail sent
 */
export const countMails = async (
  limits: Limits,
  { accountId, schoolId, role }: Pick<Actor, 'accountId' | 'schoolId' | 'role'>,
  recipients: readonly string[],
  { own = false } = {},
): Promise<void> => {
  if (role === 'system') return;
  const school = own ? [schoolId, 'own accounts'] : [schoolId];
  const addresses = [...new Set(recipients.map((email) => email.toLowerCase()))];
  if (addresses.length === 0) return;
  // One after the other: what a user is refused does not use up the limit of the school or of others.
  await limits.countAll(OF_ACCOUNT.map((limit): Tried => ({ limit, who: [accountId] })));
  await limits.countAll([
    { limit: OF_SCHOOL, who: school },
    ...addresses.flatMap((email) => TO_ONE.map((limit): Tried => ({ limit, who: [...school, email] }))),
  ]);
  const mailboxes = [...new Set(addresses.map(mailboxOf))];
  await limits.countAll(mailboxes.map((mailbox): Tried => ({ limit: TO_ONE_IN_ALL, who: [mailbox] })));
};

/** Where mail to the address arrives: most servers leave the rest of a name to its owner from a plus on, and some see no dots in it. */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+');
  return `${['gmail.com', 'googlemail.com'].includes(domain) ? name.replaceAll('.', '') : name}@${domain}`;
};
