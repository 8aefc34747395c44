/** (e) Rebuilding a read model from the log, results and markbook or another, against a bare upsert of the resulting rows. */
import pg from 'pg';
import { codec } from '../events/codec/codec.ts';
import { keyRing } from '../events/codec/keys.ts';
import { openMasterKey } from '../events/codec/master-key.ts';
import { eventTypes } from '../events/registry.ts';
import { NO_SCHOOL, schoolOf as schoolIn } from '../events/store/port.ts';
import { columnLiteral, parameterType } from '../projections/engine/tables/column-text.ts';
import { Engine } from '../projections/engine/engine.ts';
import type { Projection } from '../projections/engine/projection.ts';
import { Progress } from '../projections/engine/announcing/progress.ts';
import { relationOf } from '../projections/engine/building/ddl.ts';
import type { AnyTable } from '../projections/engine/tables/table.ts';
import { PORTION } from '../projections/engine/tables/table-sql.ts';
import { resultsProjection } from '../projections/marks/results.ts';
import { compared, type Figure, inTurn, median, plain } from './figures.ts';
import { openLog } from '../run/log/log.ts';
import { loadLog } from './history/load.ts';
import { Marks } from './history/marks.ts';
import { papersOf, schoolOf } from './history/school.ts';
import type { Log } from './processes.ts';

/** The log of a school's year, in a separate database: uploads by class, corrections, repeated and undone uploads. */
export const rebuildFigures = async (
  databaseUrl: string,
  dataDir: string,
  { tests, rounds }: { readonly tests: number; readonly rounds: number },
  of: Projection = resultsProjection,
): Promise<Figure[]> => {
  const school = schoolOf(1, tests);
  const marks = new Marks(school, 1);
  const events = await loadLog(databaseUrl, dataDir, [...papersOf(school), ...marks.year()]);

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c synchronous_commit=off -c jit=off' });
  try {
    const tables = Object.values(of.tables);
    await rebuild(databaseUrl, dataDir, 'kept', of);
    const batches = await batchesOf(pool, 'kept', of);
    const rows = batches.flat().reduce((sum, { count }) => sum + count, 0);
    const pairs = await inTurn(
      rounds,
      async () => {
        const ms = await timed(() => rebuild(databaseUrl, dataDir, 'again', of));
        await pool.query('drop schema again cascade');
        return rows / (ms / 1000);
      },
      async () => {
        await pool.query('create schema bare');
        for (const table of tables)
          await pool.query(`create table bare.${table.name} (like ${relationOf('kept', table, of.version)} including all)`);
        const ms = await timed(() => upsertAll(pool, batches));
        await pool.query('drop schema bare cascade');
        return rows / (ms / 1000);
      },
    );
    const figure = compared(
      `rebuild: rows/s of ${tables.map(({ name }) => name).join(' and ')} from ${events} events with ${marks.changes} changes of marks, against their upsert`,
      pairs,
      { is: '>=', than: 0.5 },
    );
    return [figure, plain('rebuild: changes of marks per second', (figure.value * marks.changes) / rows)];
  } finally {
    await pool.end();
  }
};

/** The same from the log that the product has written into an EventStoreDB, in the same run. */
export const rebuildFromLogFigure = async (log: Log, dataDir: string, rounds: number): Promise<Figure> => {
  const store = await openLog(log);
  let events = 0;
  for await (const _event of store.readAll('start')) events += 1;
  await store.close();
  const pool = new pg.Pool({ connectionString: log.databaseUrl, max: 1 });
  const rates: number[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const ms = await timed(() => rebuild(log.databaseUrl, dataDir, 'again', resultsProjection, log.eventStoreUrl));
      if (round > 0) rates.push(events / (ms / 1000));
      await pool.query('drop schema again cascade');
    }
  } finally {
    await pool.end();
  }
  return plain(`rebuild: events/s of results and markbook from the ${events} events of this log`, median(rates));
};

/** Rebuilds into an empty schema. */
const rebuild = async (databaseUrl: string, dataDir: string, schema: string, of: Projection, eventStoreUrl?: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const store = await openLog({ databaseUrl, eventStoreUrl });
  const events = codec({ registry: eventTypes, keys: keyRing({ pool, masterKey: await openMasterKey({ pool, dataDir }) }) });
  const engine = new Engine({
    databaseUrl,
    schema,
    store,
    progress: new Progress({ databaseUrl, schema }),
    projections: [of],
    decode: (recorded) =>
      events.decode(
        recorded.filter(({ stream }) => schoolIn(stream) !== NO_SCHOOL),
        (stream, from) => store.read(stream, from),
      ),
  });
  try {
    await engine.catchUp();
  } finally {
    await engine.stop();
    await store.close();
    await pool.end();
  }
};

type Upsert = { readonly text: string; readonly values: readonly string[]; readonly count: number };

/** The final rows in their physical order, ready to be sent in statements and transactions as large as those of a rebuild. */
const batchesOf = async (pool: pg.Pool, schema: string, of: Projection): Promise<Upsert[][]> => {
  const upserts: Upsert[] = [];
  for (const table of Object.values(of.tables)) {
    const names = table.columns.map(({ name }) => name);
    const { rows } = await pool.query<(string | null)[]>({
      text: `select ${names.join(', ')} from ${relationOf(schema, table, of.version)} order by ctid`,
      rowMode: 'array',
      types: { getTypeParser: () => (text: string | Buffer) => text },
    });
    for (let from = 0; from < rows.length; from += PORTION) upserts.push(upsertOf(table, rows.slice(from, from + PORTION)));
  }
  const batches = [];
  for (let from = 0; from < upserts.length; from += PORTIONS_IN_BATCH) batches.push(upserts.slice(from, from + PORTIONS_IN_BATCH));
  return batches;
};
const PORTIONS_IN_BATCH = 8;

const upsertOf = (table: AnyTable, rows: readonly (readonly (string | null)[])[]): Upsert => {
  const names = table.columns.map(({ name }) => name);
  const others = names.filter((name) => !table.key.includes(name));
  const values = table.columns.map((column, at) =>
    columnLiteral(
      column,
      rows.map((row) => row[at] ?? null),
    ),
  );
  const text = `insert into bare.${table.name} (${names.join(', ')})
    select ${table.columns.map(({ name, type }) => `r.${name}::${type}`).join(', ')}
      from unnest(${table.columns.map((column, at) => `$${at + 1}::${parameterType(column)}`).join(', ')}) r (${names.join(', ')})
    on conflict (${table.key.join(', ')}) do ${others.length === 0 ? 'nothing' : `update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`}`;
  return { text, values, count: rows.length };
};

const upsertAll = async (pool: pg.Pool, batches: readonly (readonly Upsert[])[]): Promise<void> => {
  const client = await pool.connect();
  for (const batch of batches) {
    await client.query('begin');
    for (const { text, values } of batch) await client.query({ text, values: [...values] });
    await client.query('commit');
  }
  client.release();
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
