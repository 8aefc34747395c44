import type { Change, ChangeValue, ThingKind } from '../../events/sentence.ts';
import { describe } from '../../events/sentences.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import type { Actor } from '../actor.ts';
import type { RunSql } from '../common/facts.ts';
import type { ReadLog } from '../common/query.ts';
import { defineQuery } from '../common/query.ts';
import type { HistoryEntry } from './history.contract.ts';
import { historyQueries } from './history.contract.ts';
import type { RecordRow } from './history.query.ts';
import { entriesOf, RECORD, rowOf } from './history.query.ts';
import { inSight, newestBy, studentsIn, Values } from './record-sql.ts';
import type { Names } from './sentences.ts';
import { idsNamedIn, nameOf, namesOf, partsOf } from './sentences.ts';

const MOST_CHANGES = 200;
const MOST_CAUSED = 50;

/** One entry of the record: what it changed, from what to what, what caused it and what it caused. */
export const historyEntry = defineQuery({
  ...historyQueries['history-entry'],
  models: ['record', 'accounts', 'structure', 'assessments', 'roster', 'tasks', 'grade_profiles', 'mappings', 'revision_lists'],
  async run(query, { eventId }, actor, _about, log): Promise<HistoryEntry> {
    const row = await rowOf(query, actor, eventId);
    const [read] = await log([row]);
    if (read === undefined) throw new Error('an event of the record is no event');
    const { event, hash } = read;
    const { commandId, causationId, typedAt } = event.metadata;
    const changes = await changesInSight(query, actor, describe(event).changes);
    const shown = changes.slice(0, MOST_CHANGES);
    const before = await valuesBefore(query, log, shown, row.position);
    const undone = 'commandId' in event.data ? event.data.commandId : undefined;
    const others = await rowsWhere(
      query,
      actor,
      `r.event_id <> $2 and r.position = any(array(
         select c.position from record c where c.school_id = $1 and c.command_id = any($3::uuid[])
         union all select t.position from record_things t where t.school_id = $1 and t.thing = $4::uuid
         union all select e.position from record e where e.school_id = $1 and e.event_id = $5))`,
      [eventId, undone === undefined ? [commandId] : [commandId, undone], commandId, causationId],
    );
    const entries = await entriesOf(
      query,
      [row, ...others],
      (await log([row, ...others])).map((one) => one.event),
    );
    const [entry, ...rest] = entries;
    if (entry === undefined) throw new Error('an entry of the record is not there');
    const isCause = (one: { readonly eventId: string }): boolean => one.eventId === causationId;
    const names = await namesOf(query, namedIn(shown, before));
    return {
      entry,
      ...(await placeOf(query, eventId)),
      typedAt: typedAt ?? null,
      hash,
      changes: shown.flatMap((change, index) => {
        const from = before[index]?.map((value) => textOf(value, names)) ?? null;
        const to = textOf(change.to, names);
        // Some events say again what stood there.
        if (from?.length === 1 && from[0] === to) return [];
        const within = change.in === undefined ? null : nameOf(change.in, change.in.id, names);
        return [{ of: nameOf({ kind: change.of }, change.id, names), in: within, field: change.field, from, to }];
      }),
      moreChanges: changes.length - shown.length,
      together: rest.filter((one) => one.commandId === commandId),
      takenBack: rest.filter((one) => one.commandId === undone),
      cause: rest.find(isCause) ?? null,
      caused: rest.filter((one) => one.commandId !== commandId && one.commandId !== undone && !isCause(one)).slice(0, MOST_CAUSED),
    };
  },
});

/** Which page of the staff shows it. */
const placeOf = async (query: RunSql, eventId: string): Promise<Pick<HistoryEntry, 'subjectId' | 'year'>> => {
  const [row] = await query<Pick<HistoryEntry, 'subjectId' | 'year'>>(
    `select r.subject_id as "subjectId",
            (select min(y.year) from year_groups y
              where y.school_id = $1 and y.subject_id = r.subject_id
                and (y.year_group_id = any(r.things)
                  or exists (select from sets s where s.school_id = $1 and s.year_group_id = y.year_group_id
                       and (s.set_id = any(r.things)
                         or exists (select from enrolments e
                              where e.school_id = $1 and e.set_id = s.set_id and e.student_id = any(r.things)))))) as year
       from record r where r.school_id = $1 and r.event_id = $2`,
    [eventId],
  );
  return row ?? { subjectId: null, year: null };
};

/** Of students and classes that are a teacher's: of others they learn nothing, though one act changed both. */
const changesInSight = async (query: RunSql, actor: Actor, changes: readonly Change[]): Promise<readonly Change[]> => {
  if (actor.role !== 'teacher') return changes;
  const values = new Values();
  const [row] = await query<{ ids: readonly string[] }>(`select to_json(${studentsIn(actor, values)}) as ids`, values.all);
  const theirs = new Set([...actor.setIds, ...(row?.ids ?? [])]);
  return changes.filter(({ of, id }) => (of !== 'student' && of !== 'class') || theirs.has(id));
};

/** `condition`: with $2, $3, ... */
const rowsWhere = async (query: RunSql, actor: Actor, condition: string, given: readonly unknown[]): Promise<RecordRow[]> => {
  const values = new Values();
  for (const value of given) values.all.push(value);
  const sight = inSight(actor, values);
  return query<RecordRow>(
    `${RECORD} where r.school_id = $1 and ${condition} and ${sight} order by r.position desc limit ${MOST_CAUSED + MOST_CAUSED}`,
    values.all,
    '',
  );
};

/** How many earlier events are looked through for what stood before. */
const MOST_LOOKED_THROUGH = 500;
const PORTION = 100;

/** By key: what stood there; none: nothing; undefined: it is not known. */
type Earlier = Map<string, readonly ChangeValue[] | undefined>;

/**
 * What stood there before: as its author saw it, where the event says so, else what was set last before it. Undefined: it is further back than
 * is looked, or undone meanwhile.
 */
const valuesBefore = async (
  query: RunSql,
  log: ReadLog,
  changes: readonly Change[],
  position: string,
): Promise<readonly (readonly ChangeValue[] | undefined)[]> => {
  const wanted = new Map(changes.flatMap((change) => (change.from === undefined ? [[keyOf(change), change] as const] : [])));
  const ids = new Set([...wanted.values()].flatMap(({ id, in: within }) => (within && CLEARED_BY[within.kind] ? [id, within.id] : [id])));
  const found: Earlier = new Map();
  let before = position;
  let isAll = wanted.size === 0;
  for (let looked = 0; found.size < wanted.size && !isAll && looked < MOST_LOOKED_THROUGH; looked += PORTION) {
    const rows = await query<Pick<RecordRow, 'position' | 'eventId'>>(
      `select r.position::text as position, r.event_id as "eventId" from record r
        where r.school_id = $1 and ${newestBy({ things: '$2::uuid[]' }, { condition: 'true', places: ['< $3'], limit: PORTION })} order by r.position desc limit ${PORTION}`,
      [[...ids], before],
    );
    for (const { event } of await log(rows)) takeFrom(event, wanted, found);
    before = rows.at(-1)?.position ?? before;
    isAll = rows.length < PORTION;
  }
  return changes.map((change) => change.from ?? found.get(keyOf(change)) ?? (isAll && !found.has(keyOf(change)) ? [] : undefined));
};

/** Events are looked through from the newest to the oldest: the first that has set or cleared it counts. */
const takeFrom = (event: RecordedEvent, wanted: ReadonlyMap<string, Change>, found: Earlier): void => {
  for (const change of describe(event).changes) {
    const key = keyOf(change);
    if (wanted.has(key) && !found.has(key)) found.set(key, [change.to]);
  }
  for (const [key, { in: within, field }] of wanted) {
    if (within === undefined || found.has(key) || !event.stream.endsWith(within.id)) continue;
    const clears = CLEARED_BY[within.kind]?.[event.type];
    if (clears === 'unknown') found.set(key, undefined);
    else if (clears?.test(field)) found.set(key, []);
  }
};

/** Events that set many fields of a task or of an exam to nothing without naming whose, and those that bring earlier values back. */
const CLEARED_BY: Readonly<Partial<Record<ThingKind, Readonly<Record<string, RegExp | 'unknown'>>>>> = {
  task: { RankingRemoved: /./, GradesReopened: /^Grade/, TaskRanked: /./, RankingAdopted: /./, GradesAssigned: /^Grade/ },
  exam: { PriorScoresUndone: 'unknown', PriorScoresRedone: 'unknown' },
};

const keyOf = ({ of, id, field, in: within }: Change): string => [of, id, field, within?.id ?? ''].join(' ');

const namedIn = (changes: readonly Change[], before: readonly (readonly ChangeValue[] | undefined)[]): string[] => [
  ...changes.flatMap(({ id, in: within }) => (within === undefined ? [id] : [id, within.id])),
  ...[...changes.map(({ to }) => to), ...before.flatMap((values) => values ?? [])].flatMap((value) =>
    typeof value === 'object' && value !== null && 'kind' in value ? idsNamedIn([value]) : [],
  ),
];

const textOf = (value: ChangeValue, names: Names): string => {
  if (value === null || value === 'cleared') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if ('words' in value) return value.words;
  return partsOf([value], names)
    .map(({ text }) => text)
    .join('');
};
