import type { Pool } from 'pg';
import { lockNamed, migration } from '../../events/store/postgres/migration.ts';
import type { Actor } from '../actor.ts';
import { BANNER_CHARACTERS, BANNER_MS, authMessages } from '../contract/auth-messages.ts';
import type { ErrorReport, LoggedError, Reported } from '../contract/errors.ts';

export const migrateErrors = migration(lockNamed('errors'), new URL('errors.sql', import.meta.url));

/** Not longer, because errors from browsers may contain names. */
const KEPT = '90 days';
const MOST_LISTED = 200;

/** Errors, each with a number by which an admin can find it. */
export class ErrorLog {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Logs the error and returns what to show: nothing to students, and never any SQL. */
  async report(actor: Actor | undefined, report: ErrorReport): Promise<Reported> {
    const id = await this.note(actor, report);
    const silent = actor?.role === 'student' || isInvalidRequest(report.message);
    return { id, banner: silent ? null : { title: authMessages.oops, text: bannerText(report.message, id), milliseconds: BANNER_MS } };
  }

  async note(actor: Actor | undefined, { message, file, line, status, statusText }: ErrorReport): Promise<string> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `insert into support.errors (school_id, account_id, role, message, file, line, status, status_text)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [actor?.schoolId, actor?.accountId, actor?.role, message, file, line, status, statusText],
    );
    return rows[0]!.id;
  }

  /** The errors of one school, newest first. */
  async list(schoolId: string, before?: string): Promise<LoggedError[]> {
    const { rows } = await this.#pool.query<Omit<LoggedError, 'at'> & { at: Date }>(
      `select e.id, e.at, e.role, coalesce(a.name, '') as name, e.message, e.file, e.line, e.status, e.status_text as "statusText"
         from support.errors e left join read.accounts a on a.school_id = e.school_id and a.account_id = e.account_id
        where e.school_id = $1 and ($2::bigint is null or e.id < $2) order by e.id desc limit ${MOST_LISTED}`,
      [schoolId, before],
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString(), message: holdsSql(row.message) ? HIDDEN : row.message }));
  }

  async countToday(schoolId: string): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      `select count(*)::int as count from support.errors where school_id = $1 and at > now() - interval '1 day'`,
      [schoolId],
    );
    return rows[0]?.count ?? 0;
  }

  async sweep(): Promise<void> {
    await this.#pool.query(`delete from support.errors where at < now() - interval '${KEPT}'`);
  }
}

/** Pages send an error with its name before it. */
const isInvalidRequest = (message: string): boolean => message.replace(/^(\w*Error: )+/, '').trim() === 'Invalid Request';

const HIDDEN = 'Something went wrong with the stored data.';

const bannerText = (message: string, id: string): string => {
  const start = `The error has been logged as number ${id}.`;
  return `${start} ${holdsSql(message) ? HIDDEN : message}`.trim().slice(0, BANNER_CHARACTERS);
};

/** Whether the text contains SQL, or a database's message about it. */
export const holdsSql = (text: string): boolean =>
  /\bsql(state)?\b|\b(select|delete)\b[^.]*\bfrom\b|\binsert\s+into\b|\bupdate\b[^.]*\bset\b|\b(create|alter|drop|truncate)\s+(table|index|schema|view)\b|\bviolates\b.*\bconstraint\b|\brelation\b.*\bdoes not exist\b|postgres/i.test(
    text,
  );
