import { randomUUID } from 'node:crypto';
import { newId } from '../../../events/codec/ids.ts';
import { systemActor } from '../../actor.ts';
import type { Site, Verified } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { AuthServices } from '../auth.ts';
import type { Limit } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { requireGoodPassword } from '../password/password-rules.ts';
import type { RobotCheck } from './robot.ts';

export const REGISTRATIONS: Limit = { name: 'registrations', most: 30, seconds: 3_600 };
const PER_EMAIL: Limit = { name: 'registrations of an address', most: 5, seconds: 3_600 };
const PER_EMAIL_IN_A_DAY: Limit = { name: 'registrations of an address in a day', most: 15, seconds: 86_400 };
const FINALISING: Limit = { name: 'finalising', most: 20, seconds: 3_600 };

/** A new school: registered, verified by mail, finalised. */
export class Registration {
  readonly #auth: AuthServices;
  readonly #robot: Pick<RobotCheck, 'require'>;
  readonly #closed: string | undefined;

  constructor(auth: AuthServices, robot: Pick<RobotCheck, 'require'>, { registrationClosed }: Pick<Site, 'registrationClosed'>) {
    this.#auth = auth;
    this.#robot = robot;
    this.#closed = registrationClosed;
  }

  /** Checked before anything else, even before the body is read: a closed registration costs nothing. @throws ProblemError `forbidden` */
  requireOpen(): void {
    if (this.#closed !== undefined) throw new ProblemError('forbidden', this.#closed);
  }

  /** The same happens if the address already has an account, until the mail is composed: its owner gets another one. */
  async register(
    { name, email: typed, password, robot }: { name: string; email: string; password: string; robot: string },
    address: string,
  ): Promise<void> {
    const { pool, passwords, limits, mail } = this.#auth;
    const email = typed.toLowerCase();
    requireGoodPassword(password, { email, name });
    await this.#robot.require(robot);
    await limits.countAll(ofNetwork(REGISTRATIONS, address));
    await limits.countAll([PER_EMAIL, PER_EMAIL_IN_A_DAY].map((limit) => ({ limit, who: [email] })));
    const hash = await passwords.hash(password);
    const registrationId = randomUUID();
    await pool.query(`insert into identity.registrations (id, email, name, password) values ($1, $2, $3, $4)`, [
      registrationId,
      email,
      name,
      hash,
    ]);
    await mail.order({ cause: `registered ${registrationId}`, kind: 'registered', about: { registrationId } });
  }

  /** The registration that a link belongs to. @throws ProblemError `link-dead` */
  async look(token: string): Promise<Verified> {
    const { subject } = await this.#auth.links.require('registration', token);
    this.requireOpen();
    const { email, name } = await this.#registration(subject);
    return { kind: 'registration', email, name };
  }

  /**
   * Opens the school with its first admin. It requires the link, which only the owner of the mailbox has, and the password, which only the
   * person who registered knows, so that nobody can finalise somebody else's registration. Idempotent: every id is derived from the
   * registration's.
   */
  async finalise({ token, email, password, school }: { token: string; email: string; password: string; school: string }): Promise<void> {
    const { pool, passwords, limits, links, bus, schoolShown } = this.#auth;
    const link = await links.require('registration', token);
    await limits.count(FINALISING, link.subject);
    const registration = await this.#registration(link.subject);
    const isPassword = await passwords.verify({ hash: registration.password, password });
    const isEmail = registration.email === email.toLowerCase();
    if (!isPassword || !isEmail) {
      const errors = [
        ...(isEmail ? [] : [{ path: 'email', message: authMessages.otherEmail }]),
        ...(isPassword ? [] : [{ path: 'password', message: authMessages.wrongPassword }]),
      ];
      throw new ProblemError('refused', authMessages.registrationFailed, { errors });
    }

    const actor = systemActor(newId(link.subject, 'school'));
    const key = (act: string): string => newId(link.subject, act);
    try {
      // The account first: an e-mail address that is taken must not leave a school without an admin.
      await bus.execute('OpenStaffAccount', {
        actor,
        key: key('first admin'),
        proved: true,
        body: { name: registration.name, email: registration.email, password, role: 'admin' },
      });
      const { position } = await bus.execute('OpenSchool', { actor, key: key('open'), body: { name: school } });
      // Whoever logs in next is told of which school. It is open, whether that shows yet or not.
      if (position !== null) await schoolShown(BigInt(position)).catch(() => undefined);
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status < 500) throw failed(error);
      throw error;
    }
    await links.revoke('registration', link.subject);
    await pool.query(`delete from identity.registrations where email = $1`, [registration.email]);
  }

  async #registration(id: string): Promise<{ email: string; name: string; password: string }> {
    const { rows } = await this.#auth.pool.query<{ email: string; name: string; password: string }>(
      `select email, name, password from identity.registrations where id = $1`,
      [id],
    );
    return rows[0] ?? { email: '', name: '', password: this.#auth.passwords.nobodysHash };
  }
}

const failed = (cause?: unknown): ProblemError => new ProblemError('refused', authMessages.registrationFailed, { cause });
