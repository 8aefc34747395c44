import type { History } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import { ProblemError } from '../common/problems.ts';
import { defineQuery } from '../common/query.ts';

type Read = Omit<History['events'][number], 'by'> & { accountId: string | null; role: string | null; name: string | null };

/** The school's events that match the filters, newest first. Parts of large events are left out. */
export const history = defineQuery({
  ...historyQueries.history,
  models: ['history', 'accounts', 'structure', 'assessments', 'results'],
  async run(query, { before, limit, ...filters }): Promise<History> {
    const conditions = new Conditions();
    if (before !== undefined) {
      const [event] = await query<{ position: number }>(`select position from history where school_id = $1 and event_id = $2`, [before]);
      if (!event) throw new ProblemError('not-found', 'There is no such event.');
      conditions.add((value) => `h.position < ${value}`, event.position);
    }
    if (filters.from !== undefined) conditions.add((value) => `h.position > ${lastWith('at <', value)}`, filters.from);
    if (filters.to !== undefined) conditions.add((value) => `h.position <= ${lastWith('at <=', value)}`, filters.to);
    if (filters.by !== undefined) conditions.add((value) => `h.account_id = ${value}`, filters.by);
    if (filters.type !== undefined) conditions.add((value) => `h.type = ${value}`, filters.type);
    if (filters.stream !== undefined) conditions.add((value) => `h.stream = ${value}`, filters.stream);
    if (filters.subjectId !== undefined) conditions.add(isAboutSubject, filters.subjectId);

    const rows = await query<Read>(
      `select h.event_id as "eventId", h.type, h.at, h.stream, h.revision, h.command_id as "commandId",
              h.account_id as "accountId", h.role, a.name
         from history h
         left join accounts a on a.school_id = $1 and a.account_id = h.account_id
        where h.school_id = $1 and h.type <> 'Part' ${conditions.sql}
        order by h.position desc
        limit ${limit + 1}`,
      conditions.values,
    );
    const events = rows.slice(0, limit).map(({ accountId, role, name, ...event }) => ({
      ...event,
      by: accountId === null ? null : { accountId, role: role ?? '', name },
    }));
    return { events, next: rows.length > limit ? (events.at(-1)?.eventId ?? null) : null };
  },
});

/**
 * The last event with such a time. Between streams only the order of the log counts, because clocks differ: an event happened no later than
 * any event after it, so all up to this one had happened by then, and none after it.
 */
const lastWith = (comparison: string, value: string): string =>
  `coalesce((select position from history where school_id = $1 and ${comparison} ${value}::timestamptz order by position desc limit 1), 0)`;

/** Parameters begin with $2: $1 is the school. */
class Conditions {
  readonly values: unknown[] = [];
  sql = '';

  add(condition: (value: string) => string, value: unknown): void {
    this.values.push(value);
    this.sql += ` and ${condition(`$${this.values.length + 1}`)}`;
  }
}

/** Events of assessments, schemes, mappings, revision lists and undos do not contain the subject: it follows from their stream. */
const isAboutSubject = (subject: string): string => `(
  h.subject_id = ${subject}::uuid
  or h.stream in ('mapping-' || $1::uuid || '.' || ${subject}::uuid, 'revision-' || $1::uuid || '.' || ${subject}::uuid)
  or h.stream in (
    select 'assessment-' || $1::uuid || '.' || test_id from tests where school_id = $1 and subject_id = ${subject}::uuid
    union all select 'assessment-' || $1::uuid || '.' || test_id from deleted_tests where school_id = $1 and subject_id = ${subject}::uuid
    union all select 'scheme-' || $1::uuid || '.' || scheme_id from schemes where school_id = $1 and subject_id = ${subject}::uuid
    union all select 'scheme-' || $1::uuid || '.' || scheme_id from deleted_schemes where school_id = $1 and subject_id = ${subject}::uuid
    union all select distinct 'undo-' || $1::uuid || '.' || entry_id from saves where school_id = $1 and subject_id = ${subject}::uuid))`;
