import type { z } from 'zod';
import { entryEvents } from '../../events/marks/entry.ts';
import type { Actor } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import type { historyQueries } from './history.contract.ts';
import type { RecordRow } from './history.query.ts';
import { lastWith, newestOf, positionOf, RECORD } from './history.query.ts';
import type { Asked as Sought } from './record-sql.ts';
import { placed, studentsIn, Values } from './record-sql.ts';

/** `types`: of the events that are asked for. */
type Asked = z.output<(typeof historyQueries)['recent-changes']['input']> & { readonly types: readonly string[] };
/** The entries of an act, the newest first. */
type Act = readonly RecordRow[];

/** So many entries are looked through at a time, and of each student of a teacher: most acts have few, some hundreds. */
const ENTRIES = 600;
const EACH = 200;
/** So often, for one page. */
const TIMES = 5;

/** The newest acts, whole. `next`: what to ask for what follows with; null: nothing does. */
export const pageOfActs = async (
  query: RunSql,
  asked: Asked,
  actor: Actor,
): Promise<{ readonly acts: readonly Act[]; readonly next: string | null }> => {
  const { limit } = asked;
  const acts: Act[] = [];
  let above = asked.before === undefined ? undefined : await positionOf(query, asked.before);
  for (let time = 0; time < TIMES && acts.length <= limit; time++) {
    // oxlint-disable-next-line no-await-in-loop -- each begins where the one before it has ended
    const found = await newestActs(query, asked, actor, above);
    acts.push(...found.acts);
    above = found.end;
    if (above === undefined) break;
  }
  const page = acts.slice(0, limit);
  // An act stands where its newest entry does: what follows begins beneath the last one, or where nothing more was looked at.
  const end = acts.length > limit ? page.at(-1)?.[0]?.position : above;
  return { acts: await wholeActs(query, page, actor), next: end === undefined ? null : await eventAt(query, end) };
};

const eventAt = async (query: RunSql, position: string): Promise<string | null> => {
  const [row] = await query<{ eventId: string }>('select event_id as "eventId" from record where school_id = $1 and position = $2', [
    position,
  ]);
  return row?.eventId ?? null;
};

/** `acts`: with their entries that match. `end`: the position of the last entry that was looked at; undefined: there are no others. */
type Found = { readonly acts: readonly Act[]; readonly end: string | undefined };

/** @param above a position beneath which they stand */
const newestActs = async (query: RunSql, asked: Asked, actor: Actor, above: string | undefined): Promise<Found> => {
  const near = actor.role === 'teacher' ? await nearStudents(query, asked, actor, above) : undefined;
  const values = new Values();
  const types = values.add(asked.types, 'text[]');
  const condition = conditionOf(asked, values);
  const places = [...daysOf(asked, values), ...(above === undefined ? [] : [`< ${values.add(above, 'int8')}`])];
  const matching = { condition, places, limit: ENTRIES };
  const found = near
    ? ownOrNear(near, actor, { ...matching, condition: `r.type = any(${types}) and ${condition}` }, values)
    : newestOf(types, matching);
  const rows = await query<RecordRow>(
    `${RECORD} where r.school_id = $1 and ${found} order by r.position desc limit ${ENTRIES}`,
    values.all,
    '',
  );
  const acts = Map.groupBy(rows, actOf);
  if (above !== undefined && rows.length > 0) for (const one of await actsAbove(query, asked, actor, acts, above)) acts.delete(one);
  return { acts: [...acts.values()], end: rows.length === ENTRIES ? rows.at(-1)?.position : near?.floor };
};

/** What is typed in one place is one act, however often it was saved meanwhile. */
const actOf = ({ type, stream, actId }: Pick<RecordRow, 'type' | 'stream' | 'actId'>): string => (type === 'MarksEntered' ? stream : actId);

/** Of rows `r`. */
const conditionOf = ({ subjectId, by }: Asked, values: Values): string => {
  const of = values.add(subjectId, 'uuid');
  // The details of a student are of no one subject.
  const ofStudents = `r.subject_id is null and r.type = 'StudentCorrected' and exists (
    select from enrolments e where e.school_id = $1 and e.subject_id = ${of} and e.student_id = any(r.things))`;
  const conditions = ['r.cause_id is null', `(r.subject_id = ${of} or ${ofStudents})`];
  if (by !== undefined) conditions.push(`r.account_id = ${values.add(by, 'uuid')}`);
  return conditions.join(' and ');
};

const daysOf = ({ from, to }: Asked, values: Values): readonly string[] => [
  ...(from === undefined ? [] : [`> ${lastWith(`at < ${values.add(from, 'timestamptz')}`)}`]),
  ...(to === undefined ? [] : [`<= ${lastWith(`at <= ${values.add(to, 'timestamptz')}`)}`]),
];

/** Which rows `r` a reader is shown as changes: teachers their own, and the marks of the present students of their classes. */
const inSightOf = (actor: Actor, values: Values): string =>
  actor.role === 'teacher'
    ? `(r.account_id = ${values.add(actor.accountId, 'uuid')}
        or r.type = any(${values.add(Object.keys(entryEvents), 'text[]')}) and r.things && ${studentsIn(actor, values)})`
    : 'true';

/** Those of these acts whose newest entry is further up: they stand there. */
const actsAbove = async (
  query: RunSql,
  asked: Asked,
  actor: Actor,
  acts: ReadonlyMap<string, Act>,
  above: string,
): Promise<readonly string[]> => {
  const values = new Values();
  const ids = values.add(
    [...acts.values()].flatMap(([row]) => (row ? [row.actId] : [])),
    'uuid[]',
  );
  const streams = values.add([...acts.keys()], 'text[]');
  const condition = `r.type = any(${values.add(asked.types, 'text[]')}) and ${conditionOf(asked, values)} and ${inSightOf(actor, values)}`;
  const places = [...daysOf(asked, values), `>= ${values.add(above, 'int8')}`];
  const rows = await query<Pick<RecordRow, 'type' | 'stream' | 'actId'>>(
    `select distinct r.type, r.stream, r.act_id as "actId" from record r
      where r.school_id = $1 and (r.act_id = any(${ids}) or r.stream = any(${streams})) and ${placed('r', { condition, places, limit: 0 })}`,
    values.all,
    '',
  );
  return rows.map(actOf);
};

/** With the entries that the filters, or the end of the page, have left out. */
const wholeActs = async (query: RunSql, acts: readonly Act[], actor: Actor): Promise<readonly Act[]> => {
  const values = new Values();
  const newest = acts.flatMap(([row]) => row ?? []);
  const ids = values.add(
    newest.flatMap((row) => (isTyped(row) ? [] : row.actId)),
    'uuid[]',
  );
  const streams = values.add(
    newest.flatMap((row) => (isTyped(row) ? row.stream : [])),
    'text[]',
  );
  const rows = await query<RecordRow>(
    `${RECORD} where r.school_id = $1 and (r.act_id = any(${ids}) or r.stream = any(${streams}) and r.type = 'MarksEntered')
        and ${inSightOf(actor, values)} order by r.position desc`,
    values.all,
    '',
  );
  const whole = Map.groupBy(rows, actOf);
  return acts.map((act) => (act[0] && whole.get(actOf(act[0]))) ?? act);
};

const isTyped = ({ type }: RecordRow): boolean => type === 'MarksEntered';

/** `positions`: of entries that name a teacher's students, the newest first, and all of them down to `floor`; undefined: to the first. */
type Near = { readonly positions: readonly string[]; readonly floor: string | undefined };

/** Of each student the newest: one whose classes have not been marked for long is found no later than any other. */
const nearStudents = async (query: RunSql, asked: Asked, actor: Actor, above: string | undefined): Promise<Near> => {
  const values = new Values();
  const places = [...daysOf(asked, values), ...(above === undefined ? [] : [`< ${values.add(above, 'int8')}`])];
  const [row] = await query<{ positions: readonly string[]; floor: string | null }>(
    `with near as materialized (
       select found.position, found.nth
         from (select distinct unnest(${studentsIn(actor, values)}) as thing) of cross join lateral (
           select t.position, row_number() over (order by t.position desc) as nth from record_things t
            where ${placed('t', { condition: 't.school_id = $1 and t.thing = of.thing', places, limit: EACH })}
            order by t.position desc limit ${EACH}) found
     ),
     complete as (select max(position) as position from near where nth = ${EACH}),
     newest as materialized (
       select distinct near.position from near, complete
        where complete.position is null or near.position >= complete.position order by near.position desc limit ${ENTRIES}
     )
     select array(select position::text from newest) as positions,
            case when (select count(*) from newest) = ${ENTRIES} then (select min(position) from newest)
                 else (select position from complete) end::text as floor`,
    values.all,
    '',
  );
  return { positions: row?.positions ?? [], floor: row?.floor ?? undefined };
};

/** Those on marks, and the teacher's own down to the same place. */
const ownOrNear = ({ positions, floor }: Near, { accountId }: Actor, asked: Sought, values: Values): string => {
  const ofMarks = `r.type = any(${values.add(Object.keys(entryEvents), 'text[]')})`;
  const places = floor === undefined ? asked.places : [...asked.places, `>= ${values.add(floor, 'int8')}`];
  const own = `r.school_id = $1 and r.account_id = ${values.add(accountId, 'uuid')} and ${asked.condition}`;
  return `r.position = any(array(
    select near.position
      from unnest(${values.add(positions, 'int8[]')}) as near (position)
     cross join lateral (
       select from record r where r.school_id = $1 and r.position = near.position and ${ofMarks} and ${asked.condition} offset 0) r
     union all
    (select r.position from record r where ${placed('r', { ...asked, condition: own, places })}
      order by r.position desc limit ${asked.limit})))`;
};
