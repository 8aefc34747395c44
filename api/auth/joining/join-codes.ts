import { createSecretKey, randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { decrypt, encrypt } from '../../../events/codec/personal.ts';
import type { KeyRing } from '../../../events/codec/keys.ts';
import { exactTag } from '../../../events/codec/tags.ts';
import { CODE_LENGTH } from '../../contract/auth-messages.ts';
import type { JoinCode } from '../../contract/auth.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Secrets } from '../../security/secrets.ts';

/** What a code is drawn from: nothing that is read as something else on a sheet. Codes that were drawn before have 0 O o 1 l I too. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** See places.ts. */
const UNFOLLOWED = `
select count(*)::int as unfollowed from identity.joining_places
 where school_id = $1 and subject_id = $2 and code_tag = $3 and taken_at between now() - interval '1 day' and now() - interval '20 minutes'`;

/** The subject that a valid code opens: one that was removed has none. */
export type OpenedBy = {
  readonly schoolId: string;
  readonly subjectId: string;
  readonly codeTag: string;
  readonly school: string;
  readonly subject: string;
  readonly domain: string | null;
};

/**
 * Joining codes. The log holds the tag of a subject's valid code; the tables here lead from a code's HMAC to its subject, and keep the code
 * itself, encrypted, for the school's admins.
 */
export class JoinCodes {
  readonly #pool: Pool;
  readonly #secrets: Pick<Secrets, 'mac' | 'seal'>;
  readonly #keys: Pick<KeyRing, 'schoolKey'>;

  constructor(pool: Pool, secrets: Pick<Secrets, 'mac' | 'seal'>, keys: Pick<KeyRing, 'schoolKey'>) {
    this.#pool = pool;
    this.#secrets = secrets;
    this.#keys = keys;
  }

  /** A new code, unique in all schools, or the one that this command made before. It is valid once its event is written. */
  async make(of: { schoolId: string; subjectId: string; commandId: string }): Promise<{ code: string; codeTag: string }> {
    for (;;) {
      const code = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
      await this.#pool.query(
        `insert into identity.join_codes (code_key, command_id, school_id, subject_id, sealed_code) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [this.#keyOf(code), of.commandId, of.schoolId, of.subjectId, encrypt(this.#seal(), of.schoolId, Buffer.from(code))],
      );
      const { rows } = await this.#pool.query<{ sealed: Buffer; subjectId: string }>(
        `select sealed_code as sealed, subject_id as "subjectId" from identity.join_codes where command_id = $1`,
        [of.commandId],
      );
      const [made] = rows;
      if (!made) continue; // another subject has this very code
      if (made.subjectId !== of.subjectId) throw new ProblemError('key-reused', 'This idempotency key was used for another request.');
      const kept = decrypt(this.#seal(), of.schoolId, made.sealed).toString();
      return { code: kept, codeTag: await this.#tagOf(of.schoolId, kept) };
    }
  }

  /** What the code opens, if it is its subject's newest. */
  async opens(code: string): Promise<OpenedBy | undefined> {
    const { rows } = await this.#pool.query<OpenedBy & { newest: string | null }>(
      `select c.school_id as "schoolId", c.subject_id as "subjectId", j.code_tag as newest, j.domain, coalesce(school.name, '') as school,
              subject.name as subject
         from identity.join_codes c
         join read.join_codes j on j.school_id = c.school_id and j.subject_id = c.subject_id
         join read.subjects subject on subject.school_id = c.school_id and subject.subject_id = c.subject_id
         left join read.schools school on school.school_id = c.school_id
        where c.code_key = $1`,
      [this.#keyOf(code)],
    );
    const [row] = rows;
    if (!row) return undefined;
    const { newest, ...opened } = row;
    const codeTag = await this.#tagOf(opened.schoolId, code);
    return newest === codeTag ? { ...opened, codeTag } : undefined;
  }

  /** Whether it is still the valid one of its subject. */
  async counts({ schoolId, subjectId, codeTag }: Pick<OpenedBy, 'schoolId' | 'subjectId' | 'codeTag'>): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `select from read.join_codes c join read.subjects s using (school_id, subject_id)
        where c.school_id = $1 and c.subject_id = $2 and c.code_tag = $3`,
      [schoolId, subjectId, codeTag],
    );
    return rows.length > 0;
  }

  /** The tag of the subject's valid code; undefined: there is none, or no such subject. */
  async newest(schoolId: string, subjectId: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ codeTag: string }>(
      `select c.code_tag as "codeTag" from read.join_codes c join read.subjects s using (school_id, subject_id)
        where c.school_id = $1 and c.subject_id = $2 and c.code_tag is not null`,
      [schoolId, subjectId],
    );
    return rows[0]?.codeTag;
  }

  /** For admins: the valid code in plain text. */
  async show(schoolId: string, subjectId: string): Promise<Omit<JoinCode, 'link'>> {
    const { rows } = await this.#pool.query<{ codeTag: string | null; domain: string | null; issuedAt: Date | null }>(
      `select code_tag as "codeTag", domain, issued_at as "issuedAt" from read.join_codes where school_id = $1 and subject_id = $2`,
      [schoolId, subjectId],
    );
    const [row] = rows;
    const code = row?.codeTag ? await this.#codeOf(schoolId, subjectId, row.codeTag) : null;
    const { rows: hits } = await this.#pool.query<{ unfollowed: number }>(UNFOLLOWED, [schoolId, subjectId, row?.codeTag]);
    const unfollowed = hits[0]?.unfollowed ?? 0;
    return {
      code,
      domain: row?.domain ?? null,
      issuedAt: row?.issuedAt?.toISOString() ?? null,
      ...(unfollowed === 0 ? {} : { unfollowed }),
    };
  }

  async #codeOf(schoolId: string, subjectId: string, codeTag: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ sealed: Buffer }>(
      `select sealed_code as sealed from identity.join_codes where school_id = $1 and subject_id = $2 order by issued_at desc`,
      [schoolId, subjectId],
    );
    for (const { sealed } of rows) {
      const code = decrypt(this.#seal(), schoolId, sealed).toString();
      if ((await this.#tagOf(schoolId, code)) === codeTag) return code;
    }
    return null;
  }

  async #tagOf(schoolId: string, code: string): Promise<string> {
    return exactTag(await this.#keys.schoolKey(schoolId), 'joining code', code);
  }

  #keyOf(code: string): Buffer {
    return this.#secrets.mac('joining code', code);
  }

  #seal() {
    return createSecretKey(this.#secrets.seal);
  }
}
