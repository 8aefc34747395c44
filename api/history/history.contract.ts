/** The record: all that happened in a school, for those who may see it. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant as toldInstant } from '../contract/answer.ts';
import { id, isInCalendar } from '../contract/fields.ts';

const instant = z.iso.datetime({ offset: true }).refine(isInCalendar, 'The year must be between 1000 and 3000');

/** What the record is filtered by, in the order in which it is offered. */
export const recordKinds = ['marks', 'tasks', 'prior', 'students', 'assessments', 'lists', 'structure', 'accounts', 'looks'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Every filter is optional; they are combined with AND. */
export const recordFilters = z.object({
  /** not earlier than */
  from: instant.optional(),
  /** not later than */
  to: instant.optional(),
  /** accountId of the author */
  by: id.optional(),
  kind: z.enum(recordKinds).optional(),
  /** type of the event, such as TotalsUploaded */
  type: z.string().max(100).optional(),
  /** full name of the stream: one entry, one assessment, the roster */
  stream: z.string().max(200).optional(),
  /** the id of anything that is named in it, also of what is deleted; of a class also whoever is in it now, of an account also what it did */
  about: id.optional(),
  /** the id of another thing that is named in it: the assessment or question, beside the student */
  in: id.optional(),
  /** words that are in the name of its author, or of a student, class, assessment, task, teacher or account in it */
  text: z.string().trim().max(100).optional(),
  subjectId: id.optional(),
  yearGroupId: id.optional(),
  setId: id.optional(),
  testId: id.optional(),
  taskId: id.optional(),
  /** with the subject */
  studentId: id.optional(),
});

/** Newest first. */
export const historyAsked = recordFilters.extend({
  /** for the next page: `next` of the previous one */
  before: id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type HistoryAsked = z.input<typeof historyAsked>;

const part = z.object({
  text: z.string(),
  kind: z.string().exactOptional().describe('Of the thing that this part names.'),
  id: id.exactOptional(),
});

const entry = z.object({
  eventId: id,
  type: z.string(),
  at: toldInstant,
  by: z.object({ accountId: id, role: z.string(), name: z.string().nullable().describe('null: a forgotten person') }),
  viewedAs: z.object({ role: z.string(), name: z.string().nullable() }).nullable(),
  stream: z.string(),
  revision: z.int(),
  sentence: z.array(part).describe('What was done, without its author: words, and things with their names.'),
  commandId: id,
});
export type RecordEntry = Answer<typeof entry>;
export type RecordPart = RecordEntry['sentence'][number];

const history = z.object({
  events: z.array(entry),
  next: id.nullable().describe('`before` for the next page; null: this is the last one'),
});
export type History = Answer<typeof history>;

const change = z.object({
  of: part,
  in: part.nullable().describe('The assessment or question, where the field is of a student in it.'),
  field: z.string(),
  from: z.array(z.string()).nullable().describe('What stood there; several where it was contested; null: it is not known.'),
  to: z.string(),
});

const historyEntry = z.object({
  entry,
  subjectId: id.nullable().describe('null: it is of the school, or of a person in several subjects.'),
  year: z.int().nullable().describe('Of the year group that it is about; of several the first.'),
  typedAt: toldInstant.nullable().describe('When it was typed, if it waited offline.'),
  hash: z.string().describe('Of its leaf in the ledger.'),
  changes: z.array(change).describe('The first 200 of those that the reader may see.'),
  moreChanges: z.int().describe('How many others there are.'),
  together: z.array(entry).describe('What else the same act did.'),
  takenBack: z.array(entry).describe('What it undid or redid.'),
  cause: entry.nullable(),
  caused: z.array(entry).describe('What followed from it, and what took it back; the first 50.'),
});
export type HistoryEntry = Answer<typeof historyEntry>;

/** Kinds of changes of a subject that can be undone. */
export const changeKinds = ['students', 'structure', 'assessments', 'lists', 'marks', 'prior'] as const;
const changesAsked = recordFilters.pick({ from: true, to: true, by: true }).extend({
  subjectId: id,
  kind: z.enum(changeKinds).optional(),
  /** for the next page: `next` of the previous one */
  before: id.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ChangesAsked = z.input<typeof changesAsked>;

const act = z.object({
  actId: id,
  kind: z.enum(changeKinds),
  at: toldInstant,
  by: entry.shape.by,
  sentence: entry.shape.sentence.describe('Of the most telling of its entries.'),
  eventId: id.describe('Of that entry.'),
  others: z.int().describe('How many other entries it has.'),
  isUndone: z.boolean(),
  undo: z
    .union([
      z.object({ by: z.literal('UndoAct'), actId: id }),
      z.object({ by: z.enum(['UndoCommand', 'RedoCommand']), entryId: id, commandIds: z.array(id) }),
      z.object({ by: z.enum(['UndoPriorScores', 'RedoPriorScores']), terminalExamId: id, commandId: id }),
      z.object({ by: z.enum(['UndoRevisionChange', 'RedoRevisionChange']), commandId: id }),
      z.object({ by: z.literal('UndoQuestions'), testId: id, commandId: id }),
      z.object({ by: z.enum(['DeleteAssessment', 'RestoreAssessment']), testId: id }),
    ])
    .nullable()
    .describe('The command that takes it back or, once it is undone, brings it back; null: there is none.'),
});
export type RecentAct = Answer<typeof act>;
const recentChanges = z.object({
  acts: z.array(act).describe('Newest first; what only undid or redid another one is told by that one.'),
  next: id.nullable().describe('`before` for the next page; null: this is the last one'),
});
export type RecentChanges = Answer<typeof recentChanges>;

export const historyQueries = {
  'recent-changes': { input: changesAsked, answer: recentChanges },
  history: { input: historyAsked, answer: history },
  'history-entry': { input: z.object({ eventId: id }), answer: historyEntry },
};
