import type { ClientBase } from 'pg';
import type { Position, RecordedEvent } from '../../events/store/port.ts';
import { schoolOf } from '../../events/store/school-of.ts';
import type { Change } from './announcement.ts';
import { beginAt, commitAt, Retired } from './checkpoint.ts';
import type { DecodedEvent, DecodedProjection, Projection, RawProjection } from './projection.ts';
import { WorkingRows } from './rows.ts';
import { relationOf } from './schema.ts';
import type { Slice } from './slice.ts';

import { tableSql, type TableSql } from './table-sql.ts';

/** What the codec does: decrypt, upcast, join parts. Throws `KeyMissing` where a key is not there. */
export type Decode = (events: readonly RecordedEvent[]) => Promise<readonly DecodedEvent[]>;

/** A projection at work: where it stands as far as this process knows. */
export type Standing = {
  readonly projection: Projection;
  readonly sql: ReadonlyMap<string, TableSql>;
  position: Position;
};

export const standing = (projection: Projection, schema: string, position: Position): Standing => ({
  projection,
  position,
  sql: new Map(
    Object.entries(projection.tables).map(([name, table]) => [name, tableSql(table, relationOf(schema, table, projection.version))]),
  ),
});

/** The database holds less than this process remembers to have committed: start again from what it holds. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/**
 * Applies a slice to some projections, all or none: their rows and their checkpoints are one transaction. Each drops the events that its
 * checkpoint has passed, so a slice applied twice changes nothing, whoever applied it first.
 *
 * The connection commits with `synchronous_commit = off`: a crash of PostgreSQL may take the last moments back, but rows and checkpoint
 * together, and the log still has the events.
 *
 * @returns what changed, for those who watch; after an error the transaction is still open
 */
export const advance = async (
  client: ClientBase,
  schema: string,
  group: readonly Standing[],
  slice: Slice,
  decode: Decode,
): Promise<Change[]> => {
  const from = group.reduce((lowest, { position }) => (position < lowest ? position : lowest), slice.position);
  const types = new Set(group.flatMap(({ projection }) => (projection.raw ? [] : projection.on)));
  const events = await decode(slice.events.filter(({ type, position }) => position > from && types.has(type)));

  const behind = await fence(client, schema, group, slice);
  if (behind.length === 0) {
    await client.query('rollback');
    return [];
  }
  const changes: Change[] = [];
  for (const one of behind) {
    if (one.projection.raw) await foldRaw(client, one.projection, one, slice.events);
    else changes.push(...(await fold(client, one.projection, one, events)));
  }
  await commitAt(
    client,
    schema,
    behind.map(({ projection }) => projection),
    slice.position,
    slice.lastId,
  );
  for (const one of behind) one.position = slice.position;
  return changes;
};

/** Those that the slice brings further, standing where the database says. */
const fence = async (client: ClientBase, schema: string, group: readonly Standing[], slice: Slice): Promise<Standing[]> => {
  const checkpoints = await beginAt(
    client,
    schema,
    group.map(({ projection }) => projection),
  );
  for (const one of group) {
    const { name, version } = one.projection;
    const checkpoint = checkpoints.find((row) => row.projection === name && row.version === version);
    if (!checkpoint) throw new Retired(name, version);
    // Events between the checkpoint and the slice would be lost for ever.
    if (checkpoint.position < slice.after) throw new CheckpointMoved(`${name} stands at ${checkpoint.position}, before ${slice.after}`);
    one.position = checkpoint.position;
  }
  return group.filter(({ position }) => position < slice.position);
};

/** Load, fold, store. */
const fold = async (
  client: ClientBase,
  projection: DecodedProjection,
  one: Standing,
  all: readonly DecodedEvent[],
): Promise<readonly Change[]> => {
  const events = all.filter((event) => event.position > one.position && projection.on.includes(event.type));
  if (events.length === 0) return [];
  const rows = workingRows(
    client,
    one,
    events.map(({ metadata }) => metadata.schoolId),
  );

  await projection.load(events, rows);
  for (const event of events) projection.apply(event, rows);
  const changes = events.map((event) => ({ schoolId: event.metadata.schoolId, topics: projection.topics?.(event, rows) ?? [] }));
  for (const table of Object.values(rows)) await table.store();
  return changes;
};

const foldRaw = async (client: ClientBase, projection: RawProjection, one: Standing, all: readonly RecordedEvent[]): Promise<void> => {
  const events = all.filter(({ position }) => position > one.position);
  const rows = workingRows(
    client,
    one,
    events.map(({ stream }) => schoolOf(stream)),
  );
  await projection.fold(
    events,
    rows,
    async <Row extends object>(text: string, values: readonly unknown[]) => (await client.query<Row>(text, [...values])).rows,
  );
  for (const table of Object.values(rows)) await table.store();
};

const workingRows = (client: ClientBase, { projection, sql }: Standing, schools: readonly string[]): Record<string, WorkingRows> => {
  const ofBatch = [...new Set(schools)];
  return Object.fromEntries(
    Object.entries(projection.tables).map(([name, table]) => [name, new WorkingRows(table, sqlOf(sql, name), client, ofBatch)]),
  );
};

const sqlOf = (sql: ReadonlyMap<string, TableSql>, name: string): TableSql => {
  const statements = sql.get(name);
  if (!statements) throw new Error(`no table ${name}`);
  return statements;
};
