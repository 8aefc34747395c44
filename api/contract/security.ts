import { z } from 'zod';
import type { Answer } from './answer.ts';
import { instant } from './answer.ts';
import { id } from './fields.ts';

/** Entries of the security log, newest first, 200 at a time. Ids only; who they are is shown where accounts and students are. */
export const securityEntries = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      at: instant,
      kind: z.string(),
      accountId: id.nullable(),
      aboutId: id.nullable().describe('The account, student or subject that it was done to.'),
      name: z.string().nullable().describe('The command, query, address or limit.'),
      commandId: id.nullable(),
      network: z.string().nullable().describe('The same for the same network; the address cannot be read from it.'),
      count: z.int().describe('How often the same happened since the entry before.'),
    }),
  ),
});
export type SecurityEntries = Answer<typeof securityEntries>;
export type SecurityEntry = SecurityEntries['entries'][number];
