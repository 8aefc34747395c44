import { expect, test } from 'vitest';
import { setOn } from '../../../api/analysis/averages.formula.ts';

test('on a day somebody is in the set of then, before the first in the first, and off roll in none', () => {
  const memberships = [
    { setId: 'a', from: '2025-09-03T08:00:00Z' },
    { setId: 'b', from: '2026-01-10T08:00:00Z' },
    { setId: null, from: '2026-05-01T08:00:00Z' },
  ];
  expect(['2025-01-01', '2025-09-03', '2026-01-09', '2026-01-10', '2026-05-02'].map((day) => setOn(memberships, day))).toEqual([
    'a',
    'a',
    'a',
    'b',
    null,
  ]);
  expect(setOn([], '2026-01-01')).toBeNull();
});

test.each([
  ['came and was taken off roll', 'a10 -10', ['a', 'a', null]],
  ['left the set they had', 'a01 -10', ['a', 'a', null]],
  ['was taken off roll and came back', 'a01 -10 a10', ['a', 'a', 'a']],
  ['came back into another set and left it', 'a01 -05 b10 -10', [null, 'b', null]],
  ['moved twice and left', 'a01 b10 c10 -10', ['a', 'c', null]],
])('on a day on which somebody %s, their place of that day counts', (_, places, sets) => {
  const memberships = places
    .split(' ')
    .map((one, hour) => ({ setId: one[0] === '-' ? null : (one[0] ?? ''), from: `2026-01-${one.slice(1)}T0${hour}:00:00Z` }));
  expect(['09', '10', '11'].map((day) => setOn(memberships, `2026-01-${day}`))).toEqual(sets);
});
