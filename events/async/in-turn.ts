import { setImmediate } from 'node:timers/promises';

/**
 * Calls `work` for each item, and yields to the event loop every millisecond. Buffered rows leave the process only between turns of the
 * loop: with longer pauses PostgreSQL ran out of rows, and a rebuild took a fifth longer (measured).
 */
export const eachInTurn = async <Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> => {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since < STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
};
const STRETCH_MS = 1;
