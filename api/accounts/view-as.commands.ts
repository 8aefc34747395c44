import { z } from 'zod';
import { look } from '../../events/accounts/view-as.ts';
import { id } from '../contract/fields.ts';
import { command } from '../common/command.ts';
import { nothing } from '../contract/answer.ts';

/**
 * A member of staff views a student's pages. The right was checked before; the idempotency key changes every hour, so that it is recorded
 * once an hour.
 */
export const LookAtStudent = command({
  result: nothing,
  input: z.strictObject({ studentId: id }),
  aggregate: look,
  streamId: (_input, { actor }) => actor.accountId,
  decide: ({ studentId }) => [{ type: 'StudentLookedAt', data: { studentId } }],
});
