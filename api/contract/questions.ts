import { z } from 'zod';
import type { Answer } from './answer.ts';
import { instant } from './answer.ts';
import { id } from './fields.ts';

/** A question of an assessment, and what hangs on it. */
export const heldQuestion = z.object({
  questionId: id,
  number: z.int(),
  topic: z.string(),
  marksAvailable: z.int(),
  marks: z.int().describe('Number of students with a mark for it.'),
  mappings: z.int().describe('Number of its mappings to topics.'),
  removedAt: instant.nullable().describe('When it left the paper (its number is the last one); null: it is on the paper.'),
});
export type HeldQuestion = Answer<typeof heldQuestion>;

/** A number under which a file brings something else than there is. */
export const changedQuestion = z.object({
  number: z.int(),
  topic: z.string(),
  marksAvailable: z.int(),
  was: heldQuestion.nullable().describe('The question of this number now; null: none.'),
  mayBe: z
    .array(heldQuestion)
    .describe(
      'Which questions it may be: the one of this number, those that the file takes from their numbers, and removed ones that look like it.',
    ),
  likely: id.nullable().describe('The one that it most likely is: its topic is the same; null: nothing suggests one.'),
  needed: z.boolean().describe('Marks or mappings hang on the answer: without one, the file is refused.'),
});
export type ChangedQuestion = Answer<typeof changedQuestion>;
