import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { Limit, Limits } from '../limits.ts';

const WRONG_PASSWORDS: Limit = { name: 'wrong passwords of a profile', most: 10, seconds: 900 };

type Parts = { readonly limits: Limits; readonly credentials: Credentials };

/**
 * Somebody who is signed in types the password again. Counted before it is checked, so that many at the same moment are not all answered.
 *
 * @throws ProblemError `wrong-password`, `rate-limited`
 */
export const requireOwnPassword = async ({ limits, credentials }: Parts, accountId: string, password: string): Promise<void> => {
  await limits.count(WRONG_PASSWORDS, accountId);
  if (!(await credentials.isPassword(accountId, password)))
    throw new ProblemError('wrong-password', authMessages.wrongPassword, {
      errors: [{ path: 'password', message: authMessages.wrongPassword }],
    });
  await limits.forgive(WRONG_PASSWORDS, accountId);
};
