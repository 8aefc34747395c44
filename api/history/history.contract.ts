/** The events of a school, for auditing. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant as told } from '../contract/answer.ts';
import { id, isInCalendar } from '../contract/fields.ts';

const instant = z.iso.datetime({ offset: true }).refine(isInCalendar, 'The year must be between 1000 and 3000');

/** Every filter is optional; they are combined with AND. Newest first. */
export const historyAsked = z.object({
  /** not earlier than */
  from: instant.optional(),
  /** not later than */
  to: instant.optional(),
  /** accountId of the author */
  by: id.optional(),
  /** type of the event, such as TotalsUploaded */
  type: z.string().max(100).optional(),
  /** full name of the stream: one entry, one assessment, the roster */
  stream: z.string().max(200).optional(),
  /** events of the subject itself, of its assessments, schemes and entries */
  subjectId: id.optional(),
  /** for the next page: `next` of the previous one */
  before: id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type HistoryAsked = z.input<typeof historyAsked>;

const history = z.object({
  events: z.array(
    z.object({
      eventId: id,
      type: z.string(),
      at: told.nullable().describe('null: not written by a command'),
      stream: z.string(),
      revision: z.int(),
      commandId: id.nullable(),
      by: z
        .object({ accountId: id, role: z.string(), name: z.string().nullable() })
        .nullable()
        .describe('`name` null: a forgotten person, or the installation itself'),
    }),
  ),
  next: id.nullable().describe('`before` for the next page; null: this is the last one'),
});
export type History = Answer<typeof history>;

export const historyQueries = {
  history: { input: historyAsked, answer: history },
};
