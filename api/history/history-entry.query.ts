import type { Change, ChangeValue } from '../../events/sentence.ts';
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
import { inSight, studentsIn, Values } from './record-sql.ts';
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
    const others = await rowsWhere(query, actor, `(r.command_id = $2 or r.things @> array[$2::uuid] or r.event_id = $3)`, [
      commandId,
      causationId,
    ]);
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
      typedAt: typedAt ?? null,
      hash,
      changes: shown.map((change, index) => ({
        of: nameOf({ kind: change.of }, change.id, names),
        in: change.in === undefined ? null : nameOf(change.in, change.in.id, names),
        field: change.field,
        from: before[index]?.map((value) => textOf(value, names)) ?? null,
        to: textOf(change.to, names),
      })),
      changeCount: changes.length,
      together: rest.filter((one) => one.commandId === commandId),
      cause: rest.find(isCause) ?? null,
      caused: rest.filter((one) => one.commandId !== commandId && !isCause(one)).slice(0, MOST_CAUSED),
    };
  },
});

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

/** What stood there before: as its author saw it, where the event says so, else what was set last before it. Undefined: not known. */
const valuesBefore = async (
  query: RunSql,
  log: ReadLog,
  changes: readonly Change[],
  position: string,
): Promise<readonly (readonly ChangeValue[] | undefined)[]> => {
  const found = new Map<string, readonly ChangeValue[]>();
  const wanted = new Set(changes.filter(({ from }) => from === undefined).map(keyOf));
  const ids = [...new Set(changes.filter(({ from }) => from === undefined).map(({ id }) => id))];
  let before = position;
  for (let looked = 0; found.size < wanted.size && looked < MOST_LOOKED_THROUGH; looked += PORTION) {
    const rows = await query<Pick<RecordRow, 'position' | 'eventId'>>(
      `select r.position::text as position, r.event_id as "eventId" from record r
        where r.school_id = $1 and r.things && $2::uuid[] and r.position < $3 order by r.position desc limit ${PORTION}`,
      [ids, before],
    );
    for (const { event } of await log(rows)) takeFirst(event, wanted, found);
    before = rows.at(-1)?.position ?? '0';
    if (rows.length < PORTION) break;
  }
  return changes.map((change) => change.from ?? found.get(keyOf(change)));
};

/** Events are looked through from the newest to the oldest: the first that has set it counts. */
const takeFirst = (event: RecordedEvent, wanted: ReadonlySet<string>, found: Map<string, readonly ChangeValue[]>): void => {
  for (const change of describe(event).changes) {
    const key = keyOf(change);
    if (wanted.has(key) && !found.has(key)) found.set(key, [change.to]);
  }
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
