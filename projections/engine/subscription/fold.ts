import type { ClientBase } from 'pg';
import type { RecordedEvent } from '../../../events/store/port.ts';
import { schoolOf } from '../../../events/store/school-of.ts';
import type { Change } from '../coordination/announcement.ts';
import { relationOf } from '../building/ddl.ts';
import { eachInTurn } from '../tables/in-turn.ts';
import type { DecodedEvent, DecodedProjection, Projection, RawProjection } from '../projection.ts';
import { WorkingRows } from '../tables/rows.ts';
import { tableSql, type Ready, type TableSql } from '../tables/table-sql.ts';

/** A projection with the statements for its tables in a schema. */
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
 * stores one while the next is folded.
 *
 * @returns the changes for live updates; when it rejects, nothing is being stored any more
 */
export const fold = async (client: ClientBase, works: readonly Work[]): Promise<Change[]> => {
  const loaded: Fold[] = [];
  for (const work of works) loaded.push(await load(client, work));
  const changes: Change[] = [];
  let stored: Promise<unknown> = Promise.resolve();
  for (const foldOne of loaded) {
    const folded = await foldOne(stored);
    for (const change of folded.changes) changes.push(change);
    ({ stored } = folded);
  }
  await stored;
  return changes;
};

/**
 * The rest of the work for a loaded projection: folds, and sends once `after` is fulfilled. When it or `stored` rejects, nothing is being
 * stored any more.
 */
type Fold = (after: Promise<unknown>) => Promise<{ readonly changes: readonly Change[]; readonly stored: Promise<unknown> }>;

const load = (client: ClientBase, { model: { projection, sql }, recorded, decoded }: Work): Promise<Fold> =>
  projection.raw ? loadRaw(client, { projection, sql }, recorded) : loadDecoded(client, { projection, sql }, decoded);

const NOTHING: Fold = (stored) => Promise.resolve({ changes: [], stored });

const loadDecoded = async (
  client: ClientBase,
  { projection, sql }: Placed<DecodedProjection>,
  all: readonly DecodedEvent[],
): Promise<Fold> => {
  const events = all.filter(({ type }) => projection.on.includes(type));
  if (events.length === 0) return NOTHING;
  const rowsFor = (some: readonly DecodedEvent[], before?: ChunkRows): ChunkRows =>
    workingRows(
      client,
      { projection, sql },
      some.map(({ metadata }) => metadata.schoolId),
      before,
    );
  const chunks = (await projection.chunks?.(events, rowsFor(events))) ?? [events];
  const [first] = chunks;
  if (!first) return NOTHING;
  let rows = rowsFor(first);
  await projection.load(first, rows);

  return async (after) => {
    const changes: Change[] = [];
    // While PostgreSQL stores one chunk, the next one, already loaded, is applied and its statements are prepared.
    let stored = after;
    try {
      for (const [n, chunk] of chunks.entries()) {
        const loaded = rows;
        await eachInTurn(chunk, (event) => projection.apply(event, loaded));
        for (const event of chunk) changes.push({ schoolId: event.metadata.schoolId, topics: projection.topics?.(event, rows) ?? [] });
        const statements = await statementsOf(rows);
        await stored;
        const next = chunks[n + 1];
        const coming = next ? rowsFor(next, rows) : {};
        if (next) {
          await projection.load(next, coming);
          for (const table of Object.values(coming)) table.loaded();
        }
        stored = send(client, statements);
        rows = coming;
      }
    } catch (error) {
      await stored;
      throw error;
    }
    return { changes, stored };
  };
};

const loadRaw = async (client: ClientBase, { projection, sql }: Placed<RawProjection>, events: readonly RecordedEvent[]): Promise<Fold> => {
  const schools = events.map(({ stream }) => schoolOf(stream));
  const rows = workingRows(client, { projection, sql }, schools);
  await projection.fold(
    events,
    rows,
    async <Row extends object>(text: string, values: readonly unknown[]) => (await client.query<Row>(text, [...values])).rows,
  );
  return async (after) => {
    const statements = await statementsOf(rows).finally(() => after);
    return { changes: [], stored: send(client, statements) };
  };
};

type ChunkRows = Readonly<Record<string, WorkingRows>>;

const workingRows = (client: ClientBase, { projection, sql }: Placed, schools: readonly string[], before?: ChunkRows): ChunkRows => {
  const ofChunk = [...new Set(schools)];
  return Object.fromEntries(
    Object.entries(projection.tables).map(([name, table]) => [
      name,
      new WorkingRows(table, sqlOf(sql, name), client, ofChunk, before?.[name]),
    ]),
  );
};

const statementsOf = async (rows: ChunkRows): Promise<Ready[]> => {
  const statements: Ready[] = [];
  for (const table of Object.values(rows)) for (const statement of await table.statements()) statements.push(statement);
  return statements;
};

/** Sends the statements one after the other, and stops after a failure. The failure reaches the caller when it awaits the promise. */
const send = (client: ClientBase, statements: readonly Ready[]): Promise<void> => {
  const sending = (async () => {
    for (const statement of statements) await statement(client);
  })();
  sending.catch(() => undefined);
  return sending;
};

const sqlOf = (sql: ReadonlyMap<string, TableSql>, name: string): TableSql => {
  const statements = sql.get(name);
  if (!statements) throw new Error(`no table ${name}`);
  return statements;
};
