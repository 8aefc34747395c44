import { describe } from '../../events/sentences.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';
import { defineQuery } from '../common/query.ts';
import type { RunSql } from '../common/facts.ts';
import type { History, RecordEntry } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import { typesOfKind } from './kinds.ts';
import type { Asked, Way } from './record-sql.ts';
import { idsNamed, inSight, newestBy, newestInSight, placed, studentsIn, Values } from './record-sql.ts';
import { idsNamedIn, namesOf, partsOf } from './sentences.ts';

/** The entries of the record that match the filters, newest first. */
export const history = defineQuery({
  ...historyQueries.history,
  models: ['record', 'accounts', 'structure', 'assessments', 'roster', 'tasks', 'grade_profiles', 'mappings', 'revision_lists'],
  async run(query, { before, limit, text, about, in: beside, kind, setId, ...filters }, actor, _about, log): Promise<History> {
    const values = new Values();
    const conditions = [inSight(actor, values)];
    const places: string[] = [];
    if (before !== undefined) places.push(`< ${values.add(await positionOf(query, before), 'int8')}`);
    if (filters.from !== undefined) places.push(`> ${lastWith(`at < ${values.add(filters.from, 'timestamptz')}`)}`);
    if (filters.to !== undefined) places.push(`<= ${lastWith(`at <= ${values.add(filters.to, 'timestamptz')}`)}`);
    if (filters.by !== undefined) conditions.push(`r.account_id = ${values.add(filters.by, 'uuid')}`);
    const { type } = filters;
    const types = kind === undefined ? type && [type] : typesOfKind[kind].filter((one) => type === undefined || one === type);
    if (filters.stream !== undefined) conditions.push(`r.stream = ${values.add(filters.stream, 'text')}`);
    if (filters.subjectId !== undefined) conditions.push(`r.subject_id = ${values.add(filters.subjectId, 'uuid')}`);
    const { studentId, testId, taskId, yearGroupId } = filters;
    const [first, ...others] = [studentId, taskId, testId, beside, yearGroupId].filter((id) => id !== undefined);
    for (const id of others) conditions.push(`r.things @> array[${values.add(id, 'uuid')}]`);
    if (text) {
      const ids = idsNamed(actor, text, values);
      conditions.push(`(r.things && ${ids} or r.account_id = any(${ids}))`);
    }
    // A class is whoever is in it now, too: events of marks do not name it.
    const named = (id: string) => `(array[${values.add(id, 'uuid')}] || ${studentsIn({ setIds: [id] }, values)})`;
    const ofTypes = types && values.add(types, 'text[]');
    const ways: Way[] = [];
    if (first !== undefined) ways.push({ things: `array[${values.add(first, 'uuid')}]` });
    if (setId !== undefined) ways.push({ things: named(setId) });
    if (about !== undefined) ways.push({ things: named(about), account: values.add(about, 'uuid') });
    // Of one thing there is little. Of many there may be much, of which little is of a type, a person or a stream: these have their own indexes.
    const isByThing = first !== undefined || (ofTypes ?? filters.by ?? filters.stream) === undefined;
    const way = isByThing ? ways.shift() : undefined;
    for (const { things, account } of ways) conditions.push(`(r.things && ${things}${account ? ` or r.account_id = ${account}` : ''})`);
    const asked = { condition: conditions.join(' and '), places, limit: limit + 1 };
    const found = way
      ? newestBy(way, ofTypes ? { ...asked, condition: `r.type = any(${ofTypes}) and ${asked.condition}` } : asked)
      : ofTypes
        ? newestOf(ofTypes, asked)
        : readsWholeSchool(actor) || filters.by !== undefined || filters.stream !== undefined
          ? placed('r', asked)
          : newestInSight(actor, asked, values);
    const rows = await query<RecordRow>(
      `${RECORD} where r.school_id = $1 and ${found} order by r.position desc limit ${limit + 1}`,
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
  /** The job that the command is a step of, or the command itself. */
  readonly actId: string;
};

export const RECORD = `
select r.position::text as position, r.event_id as "eventId", r.type, r.stream, r.revision, to_json(r.at) #>> '{}' as at, r.account_id as "accountId", r.role, a.name,
       r.viewed_as as "viewedAs", r.viewed_as_id as "viewedAsId", r.command_id as "commandId", r.act_id as "actId"
  from record r
  left join accounts a on a.school_id = $1 and a.account_id = r.account_id`;

/** Rows of the record with their sentences. `events`: the same, in the same order. */
export const entriesOf = async (query: RunSql, rows: readonly RecordRow[], events: readonly RecordedEvent[]): Promise<RecordEntry[]> => {
  const sentences = events.map((event) => describe(event).sentence);
  const names = await namesOf(query, [...sentences.flatMap(idsNamedIn), ...rows.flatMap(({ viewedAsId }) => viewedAsId ?? [])]);
  return rows.map(({ position: _, accountId, role, name, viewedAs, viewedAsId, actId: __, ...row }, index) => ({
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

/** The newest of each of these types, by its index: of what there is little of, the record would be read from its end to its beginning. */
export const newestOf = (types: string, asked: Asked): string => `r.position = any(array(
  select found.position from unnest(${types}) of (type) cross join lateral (
    select r.position from record r
     where r.school_id = $1 and r.type = of.type and ${placed('r', asked)} order by r.position desc limit ${asked.limit}) found))`;

/** Of the entry that a page follows, whoever may see it. */
export const positionOf = async (query: RunSql, eventId: string): Promise<string> => {
  const [row] = await query<{ position: string }>(`select position::text from record where school_id = $1 and event_id = $2`, [eventId]);
  if (!row) throw new ProblemError('not-found', 'There is no such entry.');
  return row.position;
};

/**
 * The last event with such a time. Between streams only the order of the log counts, because clocks differ: an event happened no later than
 * any event after it, so all up to this one had happened by then, and none after it. Clocks differ by less than a day.
 */
export const lastWith = (
  condition: string,
): string => `(select coalesce(max(position + 0), 0) from record where school_id = $1 and ${condition}
  and at > (select max(at) from record where school_id = $1 and ${condition}) - interval '1 day')`;
