import { setImmediate } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { AnyRow, AnyTable } from './table.ts';
import { keyTextOf, PORTION, textsOf, type Ready, type RowText, type TableSql } from './table-sql.ts';

/** A row that a batch put, or removed (null), and its texts as they were loaded, if it was there. */
export type Touched = { readonly row: AnyRow | null | undefined; readonly stored: RowText | undefined };

/** `stored`: fulfilled when PostgreSQL has taken all. */
export type Sent = { readonly stored: Promise<unknown> };

/**
 * Sends what is different from what was loaded: nothing, if the batch was applied before. While PostgreSQL works on one portion, the
 * next is made ready. Nothing is sent before `after` is fulfilled.
 *
 * @returns when the last portion waits for its turn; when it rejects, or `stored` does, nothing is being stored any more
 */
export const sendChanges = async (
  client: ClientBase,
  table: AnyTable,
  sql: TableSql,
  touched: readonly Touched[],
  after: Promise<unknown> = Promise.resolve(),
): Promise<Sent> => {
  const removed = touched.flatMap(({ row, stored }) => (row || !stored ? [] : [keyTextOf(table, stored)]));
  if (removed.length > 0) {
    await after;
    await sql.remove(client, removed);
  }
  const added = touched.flatMap(({ row, stored }) => (row && !stored ? [row] : []));
  const isCopied = added.length >= MANY;
  let sending: Promise<unknown> = after;
  const take = async (ready: Ready): Promise<void> => {
    sending = sending.then(() => ready(client));
    // Whoever waits for it below hears of its failure; until then nobody is listening.
    sending.catch(() => undefined);
    await setImmediate();
  };
  try {
    if (isCopied) for (const rows of portions(added, COPIED)) await take(sql.insert(rows));
    const rest = isCopied ? touched.filter(({ stored }) => stored) : touched;
    for (const rows of portions(changedRows(table, rest), PORTION)) await take(sql.upsert(rows));
  } catch (error) {
    // What waits for its turn would be sent after the transaction was rolled back.
    await sending.catch(() => undefined);
    throw error;
  }
  return { stored: sending };
};

function* changedRows(table: AnyTable, touched: readonly Touched[]): Generator<RowText> {
  for (const { row, stored } of touched) {
    if (!row) continue;
    const texts = textsOf(table, row);
    if (!stored || texts.some((text, i) => text !== stored[i])) yield texts;
  }
}

function* portions<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let portion: Item[] = [];
  for (const item of items) {
    portion.push(item);
    if (portion.length === size) {
      yield portion;
      portion = [];
    }
  }
  if (portion.length > 0) yield portion;
}

/** Rows in one COPY: PostgreSQL begins with the first of them while the others are made ready. */
const COPIED = 1024;

/** Where COPY costs less than an upsert. */
const MANY = 500;
