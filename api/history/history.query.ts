import { describe } from '../../events/sentences.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import type { Actor } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';
import { defineQuery } from '../common/query.ts';
import type { RunSql } from '../common/facts.ts';
import type { History, RecordEntry } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import { typesOfKind } from './kinds.ts';
import { idsNamed, inSight, studentsIn, Values } from './record-sql.ts';
import { idsNamedIn, namesOf, partsOf } from './sentences.ts';

/** The entries of the record that match the filters, newest first. */
export const history = defineQuery({
  ...historyQueries.history,
  models: ['record', 'accounts', 'structure', 'assessments', 'roster', 'tasks', 'grade_profiles', 'mappings', 'revision_lists'],
  async run(query, { before, limit, text, about, kind, setId, ...filters }, actor, _about, log): Promise<History> {
    const values = new Values();
    const conditions = [inSight(actor, values)];
    if (before !== undefined) conditions.push(`r.position < ${values.add(await positionOf(query, before), 'int8')}`);
    if (filters.from !== undefined) conditions.push(`r.position > ${lastWith(`at < ${values.add(filters.from, 'timestamptz')}`)}`);
    if (filters.to !== undefined) conditions.push(`r.position <= ${lastWith(`at <= ${values.add(filters.to, 'timestamptz')}`)}`);
    if (filters.by !== undefined) conditions.push(`r.account_id = ${values.add(filters.by, 'uuid')}`);
    if (kind !== undefined) conditions.push(`r.type = any(${values.add(typesOfKind[kind], 'text[]')})`);
    if (filters.type !== undefined) conditions.push(`r.type = ${values.add(filters.type, 'text')}`);
    if (filters.stream !== undefined) conditions.push(`r.stream = ${values.add(filters.stream, 'text')}`);
    if (filters.subjectId !== undefined) conditions.push(`r.subject_id = ${values.add(filters.subjectId, 'uuid')}`);
    // A class is whoever is in it now, too: events of marks do not name it.
    if (setId !== undefined)
      conditions.push(`r.things && (array[${values.add(setId, 'uuid')}] || ${studentsIn({ ...actor, setIds: [setId] }, values)})`);
    const { studentId, testId, taskId, yearGroupId } = filters;
    for (const id of [about, studentId, testId, taskId, yearGroupId])
      if (id !== undefined) conditions.push(`r.things @> array[${values.add(id, 'uuid')}]`);
    if (text) {
      const ids = idsNamed(actor, text, values);
      conditions.push(`(r.things && ${ids} or r.account_id = any(${ids}))`);
    }
    const rows = await query<RecordRow>(
      `${RECORD} where r.school_id = $1 and ${conditions.join(' and ')} order by r.position desc limit ${limit + 1}`,
      values.all,
      '',
    );
    const shown = rows.slice(0, limit);
    const read = await log(shown);
    const events = await entriesOf(
      query,
      shown,
      read.map(({ event }) => event),
    );
    return { events, next: rows.length > limit ? (shown.at(-1)?.eventId ?? null) : null };
  },
});

export type RecordRow = {
  readonly position: string;
  readonly eventId: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly at: string;
  readonly accountId: string;
  readonly role: string;
  readonly name: string | null;
  readonly viewedAs: string | null;
  readonly viewedAsId: string | null;
  readonly commandId: string;
};

export const RECORD = `
select r.position::text as position, r.event_id as "eventId", r.type, r.stream, r.revision, to_json(r.at) #>> '{}' as at, r.account_id as "accountId", r.role, a.name,
       r.viewed_as as "viewedAs", r.viewed_as_id as "viewedAsId", r.command_id as "commandId"
  from record r
  left join accounts a on a.school_id = $1 and a.account_id = r.account_id`;

/** Rows of the record with their sentences. `events`: the same, in the same order. */
export const entriesOf = async (query: RunSql, rows: readonly RecordRow[], events: readonly RecordedEvent[]): Promise<RecordEntry[]> => {
  const sentences = events.map((event) => describe(event).sentence);
  const names = await namesOf(query, [...sentences.flatMap(idsNamedIn), ...rows.flatMap(({ viewedAsId }) => viewedAsId ?? [])]);
  return rows.map(({ position: _, accountId, role, name, viewedAs, viewedAsId, ...row }, index) => ({
    ...row,
    by: { accountId, role, name: role === 'system' ? 'Marktrail' : name },
    viewedAs: viewedAs === null ? null : { role: viewedAs, name: viewedAsId === null ? null : (names.get(viewedAsId) ?? null) },
    sentence: partsOf(sentences[index] ?? [], names),
  }));
};

/** An entry that the user may see. @throws ProblemError `not-found` */
export const rowOf = async (query: RunSql, actor: Actor, eventId: string): Promise<RecordRow> => {
  const values = new Values();
  const sight = inSight(actor, values);
  const [row] = await query<RecordRow>(
    `${RECORD} where r.school_id = $1 and r.event_id = ${values.add(eventId, 'uuid')} and ${sight}`,
    values.all,
    '',
  );
  if (!row) throw new ProblemError('not-found', 'There is no such entry.');
  return row;
};

/** Of the entry that a page follows, whoever may see it. */
const positionOf = async (query: RunSql, eventId: string): Promise<string> => {
  const [row] = await query<{ position: string }>(`select position::text from record where school_id = $1 and event_id = $2`, [eventId]);
  if (!row) throw new ProblemError('not-found', 'There is no such entry.');
  return row.position;
};

/**
 * The last event with such a time. Between streams only the order of the log counts, because clocks differ: an event happened no later than
 * any event after it, so all up to this one had happened by then, and none after it.
 */
const lastWith = (condition: string): string =>
  `coalesce((select position from record where school_id = $1 and ${condition} order by position desc limit 1), 0)`;
