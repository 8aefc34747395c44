import type { Invited } from '../contract/door.ts';
import type { Actor } from '../actor.ts';
import type { Door } from './door.ts';
import { linkDead } from './links.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { Person } from './people.ts';
import { findPerson } from './people.ts';

/** How invited staff activate their account. */
export class Activation {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  /** The person that the link is for. @throws ProblemError `link-dead` */
  async look(token: string): Promise<Invited> {
    const { person, email } = await this.#invited(token);
    return { name: person.name ?? '', email, school: person.school, role: person.role };
  }

  /** Activates the account: its owner can log in from now on. */
  async accept({ token, name, password }: { token: string; name: string; password: string }): Promise<void> {
    const { links, credentials, accounts } = this.#door;
    const { person, email } = await this.#invited(token);
    requireGoodPassword(password, { email, name, school: person.school });
    await links.use('activation', token, async ({ subject: accountId }) => {
      // The event first: an active account without a password can still get one, a password without an account is of no use.
      await accounts.execute('ActivateStaffAccount', { actor: actorOf(person), body: { name }, own: true });
      await credentials.setPassword(accountId, password, { by: token });
    });
  }

  async #invited(token: string): Promise<{ person: Person; email: string }> {
    const { links, credentials, pool } = this.#door;
    const link = await links.require('activation', token);
    const [person, credential] = await Promise.all([findPerson(pool, link.subject), credentials.byAccount(link.subject)]);
    if (!person || !credential) throw linkDead();
    return { person, email: credential.email };
  }
}

/** The owner of an account, who has proved it by a link and is not signed in. */
export const actorOf = ({ accountId, schoolId, role, name, studentId }: Person): Actor => ({
  accountId,
  schoolId,
  role,
  name: name ?? '',
  email: '',
  subjectIds: [],
  setIds: [],
  studentId,
});
