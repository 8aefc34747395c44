import { randomUUID } from 'node:crypto';
import type { Actor } from '../../actor.ts';
import type { Profile as ProfileAnswer, TokenMade } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { EmailTaken } from '../identity/credentials.ts';
import { locked, notSignedIn, requireUnlocked, withAccountForUpdate } from './account-for-update.ts';
import { actorOf } from '../registration/activation.ts';
import type { AuthServices } from '../auth.ts';
import type { Limit } from '../limits.ts';
import { requireOwnPassword } from './own-password.ts';
import { linkDead } from '../password/links.ts';
import { countMails } from '../mails/mail-limits.ts';
import { requireGoodPassword } from '../password/password-rules.ts';
import { findNamedAccount } from '../identity/account-names.ts';
import { personalRows } from '../../../projections/engine/tables/personal.ts';

/** Each is mailed to the owner. */
const NEW_PASSWORDS: Limit = { name: 'new passwords of a profile', most: 10, seconds: 3_600 };
const NEW_ADDRESSES: Limit = { name: 'new addresses of a profile', most: 10, seconds: 3_600 };
const NEW_TOKENS: Limit = { name: 'new tokens of a profile', most: 10, seconds: 3_600 };
const UNLOCKED_MINUTES = 10;

export type Changes = { readonly name?: string | undefined; readonly email?: string | undefined; readonly password?: string | undefined };
type NewToken = { readonly name: string; readonly days: number; readonly address: string };

/** One's own account: locked until the password is entered again in this session, then unlocked for some minutes. */
export class Profile {
  readonly #auth: AuthServices;

  constructor(auth: AuthServices) {
    this.#auth = auth;
  }

  async show(actor: Actor, session: string): Promise<ProfileAnswer> {
    const { rows } = await this.#auth.pool.query<{ school: string | null; until: Date | null; newEmail: string | null; twoStep: boolean }>(
      `select (select name from read.schools where school_id = $2) as school,
              (select until from identity.unlocks where session_token = $3 and until > now()) as until,
              (select email from identity.email_changes where account_id = $1 and requested_at > now() - interval '3 days') as "newEmail",
              exists (select from identity."user" where "accountId" = $1::text and "twoFactorEnabled") as "twoStep"`,
      [actor.accountId, actor.schoolId, session],
    );
    const { school, until, newEmail, twoStep } = rows[0]!;
    return {
      name: actor.name,
      email: actor.email,
      newEmail,
      role: actor.role,
      school: school ?? '',
      unlockedUntil: until?.toISOString() ?? null,
      twoStep,
      mayUseTwoStep: actor.role !== 'student',
    };
  }

  /** @throws ProblemError `wrong-password`, `rate-limited`; `forbidden` to a token that was made in the profile */
  async unlock({ accountId, byProfileToken }: Actor, session: string, password: string): Promise<{ unlockedUntil: string }> {
    if (byProfileToken) throw new ProblemError('forbidden', authMessages.tokenOfProfile);
    await requireOwnPassword(this.#auth, accountId, password);
    const { rows } = await this.#auth.pool.query<{ until: Date }>(
      `insert into identity.unlocks (session_token, until)
       select token, now() + make_interval(mins => $2) from identity."session" where token = $1 for key share
       on conflict (session_token) do update set until = excluded.until returning until`,
      [session, UNLOCKED_MINUTES],
    );
    const [unlocked] = rows;
    // The session has ended while the password was checked.
    if (!unlocked) throw notSignedIn();
    return { unlockedUntil: unlocked.until.toISOString() };
  }

  /** @throws ProblemError `locked` */
  async requireUnlocked(session: string): Promise<void> {
    const { rows } = await this.#auth.pool.query(`select from identity.unlocks where session_token = $1 and until > now()`, [session]);
    if (rows.length === 0) throw locked();
  }

  /**
   * A new e-mail address takes effect when its owner opens the link that is sent there; the old address is notified. If somebody has proved
   * it for another account, the answer is the same, and they get a mail without a link. A new password closes
   * everything else that opened the account. Neither is stored if this session is shut out meanwhile.
   *
   * @throws ProblemError `locked`, `not-authenticated`, `invalid-input`, `rate-limited`
   */
  async change(actor: Actor, session: string, { name, email: typed, password }: Changes): Promise<void> {
    await this.requireUnlocked(session);
    const { credentials, limits, mail, pool, bus, security } = this.#auth;
    const { accountId } = actor;
    const email = typed?.toLowerCase();
    const credential = await credentials.byAccount(accountId);
    if (!credential) throw notSignedIn();
    const wantsPassword = password !== undefined && password !== '';
    const wantsEmail = email !== undefined && email !== credential.email;
    if (wantsPassword) {
      const person = await findNamedAccount(pool, accountId);
      requireGoodPassword(password, { email: credential.email ?? '', name: name ?? actor.name, school: person?.school });
    }
    if (wantsPassword) await limits.count(NEW_PASSWORDS, accountId);
    if (wantsEmail) {
      await limits.count(NEW_ADDRESSES, accountId);
      await countMails(limits, actor, [email], { own: true });
    }

    if (name !== undefined && name !== actor.name) await bus.execute(detailsOf(actor), { actor, body: { name }, isInternal: true });
    if (!wantsPassword && !wantsEmail) return;
    await credentials.changeOwn(accountId, session, { ...(wantsPassword && { password }), ...(wantsEmail && { email }) });
    // Ordered once it is stored: a mail that was ordered before the new password brings no link.
    if (wantsPassword) {
      security.note({ kind: 'password-changed', actor, about: accountId, name: 'profile' });
      await mail.order({
        cause: `password changed ${randomUUID()}`,
        kind: 'password-changed',
        about: { accountId, email: credential.email },
      });
    }
    if (wantsEmail) {
      const change = randomUUID();
      await mail.order({ cause: `confirm ${change}`, kind: 'confirm-email', about: { accountId, email } });
      if (credential.email !== undefined)
        await mail.order({ cause: `email changes ${change}`, kind: 'email-changed', about: { accountId, oldEmail: credential.email } });
    }
  }

  /**
   * Confirms the address by the link in a mail, and makes it the account's. `session`: where the link was opened; if it is one of this
   * account, it goes on, and all others end.
   *
   * @throws ProblemError `link-dead`
   */
  async confirmEmail(token: string, session: string | undefined): Promise<void> {
    const { links, credentials, bus, lostAddresses, pool, security } = this.#auth;
    await links.use('email', token, async ({ subject: accountId, about: email }) => {
      const person = await findNamedAccount(pool, accountId);
      if (!person) throw linkDead();
      try {
        const isLost = await credentials.confirmEmail(accountId, email, { by: token, keep: session });
        if (isLost) await lostAddresses.note();
      } catch (error) {
        throw error instanceof EmailTaken ? emailTaken() : error;
      }
      const actor = actorOf(person);
      security.note({ kind: 'address-confirmed', actor, about: accountId, name: 'mailed link' });
      await bus.execute(detailsOf(actor), { actor, body: { name: person.name ?? '', email }, isInternal: true });
    });
  }

  /**
   * Makes a bearer token for a program, once the profile is unlocked: for accounts with two-step sign-in, which get none for a password alone,
   * and for whoever would rather not give a program their password. Not stored if this session is shut out meanwhile.
   *
   * @throws ProblemError `locked`, `not-authenticated`, `rate-limited`
   */
  async makeToken(actor: Actor, session: string, { name, days, address }: NewToken): Promise<TokenMade> {
    const { pool, sessions, limits, security } = this.#auth;
    const { accountId } = actor;
    await this.requireUnlocked(session);
    await limits.count(NEW_TOKENS, accountId);
    const made = await withAccountForUpdate(pool, accountId, async (account) => {
      await requireUnlocked(account, session);
      return sessions.beginToken(account, { address, browser: undefined }, { name, days });
    });
    if (made === undefined) throw notSignedIn();
    security.note({ kind: 'token-made', actor, about: accountId, name: `${days} days`, address });
    return { token: made.text, until: made.until.toISOString() };
  }

  /** Closes everything that opens the account besides its address and password, this session as well. */
  async signOutEverywhere({ accountId }: Actor): Promise<void> {
    await this.#auth.credentials.revokeAccess(accountId);
  }

  /**
   * What is stored about the user, except credentials; of a student's results those of assessments that students see. The school hands out the
   * rest on request: docs/personal-data.md.
   */
  async data(actor: Actor): Promise<Record<string, unknown>> {
    const { pool, personal } = this.#auth;
    const { accountId, schoolId, studentId } = actor;
    const rows = async (sql: string, values: readonly unknown[]): Promise<unknown[]> => (await pool.query<object>(sql, [...values])).rows;
    const { rows: records } = await pool.query<{ id: string }>(
      `select link ->> 'teacherId' as id from read.accounts a, json_array_elements(a.teachers) link where a.school_id = $1 and a.account_id = $2`,
      [schoolId, accountId],
    );
    const ids = [accountId, ...(studentId === null ? [] : [studentId]), ...records.map(({ id }) => id)];
    const kept = async (): Promise<Record<string, unknown[]>> =>
      Object.fromEntries(
        await Promise.all(personal.map(async (one) => [one.name, await rows(personalRows(one, MORE[one.name]), [schoolId, ids])] as const)),
      );
    const [{ accounts = [], students = [], ...others }, sessions, enrolments, marks, submissions] = await Promise.all([
      kept(),
      rows(
        `select s."createdAt" as since, s."expiresAt" as until, s."ipAddress" as address, s."userAgent" as browser,
                s."tokenName" as token
           from identity."session" s join identity."user" u on u.id = s."userId" where u."accountId" = $1 order by 1`,
        [accountId],
      ),
      rows(
        `select subject.name as subject, sets.name as set, e.state, e.memberships
           from read.enrolments e
           join read.subjects subject on subject.school_id = e.school_id and subject.subject_id = e.subject_id
           left join read.sets sets on sets.school_id = e.school_id and sets.set_id = e.set_id
          where e.school_id = $1 and e.student_id = $2`,
        [schoolId, studentId],
      ),
      rows(
        `select t.name as assessment, m.* from read.markbook m join ${SHOWN_TO_STUDENTS} using (school_id, test_id)
          where m.school_id = $1 and m.student_id = $2`,
        [schoolId, studentId],
      ),
      rows(
        `select t.name as assessment, o.* from read.submissions o join ${SHOWN_TO_STUDENTS} using (school_id, test_id)
          where o.school_id = $1 and o.student_id = $2`,
        [schoolId, studentId],
      ),
    ]);
    return {
      account: accounts[0] ?? null,
      sessions,
      ...(studentId === null ? others : { student: students[0] ?? null, enrolments, results: marks, submissions }),
    };
  }
}

/** Neither hidden nor deleted, and of a subject that is there: what a class has not been shown yet, none of its students reads in their file. */
const SHOWN_TO_STUDENTS = `(
  select t.* from read.tests t join read.subjects s using (school_id, subject_id) where t.visible
) t`;

/** What is not personal, but shown with it. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  accounts: ['role', 'opened_at', 'activated', 'teachers', 'closed'],
};

const detailsOf = ({ role }: Actor): 'ChangeStaffDetails' | 'ChangeStudentDetails' =>
  role === 'student' ? 'ChangeStudentDetails' : 'ChangeStaffDetails';

const emailTaken = (): ProblemError => invalidInput('email', authMessages.emailTaken);
