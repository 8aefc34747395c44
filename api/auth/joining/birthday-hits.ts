import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import type { Limit, Limits } from '../limits.ts';
import { siteOf } from '../../common/networks.ts';
import type { Secrets } from '../../security/secrets.ts';

/**
 * How many hits may be open: from a site that nobody knows, from one of the school, and from all sites together. So a stranger with a
 * code learns two birthdays an hour, and somebody in the school ten, while a class of thirty joins ten at a time.
 */
const OF_A_STRANGER = 2;
const OF_THE_SCHOOL = 10;
const OF_ALL_SITES = 40;
/** How many sites may know one student's birthday before nobody is answered about it. */
const OF_A_STUDENT = 5;
/** Somebody has joined from here: pupils of this code are here. */
const JOINED_FROM: Limit = { name: 'joined by code', most: 0, seconds: 30 * 24 * 3_600 };

/** A hit younger than this may be followed by a joining any moment: it is worth waiting for. */
const TYPING_SECONDS = 180;
const PATIENCE_MS = 30_000;
const AGAIN_MS = 400;
/** How many requests of a site may wait. */
const MOST_WAITING = 40;

export type Hits = {
  readonly schoolId: string;
  readonly subjectId: string;
  readonly codeTag: string;
  readonly address: string;
  /** The key of the joining. */
  readonly joining: Buffer;
  /** Who was born on that day: none, if it is a miss. */
  readonly studentIds: readonly string[];
};

type Verdict = { readonly limit: string; readonly isForStrangers: boolean; readonly mayPass: boolean; readonly seconds: number };
type Row = { readonly student: Buffer; readonly isHere: boolean; readonly age: number };

/**
 * Birthdays that were found. Names are shown for one, so somebody who knows the names of a class learns who was born that day; what tells a
 * guesser from a pupil is that the pupil joins. A hit is open for an hour, or until its joining, or the student from the same site, ends
 * with an account; only so many are open at a time. Beyond that every date is refused, whether somebody was born on it or not.
 */
export class BirthdayHits {
  readonly #pool: Pool;
  readonly #limits: Limits;
  readonly #secrets: Pick<Secrets, 'mac'>;
  readonly #waiting = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, limits: Limits, secrets: Pick<Secrets, 'mac'>) {
    this.#pool = pool;
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Opens the hits, waiting for a moment while others of the class are joining. @throws ProblemError `rate-limited` */
  async open(hits: Hits): Promise<void> {
    const site = siteOf(hits.address);
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const asStranger = await this.#inTurn(() => this.#attempt(hits, OF_A_STRANGER));
      if (asStranger === undefined) return;
      const verdict =
        asStranger.isForStrangers && (await this.#isOfTheSchool(hits))
          ? await this.#inTurn(() => this.#attempt(hits, OF_THE_SCHOOL))
          : asStranger;
      if (verdict === undefined) return;
      const waiting = this.#waiting.get(site) ?? 0;
      if (!verdict.mayPass || waiting >= MOST_WAITING || performance.now() > giveUpAt) throw refused(verdict);
      this.#waiting.set(site, waiting + 1);
      try {
        await pause(AGAIN_MS);
      } finally {
        const left = (this.#waiting.get(site) ?? 1) - 1;
        if (left > 0) this.#waiting.set(site, left);
        else this.#waiting.delete(site);
      }
    }
  }

  /** The student has joined: what was open for it is no guess. */
  async followed({ codeTag, address, joining, studentIds }: Hits): Promise<void> {
    await this.#pool.query(
      `delete from identity.birthday_hits where code_tag = $1 and (joining = $2 or (site = $3 and student = any($4::bytea[])))`,
      [codeTag, joining, this.#site(codeTag, address), this.#students(studentIds)],
    );
    await this.#limits.note(JOINED_FROM, codeTag, siteOf(address));
  }

  /** Attempts follow each other, because each takes a connection and then waits for the lock: a class must not take all of them. */
  #inTurn(attempt: () => Promise<Verdict | undefined>): Promise<Verdict | undefined> {
    const mine = this.#last.then(attempt);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** `most`: how many of this site may be open. Undefined: the hits are. */
  async #attempt(hits: Hits, most: number): Promise<Verdict | undefined> {
    const { schoolId, subjectId, codeTag, joining } = hits;
    const site = this.#site(codeTag, hits.address);
    const students = this.#students(hits.studentIds);
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      // One at a time for a subject: two at once must not both find the last place.
      await client.query(`select from identity.join_codes where school_id = $1 and subject_id = $2 order by code_key for update`, [
        schoolId,
        subjectId,
      ]);
      const { rows } = await client.query<Row>(
        `select student, site = $2 as "isHere", extract(epoch from now() - hit_at)::float8 as age from identity.birthday_hits
          where code_tag = $1 and hit_at > now() - interval '1 hour'`,
        [codeTag, site],
      );
      const verdict = verdictOf(rows, students, most);
      if (verdict === undefined)
        await client.query(
          `insert into identity.birthday_hits (code_tag, site, student, joining, school_id, subject_id)
           select $1, $2, student, $4, $5, $6 from unnest($3::bytea[]) as born (student)
           on conflict (code_tag, site, student) do update set joining = excluded.joining, hit_at = now()
             where birthday_hits.hit_at < now() - interval '1 hour'`,
          [codeTag, site, students, joining, schoolId, subjectId],
        );
      await client.query('commit');
      return verdict;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  /** Somebody has joined from there, or one of its staff is logged in. */
  async #isOfTheSchool({ schoolId, codeTag, address }: Hits): Promise<boolean> {
    const site = siteOf(address);
    if (await this.#limits.isNoted(JOINED_FROM, codeTag, site)) return true;
    const { rows } = await this.#pool.query<{ address: string }>(
      `select distinct s."ipAddress" as address from identity."session" s join identity."user" u on u.id = s."userId"
        where u."schoolId" = $1 and u."studentId" is null and s."expiresAt" > now() and s."ipAddress" is not null`,
      [schoolId],
    );
    return rows.some((row) => siteOf(row.address) === site);
  }

  #site(codeTag: string, address: string): Buffer {
    return this.#secrets.mac('joining from', codeTag, siteOf(address));
  }

  #students(studentIds: readonly string[]): Buffer[] {
    return studentIds.map((studentId) => this.#secrets.mac('joining student', studentId));
  }
}

/** Whether these students may be found, given what is open. Undefined: they may. */
const verdictOf = (rows: readonly Row[], students: readonly Buffer[], most: number): Verdict | undefined => {
  const here = rows.filter(({ isHere }) => isHere);
  const more = students.filter((student) => !here.some((row) => row.student.equals(student)));
  // Names that were shown before tell nobody anything new.
  if (students.length > 0 && more.length === 0) return undefined;
  const isFoundOften = more.some((student) => rows.filter((row) => row.student.equals(student)).length >= OF_A_STUDENT);
  if (isFoundOften) return verdictOn('birthdays of a student', rows, { mayPass: false });
  if (rows.length >= OF_ALL_SITES) return verdictOn('birthdays found, everywhere', rows);
  // Students born on one day are shown together; to somebody who has none open all of them are.
  if (here.length < most && (here.length === 0 || here.length + more.length <= most)) return undefined;
  return verdictOn('birthdays found', here, { isForStrangers: true });
};

const verdictOn = (
  limit: string,
  rows: readonly Row[],
  { mayPass = rows.some(({ age }) => age < TYPING_SECONDS), isForStrangers = false } = {},
): Verdict => ({
  limit,
  isForStrangers,
  mayPass,
  seconds: mayPass ? 15 : Math.max(1, Math.ceil(3_600 - Math.max(0, ...rows.map(({ age }) => age)))),
});

const refused = ({ limit, mayPass, seconds }: Verdict): ProblemError => {
  countRefusal(limit);
  return new ProblemError('rate-limited', mayPass ? authMessages.othersJoin : authMessages.tooMany, { retryAfter: seconds });
};
