import { randomBytes, randomUUID } from 'node:crypto';
import { Queue } from '../../../events/async/queue.ts';
import { joinEmail, type JoinChoices, type JoinSchool } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { EmailTaken } from '../identity/credentials.ts';
import { decoysFor, ranked } from './decoys.ts';
import type { Patience, Places } from './places.ts';
import type { AuthServices } from '../auth.ts';
import { StudentTaken } from '../identity/identities.ts';
import type { JoinCodes } from './join-codes.ts';
import type { Limit } from '../limits.ts';
import { ofNetwork } from '../limits.ts';
import { networkOf } from '../../common/networks.ts';
import { requireGoodPassword } from '../password/password-rules.ts';

/**
 * Rate limits. A class of 30 behind one address, in which everybody mistypes twice, stays far below them; guessing birthdays or names is
 * stopped early (about 700 birthdays in a subject, 10 names for a birthday), and found birthdays by places.ts. Of 2^41 codes nobody
 * finds one in 1,500 tries, while one pupil who plays with them must not lock out the school.
 */
export const WRONG_CODES: Limit = { name: 'wrong codes', most: 1_500, seconds: 900 };
const NAMES_SHOWN: Limit = { name: 'names shown', most: 400, seconds: 3_600 };
/** Also by those who wait, who ask again every few seconds: a class of them. */
const BIRTHDAYS_ASKED: Limit = { name: 'birthdays asked', most: 900, seconds: 60 };
const NOBODY_BORN: Limit = { name: 'birthdays of nobody', most: 40, seconds: 3_600 };
const NOBODY_BORN_IN_ALL: Limit = { name: 'birthdays of nobody, everywhere', most: 150, seconds: 3_600 };
const WRONG_NAMES: Limit = { name: 'wrong names', most: 30, seconds: 3_600 };
const WRONG_NAMES_IN_ALL: Limit = { name: 'wrong names, everywhere', most: 100, seconds: 3_600 };
const WRONG_NAMES_OF_BIRTHDAY: Limit = { name: 'wrong names of a birthday', most: 4, seconds: 3_600 };
/** How many birthdays may be tried before the code must be entered again. */
const BIRTHDAYS = 3;
/** More students than this with one birthday means that the date stands for "unknown": it matches nobody. */
const MOST_TWINS = 20;
const MINUTES = 20;

/**
 * How a student joins: code, date of birth, name, account. Names are shown only after the birthday, among decoys, as opaque choices that
 * can be used once. Each step can be taken once, only after the step before: one SQL statement checks the stage and moves it on.
 */
export class Joining {
  readonly #auth: AuthServices;
  readonly #codes: JoinCodes;
  readonly #places: Places;
  readonly #choosing = new Queue();

  constructor(auth: AuthServices, codes: JoinCodes, places: Places) {
    this.#auth = auth;
    this.#codes = codes;
    this.#places = places;
  }

  /** @throws ProblemError `invalid-input` for a wrong or superseded code, `rate-limited` */
  async code(code: string, address: string): Promise<JoinSchool> {
    const { limits, pool } = this.#auth;
    await limits.checkEach(ofNetwork(WRONG_CODES, address));
    const opened = await this.#codes.opens(code);
    if (!opened) {
      await limits.countAll(ofNetwork(WRONG_CODES, address));
      throw invalidInput('code', authMessages.wrongCode);
    }
    const joining = randomBytes(24).toString('base64url');
    await pool.query(
      `insert into identity.joinings (key, school_id, subject_id, code_tag, stage, expires_at)
       values ($1, $2, $3, $4, 'birthday', now() + make_interval(mins => $5))`,
      [this.#key(joining), opened.schoolId, opened.subjectId, opened.codeTag, MINUTES],
    );
    const { school, subject, domain } = opened;
    return { joining, school, subject, domain };
  }

  /**
   * Ten names, among them perhaps the student's own, or what to wait for. @throws ProblemError `refused` where the code must be entered
   * again, `rate-limited`
   */
  async birthday({ joining, dateOfBirth }: Born, address: string, patience: Patience): Promise<JoinChoices> {
    const { limits, pool } = this.#auth;
    const [code, network] = await this.#underWay(joining, ['birthday', 'name'], address);
    const rank = (text: string): string => this.#auth.secrets.mac('names', code.codeTag, dateOfBirth, text).toString('hex');
    const birthday = this.#auth.secrets.mac('birthday', dateOfBirth);
    await limits.count(BIRTHDAYS_ASKED, code.codeTag, network);
    await limits.check(WRONG_NAMES_OF_BIRTHDAY, code.codeTag, birthday.toString('hex'));
    await limits.check(NOBODY_BORN, code.codeTag, network);
    await limits.check(NOBODY_BORN_IN_ALL, code.codeTag);
    await limits.check(NAMES_SHOWN, code.codeTag, network);

    const students = await this.#students(code);
    const born = students.filter((student) => student.dateOfBirth === dateOfBirth);
    const matches = born.length > MOST_TWINS ? [] : born;
    // Before anything is counted: where it refuses, a date on which nobody was born must not show by another limit.
    const dateAsked = { ...code, address, joining: this.#key(joining), dateOfBirth, isFound: matches.length > 0 };
    const wait = await this.#places.take(dateAsked, patience);
    if (wait) return { choices: [], wait };
    await limits.count(NAMES_SHOWN, code.codeTag, network);
    if (matches.length === 0) {
      await limits.count(NOBODY_BORN, code.codeTag, network);
      await limits.count(NOBODY_BORN_IN_ALL, code.codeTag);
    }
    const shown = choicesAmong(matches, students, rank);
    const { rowCount } = await pool.query(
      `update identity.joinings set stage = 'name', birthdays = birthdays + 1, birthday_key = $2, choices = $3
        where key = $1 and stage in ('birthday', 'name') and birthdays < $4`,
      [this.#key(joining), birthday, JSON.stringify(shown.map(({ choice, studentId }) => [choice, studentId])), BIRTHDAYS],
    );
    if (rowCount === 0) throw beginAgain();
    return { choices: shown.map(({ choice, name }) => ({ choice, name })) };
  }

  /** The student begins anew: staff still see that this joining waits, and the new one does not queue behind it. */
  async stepAside(joining: string): Promise<void> {
    await this.#auth.pool.query(`update identity.joinings set waits_since = null where key = $1`, [this.#key(joining)]);
  }

  /** After a decoy the code must be entered again. @throws ProblemError `invalid-input`, `joined-already`, `refused`, `rate-limited` */
  async name({ joining, choice }: { joining: string; choice: string }, address: string): Promise<void> {
    const { limits, pool } = this.#auth;
    const [code, network] = await this.#underWay(joining, ['name'], address);
    await limits.check(WRONG_NAMES, code.codeTag, network);
    await limits.check(WRONG_NAMES_IN_ALL, code.codeTag);
    // The choices are used up, whichever was chosen.
    const { rows } = await pool.query<{ choices: [string, string | null][]; birthday: Buffer }>(
      `with before as (select key, choices, birthday_key from identity.joinings where key = $1 and stage = 'name' for update)
       update identity.joinings j set stage = 'chosen', choices = null from before where j.key = before.key
       returning before.choices, before.birthday_key as birthday`,
      [this.#key(joining)],
    );
    const [row] = rows;
    if (!row) throw beginAgain();
    const ofBirthday = [code.codeTag, row.birthday.toString('hex')] as const;
    // One after the other: where many of a class were born on one day, none is counted as wrong because others choose at the same moment.
    const studentId = await this.#choosing.run(ofBirthday.join(), async () => {
      // Counted before anything is told: many joinings with one birthday may be at this step, even at the same moment.
      await limits.count(WRONG_NAMES_OF_BIRTHDAY, ...ofBirthday);
      const chosen = row.choices.find(([one]) => one === choice)?.[1] ?? undefined;
      if (chosen !== undefined) await limits.forgive(WRONG_NAMES_OF_BIRTHDAY, ...ofBirthday);
      return chosen;
    });
    if (studentId === undefined) {
      await pool.query(`delete from identity.joinings where key = $1`, [this.#key(joining)]);
      await limits.count(WRONG_NAMES, code.codeTag, network);
      await limits.count(WRONG_NAMES_IN_ALL, code.codeTag);
      throw invalidInput('choice', authMessages.wrongName);
    }
    if (await this.#hasJoined(code.schoolId, studentId)) throw joinedAlready();
    await pool.query(`update identity.joinings set stage = 'account', student_id = $2 where key = $1 and stage = 'chosen'`, [
      this.#key(joining),
      studentId,
    ]);
  }

  /** Opens the account and logs in: returns the cookie. A refused input, such as a weak password, can be corrected and sent again. */
  async account(
    { joining, email: typed, password }: { joining: string; email: string; password: string },
    address: string,
  ): Promise<string> {
    const { identities, sessions, bus, mail, pool, takenAddresses } = this.#auth;
    const [{ schoolId, subjectId, studentId, domain, accountId, school, codeTag }] = await this.#underWay(joining, ['account'], address);
    if (studentId === null) throw beginAgain();
    const email = joinEmail(typed, domain);
    if (email === undefined) throw invalidInput('email', domain === null ? authMessages.invalidEmail : authMessages.invalidUsername);
    const student = (await this.#students({ schoolId, subjectId })).find((one) => one.studentId === studentId);
    if (!student) throw beginAgain();
    requireGoodPassword(password, { email, name: student.name, school });
    if (!(await this.#codes.counts({ schoolId, subjectId, codeTag }))) throw beginAgain();

    let isNew: boolean;
    try {
      const opened = { accountId, schoolId, email, password, studentId, proved: false };
      ({ isNew } = await takenAddresses.run({ accountId: studentId, among: codeTag }, () => identities.open(opened)));
    } catch (error) {
      if (error instanceof StudentTaken) throw joinedAlready();
      if (error instanceof EmailTaken) throw invalidInput('email', authMessages.emailTaken);
      throw error;
    }
    try {
      await bus.execute('JoinByCode', {
        actor: { accountId, schoolId, role: 'student', name: student.name, email, subjectIds: [], setIds: [], studentId },
        key: accountId,
        body: { studentId, subjectId, name: student.name, email },
        isInternal: true,
      });
    } catch (error) {
      // Nothing was written: the identity would be an orphan that blocks the next attempt.
      if (isNew && error instanceof ProblemError && error.problem.status < 500) await identities.remove(accountId);
      throw error;
    }
    await pool.query(`delete from identity.joinings where key = $1`, [this.#key(joining)]);
    const { dateOfBirth } = student;
    await this.#places.followed({ codeTag, address, joining: this.#key(joining), dateOfBirth });
    await mail.order({ cause: `joined ${accountId}`, kind: 'joined', about: { accountId } });
    return sessions.open(accountId);
  }

  /**
   * The joining at one of these stages, and the student's network. @throws ProblemError `refused` if it has expired or is at another stage
   */
  async #underWay(joining: string, stages: readonly string[], address: string): Promise<[UnderWay, network: string]> {
    const { rows } = await this.#auth.pool.query<Omit<UnderWay, 'accountId'>>(
      `select j.school_id as "schoolId", j.subject_id as "subjectId", j.code_tag as "codeTag", j.student_id as "studentId", c.domain,
              coalesce(s.name, '') as school
         from identity.joinings j
         join read.join_codes c on c.school_id = j.school_id and c.subject_id = j.subject_id and c.code_tag = j.code_tag
         left join read.schools s on s.school_id = j.school_id
        where j.key = $1 and j.stage = any($2::text[]) and j.expires_at > now()`,
      [this.#key(joining), stages],
    );
    const [row] = rows;
    if (!row) throw beginAgain();
    return [{ ...row, accountId: uuidOf(this.#auth.secrets.mac('joined account', joining)) }, networkOf(address)];
  }

  async #students({ schoolId, subjectId }: { schoolId: string; subjectId: string }): Promise<Student[]> {
    const { rows } = await this.#auth.pool.query<Student>(
      `select s.student_id as "studentId", s.name, s.date_of_birth::text as "dateOfBirth"
         from read.enrolments e join read.students s on s.school_id = e.school_id and s.student_id = e.student_id
        where e.school_id = $1 and e.subject_id = $2 and e.state <> 'removed' and s.name is not null`,
      [schoolId, subjectId],
    );
    return rows;
  }

  async #hasJoined(schoolId: string, studentId: string): Promise<boolean> {
    const { rows } = await this.#auth.pool.query(
      `select from read.accounts where school_id = $1 and student_id = $2 and not closed
       union all select from identity."user" where "studentId" = $2::text`,
      [schoolId, studentId],
    );
    return rows.length > 0;
  }

  #key(joining: string): Buffer {
    return this.#auth.secrets.mac('joining', joining);
  }
}

type UnderWay = {
  readonly schoolId: string;
  readonly subjectId: string;
  readonly codeTag: string;
  readonly studentId: string | null;
  readonly domain: string | null;
  readonly school: string;
  /** of the account to be opened: derived from the joining, so that repeating the last step opens no second one */
  readonly accountId: string;
};
type Born = { readonly joining: string; readonly dateOfBirth: string };
type Student = { readonly studentId: string; readonly name: string; readonly dateOfBirth: string | null };
type Option = { readonly choice: string; readonly name: string; readonly studentId: string | null };

/** The matches among decoys, in an order that does not tell them apart. */
const choicesAmong = (matches: readonly Student[], students: readonly Student[], rank: (text: string) => string): Option[] => {
  const namesOf = (some: readonly Student[]) => some.map(({ name }) => name);
  const decoys = decoysFor(namesOf(matches), namesOf(students), rank);
  const options = [
    ...matches.map(({ studentId, name }) => ({ choice: randomUUID(), name, studentId })),
    ...decoys.map((name) => ({ choice: randomUUID(), name, studentId: null })),
  ];
  return ranked(options, ({ name }) => rank(name));
};

const beginAgain = (): ProblemError => new ProblemError('refused', authMessages.joinAgain);
const joinedAlready = (): ProblemError => new ProblemError('joined-already', authMessages.joinedAlready);

/** A uuid (of version 8) made of 16 bytes. */
const uuidOf = (bytes: Buffer): string => {
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
