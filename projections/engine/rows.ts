import type { ClientBase } from 'pg';
import { fromText, normalised, toText } from './column-text.ts';
import type { LoadingRowSet } from './projection.ts';
import type { AnyTable, ColumnSpec } from './table.ts';
import { columnOf, type KeyText, type RowText, type TableSql } from './table-sql.ts';

type AnyRow = Readonly<Record<string, unknown>>;

/**
 * The rows of one table that one batch works on: loaded as texts, looked at as rows, stored where they really changed.
 * Not knowing a row and knowing that there is none are two things here: the first is an error of the projection and throws.
 */
export class WorkingRows implements LoadingRowSet<AnyTable> {
  readonly #table: AnyTable;
  readonly #sql: TableSql;
  readonly #client: ClientBase;
  readonly #schools: readonly string[];
  readonly #key: readonly Place[];
  /** by key; an entry without a row: known to be absent */
  readonly #entries = new Map<string, Entry>();
  /** by column of `loadWhere` */
  readonly #indexes = new Map<string, Index>();

  constructor(table: AnyTable, sql: TableSql, client: ClientBase, schools: readonly string[]) {
    this.#table = table;
    this.#sql = sql;
    this.#client = client;
    this.#schools = schools;
    this.#key = table.key.map((name) => this.#place(name));
  }

  async load(keys: readonly unknown[]): Promise<void> {
    const missing = new Map<string, KeyText>();
    for (const key of keys) {
      const text = this.#keyText(asRow(key));
      const id = idOf(text);
      if (!this.#entries.has(id)) missing.set(id, text);
    }
    if (missing.size === 0) return;
    this.#take(await this.#sql.load(this.#client, [...missing.values()]));
    for (const id of missing.keys()) if (!this.#entries.has(id)) this.#entries.set(id, absent());
  }

  async loadWhere(name: string, values: readonly unknown[]): Promise<void> {
    const index = this.#indexes.get(name) ?? this.#newIndex(name);
    const missing = [...new Set(values.map((value) => toText(index.column, value)))].filter((text) => !index.rows.has(text));
    if (missing.length === 0) return;
    for (const text of missing) index.rows.set(text, new Set());
    for (const entry of this.#entries.values()) placeIn(index, entry)?.add(entry);
    this.#take(await this.#sql.loadWhere(this.#client, this.#schools, index.column, missing));
  }

  get(key: unknown): AnyRow | undefined {
    return this.#row(this.#known(asRow(key)));
  }

  put(row: unknown): void {
    const values = asRow(row);
    const entry = this.#known(values);
    this.#leave(entry);
    entry.row = values;
    entry.touched = true;
    this.#enter(entry);
  }

  delete(key: unknown): void {
    const entry = this.#known(asRow(key));
    this.#leave(entry);
    entry.row = null;
    entry.touched = true;
  }

  where(name: string, value: unknown): AnyRow[] {
    const index = this.#indexes.get(name);
    const found = index?.rows.get(toText(index.column, value));
    if (!found) throw new Error(`${this.#table.name}: the rows with ${name} = ${String(value)} were not loaded`);
    return [...found].map((entry) => this.#row(entry)).filter((row) => row !== undefined);
  }

  /** Writes what is different from what was loaded: nothing, if the batch was applied before. */
  async store(): Promise<void> {
    const upserts: RowText[] = [];
    const removals: KeyText[] = [];
    for (const entry of this.#entries.values()) {
      if (!entry.touched) continue;
      if (entry.row) {
        const row = entry.row;
        const texts = this.#table.columns.map((column) => toText(column, row[column.name]));
        if (!entry.stored || texts.some((text, i) => text !== entry.stored?.[i])) upserts.push(texts);
      } else if (entry.stored) {
        removals.push(this.#keyOf(entry.stored));
      }
    }
    await this.#sql.remove(this.#client, removals);
    await this.#sql.upsert(this.#client, upserts);
  }

  #take(rows: readonly RowText[]): void {
    for (const raw of rows) {
      const id = idOf(this.#keyOf(raw));
      if (this.#entries.has(id)) continue;
      const stored = raw.map((text, i) => normalised(this.#column(i), text));
      const entry: Entry = { stored, row: undefined, touched: false };
      this.#entries.set(id, entry);
      this.#enter(entry);
    }
  }

  #known(key: AnyRow): Entry {
    const text = this.#keyText(key);
    const id = idOf(text);
    const entry = this.#entries.get(id) ?? this.#knownAbsent(id, key);
    if (!entry) throw new Error(`${this.#table.name}: the row ${this.#table.key.map((name, i) => `${name} = ${text[i]}`).join(', ')} was not loaded`);
    return entry;
  }

  /** All rows with one value of a key's column are here, and this one is not among them: there is none. */
  #knownAbsent(id: string, key: AnyRow): Entry | undefined {
    if (!this.#schools.includes(String(key.school_id))) return undefined;
    for (const [name, index] of this.#indexes) {
      if (this.#table.key.includes(name) && index.rows.has(toText(index.column, key[name]))) {
        const entry = absent();
        this.#entries.set(id, entry);
        return entry;
      }
    }
    return undefined;
  }

  #row(entry: Entry): AnyRow | undefined {
    if (entry.row === undefined && entry.stored) {
      const row: Record<string, unknown> = {};
      entry.stored.forEach((text, i) => { row[this.#column(i).name] = fromText(this.#column(i), text); });
      entry.row = row;
    }
    return entry.row ?? undefined;
  }

  #newIndex(name: string): Index {
    const index = { ...this.#place(name), rows: new Map() };
    this.#indexes.set(name, index);
    return index;
  }

  #enter(entry: Entry): void {
    for (const index of this.#indexes.values()) placeIn(index, entry)?.add(entry);
  }

  #leave(entry: Entry): void {
    for (const index of this.#indexes.values()) placeIn(index, entry)?.delete(entry);
  }

  #keyText(row: AnyRow): KeyText {
    return this.#key.map(({ column }) => toText(column, row[column.name]));
  }

  #keyOf(stored: RowText): KeyText {
    return this.#key.map(({ at }) => stored[at] ?? null);
  }

  #place(name: string): Place {
    const column = columnOf(this.#table, name);
    return { column, at: this.#table.columns.indexOf(column) };
  }

  #column(i: number): ColumnSpec {
    const column = this.#table.columns[i];
    if (!column) throw new Error(`${this.#table.name} has no column ${i}`);
    return column;
  }
}

/** A column and where it stands in a row of texts. */
type Place = { readonly column: ColumnSpec; readonly at: number };

/** The values of a column that were loaded, each with its rows. */
type Index = Place & { readonly rows: Map<string | null, Set<Entry>> };

const placeIn = ({ column, at, rows }: Index, entry: Entry): Set<Entry> | undefined => {
  if (entry.row) return rows.get(toText(column, entry.row[column.name]));
  if (entry.row === undefined && entry.stored) return rows.get(entry.stored[at] ?? null);
  return undefined;
};

/** `row`: undefined until somebody looks at the stored one; null: there is none. */
type Entry = { readonly stored: RowText | undefined; row: AnyRow | null | undefined; touched: boolean };

const absent = (): Entry => ({ stored: undefined, row: null, touched: false });

const idOf = (key: KeyText): string => key.join('\0');

/** The types of `projection()` let nothing else through; here, where a table is any table, they are gone. */
const asRow = (value: unknown): AnyRow => value as AnyRow;
