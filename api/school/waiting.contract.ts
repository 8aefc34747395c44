/** What waits for an admin of a school that is set up. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant } from '../contract/answer.ts';
import { id } from '../contract/fields.ts';

/** How many there are, and the first of them. */
const some = <One extends z.ZodType>(one: One) => z.object({ count: z.int(), first: z.array(one) });

const waiting = z.object({
  classes: some(z.object({ setId: id, name: z.string() })).describe('Without a teacher.'),
  datesOfBirth: some(z.object({ setId: id, name: z.string(), students: z.int() })).describe(
    'Students in a class whose date of birth is missing, so that they cannot join; by class.',
  ),
  assessments: some(z.object({ testId: id, name: z.string() })).describe('Without questions.'),
  people: some(z.object({ accountId: id, name: z.string().nullable(), invitedAt: instant.nullable() })).describe(
    'Staff of the school who were invited and have not activated their account, the longest waiting first.',
  ),
  twice: some(z.object({ name: z.string(), admissionNos: z.array(z.string()) })).describe(
    'Who may be in the school under two StudentIDs: of one name, with one date of birth or with StudentIDs that differ in leading zeros and signs only.',
  ),
  contested: some(z.object({ testId: id, name: z.string(), year: z.int(), totals: z.int() })).describe(
    'Totals on which two people have entered different things; by assessment and year group.',
  ),
});
export type Waiting = Answer<typeof waiting>;

export const waitingQueries = { waiting: { input: z.object({ subjectId: id }), answer: waiting } };
