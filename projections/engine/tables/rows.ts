import type { ClientBase } from 'pg';
import { fromText, normalised, toText } from './column-text.ts';
import { KeyTree } from './key-tree.ts';
import type { LoadingRowSet } from './row-set.ts';
import { statementsFor } from './sending.ts';
import type { AnyRow, AnyTable, ColumnSpec } from './table.ts';
import { columnOf, textsOf, type KeyText, type Ready, type RowText, type TableSql } from './table-sql.ts';
import type { WrittenKeys } from './written-keys.ts';

/**
 * The rows of one table that a chunk works on: loaded as text, parsed when used, stored only if they have changed. A row that was not
 * loaded is different from one that does not exist: accessing it is an error of the projection and throws.
 *
 * `before`: the rows of the previous chunk, which are not stored yet. Rows that it changed are taken from there instead of the database.
 *
 * `written`: every key that the table may have, where that is known: a new one is not looked up.
 */
export class WorkingRows implements LoadingRowSet<AnyTable> {
  readonly #table: AnyTable;
  readonly #sql: TableSql;
  readonly #client: ClientBase;
  readonly #schools: readonly string[];
  readonly #key: readonly Place[];
  /** by key; an entry without a row is known not to exist */
  readonly #entries: KeyTree<Entry>;
  /** beginnings of keys for which all rows are loaded */
  readonly #under: Beginnings[] = [];
  /** rows that nobody looks for */
  readonly #added: AnyRow[] = [];
  /** by column of `loadWhere` */
  readonly #indexes = new Map<string, Index>();
  #before: WorkingRows | undefined;
  readonly #written: WrittenKeys | undefined;

  constructor(
    table: AnyTable,
    sql: TableSql,
    client: ClientBase,
    schools: readonly string[],
    { before, written }: { readonly before?: WorkingRows | undefined; readonly written?: WrittenKeys | undefined } = {},
  ) {
    this.#before = before;
    this.#written = written;
    this.#table = table;
    this.#sql = sql;
    this.#client = client;
    this.#schools = schools;
    this.#key = table.key.map((name) => this.#place(name));
    this.#entries = new KeyTree(table.key.length);
  }

  async load(keys: readonly unknown[]): Promise<void> {
    const missing: KeyText[] = [];
    for (const key of keys) {
      const text = this.#keyText(asRow(key));
      if (this.#entries.get(text) ?? this.#carry(text)) continue;
      this.#entries.add(text, absent());
      if (!this.#written?.isNew(text)) missing.push([...text]);
    }
    if (missing.length === 0) return;
    this.#take(await this.#sql.load(this.#client, missing));
  }

  async loadUnder(beginnings: readonly unknown[]): Promise<void> {
    if (beginnings.length === 0) return;
    const columns = this.#key.filter(({ column: { name } }) => asRow(beginnings[0])[name] !== undefined).length;
    const { keys: under } = this.#beginnings(columns);
    const missing: KeyText[] = [];
    for (const beginning of beginnings) {
      const text = this.#keyText(asRow(beginning));
      if (under.get(text)) continue;
      under.add(text, true);
      missing.push(text.slice(0, columns));
    }
    if (missing.length === 0) return;
    this.#carryAll((text) => under.get(text) === true);
    this.#take(await this.#sql.loadUnder(this.#client, missing));
  }

  async loadWhere(name: string, values: readonly unknown[]): Promise<void> {
    if (values.length === 0) return;
    const index = this.#indexes.get(name) ?? this.#newIndex(name);
    const missing = [...new Set(values.map((value) => toText(index.column, value)))].filter((text) => !index.rows.has(text));
    if (missing.length === 0) return;
    for (const text of missing) index.rows.set(text, new Set());
    for (const entry of this.#entries.values()) placeIn(index, entry)?.add(entry);
    this.#carryAll(() => true);
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

  update(key: unknown, changes: unknown): void {
    const row = this.get(key);
    if (row) this.put({ ...row, ...asRow(changes) });
  }

  add(row: unknown): void {
    this.#added.push(asRow(row));
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

  /** Loading is complete: the previous chunk is no longer needed in memory. */
  loaded(): void {
    this.#before = undefined;
  }

  /** The statements that store the changed rows. */
  statements(): Promise<Ready[]> {
    const touched = this.#entries.values().filter((entry) => entry.touched);
    return statementsFor(this.#table, this.#sql, touched, this.#added);
  }

  #take(rows: readonly RowText[]): void {
    for (const raw of rows) {
      const key = this.#keyOf(raw);
      const existing = this.#entries.get(key);
      // Loading again must not overwrite rows that were put since.
      if (existing?.stored || existing?.touched || existing?.carried) continue;
      if (!existing && this.#carry(key)) continue;
      const entry = existing ?? absent();
      if (!existing) this.#entries.add(key, entry);
      entry.stored = raw.map((text, i) => normalised(this.#column(i), text));
      entry.row = undefined;
      this.#enter(entry);
    }
  }

  /** Takes over the wanted rows that the previous chunk changed. */
  #carryAll(isWanted: (key: KeyText) => boolean): void {
    if (!this.#before) return;
    for (const { touched, row, stored } of this.#before.#entries.values()) {
      if (!touched) continue;
      const key = row ? this.#keyText(row) : stored && this.#keyOf(stored);
      if (key && isWanted(key)) this.#carry(key);
    }
  }

  /** Takes over a row that the previous chunk changed, unless it is already here. */
  #carry(key: KeyText): Entry | undefined {
    const earlier = this.#before && this.#before.#entries.get(key);
    if (!earlier?.touched || this.#entries.get(key)) return undefined;
    const row = earlier.row ?? null;
    const stored = row ? textsOf(this.#table, row) : undefined;
    const entry: Entry = { stored, row, touched: false, carried: true };
    this.#entries.add(key, entry);
    this.#enter(entry);
    return entry;
  }

  #known(key: AnyRow): Entry {
    const text = this.#keyText(key);
    const entry = this.#entries.get(text) ?? this.#knownAbsent(text, key);
    if (!entry)
      throw new Error(`${this.#table.name}: the row ${this.#table.key.map((name, i) => `${name} = ${text[i]}`).join(', ')} was not loaded`);
    return entry;
  }

  /** A row that does not exist, because all rows with its beginning of the key, or with its value in a column, are loaded. */
  #knownAbsent(text: KeyText, key: AnyRow): Entry | undefined {
    if (!this.#isUnder(text) && !this.#isIndexed(key)) return undefined;
    const entry = absent();
    this.#entries.add(text, entry);
    this.#written?.isNew(text);
    return entry;
  }

  #isUnder(text: KeyText): boolean {
    for (const { keys } of this.#under) if (keys.get(text)) return true;
    return false;
  }

  #isIndexed(key: AnyRow): boolean {
    if (this.#indexes.size === 0) return false;
    if (!this.#schools.includes(String(key.school_id))) return false;
    return this.#indexes
      .entries()
      .some(([name, index]) => this.#table.key.includes(name) && index.rows.has(toText(index.column, key[name])));
  }

  #row(entry: Entry): AnyRow | undefined {
    if (entry.row === undefined && entry.stored) {
      const row: Record<string, unknown> = {};
      entry.stored.forEach((text, i) => {
        row[this.#column(i).name] = fromText(this.#column(i), text);
      });
      entry.row = row;
    }
    return entry.row ?? undefined;
  }

  #beginnings(columns: number): Beginnings {
    let beginnings = this.#under.find((one) => one.columns === columns);
    if (!beginnings) this.#under.push((beginnings = { columns, keys: new KeyTree(columns) }));
    return beginnings;
  }

  #newIndex(name: string): Index {
    const index = { ...this.#place(name), rows: new Map() };
    this.#indexes.set(name, index);
    return index;
  }

  #enter(entry: Entry): void {
    if (this.#indexes.size === 0) return;
    for (const index of this.#indexes.values()) placeIn(index, entry)?.add(entry);
  }

  #leave(entry: Entry): void {
    if (this.#indexes.size === 0) return;
    for (const index of this.#indexes.values()) placeIn(index, entry)?.delete(entry);
  }

  /** Returns the same array every time: copy it to keep it. */
  #keyText(row: AnyRow): KeyText {
    for (let at = 0; at < this.#key.length; at++) {
      const { column } = this.#key[at]!;
      this.#text[at] = toText(column, row[column.name]);
    }
    return this.#text;
  }
  readonly #text: (string | null)[] = [];

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

/** A column and its index in a row of texts. */
type Place = { readonly column: ColumnSpec; readonly at: number };

/** Beginnings of keys with this number of columns. */
type Beginnings = { readonly columns: number; readonly keys: KeyTree<true> };

/** The loaded values of a column, each with its rows. */
type Index = Place & { readonly rows: Map<string | null, Set<Entry>> };

const placeIn = ({ column, at, rows }: Index, entry: Entry): Set<Entry> | undefined => {
  if (entry.row) return rows.get(toText(column, entry.row[column.name]));
  if (entry.row === undefined && entry.stored) return rows.get(entry.stored[at] ?? null);
  return undefined;
};

/** `row`: undefined until it is parsed; null: does not exist. `carried`: taken over from the previous chunk. */
type Entry = { stored: RowText | undefined; row: AnyRow | null | undefined; touched: boolean; carried: boolean };

const absent = (): Entry => ({ stored: undefined, row: null, touched: false, carried: false });

/** Safe because of the types of `projection()`, which are erased here. */
const asRow = (value: unknown): AnyRow => value as AnyRow;
