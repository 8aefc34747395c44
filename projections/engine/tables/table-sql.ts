import type { Writable } from 'node:stream';
import pg, { type ClientBase, type QueryArrayResult } from 'pg';
import { columnLiteral, parameterType, toText } from './column-text.ts';
import { CopyRows } from './copy-rows.ts';
import { eachInTurn } from '../../../events/async/in-turn.ts';
import type { AnyRow, AnyTable, ColumnSpec } from './table.ts';

/** One row as texts, in the order of the table's columns. */
export type RowText = readonly (string | null)[];
export type KeyText = readonly (string | null)[];

/** The statements of one table; each takes any number of rows. */
export type TableSql = {
  /** The rows with these keys. */
  load(client: ClientBase, keys: readonly KeyText[]): Promise<RowText[]>;
  /** The rows of these schools with one of the values. */
  loadWhere(client: ClientBase, schools: readonly string[], column: ColumnSpec, values: readonly (string | null)[]): Promise<RowText[]>;
  /** The rows whose keys begin with these values. */
  loadUnder(client: ClientBase, beginnings: readonly KeyText[]): Promise<RowText[]>;
  /** Inserts or replaces one portion of rows. */
  upsert(rows: readonly RowText[]): Ready;
  /** Inserts new rows: cheaper if there are many. */
  insert(rows: readonly AnyRow[]): Promise<Ready>;
  remove(keys: readonly KeyText[]): Ready;
};

/** A prepared statement with its parameters, sent when called. `isCopy`: nothing may be sent before its answer. */
export type Ready = ((client: ClientBase) => Promise<unknown>) & { readonly isCopy?: true };

/** `relation`: the physical table in SQL, such as `read.results_v3`. */
export const tableSql = (table: AnyTable, relation: string): TableSql => {
  const schoolColumn = columnOf(table, 'school_id');
  const keyColumns = table.key.map((name) => columnOf(table, name));
  const names = table.columns.map((column) => column.name);
  const others = names.filter((name) => !table.key.includes(name));
  const selected = names.map((name) => `t.${name}`).join(', ');
  const sameKey = table.key.map((name) => `t.${name} = k.${name}`).join(' and ');

  // `offset 0` forces one index lookup per key: a plan lives as long as its connection, and these tables grow.
  const lookUp = (columns: readonly ColumnSpec[]): string =>
    `select ${selected} from ${unnest(columns, 'k')},
      lateral (select * from ${relation} t where ${columns.map(({ name }) => `t.${name} = k.${name}`).join(' and ')} offset 0) t`;
  const load = lookUp(keyColumns);
  const remove = `delete from ${relation} t using ${unnest(keyColumns, 'k')} where ${sameKey}`;
  const upsert = `insert into ${relation} (${names.join(', ')})
    select ${table.columns.map((column) => (column.type.endsWith('[]') ? `r.${column.name}::${column.type}` : `r.${column.name}`)).join(', ')}
    from ${unnest(table.columns, 'r')}
    on conflict (${table.key.join(', ')}) do ${
      others.length === 0 ? 'nothing' : `update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`
    }`;

  return {
    load: (client, keys) => inPortions(keys, (portion) => select(client, `load ${relation}`, load, transposed(keyColumns, portion))),

    loadWhere: (client, schools, column, values) =>
      select(
        client,
        `load ${relation} ${column.name}`.slice(0, 63),
        `select ${selected} from ${relation} t where t.school_id = any ($1::uuid[]) and t.${column.name} = any ($2::${column.type}[])`,
        [columnLiteral(schoolColumn, schools), columnLiteral(column, values)],
      ),

    loadUnder: (client, beginnings) =>
      inPortions(beginnings, (portion) => {
        const columns = keyColumns.slice(0, portion[0]?.length);
        return select(client, `load ${relation} under ${columns.length}`.slice(0, 63), lookUp(columns), transposed(columns, portion));
      }),

    upsert(rows) {
      const values = transposed(table.columns, rows);
      return (client) => client.query({ name: `upsert ${relation}`, text: upsert, values });
    },

    async insert(rows) {
      const copied = new CopyRows(table.columns);
      await eachInTurn(rows, (row) => copied.add(row));
      const bytes = copied.end();
      const copy = async (client: ClientBase): Promise<void> => {
        await copyInto(client, `${relation} (${names.join(', ')})`, bytes);
        copied.stored();
      };
      return Object.assign(copy, { isCopy: true as const });
    },

    remove(keys) {
      const values = transposed(keyColumns, keys);
      return (client) => client.query({ name: `remove ${relation}`, text: remove, values });
    },
  };
};

export const columnOf = (table: AnyTable, name: string): ColumnSpec => {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`${table.name} has no column ${name}`);
  return column;
};

export const textsOf = (table: AnyTable, row: AnyRow): RowText => table.columns.map((column) => toText(column, row[column.name]));

/** The key of a row of texts. */
export const keyTextOf = (table: AnyTable, texts: RowText): KeyText =>
  table.key.map((name) => texts[table.columns.indexOf(columnOf(table, name))] ?? null);

const unnest = (columns: readonly ColumnSpec[], alias: string): string =>
  `unnest(${columns.map((column, i) => `$${i + 1}::${parameterType(column)}`).join(', ')}) as ${alias} (${columns.map((c) => c.name).join(', ')})`;

/** One array literal per column. */
const transposed = (columns: readonly ColumnSpec[], rows: readonly RowText[]): string[] =>
  columns.map((column, i) =>
    columnLiteral(
      column,
      rows.map((row) => row[i] ?? null),
    ),
  );

/** Maximum rows per statement: more are not faster, and take more memory. */
export const PORTION = 4096;

const inPortions = async <Item, Result>(
  items: readonly Item[],
  work: (portion: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> => {
  if (items.length <= PORTION) return items.length === 0 ? [] : work(items);
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += PORTION) {
    for (const result of await work(items.slice(from, from + PORTION))) results.push(result);
  }
  return results;
};

const asText = { getTypeParser: () => (text: string | Buffer) => text };

const select = async (client: ClientBase, name: string, text: string, values: string[]): Promise<RowText[]> => {
  const result: QueryArrayResult<(string | null)[]> = await client.query({ name, text, values, rowMode: 'array', types: asText });
  return result.rows;
};

/**
 * `copy <into> from stdin` with these rows, a message of `CopyRows`. For new rows it takes half the time of an `insert ... on conflict`
 * (measured), because PostgreSQL does not look for existing rows.
 */
const copyInto = (client: ClientBase, into: string, rows: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // pg supports the messages of COPY, but has no query that sends them.
    client.query(new CopyQuery(`copy ${into} from stdin (format binary)`, rows, (error) => (error ? reject(error) : resolve())));
  });

class CopyQuery extends pg.Query {
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer, done: (error: Error | null) => void) {
    super({ text }, done as never);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    // `sendCopyFromChunk` would copy them.
    if (connection.stream.writable) connection.stream.write(this.#rows);
    connection.endCopyFrom();
  }
}

type CopyConnection = pg.Connection & { readonly stream: Writable; endCopyFrom(): void };
