import type { ClientBase } from 'pg';
import { relationOf } from './ddl.ts';
import type { Projection } from '../projection.ts';
import type { AnyTable } from '../tables/table.ts';

/** How a rebuilt table differs from the served one. */
export type Comparison = {
  readonly table: string;
  readonly rows: { readonly shown: number; readonly rebuilt: number };
  /** number of missing, additional and changed rows */
  readonly differences: number;
  /** some of them, by key; without values, because these may be personal */
  readonly examples: readonly Difference[];
};

export type Difference = {
  /** `school_id = .., test_id = ..` */
  readonly key: string;
  readonly what: 'only shown' | 'only rebuilt' | 'other';
  /** the changed columns of a changed row */
  readonly columns: readonly string[];
};

const MOST_EXAMPLES = 20;

/** Compares row by row and column by column, JSON as text, in the client's transaction. */
export const compareTables = async (
  client: ClientBase,
  schema: string,
  { tables, version }: Projection,
  shown: number,
  rebuilt: number,
): Promise<Comparison[]> => {
  const at = (generation: number) => (table: AnyTable) => relationOf(schema, table, version, generation);
  return compareRows(client, Object.values(tables), at(shown), at(rebuilt));
};

/** `shown`, `rebuilt`: the rows of a table, as a relation in SQL. */
export const compareRows = async (
  client: ClientBase,
  tables: readonly AnyTable[],
  shown: (table: AnyTable) => string,
  rebuilt: (table: AnyTable) => string,
): Promise<Comparison[]> => {
  await client.query('set local enable_seqscan = on');
  const comparisons: Comparison[] = [];
  for (const table of tables)
    comparisons.push(await compareOne(client, table, `${shown(table)} o full join ${rebuilt(table)} n on ${sameKey(table)}`));
  return comparisons;
};

const compareOne = async (client: ClientBase, table: AnyTable, both: string): Promise<Comparison> => {
  const {
    rows: [counted],
  } = await client.query<{ shown: string; rebuilt: string; differences: string }>(
    `select count(o.school_id) as shown, count(n.school_id) as rebuilt, count(*) filter (where ${differs(table)}) as differences from ${both}`,
  );
  const differences = Number(counted?.differences);
  return {
    table: table.name,
    rows: { shown: Number(counted?.shown), rebuilt: Number(counted?.rebuilt) },
    differences,
    examples: differences === 0 ? [] : await examples(client, table, both),
  };
};

const examples = async (client: ClientBase, table: AnyTable, both: string): Promise<Difference[]> => {
  const keys = table.key.map((name) => `'${name} = ' || coalesce(o.${name}, n.${name})::text`).join(` || ', ' || `);
  const columns = rest(table).map((name) => `case when ${isOther(name)} then '${name}' end`);
  const { rows } = await client.query<Difference>(
    `select ${keys} as key,
            case when n.school_id is null then 'only shown' when o.school_id is null then 'only rebuilt' else 'other' end as what,
            case when n.school_id is null or o.school_id is null then '{}'
                 else array_remove(array[${['null', ...columns].join(', ')}]::text[], null) end as columns
       from ${both}
      where ${differs(table)}
      order by 1
      limit ${MOST_EXAMPLES}`,
  );
  return rows;
};

const rest = ({ columns, key }: AnyTable): string[] => columns.map(({ name }) => name).filter((name) => !key.includes(name));
const sameKey = ({ key }: AnyTable): string => key.map((name) => `o.${name} = n.${name}`).join(' and ');
/** As text, because `json` has no equality operator, and readers get text. */
const isOther = (name: string): string => `o.${name}::text is distinct from n.${name}::text`;
const differs = (table: AnyTable): string => ['o.school_id is null', 'n.school_id is null', ...rest(table).map(isOther)].join(' or ');
