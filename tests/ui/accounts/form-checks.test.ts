import { expect, test } from 'vitest';
import { confirmationError, newConfirmationError } from '../../../student-ui/accounts/form/checks.ts';

test('an empty confirmation does not match a typed password, and is required beside an empty one', () => {
  expect(confirmationError('long enough', '')).toBe('Passwords do not match.');
  expect(confirmationError('', '')).toBe('Required.');
  expect(confirmationError('long enough', 'long enough')).toBeUndefined();
  // Of a password that stays as it is.
  expect(newConfirmationError('', '')).toBeUndefined();
});
