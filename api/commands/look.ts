import { z } from 'zod';
import { look } from '../../events/look.ts';
import { id } from '../contract/fields.ts';
import { noFacts } from '../facts/facts.ts';
import { command } from './command.ts';

/** Somebody of the staff looks at the pages of a student. Whether he may, was asked before; its key is of the hour, so that it is told once. */
export const LookAtStudent = command({
  input: z.strictObject({ studentId: id }),
  aggregate: look,
  streamId: (_input, { actor }) => actor.accountId,
  facts: noFacts,
  decide: ({ studentId }) => [{ type: 'StudentLookedAt', data: { studentId } }],
  answer: () => ({}),
});
