/** The events of a school, for auditing. */
import { z } from 'zod';
import { id, isInCalendar } from '../contract/fields.ts';

const instant = z.iso.datetime({ offset: true }).refine(isInCalendar, 'The year must be between 1000 and 3000');

/** GET /api/queries/history: every filter is optional; they are combined with AND. Newest first. */
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

export type History = {
  readonly events: readonly {
    readonly eventId: string;
    readonly type: string;
    /** ISO instant; null: not written by a command */
    readonly at: string | null;
    readonly stream: string;
    readonly revision: number;
    readonly commandId: string | null;
    /** `name` null: a forgotten person, or the installation itself */
    readonly by: { readonly accountId: string; readonly role: string; readonly name: string | null } | null;
  }[];
  /** `before` for the next page; null: this is the last one */
  readonly next: string | null;
};
