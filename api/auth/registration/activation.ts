import type { Invited } from '../../contract/auth.ts';
import type { Actor } from '../../actor.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { AuthServices } from '../auth.ts';
import { EmailTaken } from '../identity/credentials.ts';
import { linkDead } from '../password/links.ts';
import { requireGoodPassword } from '../password/password-rules.ts';
import type { NamedAccount } from '../identity/account-names.ts';
import { findNamedAccount } from '../identity/account-names.ts';

/** How invited staff activate their account. */
export class Activation {
  readonly #auth: AuthServices;

  constructor(auth: AuthServices) {
    this.#auth = auth;
  }

  /** The person that the link is for. @throws ProblemError `link-dead` */
  async look(token: string): Promise<Invited> {
    const { person, email } = await this.#invited(token);
    return { name: person.name ?? '', email, school: person.school, role: person.role };
  }

  /**
   * Activates the account: its owner can log in from now on, with the address that the link was sent to.
   *
   * @throws ProblemError `refused` if the owner has proved that address for another account
   */
  async accept({ token, name, password }: { token: string; name: string; password: string }): Promise<void> {
    const { links, credentials, bus, lostAddresses } = this.#auth;
    const { person, email } = await this.#invited(token);
    requireGoodPassword(password, { email, name, school: person.school });
    await links.use('activation', token, async ({ subject: accountId, about }) => {
      const isLost = await credentials.acceptAddress(accountId, about, token).catch((error: unknown) => {
        throw error instanceof EmailTaken ? new ProblemError('refused', authMessages.invitationTaken) : error;
      });
      if (isLost) await lostAddresses.note();
      // The event first: an active account without a password can still get one, a password without an account is of no use.
      await bus.execute('ActivateStaffAccount', { actor: actorOf(person), body: { name }, isInternal: true });
      await credentials.setPassword(accountId, password, { by: token });
    });
  }

  async #invited(token: string): Promise<{ person: NamedAccount; email: string }> {
    const { links, pool } = this.#auth;
    const link = await links.require('activation', token);
    const person = await findNamedAccount(pool, link.subject);
    if (!person) throw linkDead();
    return { person, email: link.about };
  }
}

/** The owner of an account, who has proved it by a link and is not signed in. */
export const actorOf = ({ accountId, schoolId, role, name, studentId }: NamedAccount): Actor => ({
  accountId,
  schoolId,
  role,
  name: name ?? '',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId,
});
