import { expect, test } from 'vitest';
import { filtersIn, inputOf } from '../../../ui/record/filters.ts';

test.each([
  ['in winter', '2026-01-15', '2026-01-15T00:00:00.000Z', '2026-01-15T23:59:59.999Z'],
  ['in summer', '2026-07-15', '2026-07-14T23:00:00.000Z', '2026-07-15T22:59:59.999Z'],
  ['when the clocks go forward', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T22:59:59.999Z'],
  ['when they go back', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-25T23:59:59.999Z'],
])('a day of the record is a day of the school, wherever its reader is: %s', (_when, day, from, to) => {
  expect(inputOf({ from: day, to: day })).toEqual({ from, to });
});

test('what is no day is left out of an address', () => {
  expect(filtersIn(new URLSearchParams({ from: 'yesterday', to: '2026-01-15' }))).toEqual({ to: '2026-01-15' });
});
