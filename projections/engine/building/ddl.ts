import { READER_ROLE, SCHOOL_SETTING } from '../reader-role.ts';
import type { AnyTable, ColumnSpec, IndexSpec } from '../tables/table.ts';

/** The physical table of a build (build.ts). */
export const relationOf = (schema: string, table: Pick<AnyTable, 'name'>, version: number, generation = 0): string =>
  `${schema}.${table.name}_v${version}${generation === 0 ? '' : `_g${generation}`}`;

/**
 * The table with its indexes and row-level security per school. The primary key is created last: before the table is analysed all indexes
 * seem to cost the same, PostgreSQL then takes the newest, and a plan may live as long as its connection.
 *
 * @param late with the indexes that only queries need
 */
export const tableDdl = (table: AnyTable, schema: string, version: number, { generation = 0, late = true } = {}): string => {
  const relation = relationOf(schema, table, version, generation);
  const indexes = table.indexes.filter((index) => late || !index.late).map((index) => indexDdl(relation, index));
  return `
    create table ${relation} (
      ${table.columns.map(columnDdl).join(',\n      ')}
    );
    ${indexes.join('\n    ')}
    alter table ${relation} add primary key (${table.key.join(', ')});
    alter table ${relation} enable row level security;
    create policy own_school on ${relation} for select to ${READER_ROLE}
      using (school_id = nullif(current_setting('${SCHOOL_SETTING}', true), '')::uuid);
    grant select on ${relation} to ${READER_ROLE};`;
};

export const indexDdl = (relation: string, { columns, unique, where }: IndexSpec): string =>
  `create ${unique ? 'unique ' : ''}index on ${relation} (${columns.join(', ')})${where ? ` where ${where}` : ''};`;

const columnDdl = ({ name, type, nullable }: ColumnSpec): string => `${name} ${type}${nullable ? '' : ' not null'}`;

/** The view for readers. `security_invoker`: with its owner's rights the view would show every school's rows. */
export const viewDdl = (table: AnyTable, schema: string, version: number, generation = 0): string => `
  create view ${schema}.${table.name} with (security_invoker = true) as
    select ${table.columns.map(({ name }) => name).join(', ')} from ${relationOf(schema, table, version, generation)};
  grant select on ${schema}.${table.name} to ${READER_ROLE};`;
