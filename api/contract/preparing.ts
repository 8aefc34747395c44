import { z } from 'zod';
import type { Answer } from './answer.ts';

/** Answered with 202 to who asks about an earlier moment with `Prefer: respond-async`, while that is being put together: ask again. */
export const preparing = z.object({ done: z.int().describe('The events that are taken in'), total: z.int().describe('Of so many') });
export type Preparing = Answer<typeof preparing>;
