import { setImmediate } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../events/store/port.ts';
import { schoolOf } from '../../events/store/school-of.ts';
import type { Change } from './announcement.ts';
import { relationOf } from './ddl.ts';
import type { DecodedEvent, DecodedProjection, Projection, RawProjection } from './projection.ts';
import { WorkingRows } from './rows.ts';
import { tableSql, type TableSql } from './table-sql.ts';

/** A projection with the statements of its tables, wherever these lie. */
export type Placed<Kind extends Projection = Projection> = {
  readonly projection: Kind;
  readonly sql: ReadonlyMap<string, TableSql>;
};

export const placed = (projection: Projection, schema: string, generation = 0): Placed => ({
  projection,
  sql: new Map(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      tableSql(table, relationOf(schema, table, projection.version, generation)),
    ]),
  ),
});

/** The types of events that these projections need decoded. */
export const typesOf = (projections: readonly Projection[]): ReadonlySet<string> =>
  new Set(projections.flatMap((projection) => (projection.raw ? [] : projection.on)));

/**
 * Load, fold, store: brings the rows of one projection past these events, within the client's transaction.
 *
 * @param events the same stretch of the log twice: as it is recorded, and what is decoded of it
 * @returns what changed, for those who watch
 */
export const fold = async (
  client: ClientBase,
  { projection, sql }: Placed,
  events: { readonly recorded: readonly RecordedEvent[]; readonly decoded: readonly DecodedEvent[] },
): Promise<readonly Change[]> => {
  if (!projection.raw) return foldDecoded(client, { projection, sql }, events.decoded);
  await foldRaw(client, { projection, sql }, events.recorded);
  return [];
};

const foldDecoded = async (
  client: ClientBase,
  { projection, sql }: Placed<DecodedProjection>,
  all: readonly DecodedEvent[],
): Promise<readonly Change[]> => {
  const events = all.filter(({ type }) => projection.on.includes(type));
  if (events.length === 0) return [];
  const rowsFor = (some: readonly DecodedEvent[], before?: BatchRows): BatchRows =>
    workingRows(
      client,
      { projection, sql },
      some.map(({ metadata }) => metadata.schoolId),
      before,
    );
  const changes: Change[] = [];
  const batches = (await projection.batches?.(events, rowsFor(events))) ?? [events];
  const [first] = batches;
  if (!first) return changes;
  let rows = rowsFor(first);
  await projection.load(first, rows);
  // While PostgreSQL stores one batch, the next, which is loaded by then, is applied.
  let sent: Sent = { stored: Promise.resolve() };
  try {
    for (const [n, batch] of batches.entries()) {
      await applyAll(projection, batch, rows);
      for (const event of batch) changes.push({ schoolId: event.metadata.schoolId, topics: projection.topics?.(event, rows) ?? [] });
      await sent.stored;
      const next = batches[n + 1];
      const coming = next ? rowsFor(next, rows) : {};
      if (next) await projection.load(next, coming);
      for (const table of Object.values(coming)) table.loaded();
      sent = await send(rows);
      rows = coming;
    }
  } finally {
    await sent.stored;
  }
  return changes;
};

/** Lets go of the thread now and then, so that what is to be stored goes on its way. */
const applyAll = async (projection: DecodedProjection, batch: readonly DecodedEvent[], rows: BatchRows): Promise<void> => {
  let since = performance.now();
  for (const event of batch) {
    projection.apply(event, rows);
    if (performance.now() - since < AT_A_TIME_MS) continue;
    await setImmediate();
    since = performance.now();
  }
};
const AT_A_TIME_MS = 4;

const foldRaw = async (client: ClientBase, { projection, sql }: Placed<RawProjection>, events: readonly RecordedEvent[]): Promise<void> => {
  const schools = events.map(({ stream }) => schoolOf(stream));
  const rows = workingRows(client, { projection, sql }, schools);
  await projection.fold(
    events,
    rows,
    async <Row extends object>(text: string, values: readonly unknown[]) => (await client.query<Row>(text, [...values])).rows,
  );
  const { stored } = await send(rows);
  await stored;
};

type BatchRows = Readonly<Record<string, WorkingRows>>;

const workingRows = (client: ClientBase, { projection, sql }: Placed, schools: readonly string[], before?: BatchRows): BatchRows => {
  const ofBatch = [...new Set(schools)];
  return Object.fromEntries(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      new WorkingRows(table, sqlOf(sql, name), client, ofBatch, before?.[name]),
    ]),
  );
};

/** Fulfilled when all is sent. */
const send = async (rows: BatchRows): Promise<Sent> => {
  let stored = Promise.resolve();
  for (const table of Object.values(rows)) ({ stored } = await table.send(stored));
  return { stored };
};
type Sent = { readonly stored: Promise<void> };

const sqlOf = (sql: ReadonlyMap<string, TableSql>, name: string): TableSql => {
  const statements = sql.get(name);
  if (!statements) throw new Error(`no table ${name}`);
  return statements;
};
