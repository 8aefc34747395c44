import { z } from 'zod';
import type { Answer } from './answer.ts';
import { instant } from './answer.ts';

const progress = z.object({ done: z.int(), total: z.int().describe('0: not known yet') });

const comparison = z.object({
  at: instant,
  by: z.string().nullable().describe('The name of who compared; null: an account that was forgotten'),
  models: z.array(
    z.object({ name: z.string(), rows: z.int(), differing: z.int().describe('Rows that are missing, too many or different') }),
  ),
});

/** The read models of the installation, and what a comparison with the school's own events has found last. */
export const readModels = z.object({
  mayRebuild: z.boolean(),
  models: z.array(
    z.object({
      name: z.string(),
      purpose: z.string(),
      state: z.enum(['running', 'filling', 'stopped', 'waiting', 'stale']),
      builtAt: instant,
      position: z.string(),
      behind: z.object({ events: z.int(), orMore: z.boolean(), seconds: z.int() }),
      rebuilding: progress.nullable().describe('In percent'),
    }),
  ),
  comparing: progress.nullable().describe('In events'),
  compared: comparison.nullable(),
  trouble: z.string().nullable().describe('Why the last comparison or rebuild has failed'),
});
export type ReadModels = Answer<typeof readModels>;
export type ReadModel = ReadModels['models'][number];
export type WorkProgress = Answer<typeof progress>;

export const rebuildAsked = z.strictObject({ name: z.string().max(60) });
