import { expect, test } from 'vitest';
import { leftOf } from '../../ui/drafts/journal.ts';
import { rowsOf } from '../../ui/drafts/rows.ts';

const rows = (typed: Readonly<Record<string, string>>, order: number) =>
  rowsOf<unknown>(typed, order, `block of ${order}`).map((row) => ({ accountId: 'ada', ...row }));
const gone = (order: number, ...keys: readonly string[]) => keys.map((key) => ({ accountId: 'ada', key, order, isGone: true as const }));
const pasted = Object.fromEntries(Array.from({ length: 10 }, (_, cell) => [`cell ${cell}`, '5']));

test('of what a page could not write any more its author’s last word is left', () => {
  const typed = { rows: rows({ anna: '5', ben: '6' }, 1), gone: [] };
  const block = { rows: rows(pasted, 2), gone: [] };
  expect(leftOf([typed, block])).toEqual([...typed.rows, ...block.rows]);
  // Taken back before the page closed: of the block one cell, and all of what was typed. What was written before goes, too.
  const back = [gone(3, 'anna', 'cell 3'), gone(4, 'ben')].map((keys) => ({ rows: [], gone: keys }));
  const { 'cell 3': _, ...others } = pasted;
  expect(leftOf([typed, block, ...back])).toEqual([{ ...block.rows[0], is: others }, ...gone(3, 'anna', 'cell 3'), ...gone(4, 'ben')]);
  const none = gone(3, ...Object.keys(pasted));
  expect(leftOf([block, { rows: [], gone: none }])).toEqual(none);
  // Typed again after it.
  const again = rows({ anna: '7' }, 5);
  expect(leftOf([typed, ...back, { rows: again, gone: [] }]).at(-1)).toEqual(again[0]);
});
