import type { ClientBase, QueryConfig } from 'pg';
import type { Projection } from '../projection.ts';
import type { AnyTable } from '../tables/table.ts';
import type { BuildId } from './build.ts';
import { relationOf } from './ddl.ts';

/** PostgreSQL counts the table for its plans: only the columns that queries search, because statistics of all take four times as long. */
export const count = async (client: ClientBase, table: AnyTable, relation: string): Promise<void> => {
  const searched = new Set([table.key, ...table.indexes.map(({ columns }) => columns)].flat());
  await client.query(patiently(`analyze ${relation} (${[...searched].join(', ')})`));
};

/**
 * Counts those tables of these builds that are more than twice as large as when they were counted last. PostgreSQL would do so within a
 * minute; until then it plans as for an empty table, and what asks for a year of students takes seconds. Neither readers nor writers wait.
 */
export const countGrown = async (client: ClientBase, schema: string, builds: readonly Build[]): Promise<void> => {
  const tables = new Map(
    builds.flatMap(({ projection, version, generation }) =>
      Object.values(projection.tables).map((table) => [relationOf(schema, table, version, generation), table] as const),
    ),
  );
  const { rows } = await client.query<{ relation: string }>(GROWN, [[...tables.keys()]]);
  for (const { relation } of rows) {
    const table = tables.get(relation);
    if (table) await count(client, table, relation);
  }
};

type Build = BuildId & { readonly projection: Projection };

/** By the pages of the file now and at the last count: a statement's rows are in no statistics yet when it ends. A table that is gone is not found. */
const GROWN = `
  select relation
  from unnest($1::text[]) relation
  join pg_class c on c.oid = to_regclass(relation)
  where pg_relation_size(c.oid) > 2 * (c.relpages + 8) * current_setting('block_size')::int8`;

/** It takes a second for a million rows; the limit allows ten thousand times as many. */
export const patiently = (text: string): QueryConfig & { query_timeout: number } => ({ text, query_timeout: 6 * 3_600_000 });
