import type { AnyTable, Key, Row } from './table.ts';

/** The rows of one table that a batch works on, in memory. Rows are never changed in place: put another one. */
export interface RowSet<T extends AnyTable> {
  /** Undefined if there is none. Throws where the key was never loaded: that no row is here would say nothing. */
  get(key: Key<T>): Row<T> | undefined;
  /** Inserts or replaces. The key must have been loaded too, so that no value is overwritten unseen. */
  put(row: Row<T>): void;
  delete(key: Key<T>): void;
  /** All rows with this value, those put in this batch included. Throws where `loadWhere` did not load it. */
  where<Column extends keyof Row<T> & string>(column: Column, value: Row<T>[Column]): Row<T>[];
}

export interface LoadingRowSet<T extends AnyTable> extends RowSet<T> {
  /** The rows with these keys, as far as there are any. Loading twice, or the same key twice, costs nothing. */
  load(keys: readonly Key<T>[]): Promise<void>;
  /** All rows whose keys begin so: with these values in the first columns of the key. One look for each, where `load` takes one for each row. */
  loadUnder(beginnings: readonly Partial<Key<T>>[]): Promise<void>;
  /** All rows of the batch's schools whose column has one of the values. Needs an index on (school_id, column). */
  loadWhere<Column extends keyof Row<T> & string>(column: Column, values: readonly Row<T>[Column][]): Promise<void>;
}
