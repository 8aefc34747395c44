import { randomUUID } from 'node:crypto';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Limit } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { requireGoodPassword } from './password-rules.ts';
import { findNamedAccount } from '../identity/account-names.ts';
import type { AuthServices } from '../auth.ts';

export const FOR_ADDRESS: Limit = { name: 'forgotten by network', most: 100, seconds: 3_600 };
const FOR_EMAIL: Limit = { name: 'forgotten', most: 5, seconds: 3_600 };
const FOR_EMAIL_IN_A_DAY: Limit = { name: 'forgotten in a day', most: 15, seconds: 86_400 };

/** The links by which a new password is set. */
export const RESETS = ['reset', 'reset-by-admin'] as const;

/** A forgotten password. */
export class Recovery {
  readonly #auth: AuthServices;

  constructor(auth: AuthServices) {
    this.#auth = auth;
  }

  /**
   * Queues a mail. Whether an account has the address is only looked up when the mail is composed, so neither the answer nor its time tells.
   * Above the limits of an address nothing is queued, and the answer is the same.
   *
   * @throws ProblemError `rate-limited` for a network that asks too often
   */
  async forgotten(email: string, address: string): Promise<void> {
    const { limits, mail } = this.#auth;
    await limits.countAll(ofNetwork(FOR_ADDRESS, address));
    try {
      await limits.countAll([FOR_EMAIL, FOR_EMAIL_IN_A_DAY].map((limit) => ({ limit, who: [email.toLowerCase()] })));
    } catch (error) {
      if (error instanceof ProblemError) return;
      throw error;
    }
    await mail.order({ cause: `forgotten ${randomUUID()}`, kind: 'forgotten', about: { email: email.toLowerCase() }, days: 1 });
  }

  /**
   * Sets a new password with the token of a mailed link, or of one that an admin handed over, and closes everything else that opened the account.
   *
   * @throws ProblemError `link-dead`, and those of a password that is not good enough
   */
  async reset({ token, password }: { token: string; password: string }): Promise<void> {
    const { links, credentials, mail, pool, security } = this.#auth;
    const link = await links.find(RESETS, token);
    if (!link) throw resetFailed();
    const person = await findNamedAccount(pool, link.subject);
    requireGoodPassword(password, { email: link.about, name: person?.name ?? undefined, school: person?.school });
    const used = links.use(link.purpose, token, async ({ subject: accountId }) => {
      // A link that an admin was shown proves no address.
      await credentials.setPassword(accountId, password, { by: token, proved: link.purpose === 'reset' });
      const actor = person && { accountId, schoolId: person.schoolId };
      security.note({
        kind: 'password-changed',
        actor,
        about: accountId,
        name: link.purpose === 'reset' ? 'mailed link' : 'link of an admin',
      });
      await mail.order({ cause: `password changed ${randomUUID()}`, kind: 'password-changed', about: { accountId, email: link.about } });
    });
    await used.catch((error: unknown) => {
      throw error instanceof ProblemError && error.problem.code === 'link-dead' ? resetFailed() : error;
    });
  }
}

const resetFailed = (): ProblemError => new ProblemError('link-dead', authMessages.resetFailed, { detail: authMessages.linkDead });
