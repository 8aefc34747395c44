import type { ClientBase } from 'pg';
import { type RecordedEvent, schoolOf } from '../../../events/store/port.ts';
import type { Change } from '../announcing/announcement.ts';
import { relationOf } from '../building/ddl.ts';
import { eachInTurn } from '../../../events/async/in-turn.ts';
import type { DecodedEvent, DecodedProjection, Projection, RawProjection } from '../projection.ts';
import { inOnePacket } from '../in-one-packet.ts';
import { WorkingRows } from '../tables/rows.ts';
import { WrittenKeys } from '../tables/written-keys.ts';
import { tableSql, type Ready, type TableSql } from '../tables/table-sql.ts';
import { allOf, Storing } from './storing.ts';

/** A projection with the statements for its tables in a schema. */
export type Placed<Kind extends Projection = Projection> = {
  readonly projection: Kind;
  readonly sql: ReadonlyMap<string, TableSql>;
  /** the event types that must be decoded for it */
  readonly types: ReadonlySet<string>;
  /** of each table, if all of its rows were written here since it was empty */
  written?: ReadonlyMap<string, WrittenKeys> | undefined;
};

export const placed = (projection: Projection, schema: string, generation = 0): Placed => ({
  projection,
  types: typesOf([projection]),
  sql: new Map(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      tableSql(table, relationOf(schema, table, projection.version, generation)),
    ]),
  ),
});

/** For tables that are empty. */
export const nothingWritten = ({ projection: { tables } }: Pick<Placed, 'projection'>): Placed['written'] =>
  new Map(Object.keys(tables).map((name) => [name, new WrittenKeys()]));

/** The event types that must be decoded for these projections. */
export const typesOf = (projections: readonly Projection[]): ReadonlySet<string> =>
  new Set(projections.flatMap((projection) => (projection.raw ? [] : projection.on)));

/** A part of the log for one projection, as recorded and decoded. */
export type Work = {
  readonly model: Placed;
  readonly recorded: readonly RecordedEvent[];
  readonly decoded: readonly DecodedEvent[];
};

/**
 * Loads, folds and stores: applies these events to some projections, in the client's transaction. All are loaded first, so that PostgreSQL
 * stores one while the next is folded. `commit` is sent behind all that stores, and is without effect if that fails.
 *
 * @param isShort there are few events, and the client can pipeline
 * @param isTold somebody is told of the changes
 * @returns the changes for live updates; when it rejects, nothing is being stored any more
 */
export const fold = async (
  client: ClientBase,
  works: readonly Work[],
  { isShort = false, isTold = true, commit }: { readonly isShort?: boolean; readonly isTold?: boolean; readonly commit?: Ready } = {},
): Promise<Change[]> => {
  const loaded = isShort ? await loadTogether(client, works, isTold) : await loadInTurn(client, works, isTold);
  const changes: Change[] = [];
  const storing = new Storing(client, isShort);
  for (const foldOne of loaded) for (const change of await foldOne(storing)) changes.push(change);
  if (commit) storing.give([commit]);
  await storing.stored();
  return changes;
};

const loadInTurn = async (client: ClientBase, works: readonly Work[], isTold: boolean): Promise<Fold[]> => {
  const loaded: Fold[] = [];
  for (const work of works) loaded.push(await load(client, work, isTold));
  return loaded;
};

/** When it rejects, nothing is being loaded any more. */
const loadTogether = (client: ClientBase, works: readonly Work[], isTold: boolean): Promise<Fold[]> =>
  allOf(inOnePacket(client, () => works.map((work) => load(client, work, isTold))));

/** The rest of the work for a loaded projection: folds and stores. When it rejects, nothing is being stored any more. */
type Fold = (storing: Storing) => Promise<readonly Change[]>;

const load = (client: ClientBase, { model: { projection, ...model }, recorded, decoded }: Work, isTold: boolean): Promise<Fold> =>
  projection.raw
    ? loadRaw(client, { projection, ...model }, recorded)
    : loadDecoded(client, { projection, ...model }, { all: decoded, isTold });

const NOTHING: Fold = () => Promise.resolve([]);

const loadDecoded = async (
  client: ClientBase,
  model: Placed<DecodedProjection>,
  { all, isTold }: { readonly all: readonly DecodedEvent[]; readonly isTold: boolean },
): Promise<Fold> => {
  const { projection } = model;
  const events = all.filter(({ type }) => model.types.has(type));
  if (events.length === 0) return NOTHING;
  const rowsFor = (some: readonly DecodedEvent[], before?: ChunkRows): ChunkRows =>
    workingRows(
      client,
      model,
      some.map(({ metadata }) => metadata.schoolId),
      before,
    );
  const chunks = (await projection.chunks?.(events, rowsFor(events))) ?? [events];
  const [first] = chunks;
  if (!first) return NOTHING;
  let rows = rowsFor(first);
  await projection.load(first, rows);

  return async (storing) => {
    const changes: Change[] = [];
    // While PostgreSQL stores one chunk, the next one, already loaded, is applied and its statements are prepared.
    try {
      for (const [n, chunk] of chunks.entries()) {
        const loaded = rows;
        await eachInTurn(chunk, (event) => projection.apply(event, loaded));
        if (isTold)
          for (const event of chunk)
            changes.push({ schoolId: event.metadata.schoolId, channels: projection.channels?.(event, rows) ?? [] });
        const statements = await statementsOf(rows);
        const next = chunks[n + 1];
        const coming = next ? rowsFor(next, rows) : {};
        if (next) {
          await storing.stored();
          await projection.load(next, coming);
          for (const table of Object.values(coming)) table.loaded();
        }
        storing.give(statements);
        if (next) storing.begin();
        rows = coming;
      }
    } catch (error) {
      await storing.settled();
      throw error;
    }
    return changes;
  };
};

const loadRaw = async (client: ClientBase, model: Placed<RawProjection>, events: readonly RecordedEvent[]): Promise<Fold> => {
  const schools = events.map(({ stream }) => schoolOf(stream));
  const rows = workingRows(client, model, schools);
  await foldRaw(client, model, events, rows);
  return async (storing) => {
    const statements = await statementsOf(rows).catch(async (error: unknown) => {
      await storing.settled();
      throw error;
    });
    storing.give(statements);
    return [];
  };
};

export const foldRaw = (
  client: ClientBase,
  { projection }: Placed<RawProjection>,
  events: readonly RecordedEvent[],
  rows: ChunkRows,
): Promise<void> =>
  projection.fold(
    events,
    rows,
    async <Row extends object>(text: string, values: readonly unknown[]) => (await client.query<Row>(text, [...values])).rows,
  );

export type ChunkRows = Readonly<Record<string, WorkingRows>>;

export const workingRows = (
  client: ClientBase,
  { projection, sql, written }: Placed,
  schools: readonly string[],
  before?: ChunkRows,
): ChunkRows => {
  const ofChunk = [...new Set(schools)];
  return Object.fromEntries(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      new WorkingRows(table, sqlOf(sql, name), client, ofChunk, { before: before?.[name], written: written?.get(name) }),
    ]),
  );
};

export const statementsOf = async (rows: ChunkRows): Promise<Ready[]> => {
  const statements: Ready[] = [];
  for (const table of Object.values(rows)) for (const statement of await table.statements()) statements.push(statement);
  return statements;
};

const sqlOf = (sql: ReadonlyMap<string, TableSql>, name: string): TableSql => {
  const statements = sql.get(name);
  if (!statements) throw new Error(`no table ${name}`);
  return statements;
};
