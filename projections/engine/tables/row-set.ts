import type { AnyTable, Key, Row } from './table.ts';

/** The rows of one table that a chunk works on, in memory. Rows are immutable: put a new one. */
export interface RowSet<T extends AnyTable> {
  /** Undefined if there is no row. Throws if the key was not loaded. */
  get(key: Key<T>): Row<T> | undefined;
  /** Inserts or replaces. The key must have been loaded, so that no value is overwritten unseen. */
  put(row: Row<T>): void;
  /** Changes these columns of a row, if there is one. */
  update(key: Key<T>, changes: Partial<Row<T>>): void;
  delete(key: Key<T>): void;
  /**
   * Adds a row that cannot be there, without a look: its key has the place of its event in the log, and each event is applied once. It is not
   * found by `get`.
   */
  add(row: Row<T>): void;
  /** All rows with this value, including those put in this chunk. Throws if `loadWhere` did not load it. */
  where<Column extends keyof Row<T> & string>(column: Column, value: Row<T>[Column]): Row<T>[];
}

export interface LoadingRowSet<T extends AnyTable> extends RowSet<T> {
  /** Loads the existing rows with these keys. Loading a key twice costs nothing. */
  load(keys: readonly Key<T>[]): Promise<void>;
  /** Loads all rows with these values in the first columns of the key: one lookup for each beginning, instead of one for each row. */
  loadUnder(beginnings: readonly Partial<Key<T>>[]): Promise<void>;
  /** Loads all rows of the chunk's schools whose column has one of the values. Needs an index on (school_id, column). */
  loadWhere<Column extends keyof Row<T> & string>(column: Column, values: readonly Row<T>[Column][]): Promise<void>;
}

/** Moves a row to a table of the same columns, such as that of deleted ones, or back. */
export const move = <Key, Row>(from: Moving<Key, Row>, to: Moving<Key, Row>, key: Key): void => {
  const row = from.get(key);
  if (row === undefined) return;
  from.delete(key);
  to.put(row);
};
type Moving<Key, Row> = { get(key: Key): Row | undefined; put(row: Row): void; delete(key: Key): void };
