import { expect, test } from 'vitest';
import { wrongExpiry } from '../../api/tasks/task-fields.contract.ts';

test('a task expires between today and 30 days ahead, wherever on Earth that is said', () => {
  const noon = new Date('2026-11-22T12:00:00Z');
  const said = 'The expiry date must be between today and 22/12/2026, 30 days ahead.';
  expect(['2026-11-21', '2026-11-22', '2026-12-06', '2026-12-22', '2026-12-23', '2026-12-24'].map((day) => wrongExpiry(day, noon))).toEqual(
    [
      said,
      undefined,
      undefined,
      undefined,
      // It is the 23rd in Kiribati already.
      undefined,
      said,
    ],
  );
});
