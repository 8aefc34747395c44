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
  /** by key; an entry without a row: known to be absent */
  readonly #entries = new Map<string, Entry>();
  /** per column of `loadWhere`: the values that were loaded, each with its rows */
  readonly #indexes = new Map<string, Map<string | null, Set<Entry>>>();

  constructor(table: AnyTable, sql: TableSql, client: ClientBase, schools: readonly string[]) {
    this.#table = table;
    this.#sql = sql;
    this.#client = client;
    this.#schools = schools;
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
    const column = columnOf(this.#table, name);
    const index = this.#indexes.get(name) ?? this.#newIndex(column);
    const missing = [...new Set(values.map((value) => toText(column, value)))].filter((text) => !index.has(text));
    if (missing.length === 0) return;
    for (const text of missing) index.set(text, new Set());
    for (const entry of this.#entries.values()) this.#enter(entry);
    this.#take(await this.#sql.loadWhere(this.#client, this.#schools, column, missing));
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
    const found = this.#indexes.get(name)?.get(toText(columnOf(this.#table, name), value));
    if (!found) throw new Error(`${this.#table.name}: the rows with ${name} = ${String(value)} were not loaded`);
    return [...found].flatMap((entry) => this.#row(entry) ?? []);
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
    for (const [name, index] of this.#indexes) {
      if (this.#table.key.includes(name) && index.has(toText(columnOf(this.#table, name), key[name]))) {
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

  #newIndex(column: ColumnSpec): Map<string | null, Set<Entry>> {
    const index = new Map<string | null, Set<Entry>>();
    this.#indexes.set(column.name, index);
    return index;
  }

  #enter(entry: Entry): void {
    for (const [name, index] of this.#indexes) this.#placeOf(entry, name, index)?.add(entry);
  }

  #leave(entry: Entry): void {
    for (const [name, index] of this.#indexes) this.#placeOf(entry, name, index)?.delete(entry);
  }

  #placeOf(entry: Entry, name: string, index: Map<string | null, Set<Entry>>): Set<Entry> | undefined {
    const column = columnOf(this.#table, name);
    if (entry.row) return index.get(toText(column, entry.row[name]));
    if (entry.row === undefined && entry.stored) return index.get(entry.stored[this.#table.columns.indexOf(column)] ?? null);
    return undefined;
  }

  #keyText(row: AnyRow): KeyText {
    return this.#table.key.map((name) => toText(columnOf(this.#table, name), row[name]));
  }

  #keyOf(stored: RowText): KeyText {
    return this.#table.key.map((name) => stored[this.#table.columns.findIndex((column) => column.name === name)] ?? null);
  }

  #column(i: number): ColumnSpec {
    const column = this.#table.columns[i];
    if (!column) throw new Error(`${this.#table.name} has no column ${i}`);
    return column;
  }
}

/** `row`: undefined until somebody looks at the stored one; null: there is none. */
type Entry = { readonly stored: RowText | undefined; row: AnyRow | null | undefined; touched: boolean };

const absent = (): Entry => ({ stored: undefined, row: null, touched: false });

const idOf = (key: KeyText): string => key.join('\0');

/** The types of `projection()` let nothing else through; here, where a table is any table, they are gone. */
const asRow = (value: unknown): AnyRow => value as AnyRow;
