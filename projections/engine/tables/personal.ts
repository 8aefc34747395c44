import type { AnyTable, Table } from './table.ts';

/** What is personal in the rows of a table. */
export type PersonalTable = {
  readonly name: string;
  /** the column with the id of the person that a row is about */
  readonly person: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** A row for each person, not one for each thing that a person did. */
  readonly isOfPersons: boolean;
};

/** The tables with personal columns. */
export const personalTables = (tables: readonly AnyTable[]): PersonalTable[] =>
  tables.flatMap(({ name, key, columns }) =>
    [...new Set(columns.flatMap(({ person }) => person ?? []))].map((person) => ({
      name,
      person,
      columns: columns.filter((column) => column.person === person),
      isOfPersons: key.includes(person),
    })),
  );

/**
 * The SQL for what a table holds about persons: `$1` is the school, `$2` their ids; `more`: further columns of the row `one`. Of what a
 * person did, only rows that hold something personal.
 */
export const personalRows = ({ name, person, columns, isOfPersons }: PersonalTable, more: readonly string[] = []): string => {
  const values = columns.map((column) => (column.type === 'date' ? `one.${column.name}::text` : `one.${column.name}`));
  const holdsSome = isOfPersons ? '' : `and (${values.map((column) => `${column} is not null`).join(' or ')})`;
  return `select ${[`one.${person}`, ...values, ...more].join(', ')} from read.${name} one
           where one.school_id = $1 and one.${person} = any($2::uuid[]) ${holdsSome} order by 1`;
};

/** The row as it stands once its person is forgotten. */
export const emptied = <Row extends object>({ columns }: Table<Row, unknown>, row: Row): Row => ({
  ...row,
  ...Object.fromEntries(columns.flatMap(({ name, person }) => (person === undefined ? [] : [[name, null]]))),
});
