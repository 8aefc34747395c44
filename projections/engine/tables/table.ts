/**
 * The definition of a read model's table. From it the engine derives the DDL (../ddl.ts), loading and storing (table-sql.ts) and the type
 * of a row.
 *
 *   export const cells = table('results_cells', {
 *     key: { student_id: 'uuid', test_id: 'uuid', question_id: 'uuid' },
 *     columns: { mark: 'int4?', contested: 'bool', history: harmless(json<Change[]>()) },
 *     indexes: [['test_id']],
 *   });
 *
 * `school_id uuid` is the first column of every key, for row-level security. Fields of a row have the names of the columns. Queries read
 * the view `<name>` without a schema, so that they also work as of an earlier moment; the rows are in `read.<name>_v<version>`.
 */
export const table = <const Key extends Columns, const Rest extends Columns>(
  name: string,
  definition: { key: Key; columns: Rest; indexes?: readonly Index<keyof Key | keyof Rest | 'school_id'>[] },
): Table<RowOf<SchoolColumn & Key & Rest>, RowOf<SchoolColumn & Key>> => {
  requireName(name);
  const key = { school_id: 'uuid', ...definition.key } as const;
  const columns = [...specsOf(key), ...specsOf(definition.columns)];
  columns.forEach((column) => requireName(column.name));
  for (const { name: column, nullable, person } of columns) {
    if (person === undefined) continue;
    if (!nullable) throw new Error(`${name}.${column} is personal, so it must be nullable: a forgotten person has none`);
    if (!columns.some((other) => other.name === person)) throw new Error(`${name}.${column} is about ${person}, which is no column`);
  }
  const nullable = columns.find((column) => column.nullable && column.name in key);
  if (nullable) throw new Error(`${name}.${nullable.name} is part of the key and cannot be nullable`);
  const indexes = (definition.indexes ?? []).map((index): IndexSpec =>
    'columns' in index
      ? { unique: false, late: false, where: undefined, ...index, columns: index.columns.map(String) }
      : { columns: index.map(String), unique: false, where: undefined, late: false },
  );
  return { name, key: Object.keys(key), columns, indexes };
};

/**
 * A column with personal data, about the person whose id is in the column `person`. `person export`, the file with one's own data and
 * forgetting find it by this (personal.ts).
 */
export const personal = <Type extends `${SqlType}?`>(type: Type, person: string): Declared<Type> => ({ type, person });

/** A column of text, or of JSON, that says nothing about a particular person. Every other one is `personal`: a test looks. */
export const harmless = <Type extends SqlType | `${SqlType}?` | JsonColumn<unknown>>(type: Type): Declared<Type> => ({
  type,
  harmless: true,
});

/** A column of type `json`, which preserves its text. Use `jsonb` only if an index needs it: it reorders keys. */
export const json = <T>(type: 'json' | 'jsonb' = 'json'): JsonColumn<T> => ({ type });

export type Table<Row = never, Key = never> = {
  readonly name: string;
  /** names of the key's columns, `school_id` first */
  readonly key: readonly string[];
  readonly columns: readonly ColumnSpec[];
  readonly indexes: readonly IndexSpec[];
  /** only for the compiler */
  readonly types?: { readonly row: Row; readonly key: Key };
};
/** Any table, if the type of its rows does not matter. */
export type AnyTable = Table<unknown, unknown>;

/** A row of any table, by column name. */
export type AnyRow = Readonly<Record<string, unknown>>;

export type Row<T> = T extends Table<infer R, infer _K> ? R : never;
export type Key<T> = T extends Table<infer _R, infer K> ? K : never;

export type ColumnSpec = {
  readonly name: string;
  readonly type: SqlType | 'jsonb';
  readonly nullable: boolean;
  /** rows have the parsed value instead of JSON text */
  readonly parsed: boolean;
  /** of a personal column: the column with the id of the person that it is about */
  readonly person?: string;
  readonly harmless?: true;
};
export type IndexSpec = {
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly where: string | undefined;
  /** Only queries need it: while a build is filled it is missing (building/late-indexes.ts). */
  readonly late: boolean;
};

/** The TypeScript type for each PostgreSQL type. Dates are `YYYY-MM-DD`, times ISO 8601 in UTC with milliseconds. */
type Values = {
  uuid: string;
  text: string;
  bool: boolean;
  int2: number;
  int4: number;
  int8: bigint;
  float8: number;
  date: string;
  timestamptz: string;
  /** JSON as text, for values that are rarely parsed; `json<T>()` for parsed values */
  json: string;
  'uuid[]': readonly string[];
  'text[]': readonly string[];
  'int4[]': readonly number[];
};
export type SqlType = keyof Values;

/** `int4?` is a column that may be null. */
type Columns = { readonly [name: string]: ColumnType | Declared<ColumnType> };
type ColumnType = SqlType | `${SqlType}?` | JsonColumn<unknown>;
type Declared<Type> = { readonly type: Type; readonly person?: string; readonly harmless?: true };
type JsonColumn<T> = { readonly type: 'json' | 'jsonb'; readonly value?: T };
type SchoolColumn = { readonly school_id: 'uuid' };
type Index<Column> =
  | readonly Column[]
  | {
      readonly columns: readonly Column[];
      readonly unique?: boolean;
      readonly where?: string;
      readonly late?: true;
    };

type ValueOf<C> = C extends Declared<infer T extends ColumnType> ? PlainOf<T> : PlainOf<C>;
type PlainOf<C> = C extends SqlType
  ? Values[C]
  : C extends `${infer T extends SqlType}?`
    ? Values[T] | null
    : C extends JsonColumn<infer T>
      ? T
      : never;
type RowOf<C> = { readonly [Name in keyof C]: ValueOf<C[Name]> };

const specsOf = (columns: Columns): ColumnSpec[] =>
  Object.entries(columns).map(([name, column]) => {
    if (!isDeclared(column)) return specOf(name, column);
    const { type, ...declared } = column;
    return { ...specOf(name, type), ...declared };
  });

const specOf = (name: string, column: ColumnType): ColumnSpec =>
  typeof column === 'string' ? { name, ...typeIn(column), parsed: false } : { name, type: column.type, nullable: false, parsed: true };

const isDeclared = (column: ColumnType | Declared<ColumnType>): column is Declared<ColumnType> =>
  typeof column === 'object' && ('person' in column || 'harmless' in column);

const typeIn = (column: SqlType | `${SqlType}?`): { type: SqlType; nullable: boolean } =>
  isNullable(column) ? { type: column.slice(0, -1) as SqlType, nullable: true } : { type: column, nullable: false };

const isNullable = (column: SqlType | `${SqlType}?`): column is `${SqlType}?` => column.endsWith('?');

/** Names are used in SQL without quoting, and a table's name gets a version as its suffix. */
const requireName = (name: string): void => {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name))
    throw new Error(`"${name}" is no name for a table or column: use snake_case, at most 40 characters`);
};
