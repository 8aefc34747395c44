import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftRow } from '../../ui/drafts/rows.ts';
import { draftsIn, isBlock, rewritten, rowsOf } from '../../ui/drafts/rows.ts';

type Draft = { readonly value: string; readonly saw: string };
type Drafts = Readonly<Record<string, Draft>>;

const keys = Array.from({ length: 30 }, (_, cell) => `mark ${cell}`);
const block = (value: string, of = keys): Drafts => Object.fromEntries(of.map((key) => [key, { value, saw: '' }]));

const isSame = (one: Draft, other: Draft): boolean => one.value === other.value;

/** The rows of a browser's table, with what the keep does to them. */
const table = () => {
  const rows = new Map<string, DraftRow<Draft>>();
  let now = 0;
  const put = (all: readonly DraftRow<Draft>[]) => {
    for (const row of all) rows.set(row.key, structuredClone(row));
  };
  const all = () => [...rows.values()];
  return {
    rows: all,
    holds: () => draftsIn(all()),
    type: (typed: Drafts) => put(rowsOf(typed, ++now, String(now))),
    change: (step: (drafts: Drafts) => Drafts) => {
      now++;
      const { gone, put: written } = rewritten(all(), step(draftsIn(all())), { order: now, id: String(now), isSame });
      for (const key of gone) rows.delete(key);
      put(written);
    },
  };
};

const typing = fc.record({
  do: fc.constantFrom('type' as const, 'type' as const, 'store' as const),
  of: fc.oneof(fc.subarray(keys, { minLength: 1, maxLength: 3 }), fc.subarray(keys, { minLength: 9 })),
  value: fc.stringMatching(/^\d{1,2}$/),
});

test('a block, cells typed over it, another block over both, and some of them stored: the rows hold what was typed last', () => {
  fc.assert(
    fc.property(fc.array(typing, { maxLength: 12 }), (steps) => {
      const kept = table();
      let expected: Drafts = {};
      for (const { do: what, of, value } of steps) {
        if (what === 'type') {
          kept.type(block(value, of));
          expected = { ...expected, ...block(value, of) };
        } else {
          const left = (drafts: Drafts) => Object.fromEntries(Object.entries(drafts).filter(([key]) => !of.includes(key)));
          kept.change(left);
          expected = left(expected);
        }
        expect(kept.holds()).toEqual(expected);
      }
      kept.change(() => ({}));
      expect(kept.rows()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a pasted class is one row, and it goes when all of it is stored; what earlier versions kept is read', () => {
  const kept = table();
  kept.type(block('7'));
  expect(kept.rows().map((row) => isBlock(row))).toEqual([true]);
  kept.type(block('8', keys.slice(0, 1)));
  expect(kept.holds()['mark 0']?.value).toBe('8');
  kept.change((drafts) => Object.fromEntries(Object.entries(drafts).filter(([, { value }]) => value === '8')));
  expect(kept.rows().map((row) => isBlock(row))).toEqual([false]);

  expect(draftsIn<Draft>([{ key: 'mark 0', is: { value: '3', saw: '1' } }])).toEqual({ 'mark 0': { value: '3', saw: '1' } });
});

// A key is pressed in one tab while another stores what was typed before it: its row has its age at once, and is written after the other's.
test('what is only rewritten, because what is stored below it has changed, is no newer than what is typed meanwhile', () => {
  const before = rowsOf(block('7', keys.slice(0, 12)), 1, 'first');
  const meanwhile = rowsOf(block('8', keys.slice(3, 4)), 2, 'second');
  const seen = Object.fromEntries(Object.entries(draftsIn(before)).map(([key, draft]) => [key, { ...draft, saw: '6' }]));
  const { put } = rewritten(before, seen, { order: 3, id: 'third', isSame });
  expect(draftsIn([...put, ...meanwhile])).toEqual({ ...seen, ...block('8', keys.slice(3, 4)) });
});

test('what two tabs write at the same moment, one of them as a block, holds the same in whatever order it is listed', () => {
  const rows = [
    ...rowsOf(block('7'), 1, 'one'),
    ...rowsOf(block('8'), 1, 'other'),
    ...rowsOf({ ...block('9', keys.slice(0, 1)), 'attendance 0': { value: 'absent', saw: '' } }, 1, 'last'),
    ...rowsOf({ ...block('6'), 'attendance 0': { value: 'sat', saw: '' } }, 1, 'block'),
  ];
  const holds = draftsIn(rows);
  expect([holds['mark 0']?.value, holds['attendance 0']?.value]).toEqual(['9', 'absent']);
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (listed) => {
      expect(draftsIn(listed)).toEqual(holds);
    }),
  );
});
