import { expect, test } from 'vitest';
import { leftOf } from '../../ui/drafts/journal.ts';
import { rowsOf } from '../../ui/drafts/rows.ts';

const rows = (typed: Readonly<Record<string, string>>, order: number) =>
  rowsOf<unknown>(typed, order, `block of ${order}`).map((row) => ({ accountId: 'ada', ...row }));
const pasted = Object.fromEntries(Array.from({ length: 10 }, (_, cell) => [`cell ${cell}`, '5']));

test('of what a page could not write any more its author’s last word is left', () => {
  const typed = { rows: rows({ anna: '5', ben: '6' }, 1), gone: [] };
  const block = { rows: rows(pasted, 2), gone: [] };
  expect(leftOf([typed, block])).toEqual([...typed.rows, ...block.rows]);
  // Taken back before the page closed: of the block one cell, and all of what was typed.
  const left = leftOf([typed, block, { rows: [], gone: ['anna', 'cell 3'] }, { rows: [], gone: ['ben'] }]);
  const { 'cell 3': _, ...others } = pasted;
  expect(left).toEqual([{ ...block.rows[0], is: others }]);
  expect(leftOf([block, { rows: [], gone: Object.keys(pasted) }])).toEqual([]);
  // Typed again after it.
  expect(leftOf([typed, { rows: [], gone: ['anna', 'ben'] }, { rows: rows({ anna: '7' }, 3), gone: [] }])).toEqual(rows({ anna: '7' }, 3));
});
